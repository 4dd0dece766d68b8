#!/bin/sh
# fg-record: CPU time of processes that end before their first sample.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all 'this machine refuses perf_event_open'

cat >short.c <<'END_OF_PROGRAM'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	volatile long x = 0;
	struct rusage u;
	double used = 0;
	FILE *f;

	if (argc < 3) { /* some milliseconds, or none */
		for (long i = 0; argc < 2 && i < 1000000; i++) x++;
		return 0;
	}
	for (int n = atoi(argv[1]); n > 0; n--) {
		if (fork() == 0) {
			execl("./brief", "brief", argv[3], (char *)NULL);
			_exit(1);
		}
		wait(NULL);
	}
	for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who += RUSAGE_SELF - RUSAGE_CHILDREN) {
		getrusage(who, &u);
		used += u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	}
	f = fopen(argv[2], "w");
	fprintf(f, "%f\n", used);
	fclose(f);
	getrusage(RUSAGE_SELF, &u);
	used = u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	f = fopen("used.own", "w");
	fprintf(f, "%f\n", used);
	return fclose(f) != 0;
}
END_OF_PROGRAM
$CC -O1 -o many short.c && cp many brief
fg-record -e cpu-clock -F 20 -o few.folded ./many 200 used 2>err
has 'processes shorter than a period: their program has its CPU time' '^brief;\[unsampled\] [1-9]' few.folded
check 'processes shorter than a period: the summary has their share' grep -q '% of the CPU time has no stack' err
fg-record -q -e cpu-clock -F 20 -o one.folded ./brief
lacks 'a program without children, of less than half a period, has no such time' 'unsampled' one.folded
fg-record -q -e cpu-clock -F 20 --interval 0.3 -o 'step.%T.folded' ./many 200 used
cat step.*.folded >steps.folded
has '--interval: the files have the time of their processes' '^brief;\[unsampled\] [1-9]' steps.folded
for hz in 99 997 4999; do
	fg-record -q -e cpu-clock -F $hz -o all.folded ./many 200 used
	rated "-F $hz: each program has its own CPU time, with that of its processes before execve" \
		awk -v used="$(cat used)" -v own="$(cat used.own)" -v hz=$hz '/^many;/ { s += $NF }
			END { s /= hz; printf "# many %.3f of %.3f s\n", s, own; exit !(s > own - .04 * used && s < own + .04 * used) }' all.folded
	rated "-F $hz: the CPU time of short processes is that of the kernel" \
		awk -v used="$(cat used)" -v hz=$hz '!/^#/ { s += $NF }
			END { printf "# %.3f of %.3f s\n", s / hz, used; exit !(s / hz > .97 * used && s / hz < 1.03 * used) }' all.folded
done
cat >forks.c <<'END_OF_PROGRAM'
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long sum;
static void burn(void)
{
	struct timespec t = {0};
	do {
		for (int i = 0; i < 1000; i++) sum++;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_nsec < 20000000);
}
__attribute__((noinline)) static void replaced(void) { burn(); __asm__ volatile(""); }
__attribute__((noinline)) static void kept(void) { burn(); __asm__ volatile(""); }
int main(void)
{
	for (int i = 0; i < 20; i++) {
		if (fork() == 0) {
			if (i % 2) { kept(); _exit(0); }
			replaced();
			execl("./brief", "brief", "none", (char *)0);
			_exit(1);
		}
		wait(NULL);
	}
}
END_OF_PROGRAM
if $CC -O1 -g -o forks forks.c && fg-record -q -a -d 0.01 -o none.folded 2>/dev/null; then
	fg-record -q -a -e cpu-clock -F 997 -o all.folded & recorder=$!
	recording $recorder
	./forks
	kill -TERM $recorder
	wait $recorder
	has '-a: samples of a child before its execve have the name of its program' '^brief;.*;replaced;' all.folded
	has '-a: samples of a child that calls no execve have the name of its parent' '^forks;.*;kept;' all.folded
else
	skip 'names of -a' 'no permission to record all CPUs'
fi
if rates; then
	mkfifo go
	sh -c 'exec 3<go; read -r x <&3; exec ./many 500 used none' &
	pid=$!
	exec 3>go
	fg-record -q -e cpu-clock -F 20 -p $pid -o running.folded & recorder=$!
	wait_for grep -q perf_event /proc/$recorder/maps
	sleep 1
	echo >&3
	wait $recorder
	check '-p: the sum has the time of the ends of children' \
		awk -v used="$(cat used)" '!/^#/ { s += $NF }
			END { printf "# %.3f of %.3f s\n", s / 20, used; exit !(s / 20 > .8 * used && s / 20 < 1.2 * used) }' running.folded
fi
done_testing
