#!/bin/sh
# fg-diff's noise models: false alarm rates and power in thousands of simulated comparisons.
# tier: full
. "$(dirname "$0")/lib.sh"

exec "$UNIT/noise"
