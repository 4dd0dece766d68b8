#!/bin/sh
# fg-diff's gate on thousands of simulated programs with noise: how many planted regressions fail,
# and how many improvements and moves. GATE_SEEDS is the number of programs of a kind (170).
# tier: soak
. "$(dirname "$0")/lib.sh"

gate=$here/diff-gate.pl
n=${GATE_SEEDS:-170}
perl "$gate" fg-diff 1001 $((1000 + n)) regressions >regressions
perl "$gate" fg-diff 2001 $((2000 + n)) others >others
sed 's/^/# /' regressions others
check 'at least 93 % of planted regressions fail' awk '$1 == "all" { exit !($3 >= 0.93 * $2) }' regressions
check 'at most 0.5 % of improvements and moves fail' awk '$1 == "all" { exit !($3 <= 0.005 * $2) }' others
check 'at most 0.1 % of improvements and moves fail by a function' \
	awk '$1 == "all" { exit !($3 - $6 <= 0.001 * $2) }' others
done_testing
