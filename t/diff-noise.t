#!/bin/sh
# fg-diff's noise models: t/unit/noise.c checks them against known values and by thousands of
# simulated comparisons.
# tier: quick
. "$(dirname "$0")/lib.sh"

exec "$UNIT/noise"
