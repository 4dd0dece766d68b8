#!/bin/sh
# fg-filter does what an independent model does, on thousands of random profiles.
# tier: full
. "$(dirname "$0")/lib.sh"

for seed in 1 2 3; do
	perl "$here/filter-model.pl" "${CASES:-1000}" $seed >wrong 2>&1
	same "${CASES:-1000} random profiles and options, seed $seed" /dev/null wrong
done
done_testing
