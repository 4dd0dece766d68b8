#!/bin/sh
# fg-record --wall: all time of a thread: running, waiting, blocked.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
[ "$(id -u)" = 0 ] || skip_all "--wall needs root here"
[ -r /sys/kernel/tracing/events/sched/sched_wakeup/id ] ||
	skip_all "this machine has no tracepoints"

cat >parts.c <<'EOT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <time.h>
#include "clocks.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Returns how long it was on a CPU, whatever part of it the host of a virtual one took: what
 * the clock of CPU time leaves out. */
__attribute__((noinline)) static double compute(void)
{
	struct reading begin = read_clocks(), after;
	double end = now(CLOCK_THREAD_CPUTIME_ID) + 300e3;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 10000; i++)
			;
	after = read_clocks();
	return after.time - begin.time - (after.queued - begin.queued);
}
__attribute__((noinline)) static void rest(long ms)
{
	struct timespec t = {0, ms * 1000000};
	nanosleep(&t, NULL);
}
__attribute__((noinline)) static double wait_for_it(void)
{
	double begin = now(CLOCK_MONOTONIC);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return now(CLOCK_MONOTONIC) - begin;
}
/* A page at a time, past the cache. */
__attribute__((noinline)) static double read_disk(const char *name)
{
	double begin = now(CLOCK_MONOTONIC);
	int fd = open(name, O_RDONLY | O_DIRECT);
	void *page = NULL;
	if (posix_memalign(&page, 4096, 4096) != 0)
		return 0;
	for (int i = 0; i < 40; i++)
		if (pread(fd, page, 4096, i * 4096) != 4096)
			return 0;
	return now(CLOCK_MONOTONIC) - begin;
}
static void *hold(void *arg)
{
	pthread_mutex_lock(&lock);
	rest(300);
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(int argc, char **argv)
{
	double begin = now(CLOCK_MONOTONIC), waited, computed, read = 0;
	struct reading from, slept, disk;
	pthread_t t;
	pthread_create(&t, NULL, hold, NULL);
	rest(50);
	waited = wait_for_it();
	computed = compute();
	from = read_clocks();
	for (int i = 0; i < 40; i++)
		rest(5);
	slept = read_clocks();
	pthread_join(t, NULL);
	disk = read_clocks();
	if (argc > 1)
		read = read_disk(argv[1]);
	double ready = queued() - disk.queued;
	fprintf(stderr, "%.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", now(CLOCK_MONOTONIC) - begin, waited,
	    computed, slept.time - from.time - (slept.queued - from.queued), read, ready,
	    slept.queued - from.queued);
	return 0;
}
EOT
$CC -O1 -g -I"$here/programs" -o parts parts.c -pthread || skip_all "no C compiler" gcc

# A slow disk: our own, if a control group can limit it to 50 reads a second.
disk=
group=/sys/fs/cgroup/blkio/fg-record-test-$$
dd if=/dev/zero of=data bs=4096 count=64 conv=fsync 2>/dev/null
if rates && ./parts data 2>truth && read -r _ _ _ _ read _ <truth && [ "$read" -gt 0 ] &&
	mkdir "$group" 2>/dev/null; then
	device=$(stat -c '%Hd:%Ld' . 2>/dev/null)
	if echo "$device 50" 2>/dev/null >"$group/blkio.throttle.read_iops_device" &&
		sh -c "echo \$\$ >$group/cgroup.procs; exec ./parts data" 2>truth; then
		read -r _ _ _ _ read _ <truth
		[ "$read" -lt 500000 ] || disk=data
	fi
fi

# ok when columns $1 of stacks that match $2 have time: in the tier soak, between $3 and $4.
parts() {
	awk -v which="$1" -v of="$2" -v low="$3" -v high="$4" '
	!/^# / && $0 ~ of {
		if (which ~ /c/) n += $(NF - 2)
		if (which ~ /w/) n += $(NF - 1)
		if (which ~ /b/) n += $NF
	}
	END { print which, of, n; exit rates ? !(n >= low && n <= high) : n == 0 }' rates="${RATES-}" all.folded
}

# Checks each part: the lifetime of main, except its last steps and a wait for a CPU there; the
# computing time, within a tenth, since each thread switch takes about 30 us, which the kernel
# charges to the new thread; the sleeps, plus the latency after some, since a few in a thousand
# wake-ups have no event; and the run queue latency, except waits just before or after the program
# reads a clock.
record_parts() {
	if [ -n "$disk" ]; then
		fg-record -q --wall --show-tid -o all.folded \
			sh -c "echo \$\$ >$group/cgroup.procs; exec ./parts data" 2>truth
	else
		fg-record -q --wall --show-tid -o all.folded ./parts 2>truth
	fi
	read -r lived waited computed slept read ready delayed <truth
	main=$(sed -n 's/^\(parts-\([0-9]*\)\/\2\);.*/\1/p' all.folded | head -1)
	cat >rows <<-END
		cwb ^$main;.*;main[^_a-z] $((lived * 98 / 100 - 5000)) $((lived * 102 / 100 + 200000)) the parts are all of main
		c ;main;compute $((computed * 9 / 10 - 10000)) $((computed * 11 / 10 + 10000)) what it computed
		b ;main;rest; 248000 $((slept + 80000 + delayed / 2)) what it slept
		wb ;main;wait_for_it $((waited * 97 / 100 - 30000)) $((waited * 102 / 100 + 30000)) what it waited for a lock
	END
	[ -z "$disk" ] || ! rates || cat >>rows <<-END
		cwb ;main;read_disk $((read * 97 / 100 - 30000)) $((read * 102 / 100 + 30000)) what it waited for a disk
		b ;main;read_disk $(((read - ready) * 80 / 100)) $((read * 102 / 100 + 30000)) most of it was blocked
	END
}

try() {
	record_parts
	while read -r columns stacks low high what; do
		check "$1: $what" parts "$columns" "$stacks" "$low" "$high"
	done <rows
	[ -n "$disk" ] || ! rates || skip "$1: what it waited for a disk" "no disk that can be slowed down"
}

try "--wall beside nothing else"
busy=
for i in 1 2 3; do
	(while :; do :; done) &
	busy="$busy $!"
done
try "--wall beside busy loops"
kill $busy
rmdir "$group" 2>/dev/null
check "--wall: the columns have names" grep -q '^# columns: cpu waiting blocked 0 0 0$' all.folded
check "--wall: the unit is us" grep -q '^# unit: us 0 0 0$' all.folded
check "--wall: one column as a profile" sh -c \
	'fg-filter --column blocked all.folded | grep -q ";main;rest;.* [0-9]*$"'
sleep 600 &
pid=$!
started $pid sleep
timed fg-record -q --wall -p $pid -d 0.6 --interval 0.3 -o w.%T.folded
kill $pid
cat w.2* >all.folded
check "--wall --interval: a process that sleeps is blocked" parts b '^sleep;' 590000 $took

# Functions of scripts, also on a CPU, where each sample needs a stop: that is part of no column.
python=/usr/bin/python3
if "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
	cat >mixed.py <<'END'
import sys, time
def work(until):
    while time.thread_time() < until:
        sum(range(200))
def nap():
    time.sleep(0.02)
slept = 0
for i in range(30):
    work(time.thread_time() + 0.02)
    begin = time.monotonic()
    nap()
    slept += time.monotonic() - begin
print("%d %d" % (time.thread_time() * 1e6, slept * 1e6), file=sys.stderr)
END
	fg-record -q --wall -F 997 -o all.folded "$python" mixed.py 2>truth
	read -r computed slept <truth
	check "--wall: a script's functions on a CPU" parts c 'work .[^;]*mixed.py:2._.p.;' 480000 "$computed"
	rated "stops are no CPU time" parts c '^python' $((computed * 85 / 100)) $((computed * 110 / 100 + 20000))
	check "--wall: a script's functions while it is blocked" parts b 'nap .[^;]*mixed.py:5._.p.;' 450000 "$slept"
	rated "stops are not blocked time" parts b 'work .[^;]*mixed.py:2._.p.;' 0 30000
else
	skip "a script's functions" "no Python 3.11" python3
fi
fg-record -v --wall -F 20 -o all.folded sh -c 'for i in 1 2 3 4 5 6 7 8; do /bin/true; done' 2>said
has "--wall: threads without a sample have their time on a CPU in the frame [unsampled]" \
    '^true;\[unsampled\] [1-9][0-9]* 0 0$' all.folded
has "--wall: the summary has its share" '% of the CPU time has no stack, the frame \[unsampled\]' said
status "--wall takes no event" 125 fg-record --wall -e cycles true
done_testing
