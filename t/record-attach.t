#!/bin/sh
# fg-record: attaching to running processes and threads.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc

# Nanoseconds that all threads of $1 have run.
ran() {
	cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ n += $1 } END { printf "%.0f", n }'
}

# Nanoseconds that the host took from all virtual CPUs: a thread is sampled where a virtual CPU
# stopped, although it did not run.
stolen() {
	awk -v hz="$(getconf CLK_TCK)" '/^cpu / { printf "%.0f", $9 * 1e9 / hz }' /proc/stat
}

# A process given twice is recorded once.
./shapes busy 60000 &
pid=$!
started $pid shapes
if [ -r /proc/$pid/schedstat ]; then
	for how in "-p $pid,$pid" "-p $pid -t $pid"; do
		from=$(($(ran $pid) + $(stolen)))
		# shellcheck disable=SC2086
		fg-record -q -d 0.5 -F 997 $how -o twice.folded
		to=$(($(ran $pid) + $(stolen)))
		rated "$(echo "$how" | tr -d 0-9 | tr -s " ") has each sample once" awk -v from="$from" -v to="$to" '
			{ n += $NF } END { print n, to - from; exit (n - 3) * 1e9 / 997 > 1.5 * (to - from) }' twice.folded
	done
else
	skip "-p P,P is P" "no schedstat"
fi
kill $pid
wait $pid 2>/dev/null

# One recorded thread executes libraries that other threads map.
$CC -O2 -g -shared -fPIC -o plugin.so "$here/programs/plugin.c"
$CC -O2 -g -o loader "$here/programs/loader.c" -pthread -ldl
for how in "" --ptrace; do
	: >tid
	./loader ./plugin.so >tid &
	pid=$!
	wait_for [ -s tid ]
	# shellcheck disable=SC2086
	until_samples 60 loader.folded $how -d 1 -t "$(cat tid)"
	mostly "-t $how has the libraries that other threads map" 30 ';plugin_work_\[l\];burn' loader.folded
	! rates || lacks "-t $how has no library without a name" '\[unknown\]' loader.folded
	kill $pid
	wait $pid 2>/dev/null
done
./shapes later 300 &
pid=$!
started $pid shapes
fg-record -q --no-header --ptrace -d 3 -t $pid --show-tid -o later.folded
lacks "--ptrace -t does not follow new threads" 'worker' later.folded
wait $pid

# Many threads, each running briefly now and then: the number of samples matches their CPU time.
$CC -O1 -g -o crowd "$here/programs/crowd.c" -pthread
attach_to_crowd() {
	: >ready
	./crowd "$@" >ready &
	pid=$!
	wait_for eval '[ -s ready ] || ! kill -0 $pid'
	# Reading the CPU times takes time too; half of it counts as part of the interval.
	took=-$(date +%s%N)
	from=$(ran $pid)
	took=$((took - $(date +%s%N)))
	fg-record -v -d 2 -p $pid --show-tid --no-header -o crowd.folded 2>err
	took=$((took + $(date +%s%N)))
	to=$(ran $pid)
	took=$(((took + $(date +%s%N)) / 2000))
	kill $pid
	wait $pid 2>/dev/null
}
if ! rates; then
	:
elif [ "$(id -u)" = 0 ] && [ -r /proc/self/schedstat ]; then
	# The recording is two of the seconds measured; opening events and writing takes the
	# others. The threads may run more in those, if the recorder needs the same CPU. If each
	# thread were sampled only after a full period of its own, there would be almost no
	# samples. A late recorder loses samples, and counts them.
	attach_to_crowd 600
	rated "600 threads are sampled as much as they ran" awk -v from="$from" -v to="$to" -v took=$took '
		FILENAME == "err" && / samples? of .* lost/ { for (i = 2; i <= NF; i++) if ($i ~ /^lost/) n += $(i - 1) }
		FILENAME != "err" && /;worker/ { n += $NF }
		END {
			ran = (to - from) * 2e6 / took
			print n, "samples of", ran / 1e9, "s"
			exit n * 1e9 / 997 < 0.25 * ran
		}' err crowd.folded
	lacks "600 threads: no other thread is sampled" '^([^c]|c[^r])' crowd.folded
else
	skip "600 threads are sampled as much as they ran" "not root, or no schedstat"
	skip "600 threads: no other thread is sampled" "the same"
fi
# Each of 200 threads has events of its own; its first sample comes after a full period on one CPU.
! rates || attach_to_crowd 200 100000
rated "200 threads by events of their own" awk '/;worker/ { n += $NF } END { exit n < 10 }' crowd.folded

# All threads are recorded from one moment on, and no record is lost before, however slow attaching
# is.
cat >slow.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_perf_event_open)
		usleep(100000);
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
EOT
if ! rates; then
	:
elif $CC -O1 -shared -fPIC -o slow.so slow.c -ldl 2>/dev/null && LD_PRELOAD=./slow.so fg-record -V >/dev/null 2>&1; then
	./shapes threads 60000 &
	pid=$!
	has_threads $pid 9
	# Up to a quarter may be lost if other processes need the recorder's CPU; if the rings were
	# not read during attaching, more would be lost than recorded.
	$prompt env LD_PRELOAD=./slow.so fg-record -v -d 0.3 -p $pid -o slow.folded 2>err
	rated "attaching slowly loses little" awk '/ samples? of .* lost/ {
		print
		for (i = 2; i <= NF; i++) if ($i ~ /^lost/) lost = $(i - 1)
		found = lost * 4 <= $2
	}
	END { exit !found }' err
	kill $pid
	wait $pid 2>/dev/null
else
	skip "attaching slowly loses little" "no library can be put before fg-record's"
fi

# A program overwritten in place, as cp does, counts as two programs, each with its own symbols.
for name in alpha beta_beta; do
	cat >over.c <<EOF
#include <time.h>
volatile double x;
__attribute__((noinline)) void $name(void) { for (int i = 0; i < 100000; i++) x += i; }
int main(void) { clock_t end = clock() + CLOCKS_PER_SEC / 4; while (clock() < end) $name(); }
EOF
	$CC -O1 -g -o over-$name over.c
done
cp over-alpha over
fg-record -q -o over.folded sh -c './over; cat over-beta_beta >over; ./over'
mostly "an overwritten program has its names" 30 '^over;.*;main;alpha' over.folded
mostly "the program that overwrote it has its names" 30 '^over;.*;main;beta_beta' over.folded
done_testing
