#!/bin/sh
# tier: full soak
# fg-record --stream: steps are written as they end, and fg-render --live draws them.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "perf_event_open is refused here"
cat >two.c <<'END'
#include <unistd.h>
__attribute__((noinline)) void first(void) { for (volatile long i = 0; i < 10000; i++) continue; }
__attribute__((noinline)) void second(void) { for (volatile long i = 0; i < 10000; i++) continue; }
int main(void)
{
	alarm(1800);
	while (access("next", F_OK) != 0) for (int i = 0; i < 100; i++) first();
	while (access("stop", F_OK) != 0) for (int i = 0; i < 100; i++) second();
	return 0;
}
END
$CC -O1 -g -o two two.c
until_has() { # PATTERN FILE
	wait_for grep -q -e "$1" "$2"
}

: >out
fg-record -v --stream=200ms -- ./two >out 2>err &
until_has ';first ' out
check "a step is written while the command runs" test ! -e next -a -s out
check "the first step begins with its time mark" sh -c 'head -n 1 out | grep -q "^# time: [0-9.]* s 0$"'
: >next
until_has ';second ' out
has "a later step has the functions that ran later" ';second ' out
: >stop
wait
output "header lines are written once" "1 1" sh -c 'echo $(grep -c "^# unit" out) $(grep -c "^# label" out)'
check "time marks increase" sh -c 'grep "^# time" out | sort -c -k3,3n'
check "each mark precedes a stack" sh -c '! awk "/^# time/ { if (mark) print; mark = 1 } !/^#/ { mark = 0 }" out | grep .'
samples=$(sed -n 's/.*: \([0-9]*\) samples\{0,1\} of .*/\1/p' err)
output "the sum of all steps is the number of samples" "$samples" sh -c 'fg-merge out | awk "!/^#/ { n += \$NF } END { print n }"'
fg-render --live=all -T top out >top 2>&1
has "fg-render --live draws the stream" 'second' top
rm -f next stop

: >next
: >stop
fg-record -q --stream --off-cpu -o off.folded -- sh -c 'sleep 0.3; ./two; sleep 0.3'
has "--stream --off-cpu: the unit is us" '^# unit: us 0' off.folded
has "--stream --off-cpu: the sleeps are there" '^sleep;' off.folded
rated "--stream --off-cpu: two sleeps of 0.3 s" sh -c 'n=$(fg-merge off.folded | awk "/^sleep/ { n += \$NF } END { print n }"); [ "$n" -ge 550000 ]'
wait
status "--stream with --interval is refused" 125 fg-record --stream --interval 1 -o 'x.%T' -- true
status "--stream with --time-order is refused" 125 fg-record --stream --time-order -- true
status "--stream with a step of 1 ms is refused" 125 fg-record --stream=1ms -- true
: >next; : >stop
status "--stream of a command that ends at once" 0 fg-record -q --stream -o short.folded -- true
(fg-record -q --stream=100ms -- ./two | head -n 1 >one) 2>/dev/null
check "--stream: a reader that ends ends the recording" test -e one

# timeout(1) sends SIGTERM to its child and then to its process group: fg-record gets two.
rm -f next stop
./two &
two=$!
for options in --stream=100ms ''; do
	# shellcheck disable=SC2086
	fg-record -q $options -o ended.folded -p $two &
	pid=$!
	wait_for eval "grep -q '^SigBlk:.*1400[0-3]\$' /proc/$pid/status || [ ! -d /proc/$pid ]"
	until_ran $two 30
	while kill -TERM $pid 2>/dev/null; do sleep 0.01; done
	wait $pid
	output "SIGTERM again and again: ended as if once ${options:-without --stream}" 0 echo $?
	check "repeated SIGTERM: the file is complete" test -s ended.folded
	rm -f ended.folded
done
: >next
: >stop
wait

# Under nohup(1), the hangup of a terminal does not end a recording.
rm -f next stop
./two &
target=$!
: >out
sh -c 'trap "" HUP; exec fg-record -q --stream=200ms -p "$1"' sh $target >out 2>err &
pid=$!
until_has ';first ' out
kill -HUP $pid
: >next
until_has ';second ' out
check "SIGHUP under nohup: later steps are written" grep -q ';second ' out
: >stop
wait $pid $target
done_testing
