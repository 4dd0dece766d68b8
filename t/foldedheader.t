#!/bin/sh
# Header lines of folded files: columns, units, periods and time marks are read, preserved and
# merged by fg-merge and fg-filter.
# tier: quick
. "$(dirname "$0")/lib.sh"

lines() {
	printf '%s\n' "$@"
}

# carried NAME INPUT EXPECTED: INPUT passes through each program that reads and writes stacks.
carried() {
	printf "$2" >in
	printf "$3" >want
	for command in fg-merge 'fg-merge -m' fg-filter 'fg-filter --time-order' 'fg-collapse -f folded'; do
		$command in >got 2>said
		same "$1: $command" want got
	done
}

carried 'a unit' '# unit: ns 0\na 1\nb 2\n' '# unit: ns 0\na 1\nb 2\n'
check 'a valid header: no message' test ! -s said
carried 'unit and period' '# unit: samples 0\n# period: 10101010 ns 0\na 1\n' \
	'# unit: samples 0\n# period: 10101010 ns 0\na 1\n'
carried 'without the zeros' '# unit: ns\n# period: 1.50 ms\na 1\n' '# unit: ns 0\n# period: 1.5 ms 0\na 1\n'
carried 'with zeros of other programs' '# unit: ns 0.00\r\n# period:  5 ms\t0e+00 \na 1\n' \
	'# unit: ns 0\n# period: 5 ms 0\na 1\n'
carried 'one word for all columns' '# columns: x y\n# unit: ns\na 1 2\n' '# columns: x y 0 0\n# unit: ns 0 0\na 1 2\n'
carried 'one for each' '# columns: x y 0 0\n# unit: samples ns 0 0\n# period: - 5 ns 0 0\na 1 2\n' \
	'# columns: x y 0 0\n# unit: samples ns 0 0\n# period: - 5 ns 0 0\na 1 2\n'
carried 'units before the columns are known' '# unit: samples ns 0 0\n# columns: x y 0 0\na 1 2\n' \
	'# columns: x y 0 0\n# unit: samples ns 0 0\na 1 2\n'
carried 'a period of one column of three' '# columns: x y z\n# period: - 7 bytes mixed\na 1 2 3\n' \
	'# columns: x y z 0 0 0\n# period: - 7 bytes mixed 0 0 0\na 1 2 3\n'
carried 'two lines of what is known' '# columns: x y\n# unit: ns -\n# unit: - ns\na 1 2\n' \
	'# columns: x y 0 0\n# unit: ns 0 0\na 1 2\n'
carried 'a last column whose name is a number' '# columns: a 1, 0 0\nx 1 2\n' '# columns: a 1, 0 0\nx 1 2\n'
carried 'unknown keys are comments' '# recorded: by fg-record 0\n# host: a b c 3\na 1\n' 'a 1\n'
carried 'no unit: a comment that looks like one' '# unit: 7 0\n# unit:\n# period: soon 0\n# period: 3 0\n# period: 0 ns\na 1\n' 'a 1\n'
check 'a header that does not fit the columns is reported once' test "$(grep -c 'does not fit the columns' said)" = 1
lines 'a 1' '# unit: ns 0' 'b 2' '# period: 5 ns 0' >moved
lines '# unit: ns 0' '# period: 5 ns 0' 'a 1' 'b 2' >want
for command in fg-merge fg-filter fg-collapse; do
	$command moved >got
	same "lines that a script moved: $command" want got
done
lines 'a 1' 'b 2' '# unit: ns 0' '# period: 5 ns 0' >want
for command in 'fg-merge -m' 'fg-filter --time-order'; do
	$command moved >got
	same "lines that a script moved come late in a stream: $command" want got
done
lines 'a 1 2' '# columns: x y 0 0' 'b 2 3' >late
status 'columns named too late are an error' 2 fg-merge late
fg-merge late 2>said
check 'late columns: the error names --columns' grep -q 'late:2: .*--columns' said
fg-merge --columns x,y late >got
lines '# columns: x y 0 0' 'a 1 2' 'b 2 3' >want
same 'late columns: --columns sets them' want got

# To programs that do not know header lines, these are stacks with the value 0.
lines '# columns: base head 0 0' '# unit: ns 0 0' '# period: 1003009 ns 0 0' 'a;b 1 2' 'a;c 3 4' >two
lines '# unit: ns 0' '# period: 1003009 ns 0' '# recorded: by fg-record 0' 'a;b 1' 'a;c 3' >one
awk '{ v = $NF; sub(/ [0-9.]+$/, ""); s[$0] += v } END { for (k in s) printf "%s %.0f\n", k, s[k] }' one one |
	sort -r | fg-merge >got
fg-merge one one >want
same 'awk sums and sort lose nothing' want got
output 'an awk sum over all lines' 4 awk '{ n += $NF } END { print n }' one
sort two | fg-merge >got
fg-merge two >want
same 'sort of two columns' want got
flamegraph=$(command -v flamegraph.pl || ls /usr/share/perl5/Devel/NYTProf/flamegraph.pl 2>/dev/null)
if [ -n "$flamegraph" ]; then
	for f in one two; do
		grep -v '^#' $f | perl "$flamegraph" --hash 2>/dev/null | sort >want
		perl "$flamegraph" --hash $f 2>said | sort >got
		same "flamegraph.pl draws none of them: $f" want got
		check 'flamegraph.pl reads header lines without a message' test ! -s said
	done
else
	skip 'flamegraph.pl draws none of them' 'flamegraph.pl is not installed' libdevel-nytprof-perl
fi

# Adding up
lines '# unit: ns 0' 'a 1' >ns
lines '# unit: bytes 0' 'a 1' >bytes
lines '# unit: nsec 0' 'a 1' >nsec
lines '# unit: us 0' 'a 1' >us
lines 'a 1' >none
lines '# unit: ns 0' '# period: 5 ms 0' 'a 1' >ms5
lines '# unit: ns 0' '# period: 7 ms 0' 'a 1' >ms7
lines '# unit: samples 0' '# period: 5 ms 0' 'a 1' >hz200
lines '# unit: samples 0' '# period: 7 ms 0' 'a 1' >hz142
lines '# unit: samples 0' 'a 1' >samples
lines '# unit: bytes 0' >empty
for m in '' -m; do
	output "a unit and no unit: the unit is kept $m" '# unit: ns 0
a 2' fg-merge $m none ns
	status "different units are an error $m" 2 fg-merge $m ns bytes
	fg-merge $m ns bytes 2>said
	check "unit mismatch: the error names both units and --unit $m" grep -q 'bytes:2: unit bytes, but earlier input has unit ns .*--unit' said
	output "--unit overrides it $m" '# unit: things 0
a 2' fg-merge $m --unit things ns bytes
	output "an input without stacks does not count $m" '# unit: ns 0
a 1' fg-merge $m empty ns
	output "different periods $m" '# unit: ns 0
# period: mixed 0
a 2' fg-merge $m ms5 ms7
	output "equal periods $m" '# unit: ns 0
# period: 5 ms 0
a 3' fg-merge $m ms5 ns ms5
	for names in 'ns nsec' 'nanoseconds ns' 'us usec' 'µs us' 'ms msec' 's sec' 'KB kB'; do
		first=${names% *} second=${names#* }
		lines "# unit: $first 0" "# period: 5 $second 0" 'a 0.1' >x
		lines "# unit: $second 0" "# period: 5 $first 0" 'a 0.2' >y
		case $first in
		nanoseconds) of=ns ;;
		µs) of=us ;;
		*) of=$first ;;
		esac
		lines "# unit: $of 0" "# period: 5 $of 0" 'a 0.3' >want
		fg-merge $m x y >got
		same "$first and $second are one unit $m" want got
		fg-merge $m y x >got
		same "$second and $first are one unit $m" want got
	done
	output "a unit keeps its only name $m" '# unit: nsec 0' sh -c 'fg-merge '$m' nsec nsec | head -n 1'
	status "units of one kind and different sizes are an error $m" 2 fg-merge $m ns us
	status "counts at different periods are refused $m" 2 fg-merge $m hz200 hz142
	fg-merge $m hz200 hz142 2>said
	check "different periods: the message names both remedies $m" grep -q 'hz142:3: .*fg-record --weight period.*fg-merge --scale' said
	output "different periods: one file scaled $m" '# unit: samples 0
# period: 5 ms 0
a 2.4' fg-merge $m --weight hz142=1.4 hz200 hz142
	output "different periods: all files scaled $m" '# unit: samples 0
a 2' fg-merge $m --normalize hz200 hz142
	output "a mean keeps the period $m" '# unit: samples 0
# period: 5 ms 0
a 1' fg-merge $m --mean hz200 hz200
	output "counts of which nothing is known $m" '# unit: samples 0
# period: 5 ms 0
a 2' fg-merge $m hz200 samples
	output "--no-header $m" 'a 2' fg-merge $m --no-header ms5 ms7
	output "--column takes its own $m" '# unit: bytes 0
# period: 512 bytes 0
x 2' fg-merge $m --column 2 "$(printf '# columns: n size\n# unit: samples bytes\n# period: - 512 bytes\nx 1 2\n' >sizes && echo sizes)"
done
status '--unit of two words' 2 fg-merge --unit 'a b' ns
status '--unit of a number' 2 fg-merge --unit 7 ns
status 'a unit and another one in one file' 2 sh -c 'cat ns bytes | fg-merge'
cat ms5 ms7 | fg-merge >got
fg-merge ms5 ms7 >want
same 'a period and another one in one file' want got
output 'fg-filter --unit replaces the unit' '# unit: things 0
a 2' fg-filter --unit things ns bytes
output 'fg-filter --no-header omits the unit' 'a 1' fg-filter --no-header ms5
output 'fg-filter --column keeps the unit of its column' '# unit: bytes 0
# period: 512 bytes 0
x 2' fg-filter --column size sizes
output 'fg-filter --column --time-order' '# unit: bytes 0
# period: 512 bytes 0
x 2' fg-filter --time-order --column size sizes
status 'fg-filter of different units' 2 fg-filter ns bytes

# fg-merge in any grouping and order gives the same bytes, or the same error.
awk 'BEGIN {
	srand(11)
	for (i = 0; i < 6; i++) {
		file = "g" i
		print "# columns: x y 0 0" >file
		if (i % 3) print "# unit:", (i % 2 ? "ns" : "-"), "bytes 0 0" >file
		if (i % 4) print "# period:", 3 + i % 2, "ms", (i > 3 ? "mixed" : "-"), "0 0" >file
		for (k = 0; k < 4; k++)
			printf "s%d;t%d %d %.1f\n", rand() * 3, rand() * 3, rand() * 9, rand() * 9 >file
		close(file)
	}
	for (i = 0; i < 40; i++) {
		for (k = 0; k < 6; k++) order[k] = k
		for (k = 5; k > 0; k--) { j = int(rand() * (k + 1)); t = order[k]; order[k] = order[j]; order[j] = t }
		cut = 1 + int(rand() * 4)
		printf "fg-merge"
		if (rand() < .5) printf " -"
		for (k = 0; k < cut; k++) printf " g%d", order[k]
		for (n = 0; k < 6; k++) line[n++] = "g" order[k]
		printf "|"
		for (k = 0; k < n; k++) printf " %s", line[k]
		print ""
	}
}' >groups
fg-merge g0 g1 g2 g3 g4 g5 >want
: >differ
while IFS='|' read -r first rest; do
	case $first in
	*' - '*) fg-merge $rest | $first >got ;;
	*) $first >part; fg-merge $rest part >got ;;
	esac
	cmp -s want got || echo "$first, $rest" >>differ
done <groups
: >nothing
same 'forty ways to group six files are one' nothing differ
check 'mixed periods: a header in all groupings' grep -q '^# period: mixed 0 0$' want
for order in 'hz200 none hz142' 'none hz142 hz200' 'hz142 hz200 none'; do
	status "refused in any order: $order" 2 fg-merge $order
done
fg-merge --no-header hz142 | cat - hz200 | fg-merge >got
lines '# period: 5 ms 0' 'a 1' >plain5
lines '# period: 7 ms 0' 'a 1' >plain7
fg-merge plain5 plain7 >mixed
status 'a mixed period and counts of samples are refused' 2 fg-merge mixed samples

# A block without its header, as parallel --pipe passes to all but the first job
lines 'a;b 1 2' 'c 3 4' >block
for command in fg-merge 'fg-merge -m' fg-filter 'fg-filter --time-order'; do
	$command block >got 2>said
	check "a block without its header: $command" grep -q '^fg-[a-z]*: block: .*--columns' said
	$command -q block >got 2>said
	check "a part without its header, -q: no note: $command" test ! -s said
	$command --columns x,y block >got 2>said
	check "a part without its header, --columns: no note: $command" test ! -s said
done
lines 'a;b 1 2' 'c 3' >some
fg-merge some >got 2>said
check 'stacks that do not all end in numbers: no note' test ! -s said

lines 'no stack' >bad
fg-merge bad >got 2>said
check 'lines without stacks: one note' test "$(wc -l <said)" = 1

# Time marks
lines '# unit: ns 0' '# time: 0 s 0' 'a 1' 'a 2' '# time: 1.50 s 0' 'a 5' '# time: 2 s 0' 'b 1' '# time: 3 s 0' \
	'c 4' '# time: 4 s 0' 'c 4' >timed
output 'fg-filter --time-order keeps time marks' '# unit: ns 0
# time: 0 s 0
a 3
# time: 1.50 s 0
a 5
# time: 3 s 0
c 4
# time: 4 s 0
c 4' fg-filter --time-order --drop b timed
output 'programs that sort leave out time marks' '# unit: ns 0
a 8
c 8' fg-filter --drop b timed
output 'fg-merge joins the units of its inputs' '# unit: ns 0
a 8
b 1
c 8' fg-merge timed
output '--no-header omits header lines' 'a 8
b 1
c 8' fg-filter --no-header --time-order timed
awk 'BEGIN { for (i = 0; i < 600000; i++) { if (i % 1000 == 0) printf "# time: %d ms 0\n", i / 100; print "f;g" i % 7, 1 } }' >long
fg-filter --time-order long >got
same 'over more than one batch' long got
printf '# time: 1 ms 0 0\na 1 2\n' | fg-filter --time-order --columns x,y --column x >got
lines '# time: 1 ms 0' 'a 1' >want
same 'time order: a zero for each column' want got

# A stack is never written in a form that reads as a comment.
output 'a root that would be a comment' '#x;y 3' sh -c "printf 'm;# x;y 1\nm;#x;y 1\nm;#  x;y 1\n' | fg-filter --root-at '#'"
output 'a root that would be a comment, in time order' '#x;y 3' sh -c "printf 'm;# x;y 1\nm;#x;y 1\nm;#  x;y 1\n' | fg-filter --time-order --root-at '#'"
printf '#\t6\n' >want
printf '#\t1\nm;#\t2\nm;# 3\n' >in
for command in 'fg-filter --root-at #' 'fg-filter --time-order --root-at #'; do
	$command in >got
	same "the stack '#': $command" want got
	fg-merge got >again
	same 'the stack '\''#'\'': lossless round trip' want again
	fg-merge -m got got | fg-filter | fg-merge >again
	printf '#\t12\n' >twice
	same 'the stack '\''#'\'': a second round trip' twice again
done
printf 'm;# 3\nm;#;a 1\n' | fg-filter --root-at '#' >got
printf '#\t3\n#;a 1\n' >want
same 'the stack '\''#'\'' with child frames' want got
output 'a prefix that would be a comment' '#x;a 1' fg-merge --prefix '#  x=none'
done_testing
