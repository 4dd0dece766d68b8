#!/bin/sh
# fg-filter gives the same results as an independent model, on thousands of random profiles, also
# with labels and time marks.
# tier: full
. "$(dirname "$0")/lib.sh"

for seed in 1 2 3; do
	perl "$here/filter-model.pl" "${CASES:-1000}" $seed >wrong 2>&1
	same "${CASES:-1000} random profiles and options, labels and times too, seed $seed" /dev/null wrong
done
done_testing
