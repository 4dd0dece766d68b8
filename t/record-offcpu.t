#!/bin/sh
# fg-record --off-cpu: blocked threads, their stacks and durations.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
[ "$(id -u)" = 0 ] || skip_all "--off-cpu needs root here"

# ok when stacks in file $4 that match $3 have time: in the tier soak, between $1 and $2 microseconds.
between() {
	grep -E -e "$3" "$4" | awk -v low="$1" -v high="$2" \
		'{ n += $NF } END { print n + 0; exit rates ? !(n >= low && n <= high) : n == 0 }' rates="${RATES-}"
}

# A zombie child has left its CPU for the last time, and is not blocked.
cat >zombies.c <<'EOT'
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 50; i++)
		if (fork() == 0)
			_exit(0);
	sleep(3);
	return 0;
}
EOT
$CC -o zombies zombies.c || skip_all "no C compiler" gcc
fg-record -q -a --off-cpu -d 3 -o zombies.folded &
pid=$!
recording $pid
./zombies
wait $pid
rated "--off-cpu -a: zombies are not blocked" between 0 6000000 '^zombies;' zombies.folded
timed fg-record -q --off-cpu -o zombies.folded ./zombies
check "--off-cpu COMMAND: its zombies are not blocked" between 2900000 $took '^zombies;' zombies.folded

# A hanging server is blocked all the time.
sleep 600 &
pid=$!
started $pid sleep
timed fg-record --off-cpu -p $pid -d 1 -o hung.folded 2>err
check "--off-cpu -p: a process that sleeps all the time" between 990000 $took '^sleep;.*nanosleep' hung.folded
lacks "--off-cpu: the summary does not have 'nothing was blocked' for a process that sleeps" 'nothing was blocked' err
has "--off-cpu: the system call is the leaf" '^sleep;.*nanosleep.*;syscall:clock_nanosleep_\[k\] ' hung.folded
has "--off-cpu: the event is a label" '^# label: .*event=off-cpu ' hung.folded
timed fg-record -q --off-cpu -t $pid -d 0.6 --interval 0.3 -o hung.%T.folded
cat hung.2*.folded >hungs.folded
check "--off-cpu --interval: a thread blocked throughout" between 590000 $took '^sleep;.*nanosleep' hungs.folded
timed fg-record -q -a --off-cpu -d 1 --show-pid -o hung.folded
check "--off-cpu -a: a thread blocked throughout" between 990000 $took "^sleep-$pid;.*nanosleep" hung.folded
kill $pid
wait $pid 2>/dev/null
timed fg-record -q --off-cpu --delay 0.5 -o late.folded sleep 3
check "--off-cpu --delay: who was blocked when the recording began is charged from then on" \
	between 1000000 $((took - 500000)) '^sleep;.*nanosleep' late.folded

# Stacks of the kernel's own threads cannot be read while they are blocked.
if [ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ]; then
	fg-record --off-cpu -p 2 -d 0.2 -o kthreadd.folded 2>err
	has "a blocked thread that cannot be read: the summary has the reason" \
		'1 was blocked before, and cannot be read' err
else
	skip "a blocked thread that cannot be read" "process 2 is not the kernel's"
fi

# A thread that runs or waits for a CPU is switched out, but not blocked.
cat >busy.c <<'EOT'
#include <unistd.h>
int main(void)
{
	alarm(1800);
	for (volatile long i = 0;; i++)
		continue;
}
EOT
$CC -O1 -o busy busy.c
./busy &
pid=$!
until_ran $pid 20 # it may be blocked before, while pages of the C library are read
fg-record --off-cpu -p $pid -d 0.3 -o busy.folded 2>err
! rates || has "a process that only runs: the summary has the reason of the empty profile" 'nothing was blocked' err
! rates || output "a process that only runs: no stacks" 0 grep -vc '^#' busy.folded
kill $pid
wait $pid 2>/dev/null

# With busy loops on the same CPU: run queue latency after a sleep is not part of the sleep.
build shapes -g
cat >sleeper.c <<'EOT'
#include "clocks.h"
int main(void)
{
	struct timespec t = {0, 5000000};
	struct reading begin = read_clocks(), end;
	for (int i = 0; i < 100; i++)
		nanosleep(&t, NULL);
	end = read_clocks();
	double waited = end.queued - begin.queued, all = end.time - begin.time;
	printf("%.0f %.0f\n", all - waited, waited);
	return 0;
}
EOT
$CC -I"$here/programs" -o sleeper sleeper.c
busy=
for i in 1 2 3 4; do
	(while :; do :; done) &
	busy="$busy $!"
done
# A few in a thousand wake-ups have no event while other processes write files, not even for perf;
# the following run queue latency then counts as blocked. At the lowest priority that latency is
# long.
if [ -r /sys/kernel/tracing/events/sched/sched_wakeup/id ]; then
	fg-record -q --off-cpu -o slept.folded nice -n 39 ./sleeper >slept
	read -r slept waited <slept
	check "waiting for a CPU, $waited us, is not blocked, $slept us" \
		between 490000 $((slept + waited / 4 + 20000)) 'nanosleep' slept.folded
	fg-record -q --off-cpu --wakers -o woken.folded ./sleeper >slept
	grep 'nanosleep.*_\[w\]' woken.folded >waker.folded # the others had no event, see above
	mostly "--wakers: an interrupt is the waker" 90 'nanosleep.*_\[k\];.*hrtimer_wakeup_\[w\];.*;interrupt_\[w\]' \
		waker.folded
	# Forty waits: one wake-up without an event, or a late end of the pipe, is a small part of them.
	fg-record -q --off-cpu --wakers -o pipe.folded sh -c \
		'(for i in 0 1 2 3; do for k in 0 1 2 3 4 5 6 7 8 9; do sleep 0.05; echo; done; done) | cat >/dev/null'
	grep '^cat;.*read' pipe.folded >cat.folded
	mostly "--wakers: another program is the waker" 90 ';read.*_\[k\];.*write.*_\[w\];.*sh_\[w\]' cat.folded
	status "--wakers without --off-cpu is refused" 125 fg-record --wakers true
else
	skip "wake-ups" "this machine has no tracepoints"
fi
# CAP_PERFMON permits context switches, but tracepoints only if tracefs is readable.
if setpriv --reuid 65534 --clear-groups --inh-caps +perfmon,+sys_ptrace \
	--ambient-caps +perfmon,+sys_ptrace true 2>/dev/null; then
	chmod 755 . && mkdir -m 777 out
	setpriv --reuid 65534 --clear-groups --inh-caps +perfmon,+sys_ptrace \
		--ambient-caps +perfmon,+sys_ptrace \
		fg-record --off-cpu -o out/slept.folded ./sleeper >out/slept 2>err
	has "no wake-up events: run queue latency is subtracted" 'in proportion' err
	read -r slept waited <out/slept
	check "no wake-up events: sleeps are blocked time, by and large" between 400000 $((slept + waited / 2 + 20000)) 'nanosleep' out/slept.folded
else
	skip "wake-up events" "no setpriv" util-linux
fi
kill $busy

# A switch copies little, so few are lost. Two processes take turns on one CPU; each prints how
# long it was neither running nor runnable, how much time the host took from the CPUs, which counts
# as blocked, and its run queue latency. They share one CPU because the kernel writes the wake-up
# event of another CPU only after signalling it, which takes some microseconds in a virtual machine.
# A third process prints the longest time that the other CPUs, where fg-record runs, were away.
cat >pingpong.c <<'EOT'
#define _GNU_SOURCE
#include "clocks.h"
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
static double *away; /* of the other CPUs, the longest time in us, shared */
static void watch(const cpu_set_t *others)
{
	sched_setaffinity(0, sizeof *others, others); /* fails where there is one CPU */
	setpriority(PRIO_PROCESS, 0, -20);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (double before = now(CLOCK_MONOTONIC), after;; before = after) {
		nanosleep(&(struct timespec){0, 1000000}, NULL);
		after = now(CLOCK_MONOTONIC);
		if (after - before > *away)
			*away = after - before;
	}
}
static double stolen(void)
{
	double n = 0;
	FILE *f = fopen("/proc/stat", "r");
	if (f != NULL && fscanf(f, "cpu %*f %*f %*f %*f %*f %*f %*f %lf", &n) != 1)
		n = 0;
	if (f != NULL)
		fclose(f);
	return n * 1e6 / (double)sysconf(_SC_CLK_TCK);
}
static double blocked(void)
{
	struct reading r = read_clocks();
	return r.time - now(CLOCK_THREAD_CPUTIME_ID) - r.queued;
}
static void work(double us)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + us;
	while (us > 0 && now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, a[2], b[2], *in = a, *out = b, child;
	double us = argc > 2 ? atof(argv[2]) : 0;
	char x = 0;
	cpu_set_t one, others;
	pid_t watcher;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_getaffinity(0, sizeof others, &others);
	CPU_XOR(&others, &others, &one);
	away = mmap(NULL, sizeof *away, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (away == MAP_FAILED || (watcher = fork()) < 0)
		return 1;
	if (watcher == 0)
		watch(&others);
	if (sched_setaffinity(0, sizeof one, &one) || pipe(a) || pipe(b))
		return 1;
	child = fork() == 0;
	if (!child)
		in = b, out = a;
	double begin = blocked(), took = stolen(), queued = read_clocks().queued;
	for (int i = 0; i < rounds; i++) {
		if (!child) {
			work(us);
			if (write(out[1], &x, 1) != 1)
				break;
		}
		if (read(in[0], &x, 1) != 1)
			break;
		if (child) {
			work(us);
			if (write(out[1], &x, 1) != 1)
				break;
		}
	}
	fprintf(stderr, "%.0f %.0f %.0f\n", blocked() - begin, child ? 0 : stolen() - took,
	    read_clocks().queued - queued);
	if (!child) {
		fprintf(stderr, "away %.0f\n", *away);
		kill(watcher, SIGKILL);
	}
	return 0;
}
EOT
$CC -O1 -I"$here/programs" -o pingpong pingpong.c
# Lost records are unknown time, and run queue latency after a wake-up without an event counts as
# blocked. The program's and the kernel's clock readings of a block may differ by two microseconds,
# and the sums by 5 %. Where the CPUs were away, more may be lost.
right() {
	name=$1
	shift
	$prompt fg-record -v --off-cpu -m 64 -o ping.folded $usual ./pingpong "$@" 2>err
	verdict=$(awk -v rounds="$1" '
		NR == FNR && /^[0-9]+ [0-9]+ [0-9]+$/ {
			blocked += $1; stolen += $2; queued += $3; said++
		}
		NR == FNR && /^away / { away = $2 }
		NR == FNR && / samples of .* lost/ {
			for (i = 2; i <= NF; i++) if ($i ~ /^lost/) kept = $2 / ($2 + $(i - 1))
		}
		NR != FNR && /;main;.*read/ { got += $NF }
		END {
			apart = 4 * rounds + 2000
			if (said == 2 && kept > 0 && kept < 0.9 && away > 20000)
				printf "%d %% were lost, the CPUs were away for %d ms\n", 100 * (1 - kept), away / 1000
			else if (said == 2 && kept > 0.9 && got < 1.05 * blocked + queued / 10 + apart &&
			    got > 0.95 * kept * (blocked - stolen) - apart)
				print "right"
			else
				print "wrong", got, blocked, stolen, queued, kept, away
		}' err ping.folded)
	{
		echo "$verdict"
		cat err ping.folded
	} >"$tmp/.said"
	case $verdict in
	right) ok "$name" ;;
	wrong*) not_ok "$name" ;;
	*) skip "$name" "$verdict" ;;
	esac
}
if [ -r /sys/kernel/tracing/events/sched/sched_wakeup/id ] && [ -r /proc/self/schedstat ]; then
	! rates || right "blocked time is within 5 %" 2000 100
	! rates || right "blocked time for some microseconds each, too; of 40,000 switches less than 4,000 are lost" 20000 0
else
	skip "blocked time is within 5 %" "no tracepoints, or no schedstat"
	skip "blocked time for some microseconds each, too" "no tracepoints, or no schedstat"
fi

# A stack deeper than the copy is read from the blocked thread's memory.
cat >deep.c <<'EOT'
#include <unistd.h>
__attribute__((noinline)) int down(int n)
{
	volatile char room[1000];
	room[0] = (char)n;
	if (n == 0)
		usleep(2000000);
	return n == 0 ? room[0] : down(n - 1) + room[0];
}
int main(void)
{
	return down(200) > 1000000;
}
EOT
$CC -O1 -fno-optimize-sibling-calls -o deep deep.c
fg-record -q --off-cpu -o all.folded ./deep
grep nanosleep all.folded >deep.folded # besides, it may wait for its pages to be read
mostly "--off-cpu: a stack of 200 KB is complete" 90 ';main;down;down;.*nanosleep' deep.folded

# Four threads with stacks of 10 KB that switch about 2500 times a second together.
cat >naps.c <<'END'
#include <pthread.h>
#include <string.h>
#include <time.h>
__attribute__((noinline)) int down(int n) {
	volatile char frame[500];
	memset((void *)frame, 1, sizeof frame);
	if (n > 0) return down(n - 1) + frame[3];
	for (int i = 0; i < 1000; i++) nanosleep(&(struct timespec){0, 1500000}, 0);
	return 0;
}
void *thread(void *a) { down(20); return a; }
int main(void) {
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(t + i, 0, thread, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return 0;
}
END
$CC -O1 -pthread -o naps naps.c
fg-record -v --off-cpu -o naps.folded ./naps 2>err
complete=$(grep -o 'stacks [0-9]*' err | head -n 1 | grep -o '[0-9]*')
rated "--off-cpu: stacks of 10 KB are complete at some thousand switches a second" [ "$complete" -ge 60 ]
done_testing
