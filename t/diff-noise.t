#!/bin/sh
# fg-diff's noise models: t/diff-noise.c checks them against known values and by
# thousands of simulated comparisons.
# tier: quick
. "$(dirname "$0")/lib.sh"

src=$here/..
${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src/common"  \
	$(pkg-config --cflags libbsd-overlay) -o simulate "$here/diff-noise.c" \
	"$src"/common/stats/*.c "$src/common/base/cli.c" "$src/common/base/text.c" \
	"$src/common/base/vec.c" "$src/common/base/value.c" \
	$(pkg-config --libs libbsd-overlay) -lm || { echo "Bail out! cannot compile"; exit 1; }
exec_status=0
./simulate || exec_status=$?
exit $exec_status
