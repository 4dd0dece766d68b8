#!/bin/sh
# fg-record --ptrace: the same stacks if perf_event_open is refused.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

build shapes -g || skip_all "no C compiler" gcc
fg-record -q --ptrace -o o ./shapes busy 50 || skip_all "this machine refuses ptrace"
start='_start;.*main'

fg-record -q --ptrace -F 499 -o busy.folded ./shapes busy 400
mostly "--ptrace: every frame from _start to the leaf" 85 \
	"^shapes;$start;outer;middle_\[i\];inner_\[i\];burn" busy.folded
fg-record -q --ptrace -F 499 -o signal.folded ./shapes signal 400
mostly "--ptrace: a signal handler above the interrupted function" 85 "^shapes;$start;provoke;.*;handler;burn" signal.folded
fg-record -q --ptrace --show-tid -F 499 -o threads.folded ./shapes threads 200
mostly "--ptrace: threads from their first function" 80 'worker;burn' threads.folded
rated "--ptrace: each of eight threads is sampled" test 8 = "$(grep worker threads.folded | cut -d';' -f1 | sort -u | wc -l)"
# Timers expire at the kernel's ticks, 1,000 a second at most.
fg-record --ptrace -F 20000 -o starved.folded ./shapes busy 200 2>err
has "--ptrace: the summary has the number of stops, if it is far below that of samples" \
	'samples are of [0-9]* stops? only' err
cp shapes second
fg-record -q --ptrace -F 499 -o fork.folded ./shapes fork 300 ./second
mostly "--ptrace: a child" 30 "^shapes;$start;.*in_child;burn" fork.folded
mostly "--ptrace: a program that the child became" 30 "^second;$start;outer" fork.folded
fg-record -q --ptrace -o sleepy.folded ./shapes sleepy 50 >slept
mostly "--ptrace: threads that run are sampled, not those that sleep" 70 'outer;middle_\[i\]' sleepy.folded
has "--ptrace: sleeps keep their durations" '^[0-9]+ [0-9]+$' slept

status "--ptrace: the exit status is the command's own" 7 fg-record -q --ptrace -o o ./shapes busy 50 7
status "--ptrace: the exit status is 128 and the signal that ended the command" 143 fg-record -q --ptrace -o o sh -c 'kill -TERM $$'
status "--ptrace: a command that is not there is exit status 127" 127 fg-record -q --ptrace -o o ./no-such-command
status "--ptrace: SIGSTOP and SIGCONT work on the command" 4 fg-record -q --ptrace -o o \
	sh -c '(while sleep 0.3 && kill -CONT $$; do :; done) 2>/dev/null & kill -STOP $$; exit 4'
status "--ptrace with -a is refused" 125 fg-record --ptrace -a -d 1
fg-record -q --ptrace -o term.folded ./shapes busy 60000 &
pid=$!
at_work $pid shapes
kill -TERM $pid
wait $pid
output "--ptrace: SIGTERM ends the recording" 143 echo $?
mostly "--ptrace: SIGTERM: samples are kept" 80 '^shapes;.*burn' term.folded

./shapes busy 600000 &
pid=$!
started $pid shapes
i=0
while [ $i -lt 20 ] && fg-record -q --ptrace -d 0.05 -F 499 -p $pid -o pid.folded; do
	i=$((i + 1))
done
output "--ptrace -p: twenty recordings of one process" 20 echo $i
until_samples 60 pid.folded --ptrace -d 0.2 -F 499 -p $pid
mostly "--ptrace -p: stacks are complete" 90 "^shapes;$start;outer" pid.folded
check "--ptrace -p: the process runs on" kill -0 $pid
output "--ptrace -p: no tracer is left" 'TracerPid:	0' grep TracerPid /proc/$pid/status
kill $pid
wait $pid 2>/dev/null

# perf_event_open(2) is refused, as in a container.
if $CC -o refuse "$here/programs/refuse.c" 2>/dev/null && ./refuse true; then
	./refuse fg-record -o o.folded ./shapes busy 400 2>err
	mostly "perf events are refused: ptrace is chosen" 85 "^shapes;$start;outer" o.folded
	has "perf events are refused: a note about ptrace" 'sampling by ptrace instead' err
	has "perf events are refused: the note recommends seccomp=unconfined" 'seccomp=unconfined' err
	lacks "perf events are refused: samples are by CPU time" 'run queue latency counts' err
	./refuse fg-record -a -d 1 2>err
	output "--off-cpu without perf events: exit status 125" 125 echo $?
else
	skip "a refused perf_event_open" "no seccomp filter here"
fi

# CPU time is sampled, also with busy loops on the same CPU.
$CC -O1 -g -o shares "$here/programs/shares.c" -pthread
beside_loops() {
cpu=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')
loops=
for i in 1 2 3; do
	timeout 600 taskset -c "${cpu:-0}" sh -c 'while :; do :; done' &
	loops="$loops $!"
done
fg-record -q --ptrace -F 99 --no-header -o shares.folded taskset -c "${cpu:-0}" ./shares bursts 0.6 >/dev/null
mostly "--ptrace: run queue latency is not sampled" 85 '^shares;.*;burn;compute' shares.folded
check "--ptrace: CPU time is sampled as often as it was used, not four times as often" awk '/^shares/ { n += $NF } END { exit n < 25 || n > 120 }' shares.folded
# shellcheck disable=SC2086
kill $loops
wait 2>/dev/null
}
! rates || beside_loops
# Chance changes a share of a quarter of n samples by up to 5 * .43 / sqrt(n): .09 for 600 samples. A
# busy machine gives fewer samples.
as_it_ran() {
	fg-record -q --ptrace -F 99 --no-header -o shares.folded ./shares threads 6 >truth
	awk '
	NR == FNR { ran[$1] = $2; all += $2; next }
	/;clone/ || /start_thread/ || /;libc\.so\.6\+0x/ { for (name in ran) if ($0 ~ ";" name ";compute") n[name] += $NF }
	{ total += $NF }
	END {
		for (name in ran) {
			print name, n[name], "of", total, "ran", ran[name], "of", all
			if (total == 0 || (n[name] / total - ran[name] / all) ^ 2 > (0.03 + 2.15 / sqrt(total)) ^ 2)
				bad = 1
		}
		exit bad
	}' truth shares.folded
}
rated "--ptrace: several threads are sampled in proportion" as_it_ran
./shapes busy 600000 &
pid=$!
started $pid shapes
fg-record --ptrace -t $pid -d 0.3 -o o.folded 2>err
has "--ptrace -t: run queue latency is reported as included" \
	'run queue latency counts as running' err
kill $pid
wait $pid 2>/dev/null
fg-record -q --ptrace -F 100 --weight period -o o.folded ./shapes busy 300
output "--ptrace: header lines" '# unit: ns 0
# period: 10000000 ns 0
# values: sampled 0' sh -c 'grep "^# " o.folded | grep -v "^# label\|^# end"'
check "--ptrace: weights are multiples of the period" awk '!/^#/ && $NF % 10000000 { exit 1 }' o.folded

# A 32-bit program, without 32-bit libraries.
cat >narrow.c <<'EOT'
static volatile unsigned counter;
__attribute__((noinline)) static int burn(int n)
{
	for (unsigned i = 0; i < 300000000; i++)
		counter++;
	return n;
}
__attribute__((noinline)) static int outer(int n)
{
	return burn(n + 1) + 1;
}
void _start(void);
void _start(void)
{
	int n = outer(1);
	__asm__ volatile("int $0x80" ::"a"(1), "b"(n));
}
EOT
if [ "$(uname -m)" = x86_64 ] && $CC -m32 -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls \
	-ffreestanding -fno-stack-protector -fno-pie -no-pie -nostdlib -static -o narrow narrow.c \
	2>/dev/null && ./narrow; [ $? = 3 ]; then
	status "--ptrace: the exit status of a 32-bit program" 3 fg-record -q --ptrace -o narrow.folded ./narrow
	mostly "--ptrace: a 32-bit program has complete stacks" 85 '^narrow;_start;outer;burn' narrow.folded
	if may_sample; then
		status "by perf events: the exit status of a 32-bit program" 3 fg-record -q -o events.folded ./narrow
		mostly "by perf events: a 32-bit program has complete stacks" 85 '^narrow;_start;outer;burn' events.folded
	fi
else
	skip "--ptrace: a 32-bit program" "the compiler or the kernel has none"
fi

# Killing fg-record does not affect the command.
killed_and_interrupted() {
i=0
while [ $i -lt 5 ]; do
	rm -f result began
	fg-record -q --ptrace -F 99 -o o.folded sh -c ': >began; ./shapes threads 300; echo $? >result' &
	pid=$!
	wait_for [ -e began ]
	sleep 0.$((i + 1))
	kill -KILL $pid
	wait $pid 2>/dev/null
	wait_for [ -s result ]
	[ "$(cat result)" = 0 ] || break
	i=$((i + 1))
done
output "--ptrace: fg-record is killed five times, the command ends as it would" 5 echo $i

# A signal before the command runs goes to the command; it is not lost.
i=0
while [ $i -lt 10 ]; do
	timeout -s KILL 600 fg-record -q --ptrace -o o.folded tail -f /dev/null &
	pid=$!
	child=
	until [ -n "$child" ] || ! kill -0 $pid; do
		read -r own other </proc/$pid/task/$pid/children
		[ -z "$own" ] || read -r child other </proc/"$own"/task/"$own"/children
	done 2>/dev/null
	kill -INT "$child"
	wait $pid
	[ $? = 130 ] || break
	i=$((i + 1))
done
output "--ptrace: the command gets a signal that comes before it runs, ten times" 10 echo $i

# fg-record ends while the command creates threads and children.
$CC -O2 -o storm "$here/programs/storm.c" -pthread
i=0
while [ $i -lt 10 ] &&
	timeout -s KILL 600 fg-record -q --ptrace -d 0.0$((i + 1)) -o o.folded ./storm 300 >storm.out; [ $? = 5 ]; do
	i=$((i + 1))
done
output "--ptrace: a program that forks all the time is let go of ten times" 10 echo $i
timeout -s KILL 600 sh -c '
	fg-record -q --ptrace -o o.folded ./storm 40000 & sleep 0.7; kill -TERM $!; wait $!' 
output "--ptrace: SIGTERM ends fg-record and a program that forks all the time" 143 echo $?
./storm 600000 >storm.out &
pid=$!
i=0
while [ $i -lt 10 ] && timeout -s KILL 600 fg-record -q --ptrace -d 0.05 -p $pid -o o.folded; do
	i=$((i + 1))
done
output "--ptrace -p: a program that forks all the time is recorded ten times" 10 echo $i
kill -USR1 $pid
wait $pid
output "--ptrace -p ten times: the target's exit status is unchanged" 5 echo $?
}
! rates || killed_and_interrupted

# fg-record does not wait for a thread that cannot be stopped: a vfork parent whose child reads
# from a FIFO.
cat >held.c <<'EOT'
#include <unistd.h>
int main(void)
{
	char c;
	if (vfork() == 0)
		_exit(read(0, &c, 1) > 0);
	return 5;
}
EOT
$CC -o held held.c 2>/dev/null
mkfifo fifo
./held <fifo &
pid=$!
exec 9>fifo
in_vfork() { grep -q vfork /proc/$pid/wchan || grep -q '^State:	D' /proc/$pid/status; }
wait_for in_vfork
if grep -q '^State:	D' /proc/$pid/status; then
	status "--ptrace: fg-record ends while a thread cannot be stopped" 0 \
		timeout -s KILL 600 fg-record -q --ptrace -d 0.1 -p $pid -o o.folded
	output "--ptrace: a thread that cannot be stopped has no tracer afterwards" 'TracerPid:	0' grep TracerPid /proc/$pid/status
else
	skip "--ptrace: fg-record ends while a thread cannot be stopped" "vfork(2) waits otherwise here"
fi
exec 9>&-
wait $pid
output "--ptrace: a process with a thread that cannot be stopped continues" 5 echo $?
done_testing
