#!/bin/sh
# A/A: one program recorded many times and compared with itself. Real runs are not independent
# draws, so the rate of false alarms is measured with two stored sets of 24 recordings.
# tier: full
. "$(dirname "$0")/lib.sh"

# diff-recordings.1.gz and .2.gz are tables of one line a stack: the stack, a TAB, and its samples
# in each recording. Made on a quiet machine with two processors by
#	cc -g -O1 -fno-omit-frame-pointer -o work t/diff-work.c
#	fg-record -q -F 1999 -o runN -- ./work		24 times
SETS='1 2' RUNS=24
for set in $SETS; do
	mkdir "$set"
	gzip -dc "$here/data/diff-recordings.$set.gz" | awk -F '\t' -v set="$set" '
		FNR == 1 {
			for (i = 0; i < NF - 1; i++)
				print "# unit: samples 0\n# period: 500250 ns 0" >(set "/run" i)
		}
		{
			for (i = 0; i < NF - 1; i++)
				if ($(i + 2) > 0)
					print $1, $(i + 2) >(set "/run" i)
		}'
	check "set $set has $RUNS recordings of at least 600 samples" sh -c \
		"test \"\$(cat $set/run* | awk '!/^#/ { n += \$NF } /^# unit/ { f++ } END { print f, (n >= 600 * f) }')\" = '$RUNS 1'"
done

# compare ARGUMENTS...: adds 1 to $alarms if a change is beyond noise, to $unknown if fg-diff
# gives no verdict.
compare() {
	compared=$((compared + 1))
	if ! fg-diff -q --report=tsv "$@" >report 2>why; then
		grep -q 'CANNOT TELL' why || not_ok "fg-diff $*: $(head -n 1 why)"
		unknown=$((unknown + 1))
	elif awk -F '\t' '$1 != "whole" && $7 == "real" { found = 1 } END { exit !found }' report; then
		alarms=$((alarms + 1))
	fi
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

# verdict PERCENT RUNS: the test of the rate of false alarms of the comparisons since the last one.
verdict() {
	said="${how:-amounts}: at most $1 % false alarms with $2 a side"
	said="$said: $alarms of $compared, no verdict in $unknown"
	if [ $((alarms * 100)) -le $(($1 * compared)) ]; then ok "$said"; else not_ok "$said"; fi
	alarms=0 compared=0 unknown=0
}
alarms=0 compared=0 unknown=0

# Every recording with every other one of its set; one disturbed recording is in 23 comparisons.
# Then three recordings a side, then six; these draws share recordings, so one disturbed
# recording causes several alarms.
for how in '' -n; do
	for set in $SETS; do
		cd "$set" || exit
		i=0
		while [ $i -lt $RUNS ]; do
			j=$((i + 1))
			while [ $j -lt $RUNS ]; do
				compare $how run$i run$j
				j=$((j + 1))
			done
			i=$((i + 1))
		done
		cd ..
	done
	verdict 3 'one recording'
	for k in 3 6; do
		for set in $SETS; do
			cd "$set" || exit
			i=1
			while [ $i -le 100 ]; do
				compare $how $(draw $i $k)
				i=$((i + 1))
			done
			cd ..
		done
		verdict 2 "$k recordings"
	done
done

# The sets are not too noisy to find a change: one function takes half as long again, and a little.
mkdir more
for file in 1/run?; do
	awk '/;mix / { $NF = int($NF * 1.5 + 9) } 1' "$file" >"more/${file#*/}"
done
check 'a planted change of one function is found' sh -c \
	"fg-diff -q --report=tsv 1/run? -- more/run? | awk -F '\t' '\$7 == \"real\" && /mix/ { found = 1 } END { exit !found }'"

done_testing
