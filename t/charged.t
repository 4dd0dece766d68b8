#!/bin/sh
# fg-record: CPU time of processes that the kernel has charged, but no clock has counted.
# tier: quick
. "$(dirname "$0")/lib.sh"

[ -x "$UNIT/charged" ] || skip_all "no $UNIT/charged: run make test"
"$UNIT/charged" >out
output 'the time of a child that is waited for is found' 'waited for: 1 quarters, scale 1' grep waited out
output 'the time of a child that runs is found' 'running: 1 quarters, scale 1' grep running out
output 'the time of a child that another process waits for is unknown' 'orphan: 0 quarters, scale 0' grep orphan out
output 'the time of a child that is not recorded is not added' 'not recorded: 0 quarters, scale 0' grep not out
done_testing
