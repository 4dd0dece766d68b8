#!/bin/sh
# The sort of common/base keeps the order of items that compare equal, so that no output depends on
# the C library.
# tier: quick
. "$(dirname "$0")/lib.sh"
for size in 1 4 8 12 16 40; do
	for n in 0 1 2 3 8 9 10 17 100 1000 70000; do
		"$UNIT/sort" $size $n $n >>said 2>&1 || echo "size $size, $n items" >>said
	done
done
check 'equal items keep their order, whatever their size and number' sh -c '! grep -q i said'
check 'sorted items are compared about once each' test "$("$UNIT/sort" 8 70000 1)" -lt 140000
check 'no program calls the sort of the C library' sh -c \
    "! grep -rnE '\\b(qsort|qsort_r|mergesort|heapsort)\\([^0-9]' '$here/../cmd' '$here/../common' --include=*.c --include=*.h"
done_testing
