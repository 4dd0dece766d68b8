#!/bin/sh
# A function has the same name in all formats: each program of t/data/pairs was recorded with two
# profilers. The recordings differ, so names are compared: the weight of the leaf frames, and the
# heaviest names of one profile that the other has too.
# tier: quick
. "$(dirname "$0")/lib.sh"
pairs=$here/data/pairs

# agree NAME [LIMIT]: compares ./got with ./other: names with over 95 % of the weight agree, and over
# 90 % of the 100 heaviest; those below LIMIT of the weight are ignored as chance.
agree() {
	LIMIT=${2:-0} \
	perl -e '
		use strict; use warnings;
		my (%self, %total, %other, $all);
		my $read = sub { open my $f, "<", $_[0] or die; map { /^([^#].*) (\S+)$/ ? [$2, split /;/, $1] : () } <$f> };
		$other{$_} = 1 for map { @$_[1 .. $#$_] } $read->("other");
		for ($read->("got")) {
			my ($n, @f) = @$_;
			my %once = map { $_ => 1 } @f;
			$self{$f[-1]} += $n;
			$total{$_} += $n for keys %once;
			$all += $n;
		}
		my @heavy = grep { $total{$_} >= $ENV{LIMIT} * $all } sort { $total{$b} <=> $total{$a} || $a cmp $b } keys %total;
		@heavy = @heavy[0 .. 99] if @heavy > 100;
		my ($weight, $names) = (0, 0);
		$weight += $self{$_} for grep { $other{$_} } keys %self;
		$names += $other{$_} // 0 for @heavy;
		printf "%.1f%% of weight, %d of %d names\n", 100 * $weight / $all, $names, scalar @heavy;
		print "missing: $_\n" for grep { !$other{$_} } @heavy;
		exit !($weight > .95 * $all && $names > .9 * @heavy && @heavy >= 10);
	' >"$tmp/.said" && ok "$1: $(head -n 1 "$tmp/.said")" || not_ok "$1"
	: >"$tmp/.said"
}

# frames FILE: the folded stacks without the comm; generated: only frames of JIT code.
frames() { gzip -dc "$pairs/$1" | fg-collapse -q --no-header ${2:---no-annotate} - | sed 's/^[^;]*;//'; }
generated() {
	perl -pe 's/^(.*) (\S+)$/join(";", map { s{_\[j\]$}{}r } grep { m{_\[j\]$} } split m{;}, $1) . " $2"/e; $_ = "" if /^ /'
}

# The JVM writes "void App$Node.insert(java.lang.Comparable)" to its perf map. A flight recording
# has fewer frames: no stubs of the JVM and no hidden methods.
frames java.jfr-text.gz >got
gzip -dc "$pairs/java.perf-script.gz" | fg-collapse -q --no-header -a - | generated >other
agree 'Java: a flight recording and the perf map' .005

# V8 writes "JS:*fib /srv/app/pair/app.js:6:13". (garbage collector) and (program) are not
# functions.
gzip -dc "$pairs/node.cpuprofile.gz" | fg-collapse -q --no-header - | sed 's/;(garbage collector) / /; /^(garbage collector) /d; /(program) /d' >profile
gzip -dc "$pairs/node.perf-script.gz" | fg-collapse -q --no-header -a - | generated >map
cp map got
cp profile other
agree 'node: the perf map and --cpu-prof'
cp profile got
cp map other
agree 'node: --cpu-prof and the perf map' .005

# Go's symbols may end in .abi0 or contain [go.shape.int_0]; perf resolves fewer inlined functions.
frames go.perf-script.gz -a | perl -ne 's/^(.*) (\S+)$/join(";", grep { !m{_\[[kl]\]$|^\[} } split m{;}, $1) . " $2"/e; s/_\[i\]//g; print unless /^ /' >got
gzip -dc "$pairs/go.pprof.gz" | fg-collapse -q --no-header - >other
agree 'Go: perf and the profile of its runtime'

# Python's perf map ("py::Shop.sell:/srv/app.py") and fg-record's own frames, of one run with -X perf:
# the map starts after the first imports.
gzip -dc "$pairs/python.folded.gz" | perl -pe 's/:\d+\)_\[p\]/)/g' >got
gzip -dc "$pairs/python.map.gz" | perl -ne '/^\S+ \S+ (.*)/ and print "python3 1 1.0: 1 cycles:\n\t7f35 $1 (/tmp/perf-1.map)\n\n"' |
	fg-collapse -q --no-header -a - | generated >other
agree 'Python: fg-record and the perf map'

done_testing
