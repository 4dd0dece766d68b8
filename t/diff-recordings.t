#!/bin/sh
# A/A: one program recorded many times and compared with itself. Real runs are not independent
# draws, so their false alarm rate is measured here.
# tier: full
. "$(dirname "$0")/lib.sh"

RUNS=24
${CC:-cc} -g -O1 -fno-omit-frame-pointer -o work "$here/diff-work.c" || skip_all 'no compiler'

if fg-record -q -F 1999 -o first -- ./work >/dev/null 2>why && [ -s first ]; then
	how_recorded=fg-record
	record() { fg-record -q -F 1999 -o "$1" -- ./work >/dev/null 2>why; }
elif perf record -q -e cpu-clock -F 1999 -g -o first ./work >/dev/null 2>why &&
    perf script -i first 2>why | fg-collapse -q >folded 2>>why && [ -s folded ]; then
	how_recorded=perf
	record() {
		perf record -q -e cpu-clock -F 1999 -g -o data ./work >/dev/null 2>&1 &&
			perf script -i data 2>/dev/null | fg-collapse -q >"$1" 2>why
	}
else
	skip_all "this machine refuses to be profiled: $(head -1 why)"
fi

# compare ARGUMENTS...: adds 1 to $alarms if a change is beyond noise.
compare() {
	compared=$((compared + 1))
	fg-diff -q --report=tsv "$@" >report || return
	awk -F '\t' '$1 != "whole" && $7 == "real" { found = 1 } END { exit !found }' report &&
		alarms=$((alarms + 1))
}

# draw N K: two sets of K runs each, from a random generator with seed N.
draw() {
	awk -v seed="$1" -v k="$2" -v n=$RUNS 'BEGIN {
		for (i = 0; i < n; i++) run[i] = i
		seed = seed * 7919 + 1
		for (i = 0; i < 2 * k; i++) {
			seed = seed * 16807 % 2147483647
			j = i + int(seed / 2147483647 * (n - i))
			swap = run[i]; run[i] = run[j]; run[j] = swap
			printf "%srun%d ", i == k ? "-- " : "", run[i]
		}
	}'
}

# verdict MAX RUNS: appends a line to ./verdicts: ok or not_ok, and the number of false alarms.
verdict() {
	[ $alarms -le "$1" ] && word=ok || word=not_ok
	echo "$word ${how:-amounts}: false alarms in $alarms of $compared comparisons of $2 a side" >>verdicts
}

# Records all runs and compares pairs of them. Each run is in four comparisons, so one disturbed
# run may fail: with other load on the machine, all runs are repeated, up to three times.
one_by_one() {
	: >verdicts
	i=0
	while [ $i -lt $RUNS ]; do
		record run$i || skip_all "$how_recorded failed: $(head -1 why)"
		i=$((i + 1))
	done
	# Compares each run with the next one, and with the run half of the list away.
	for how in '' -n; do
		alarms=0 compared=0 i=0
		while [ $i -lt $RUNS ]; do
			compare $how run$i run$(((i + 1) % RUNS))
			compare $how run$i run$(((i + RUNS / 2) % RUNS))
			i=$((i + 1))
		done
		verdict 6 'one run' # at most 12 % of the worst program's
	done
	! grep -q '^not_ok' verdicts
}
one_by_one || one_by_one || one_by_one

# Three runs a side, then six.
for how in '' -n; do
	for k in 3 6; do
		alarms=0 compared=0 i=1
		while [ $i -le 100 ]; do
			compare $how $(draw $i $k)
			i=$((i + 1))
		done
		# At most 5 % for the worst program; the draws share runs, so an outlier counts
		# often.
		verdict 10 "$k runs"
	done
done
ok "$RUNS recordings with $how_recorded, $(awk '{ n++ } END { print n }' run0) stacks in the first"
while read -r word said; do
	$word "$said"
done <verdicts

done_testing
