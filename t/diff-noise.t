#!/bin/sh
# fg-diff's noise models: t/unit/noise.c checks them against known values and by simulated
# comparisons; all of them run in t/diff-simulated.t.
# tier: quick
. "$(dirname "$0")/lib.sh"

exec "$UNIT/noise" 4
