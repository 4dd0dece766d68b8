#!/bin/sh
# fg-record --ptrace: the signals of its timers. Before Linux 6.13 each round is the real thing.
# tier: quick
. "$(dirname "$0")/lib.sh"

[ -x "$UNIT/cputimer" ] || skip_all "no $UNIT/cputimer: run make test"
output 'a pending signal of a closed timer does not end the process' 100 "$UNIT/cputimer"
done_testing
