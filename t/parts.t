#!/bin/sh
# Large files that threads read in parts: the same bytes and messages as with one thread.
# tier: full
. "$(dirname "$0")/lib.sh"

# 10 MB each: seven parts of a megabyte or more after the first block.
stacks() { # SEED: long stacks in no order, of which many are equal
	awk -v seed="$1" 'BEGIN {
		for (i = 0; i < 40; i++) pad = pad "x"
		srand(seed)
		for (i = 0; i < 60000; i++) {
			n = int(rand() * 30000)
			printf "app;main;run_%s_%d;step_%s_%d;visit_%s_%d;leaf%d %d\n", pad, n % 7, pad, n % 90, pad, n % 2500, n, n % 9 + 1
		}
	}'
}
middle() { # LINE: the shuffled stacks with a line after two thirds
	head -n 40000 shuffled
	printf '%s\n' "$1"
	tail -n +40001 shuffled
}
stacks 1 >shuffled
fg-filter -q -j 1 shuffled >canonical
while [ "$(wc -c <canonical)" -lt 9000000 ]; do # canonical has each stack once
	sed 's/^app;/bpp;/' canonical >>canonical.more
	sed 's/^app;/cpp;/' canonical >>canonical.more
	cat canonical.more >>canonical
	rm canonical.more
done
LC_ALL=C sort shuffled >lines
sed 's/$/\r/' shuffled >crlf
awk '{ print } NR % 100 == 0 { print "# a comment " NR; print "" } NR % 7000 == 0 { print "# time: " NR " s 0" }' shuffled >comments
middle 'this is not a stack' >damaged
awk '{ print } NR % 1000 == 0 { print "no value here" }' shuffled >damages
middle "app;main;refund -17.25" >negative
middle 'app;main;rounded 1.5e3' >exponent
middle '# unit: bytes 0' >header
middle '# label: host=a 0' >labels
{ echo '# unit: samples 0'; cat shuffled; echo '# period: 10 ms 0'; cat shuffled; } >joined
awk '{ sub(/ [0-9]*$/, ""); print $0, NR % 10, NR % 7 }' shuffled >pairs
awk 'NR == 1 { print "# columns: base head 0 0" } { print }' pairs >columns
fg-merge -q -j 1 shuffled | awk '{ print }' >plain
{ echo '# end: follows 0'; cat shuffled; awk '{ s += $NF } END { printf "# end: stacks=%d sum=%d 0\n", NR, s }' shuffled; } >ends
head -c 9000000 ends >cutoff
sed 's/sum=/sum=1/' ends >mismatch
{ cat ends ends; } >twice
printf 'app;main;last 5' | cat shuffled - >unterminated

# Each number of threads for the same input takes a second on a busy machine.
numbers='2 3 7'

# compare NAME COMMAND...: output, messages and status of each number of threads
compare() {
	name=$1
	shift
	"$@" -j 1 >want 2>want.said
	echo "$?" >>want.said
	for jobs in $numbers; do
		"$@" -j $jobs >got 2>said
		echo "$?" >>said
		cmp -s want got && cmp -s want.said said || echo "$jobs threads"
	done >unlike
	same "$name" /dev/null unlike
}

for input in canonical lines shuffled crlf comments damaged damages negative exponent header labels joined pairs columns \
	ends cutoff mismatch twice unterminated; do
	case $input in canonical | shuffled | crlf | comments | damaged | negative) numbers='2 3 7' ;; *) numbers=7 ;; esac
	compare "fg-render -T d3 of $input" fg-render -v -T d3 $input
	compare "fg-filter of $input" fg-filter -v $input
	compare "fg-merge of $input" fg-merge -v $input
done
compare 'fg-filter --hide: a tree' fg-filter -v --hide step_ shuffled
compare 'fg-render: SVG' fg-render shuffled
compare 'fg-render --order=input: SVG' fg-render --order=input shuffled
compare 'fg-render of two columns: SVG' fg-render columns
compare 'fg-render of two files' fg-render -T d3 shuffled canonical
compare 'fg-filter --drop of shuffled' fg-filter -v --drop leaf1 shuffled
compare 'fg-filter --drop of canonical' fg-filter -v --drop leaf1 canonical
compare 'fg-filter --rename of canonical' fg-filter --rename 's/leaf/l/' canonical
compare 'fg-filter --time-order' fg-filter --time-order comments
compare 'fg-filter --from --to' fg-filter --from 7000s --to 14001s comments
compare 'fg-filter of two files' fg-filter shuffled canonical
compare 'fg-merge -m of canonical' fg-merge -m canonical
compare 'fg-merge --sorted-lines of sorted lines' fg-merge --sorted-lines lines
compare 'fg-merge of three files' fg-merge shuffled crlf canonical
compare 'fg-merge --normalize' fg-merge --normalize shuffled crlf damages
compare 'fg-merge --mean --scale' fg-merge --mean --scale crlf=0.3 shuffled crlf
compare 'fg-merge --join=function' fg-merge --join=function shuffled crlf
compare 'fg-merge --prefix' fg-merge --prefix shuffled
compare 'fg-collapse of folded stacks' fg-collapse shuffled
for input in damaged cutoff unterminated; do
	for program in fg-render fg-filter fg-merge; do
		compare "$program --strict of $input" $program --strict $input
	done
done
cat shuffled >same
fg-merge shuffled same shuffled same shuffled same -j 1 >want
fg-merge shuffled same shuffled same shuffled same -j 7 >got
same 'fg-merge of six files' want got

# The result is not an accident of equal inputs: the sum is that of awk.
for program in fg-filter fg-merge; do
	sum=$($program -j 7 shuffled | awk '!/^# / { s += $NF } END { print s }')
	check "$program -j 7: the sum of all values" test "$sum" = "$(awk '{ s += $NF } END { print s }' shuffled)"
done

# The threads that a program starts.
threads() {
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=clone,clone3 -o trace "$@" >/dev/null 2>&1
	grep -c 'clone.*= [0-9]' trace
}
if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
	head -c 1000000 shuffled | head -n -1 >small
	for program in fg-filter fg-merge; do
		check "$program -j 3: two threads" test "$(threads $program -j 3 shuffled)" = 2
		check "$program -j 1: no thread" test "$(threads $program -j 1 shuffled)" = 0
		check "$program of a small file: no thread" test "$(threads $program small)" = 0
		check "$program of a pipe: no thread" test "$(cat shuffled | threads $program -j 7)" = 0
	done
	check 'fg-render -j 3: two more threads' \
		test "$(threads fg-render -T d3 -j 3 shuffled)" = "$(($(threads fg-render -T d3 -j 1 shuffled) + 2))"
else
	skip 'the number of threads' 'no strace, or it may not trace' strace
fi
for jobs in 0 -1 257 x; do
	status "fg-merge -j $jobs: a usage error" 2 fg-merge -j $jobs small
done
done_testing
