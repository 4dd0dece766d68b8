#!/bin/sh
# Each perf script text of ../shared/corpus, compared byte by byte with each reference that other
# tools produced from it. Where a reference differs intentionally, `cases` below has the reason and
# the rules that make both sides equal. A rule must be necessary: if the sides are equal without
# it, the test fails.
# tier: full
. "$(dirname "$0")/lib.sh"
[ -n "$shared" ] || skip_all 'no ../shared/corpus'
cd "$shared/corpus/perf-script" || exit 1
libiberty=$(fg-collapse --version | grep '^demangling: libiberty')

# normalise.pl RULE...: applies the rules to folded stacks, sorts them and adds up equal ones.
cat >"$tmp/normalise.pl" <<'EOF'
use strict;
my $suffix = qr/(_\[[kjil]\])?$/;
my %rule = (
	# stackcollapse-perf.pl cuts a name at its first parenthesis, except Go methods and
	# anonymous namespaces. So main::{lambda()#1} and std::function<int (int)>::operator() are
	# truncated.
	cut => sub {
		map {
			my ($name, $tail) = /^(.*?)$suffix/;
			$name =~ /^\(anonymous\) / or $name =~ s/\((?!anonymous namespace\)).*// if $name !~ /\.\(.*\)\./;
			$name . ($tail // '');
		} @_
	},
	# inferno mistakes the parentheses of operator() for an argument list.
	operator => sub { map { s/\boperator\(\)[^;]*/operator/r } @_ },
	# perl and inferno omit frames that begin with a parenthesis.
	anonymous => sub { grep { !/^\(anonymous namespace\)/ } @_ },
	# The other tools keep V8's names unchanged: JS:*FUNCTION FILE:LINE:COLUMN, RegExp:PATTERN.
	v8 => sub {
		map {
			my ($name, $tail) = /^(.*?)$suffix$/;
			if ($name =~ s/^(?:JS|LazyCompile|Function|Script|Eval):[*~^+]?//) {
				my ($function, $place) = $name =~ /^(|.* )(\S+:\d+)$/ ? ($1, $2) : ($name, '');
				$place =~ s/^(.*:\d+):\d+$/$1/;
				$function =~ s/ $//;
				$name = $function ne '' ? $function : "(anonymous) ($place)";
			}
			$name =~ s/^RegExp:(?![: ])/RegExp: /;
			$name . ($tail // '');
		} @_
	},
	# The other tools cut a regular expression at its first parenthesis, like an argument list.
	pattern => sub { map { s{^(RegExp: [^(]*)\(.*?$suffix}{$1 . ($2 // '')}er } @_ },
	# perl deletes quotes.
	quotes => sub { map { tr/"'//dr } @_ },
	# perl does not demangle Rust. Legacy mangling: escapes between $, .. and a hash.
	rust => sub {
		my %c = (BP => '*', C => ',', GT => '>', LP => '(', LT => '<', RF => '&', RP => ')');
		map {
			if (s/::h[0-9a-f]{16}$suffix/$1/) {
				s/(^|::)_\$/$1\$/g;
				s/\.\./::/g;
				s/\$(?:([A-Z]+)|u([0-9a-f]{2}))\$/defined $1 ? $c{$1} : chr hex $2/ge;
			}
			$_;
		} @_
	},
	# inferno keeps the underscore that the legacy Rust mangling puts before an escape.
	underscore => sub { map { s/::_(?=[<{])/::/gr } @_ },
	# Rust's v0 mangling as binutils demangles it, without crate hashes.
	v0 => sub { map { my $n = $_; $n = `c++filt -p '$n'` =~ s/(?<=\w)\[\w+\]//gr if /^_R/; chomp $n; $n } @_ },
	# perl and inferno treat every module in brackets as the kernel's, [vdso] too.
	vdso => sub { map { s/^(\[vdso\]|__vdso_gettimeofday)$/$1_[k]/r } @_ },
	# The other tools write a space for a frame with a module but no name.
	nameless => sub { map { /^\[libc-2.15.so/ ? ' ' : $_ } @_ },
	# perl does not recognize a module name that contains a space.
	memfd => sub { map { s/^\[memfd:.*/[unknown] /r } @_ },
	# perl does not recognize `:-1 -1` as a sample header.
	minus => sub { $_[0] eq ':-1' ? () : @_ },
	# perl and inferno mistake the number in a comm for the thread id.
	broker => sub { map { s/^FS_Broker_5906$/FS_Broker/r } @_ },
	# inferno drops a sample if no frame is left.
	frameless => sub { @_ > 1 ? @_ : () },
	trimmed => sub { map { s/ $//r } @_ },
	# Without a comm the other tools parse thread and time as the comm.
	rootless => sub { shift; @_ },
	# speedscope has one file per thread, no comm, and other names for unknown functions.
	p0 => sub { $_[0] eq 'simple-terminat' ? @_ : () },
	p1 => sub { $_[0] eq 'swapper' ? @_ : () },
	speedscope => sub {
		shift;
		map { s/^\[unknown\]$/??? ([unknown])/r =~ s/^(\[kernel.kallsyms\])$/??? ($1)/r } @_
	},
);
my $weighed = !grep { $_ eq 'unweighed' } @ARGV;
my @names = grep { $_ ne 'unweighed' } @ARGV;
my %sum;
while (<STDIN>) {
	chomp;
	my ($stack, $value) = /^(.*) (\S+)$/ or die "no folded line: $_";
	my @frame = split /;/, $stack, -1;
	@frame = $rule{$_}->(@frame) for @names;
	$sum{join ';', @frame} += $value if @frame;
}
print map { $weighed ? "$_ $sum{$_}\n" : "$_\n" } sort keys %sum;
EOF

normalise() {
	perl "$tmp/normalise.pl" "$@"
}

# The input that perl processes: it loses the lines after the last blank line.
without_last_sample() {
	perl -e 'my @l = <STDIN>; if (@l && $l[-1] !~ /^\s*$/) { pop @l while @l && $l[-1] !~ /^\s*$/ }
	    print @l'
}

# Sets, for FILE and the VARIANT of its reference, the options and the rules:
#   ours, theirs: rules for one side
#   input: a filter for our input
#   every: all events together
#   prefixes: the reference's stacks are prefixes of ours
# and `why`; without it both sides must be equal without rules.
cases() {
	options=--no-annotate ours= theirs= input=cat every= prefixes= why=
	case $2 in
	*all) options=--all ;;
	*kernel) options=--kernel ;;
	*jit) options=--jit ;;
	*addrs) options='--no-annotate --addrs' ;;
	*pid) options='--no-annotate --pid' ;;
	*tid) options='--no-annotate --tid' ;;
	*ev-*) options="--no-annotate -e ${2##*ev-}" ;;
	esac
	case $1 in gen-cpp-g-F-full.txt) options="$options --tid" ;; esac
	peer=perl
	case $2 in
	*inferno*) peer=inferno ;;
	*speedscope*) peer=speedscope ;;
	*oneline*) peer=oneline ;;
	esac

	case $peer:$1 in
	perl:firefox-test.perf | perl:inferno-go-stacks.txt | perl:perf-dd-* | perl:perf-iperf-* | \
	perl:perf-java-stacks-01.txt | perl:perf-mirageos-* | perl:perf-numa-* | perl:perf-vertx-*)
		input=without_last_sample
		why='perl loses the last sample when no blank line follows it' ;;
	esac
	case $peer:$1 in
	perl:gen-cpp-* | perl:firefox-test.perf | perl:gen-multi-events.txt)
		ours='cut anonymous'
		why="$why; perl cuts names at their first bracket and drops (anonymous namespace)::f" ;;
	oneline:gen-no-callgraph*)
		ours='cut trimmed'
		why='cut at the first bracket, as perl does' ;;
	perl:gen-sched-tracepoint.txt*)
		ours='cut anonymous memfd minus'
		why='perl cuts names at their first bracket, drops (anonymous namespace)::f and :-1' ;;
	perl:inferno-cpp-stacks-std-function.txt | \
	perl:gen-system-wide-kernel.txt* | perl:gen-syscalls-tracepoint.txt)
		ours=cut
		why="$why; perl cuts names at their first bracket" ;;
	inferno:gen-cpp-* | inferno:firefox-test.perf | inferno:inferno-cpp-stacks-std-function.txt)
		ours='operator anonymous'
		why='inferno cuts operator() and drops (anonymous namespace)::f' ;;
	inferno:gen-no-callgraph*)
		ours='anonymous frameless'
		why='inferno drops (anonymous namespace)::f' ;;
	esac
	case $peer:$1 in
	perl:perf-js-*)
		ours=quotes
		why='perl deletes quotes' ;;
	perl:perf-rust-*)
		theirs=rust
		why='perl leaves names of Rust mangled' ;;
	inferno:perf-rust-* | inferno:inferno-single-event.txt)
		theirs=underscore
		why='inferno leaves underscores in names of Rust' ;;
	*:speedscope-rust-mangled.*)
		theirs=v0
		why='the others leave names of Rust mangled' ;;
	esac
	case $1 in
	perf-js-* | gen-sched-tracepoint.txt* | gen-system-wide-kernel.txt*)
		theirs="$theirs v8"
		why="$why; the others leave names of V8 as they are" ;;
	esac
	case $1 in
	perf-js-stacks-01.txt*)
		ours="$ours pattern"
		why="$why and cut regular expressions" ;;
	esac
	case $1:$2 in
	perf-iperf-*:*all | perf-iperf-*:*kernel | perf-java-stacks-01.txt:*all | \
	perf-java-stacks-01.txt:*kernel | perf-vertx-*:*all | perf-vertx-*:*kernel)
		ours="$ours vdso"
		why="$why; [vdso] is user code" ;;
	esac
	case $peer:$1 in
	*:perf-vertx-*)
		ours="$ours nameless"
		why="$why; the others leave a frame without a name empty" ;;
	perl:gen-python.txt | inferno:gen-python.txt)
		options="$options --samples"
		why='the others lose the period of a header without a time' ;;
	*:gen-cpp-g-F-nocomm.txt)
		theirs=rootless
		why="$why; without a comm column the others take thread and time for one" ;;
	inferno:firefox-test.perf)
		ours="$ours broker"
		every=yes
		why="$why and takes a number in a comm for the thread, two events for one" ;;
	perl:gen-sched-tracepoint.txt* | perl:gen-syscalls-tracepoint.txt)
		every=yes
		why="$why; perl takes the words of a tracepoint for no part of its name: two events are one" ;;
	inferno:gen-sched-tracepoint.txt*)
		theirs="$theirs rootless"
		ours='rootless anonymous'
		every=yes
		prefixes=yes
		why='inferno finds 154 of 1630 samples, no comm, and the beginnings of stacks' ;;
	esac
	case $peer:$1 in
	inferno:gen-cpp-g-F-nocomm.txt)
		options="$options --samples"
		why="$why, and inferno loses the period" ;;
	speedscope:*)
		case $2 in *.p[01]) ours="${2##*.} speedscope" ;; *) ours=speedscope ;; esac
		theirs="$theirs unweighed"
		why="speedscope has no comm, weighs by the time between samples; $why" ;;
	esac
}

# The other tools fold the first event in the file, fg-collapse the one with most samples.
first_event() {
	case $file:$options in
	*" -e "*) ;;
	gen-multi-events.txt:* | perf-cycles-instructions-01.txt:*)
		perl -ne 'if (/^\S.*?\d\.\d+:\s+(?:\d+ +)?(\S+):(?:\s|$)/) { print " -e $1"; exit }' "$tmp/in" ;;
	esac
}

fold() {
	$input <"$tmp/in" >"$tmp/read"
	if [ -n "$every" ]; then
		perl -ne 'print "$1\n" if /^\S.*?\d\.\d+:\s+(?:\d+ +)?(\S+):(?:\s|$)/' "$tmp/read" | sort -u |
		    while read -r event; do
			fg-collapse -q $options -e "$event" "$tmp/read" || exit 1
		done
	else
		fg-collapse -q $options "$tmp/read"
	fi
}

# FlameGraph's own 13 fixtures, each with seven sets of options. The references are the output of
# stackcollapse-perf.pl, and the cases above explain every line that differs from them. Its
# test/results are equal to the references except --pid and --tid of four fixtures (java-*, vertx),
# of which those of java-faults have one per sample instead of the period.
for fixture in cycles-instructions-01 dd-stacks-01 funcab-cmd-01 funcab-pid-01 iperf-stacks-pidtid-01 \
    java-faults-01 java-stacks-01 java-stacks-02 js-stacks-01 mirageos-stacks-01 numa-stacks-01 \
    rust-Yamakaky-dcpu vertx-stacks-01; do
	for variant in '' .pid .tid .kernel .jit .all .addrs; do
		ref=perf-$fixture.txt$variant.folded
		[ -e "$ref" ] || [ -e "$ref.gz" ] || echo "$ref"
	done
done >"$tmp/missing"
same "FlameGraph's 13 fixtures are compared with each set of options" /dev/null "$tmp/missing"

for ref in *.folded *.folded.gz; do
	file=$ref
	while [ -n "$file" ] && ! { [ -e "$file" ] && [ "$file" != "$ref" ]; } &&
	    ! { [ -e "$file.gz" ] && [ "$file.gz" != "$ref" ]; }; do
		case $file in *.*) file=${file%.*} ;; *) file= ;; esac
	done
	[ -e "$file" ] || file=$file.gz
	variant=${ref#"${file%.gz}".}
	variant=${variant%.gz}
	variant=${variant%.folded}
	cases "$file" "$variant"
	gzip -cdf "$file" >"$tmp/in"
	options=$options$(first_event)
	# perl and inferno add brackets to module names that have brackets: [[vdso]], [[vdso]
	# <7ffd0>]. fg-collapse removes symbol versions: fopen@@GLIBC_2.2.5.
	gzip -cdf "$ref" | sed -E 's/\[\[([^][;]*)\]/[\1/g; s/@@?GLIBC(XX)?_[0-9.]+//g' >"$tmp/ref"
	why=${why#; }
	if [ -z "$why" ]; then
		LC_ALL=C sort "$tmp/ref" >"$tmp/expected"
		fold | LC_ALL=C sort >"$tmp/got"
		same "$ref" "$tmp/expected" "$tmp/got"
		continue
	fi
	if [ "$theirs" = v0 ] && ! { [ -n "$libiberty" ] && command -v c++filt >/dev/null; }; then
		skip "$ref" 'no libiberty or no c++filt' libiberty-dev
		continue
	fi
	case $theirs in *unweighed*) ours="$ours unweighed" ;; esac
	normalise $theirs <"$tmp/ref" >"$tmp/expected"
	fold | normalise $ours >"$tmp/got"
	if [ "$prefixes" ]; then
		perl -e 'my %p; open my $g, "<", $ARGV[0] or die;
		    while (<$g>) { s/ \S+$//; chomp; $p{$_} = 1; $p{$_} = 1 while s/;[^;]*$// }
		    open my $e, "<", $ARGV[1] or die;
		    while (<$e>) { print if s/ (\S+)$// ? exists $p{s/\n//r} : 1 }' \
		    "$tmp/got" "$tmp/expected" >"$tmp/begun"
		mv "$tmp/begun" "$tmp/got"
		sed -i 's/ [^ ]*$//' "$tmp/expected"
	fi
	same "$ref ($why)" "$tmp/expected" "$tmp/got"
	sort "$tmp/ref" >"$tmp/expected"
	fg-collapse -q ${options%--samples} "$tmp/in" | sort | cmp -s - "$tmp/expected" &&
	    check "$ref: its difference has gone; take it out of the cases" false
done
done_testing
