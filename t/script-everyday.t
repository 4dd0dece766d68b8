#!/bin/sh
# Ten programs of everyday kinds in each language (web, json, regex, sort, template, tests, table,
# numbers, tree, words): fg-record finds the functions that the language's own profiler finds, with
# the same self time. Own profilers count at other moments: a signal is handled at the next check
# of the interpreter, Excimer and JFR have such places only, V8 counts inlined functions otherwise.
# Java and node are recorded in the run of their own profiler, since compilers decide differently in
# each run. So the shares may differ by sampling error and a part of all time, the last argument of `language`.
# Sums with fg-filter --lang are exact, and functions of the program's file have its origin.
#
# LANGUAGES and PROGRAMS, if set, select some of them.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
from=$here/data/everyday
OUT=$PWD/own
export OUT
${CC:-cc} -O1 -shared -fPIC -I/usr/include/lua5.4 -o sampler.so "$from/sampler.c" 2>/dev/null
javac -d . "$from/Everyday.java" 2>/dev/null
erlc "$from/everyday.erl" >/dev/null 2>&1
profile=$(find /usr/lib/jvm -name profile.jfc 2>/dev/null | head -n 1)
[ -z "$profile" ] || perl -0pe 's/(<event name="jdk.ExecutionSample">.*?<setting name="period")[^>]*>[^<]*/$1>1 ms/s' "$profile" >fast.jfc
java="java -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints"

# compared TOLERANCE: prints how the functions of ./ours and ./own agree; false if they do not.
compared() {
	perl -e '
		use strict; use warnings;
		my ($tolerance) = @ARGV;
		my %seen; # in any place of our stacks
		sub name {
			my $f = $_[0];
			$f =~ s/_\[.\]$//;
			$f =~ s/ \([^ ]*\)$//;
			$f =~ s/^\{closure:.*\}$/{closure}/;
			$f =~ s/^(?:block (?:\(\d+ levels\) )?|rescue |ensure )*in //;
			return $f =~ s/\$\$Lambda\$[^.]*/\$\$Lambda/r;
		}
		sub profile {
			my (%self, $sum);
			open my $f, "<", $_[0] or die;
			while (<$f>) {
				/^([^#].*) (\d+)$/ or next;
				my ($stack, $n) = ($1, $2);
				my @frames = map { name($_) } split /;/, $stack;
				$seen{$_} = 1 for $_[0] eq "ours" ? @frames : ();
				$self{$frames[-1]} += $n;
				$sum += $n;
			}
			$self{$_} /= $sum for keys %self;
			return ($sum, \%self);
		}
		my ($n, $ours) = profile("ours");
		my ($m, $own) = profile("own");
		my ($differ, $error, $found, $heavy) = (0, 0, 0, 0);
		for (keys %{{%$ours, %$own}}) {
			my ($p, $q) = ($ours->{$_} // 0, $own->{$_} // 0);
			my $r = ($p * $n + $q * $m) / ($n + $m);
			$differ += abs($p - $q) / 2;
			$error += sqrt(2 / 3.14159 * $r * (1 - $r) * (1 / $n + 1 / $m)) / 2;
			next if $q < .1; # intrinsics of a JVM have no frames, but little time
			$heavy++;
			$found += exists $seen{$_};
		}
		printf "%d and %d samples; %d of %d functions with 10 %% of its time; %.1f %% of time differs, sampling error %.1f\n",
			$n, $m, $found, $heavy, 100 * $differ, 100 * $error;
		for (sort { $own->{$b} <=> $own->{$a} } keys %$own) {
			printf "  %5.1f %5.1f %s\n", 100 * ($ours->{$_} // 0), 100 * $own->{$_}, $_ if $own->{$_} >= .05;
		}
		exit !($found == $heavy && $differ < $error + $tolerance / 100);
	' "$1"
}

# language NAME USER TOLERANCE: USER is a regular expression for frames of the program's own file.
language() {
	of=$1 user=$2 tolerance=$3
	case " ${LANGUAGES:-$of} " in *" $of "*) ;; *) return ;; esac
	lang=$of
	case $of in luajit*) lang=lua ;; esac
	for program in ${PROGRAMS:-web json regex sort template tests table numbers tree words}; do
		rm -f own
		record_"$of" "$program" >/dev/null 2>.said
		[ -s own ] || { skip "$of, $program" "its own profiler is not installed"; continue; }
		fg-filter -q --no-header --lang "$lang" all >lang
		output "$of, $program: the sum with --lang is that of stacks with its functions" \
		    "$(grep -v '^#' all | grep -E '_\[[pj]\]' | grep -E "$kind" | total)" sh -c "awk '{ n += \$NF } END { print n }' lang"
		sed 's/ [0-9]*$//' lang | paste -d'|' - lang | awk -F'|' -v user="$user" '
			{ n = split($1, frame, ";"); sub(/.* /, "", $2); all += $2; if (frame[n] ~ user) sum += $2 }
			END { print sum + 0, all }' >expected
		fg-render -T json lang | sed -n 's/^"origins":{"program":\([0-9]*\),.*/\1/p' >shown
		check "$of, $program: the functions of its file are the program's own" \
		    awk 'NR == FNR { shown = $1; next } # generated code has no file
		        { exit !(shown >= $1 - $2 / 200 && shown <= $1 + $2 / 200) }' shown expected
		adapt_"$of"
		more=0
		case "$of.$program" in python.regex | php.regex | lua.regex | lua.template | lua.sort | luajit*.regex | luajit*.template | luajit*.sort | python.json | node.table)
			more=50 ;; # built-in code that calls a function: its time is counted there
		esac
		compared $((tolerance + more)) >report && ok "$of, $program: $(head -n 1 report)" ||
			{ cp report .said; not_ok "$of, $program: self time by function"; }
		sed '1d; s/^/# /' report
	done
}

records() { fg-record -q -F 997 -o all -- "$@"; }
kind='\([^;]*\)_\[[pj]\]|_\[p\]'

record_python() {
	records /usr/bin/python3 "$from/everyday.py" "$1"
	/usr/bin/python3 "$from/sampler.py" own "$from/everyday.py" "$1"
}
adapt_python() { cp lang ours; }
record_ruby() {
	records ruby "$from/everyday.rb" "$1"
	ruby "$from/sampler.rb" own.json "$from/everyday.rb" "$1" && fg-collapse -q -o own own.json
}
adapt_ruby() { # stackprof names the collector in place of its caller
	sed -i '/;(\(marking\|sweeping\|garbage collection\)) /d' own
	grep -v 'rb_gc\|rb_newobj\|newobj' all >live
	fg-filter -q --no-header --lang ruby live >ours
}
record_php() {
	records php -n "$from/everyday.php" "$1"
	php -n -dextension=excimer -dauto_prepend_file="$from/sampler.php" "$from/everyday.php" "$1"
}
adapt_php() { # Excimer never counts in a built-in function
	fg-filter -q --no-header --hide '^[^(]*_\[p\]$' lang >ours
}
record_perl() {
	records perl "$from/everyday.pl" "$1"
	perl -I"$from" -MSampler "$from/everyday.pl" "$1"
}
adapt_perl() { cp lang ours; }
without_c() { sed -i 's/\[C\]:1;//g; s/;\[C\]:1 / /; s,[^; ]*/\([^;/ ]*\.lua\),\1,g' own; }
record_lua() {
	records lua5.4 "$from/everyday.lua" "$1"
	LUA_CPATH="$PWD/?.so" lua5.4 -l sampler "$from/everyday.lua" "$1"
}
adapt_lua() {
	without_c
	sed 's,main chunk (,everyday.lua:1 (,' lang >ours
}
record_luajit() { # functions of compiled code are in a trace
	records luajit -joff "$from/everyday.lua" "$1"
	luajit -joff "$from/sampler.lua" "$from/everyday.lua" "$1"
}
record_luajit_compiled() {
	records luajit "$from/everyday.lua" "$1"
	MODE=fi1 luajit "$from/sampler.lua" "$from/everyday.lua" "$1"
}
adapt_luajit_compiled() { # a trace belongs to the function that runs it, with what is inlined there
	adapt_luajit
	fg-filter -q --no-header --hide '^\[trace\]' -o inner ours && mv inner ours
}
adapt_luajit() { adapt_lua; sed -i 's/^.*\[builtin:\([a-z]*\)\]:1/&/; s/\(\[builtin:[a-z]*\]\):1 /\1 /' own; }
record_java() { # one run: what C2 compiles, and how well, differs from run to run
	# shellcheck disable=SC2086 # options
	records $java -Xlog:disable -XX:StartFlightRecording:filename=own.jfr,settings="$PWD/fast.jfc" -cp . Everyday "$1" &&
		fg-collapse -q -o own own.jfr
}
adapt_java() { grep '^Everyday\.main' lang | cat >ours; }
record_node() {
	rm -rf cpu
	# V8's profiler counts inlined functions in their caller, where it lacks source positions.
	records node --no-turbo-inlining --cpu-prof --cpu-prof-dir=cpu --cpu-prof-interval 1000 "$from/everyday.js" "$1"
	# Samples, since their times have those when another program was on the CPU.
	fg-collapse -q --samples cpu/*.cpuprofile | fg-filter -q --hide '^RegExp: ' -o own
}
adapt_node() { # V8 names the collector in place of its caller
	sed -i '/[;^](\(garbage collector\|program\|idle\)) /d; /^(program) /d; /^(idle) /d; /^(garbage collector) /d' own
	grep -v 'GarbageCollect\|Scavenge\|v8::internal::Heap::' all >live
	fg-filter -q --no-header --lang node live >ours
}
record_erlang() {
	records erl -noinput +S 1 -run everyday main "$1"
	perf record -q -F 997 -g -o perf.data -- erl -noinput +S 1 +JPperf map -run everyday main "$1"
	perf script -i perf.data 2>/dev/null | fg-collapse -q --samples -o all.own -
	fg-filter -q --lang erlang -o own all.own
}
adapt_erlang() { # perf has no Erlang functions below those in C, and names shared code global::
	grep -E '_\[j\] [0-9]+$' all >compiled
	fg-filter -q --lang erlang compiled | fg-filter -q --no-header --hide '^\$?global::|^\[' >ours
	fg-filter -q --hide '^\$?global::' own >named && mv named own
	sed -i "s/'//g" own
}

language python '/everyday.py:' 15
language ruby '/everyday.rb' 20
language php '/everyday.php:' 25
language perl '/everyday.pl:' 25
language lua '/everyday.lua:' 15
language luajit '/everyday.lua:' 15
language luajit_compiled '/everyday.lua:' 25
kind='[^;]*[.][^;]*_\[j\]'
language java '^Everyday' 20
kind='[^;]*:[^;]*/[0-9]+( \([^;]*\))?_\[j\]|global::'
language erlang '/everyday.erl:' 30
kind='\.js:[0-9]+\)_\[j\]|\(node:[^;]*\)_\[j\]'
language node '/everyday.js:' 20
done_testing
