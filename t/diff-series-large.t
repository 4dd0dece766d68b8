#!/bin/sh
# fg-diff --series where one function has much of the total: steps, drifts and changes that went
# away are found, and quiet series stay quiet. The seeds make the series the same each time.
# tier: full soak
. "$(dirname "$0")/lib.sh"

n=5 # seeds
! rates || n=10
for large in 0.05 0.2 0.4 0.6 0.8; do
	series() { perl "$here/diff-series.pl" fg-diff 1 $n $large "$@"; }
	output "largest function $large: a quiet series has no change" "$n NO CHANGE" series quiet
	output "largest function $large: a step of a function of 5 % is found" "$n FAIL by the function" series step
	output "largest function $large: a change that went away does not fail" "$n CHANGED" series return
	output "largest function $large: a drift is found" "$n DRIFTS by the function" series drift
	output "largest function $large: its own step is found" "$n FAIL by the function" series hot
	output "largest function $large: its own change that went away does not fail" "$n CHANGED" series hot-return
	check "largest function $large: its own drift is found, as a drift or a step" \
		[ "$(series hot-drift | sed 's/FAIL/DRIFTS/' | awk -F ', ' '{ for (i = 1; i <= NF; i++) n += $i * ($i ~ /DRIFTS by/) } END { print n }')" = $n ]
	check "largest function $large: of ten that wander, at least eight have no change" \
		[ "$(n=10 && series walk | sed 's/ NO CHANGE//; s/.*, //')" -ge 8 ]
	output "others of many sizes, largest $large: a step is found" "$n FAIL by the function" series step pareto
	output "others of many sizes, largest $large: a quiet series has no change" "$n NO CHANGE" series quiet pareto
done
done_testing
