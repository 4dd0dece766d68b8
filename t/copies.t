#!/bin/sh
# Copies of a process by the BPF program, at a sample: their records, and reading from them.
# tier: quick
. "$(dirname "$0")/lib.sh"
[ -x "$UNIT/copies" ] || skip_all 'the unit programs are not built'
"$UNIT/copies" >said
status=$?
check 'the program ran to its end' test $status = 0
relay said
done_testing
