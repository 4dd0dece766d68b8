#!/bin/sh
# The reader of another process's memory: the stack and the pages of the last samples with one
# system call, while the process changes or unmaps them.
# tier: quick
. "$(dirname "$0")/lib.sh"
[ -x "$UNIT/memory" ] || skip_all 'the unit programs are not built'
"$UNIT/memory" >said
status=$?
[ $status != 77 ] || skip_all 'this machine refuses process_vm_readv'
check 'the test program of memory_read exits with status 0' test $status = 0
relay said
check "instructions of runtimes on AArch64 lead to the right addresses" "$UNIT/runtimecpu"
check "HotSpot's code on AArch64 shows the frame at each instruction" "$UNIT/hotspotcpu"
done_testing
