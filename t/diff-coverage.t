#!/bin/sh
# Intervals of fg-diff hold the true change as often as they state: t/unit/coverage simulates.
# tier: soak
. "$(dirname "$0")/lib.sh"

"$UNIT/coverage" 400 >rows || skip_all 'the simulation is not built'
tail -n +2 rows >body
while IFS='	' read -r design below n coverage width missed contradict; do
	what="$design, functions below $below samples: $coverage % of $n, width $width"
	case $design in
	*baseline*) low=93 high=97.9 ;;
	*) low=94 high=100 ;;
	esac
	# Of small classes the rate itself is uncertain: three standard errors.
	awk -v c="$coverage" -v n="$n" -v low=$low -v high=$high 'BEGIN {
		e = 3 * sqrt(95 * 5 / n); exit !(c >= low - e && c <= high + e) }' &&
		ok "$what" || not_ok "$what"
	[ "$contradict" = 0 ] || not_ok "$design: an interval contradicts its verdict in $contradict comparisons"
	awk -v m="$missed" 'BEGIN { exit !(m <= 3) }' ||
		not_ok "$design: simultaneous intervals miss in $missed % of comparisons"
done <body
done_testing
