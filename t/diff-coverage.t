#!/bin/sh
# Confidence intervals of fg-diff contain the true change as often as stated, and with a baseline
# its power is close to that of the true variances: t/unit/coverage simulates comparisons.
# tier: soak
. "$(dirname "$0")/lib.sh"

"$UNIT/coverage" 400 >rows || skip_all 'the simulation is not built'
tail -n +2 rows >body
while IFS='	' read -r design below n coverage width missed contradict found oracle wrong oracle_wrong; do
	what="$design, functions below $below samples: $coverage % of $n, width $width"
	case $design in
	*baseline*) low=93 high=97.9 ;;
	*) low=94 high=100 ;;
	esac
	# In a small class the measured rate is uncertain itself: three standard errors are
	# allowed.
	awk -v c="$coverage" -v n="$n" -v low=$low -v high=$high 'BEGIN {
		e = 3 * sqrt(95 * 5 / n); exit !(c >= low - e && c <= high + e) }' &&
		ok "$what" || not_ok "$what"
	[ "$contradict" = 0 ] || not_ok "$design: an interval contradicts its verdict in $contradict comparisons"
	awk -v m="$missed" 'BEGIN { exit !(m <= 3) }' ||
		not_ok "$design: simultaneous intervals miss in $missed % of comparisons"
	case $design in
	*baseline*)
		awk -v f="$found" -v o="$oracle" 'BEGIN { exit !(f >= o - 5) }' ||
			not_ok "$design: finds $found % of the changes, the oracle $oracle %"
		;;
	esac
	awk -v w="$wrong" 'BEGIN { exit !(w <= 2) }' ||
		not_ok "$design: names an unchanged function in $wrong % of comparisons"
done <body
done_testing
