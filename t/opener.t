#!/bin/sh
# The process that opens files, memory and perf events for one without rights: requests from inside
# the sandbox, granted and refused ones.
# tier: quick
. "$(dirname "$0")/lib.sh"
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # the checker would trace from a process
export ASAN_OPTIONS
unset FG_SANDBOX
[ -x "$UNIT/opener" ] || skip_all 'the unit programs are not built'
[ "$("$UNIT/confined" exec)" != done ] || skip_all 'this kernel has no seccomp'
[ "$("$UNIT/confined" open /etc/passwd)" = EACCES ] || skip_all 'this kernel has no Landlock'
umask 077
echo '1000 10 f' >perf-1.map
echo secret >text
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0>\0' >core
ln -s text perf-2.map
"$UNIT/opener" perf-1.map text core perf-2.map >said
check 'the program ran to its end' test $? = 0
relay said
done_testing
