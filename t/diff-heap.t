#!/bin/sh
# fg-diff of sampled heap profiles with bytes and numbers of objects: their noise is that of the
# blocks that were sampled. The seeds make the profiles the same each time.
# tier: quick
. "$(dirname "$0")/lib.sh"

# rates RUNS COLUMN GROWTH: comparisons, with a wrong name, with the first function, intervals.
rates() { perl "$here/diff-heap.pl" fg-diff 1 12 "$@"; }
for column in inuse_space inuse_objects; do
	for runs in 1 3; do
		rates $runs $column 1 >got
		check "$column, $runs v $runs: no change is found in equal heaps" awk '{ exit !($2 == 0) }' got
		check "$column, $runs v $runs: at least 95 % of the intervals hold 0" \
			awk '{ exit !($4 > 30 && $5 >= 0.95 * $4) }' got
	done
	output "$column, 5 v 5: a growth of a function by 20 % is found, and no other" '12 0 12' \
		sh -c "perl '$here/diff-heap.pl' fg-diff 1 12 5 $column 1.2 | cut -d ' ' -f 1-3"
done

# A further large block is a fact; the same bytes in small blocks are a few samples.
heap() { # NAME OBJECTS BYTES
	printf '# columns: inuse_objects inuse_space 0 0\n# unit: inuse_objects bytes 0 0\n' >"$1"
	printf '# period: - 524288 bytes 0 0\n# values: estimated sampled 0 0\n' >>"$1"
	printf 'main;f %s %s\nmain;rest 100000 9000000000\n' "$2" "$3" >>"$1"
}
heap b.large 1 1073741824
heap h.large 4 4294967296
heap b.small 600000 9600000
heap h.small 900000 14400000
verdict() { fg-diff -q --report=tsv "$@" | awk -F '\t' '$1 == "self" && $10 == "f" { print $7 }'; }
output 'three more blocks of 1 GiB are real, in bytes' real verdict --column inuse_space b.large h.large
output 'three more blocks of 1 GiB are real, in objects' 'objects: real' sh -c "
	sed 's/100000 9000000000/1 9000000000/' b.large >b; sed 's/100000 9000000000/1 9000000000/' h.large >h
	fg-diff -q --report=tsv --column inuse_objects b h | awk -F '\t' '\$1 == \"self\" && \$10 == \"f\" { print \"objects:\", \$7 }'"
output '18 samples of small blocks that became 27: noise of one run' noise \
	sh -c "sed 's/9000000000/90000000/' b.small >b; sed 's/9000000000/90000000/' h.small >h
		fg-diff -q --report=tsv --column inuse_objects b h | awk -F '\t' '\$1 == \"self\" && \$10 == \"f\" { print \$7 }'"
check 'the report states where the weight of a sample is from' \
	sh -c 'fg-diff -q --report --column inuse_objects b.large h.large | grep -q "by the sizes of blocks"'
sed 's/inuse_space/other/' b.large >b
sed 's/inuse_space/other/' h.large >h
check 'numbers of objects without their bytes have no verdict' \
	sh -c 'fg-diff -q --report --column inuse_objects b h | grep -q "^CANNOT TELL: the files may be exact"'
fg-diff --column inuse_space b.large h.large >got 2>said
check 'roots are compared in the column that is compared' sh -c '! grep "is below roots" said'

# fg-record --heap: live and peak have the sizes of the blocks of their stack, as allocated has.
record() { # NAME ALLOCATIONS ALLOCATED LIVE
	printf '# columns: allocated allocations live peak 0 0 0 0\n# unit: bytes blocks bytes bytes 0 0 0 0\n' >"$1"
	printf '# period: 524288 bytes 0 0 0 0\n# values: sampled estimated sampled sampled 0 0 0 0\n' >>"$1"
	printf 'main;f %s %s %s %s\n' "$3" "$2" "$4" "$4" >>"$1"
	printf 'main;rest 9000000000 100000 9000000000 9000000000\n' >>"$1"
}
record b 1 1073741824 1073741824
record h 4 4294967296 4294967296
bounds() { fg-diff -q --report=tsv --column "$1" b h | awk -F '\t' '$1 == "self" && $10 == "f" { print $7, $14, $15 }'; }
for column in live peak; do
	output "$column: verdict and interval are those of the same blocks in allocated" "$(bounds allocated)" bounds $column
done
record h 4 4294967296 0
check 'no live bytes: the function is removed' sh -c "fg-diff -q --report --column live b h | grep -q 'removed .* f$'"

# fg-collapse writes both columns.
printf 'heap_v2/524288\n  t*: 3: 300 [0: 0]\n@ 0x1 0x2\n  t*: 3: 300 [0: 0]\n' >jemalloc
fg-collapse -q -e inuse_objects,inuse_space jemalloc >got
output '-e with several events of a heap: a column each, with units, rate and kinds' \
	'# columns: inuse_objects inuse_space 0 0
# unit: inuse_objects bytes 0 0
# period: - 524288 bytes 0 0
# values: estimated sampled 0 0' grep '^#' got
output '-e with several events: the values' "$(fg-collapse -q -e inuse_objects --no-header jemalloc | sed 's/.* //') $(
	fg-collapse -q -e inuse_space --no-header jemalloc | sed 's/.* //')" sh -c 'sed -n "/^[^#]/s/^[^ ]* //p" got'
output '-e with several events, two files' 4 sh -c 'fg-collapse -q -e inuse_objects,inuse_space jemalloc jemalloc | grep -c "^# [cupv]"'
check '-e with an event that is none' sh -c 'fg-collapse -e inuse_objects,nothing jemalloc 2>&1 | grep -q "no samples of event inuse_objects,nothing"'
check '-e with the same event twice: refused' sh -c 'fg-collapse -e inuse_space,inuse_space jemalloc 2>&1 | grep -q "no samples of event"'
status '--list-events lists all events beside -e' 0 fg-collapse --list-events -e inuse_objects,inuse_space jemalloc
done_testing
