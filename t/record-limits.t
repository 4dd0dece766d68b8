#!/bin/sh
# fg-record under resource limits and load: an error or a complete file, few losses, a fitting
# hint.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc
cat >two.c <<'EOT'
static volatile unsigned long sum;
__attribute__((noinline)) static void one(void) { for (int i = 0; i < 30000; i++) sum += i; }
__attribute__((noinline)) static void two(void) { for (int i = 0; i < 30000; i++) sum += i * 3; }
int main(void) { for (int i = 0; i < 8000; i++) { one(); two(); } return 0; }
EOT
$CC -O1 -g -o two two.c

# A small stack limit that no process may raise: the symbolizing child allocates its own stack.
sh -c 'ulimit -Hs 64 2>/dev/null || ulimit -s 64; exec fg-record -q --no-header -o small.folded ./two' 2>err
mostly "ulimit -s 64: names and inlined frames are there" 90 ';main;(one|two)[; ]' small.folded
lacks "ulimit -s 64: no symbolizer fails" 'symboliz|names failed' err
# Less is an error if it cannot be raised; with a larger hard limit fg-record raises its own limit only.
if sh -c 'ulimit -s 24; exec fg-record -V' >/dev/null 2>&1; then
	sh -c 'ulimit -s 24; exec fg-record -q -o small.folded ./two' 2>err
	output "ulimit -s 24: exit status 125" 125 echo $?
	has "ulimit -s 24: the message has the remedy" 'limit of the stack is too small; try ulimit -s 64' err
	output "ulimit -Ss 24: the command has this limit" 24 \
		sh -c 'ulimit -Ss 24; exec fg-record -q -o small.folded sh -c "ulimit -s; ./two"'
	mostly "ulimit -Ss 24: names are there" 90 ';main;(one|two)[; ]' small.folded
else
	skip "ulimit -s 24" "this build cannot start with so small a stack"
fi
# The kernel starts a stack at a random address: the part that is left varies. ls crashes in most
# runs, in the dynamic linker.
each_of_20() { # COMMAND...: the statuses
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		env -i PATH="$PATH" sh -c 'ulimit -Ss 16; exec "$@"' - "$@" >/dev/null 2>&1
		echo $?
	done | sort -u
}
echo 'int main(void) { return 0; }' >nothing.c
if $CC -O1 -static -o nothing nothing.c 2>/dev/null && [ "$(each_of_20 ./nothing)" = 0 ]; then
	! rates || output "ulimit -Ss 16: no run crashes" 0 each_of_20 fg-record -q -o small.folded ./nothing
else
	skip "ulimit -Ss 16" "an empty program cannot start with so small a stack, or no static libc" libc6-dev
fi

# A slow start: exec enables the events of one copy size, so no other size may be selected before
# it.
cat >early.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>
static int gone;
ssize_t write(int fd, const void *bytes, size_t n)
{
	ssize_t (*next)(int, const void *, size_t) =
	    (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	if (n == 1 && !gone) { /* the start byte of the command */
		usleep(800000);
		gone = 1;
		close(open("started", O_WRONLY | O_CREAT, 0666));
	}
	return next(fd, bytes, n);
}
int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, void *) =
	    (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	va_list list;
	void *arg;
	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	if (request == PERF_EVENT_IOC_ENABLE && !gone)
		close(open("early", O_WRONLY | O_CREAT, 0666));
	return next(fd, request, arg);
}
EOT
if $CC -shared -fPIC -o early.so early.c -ldl 2>/dev/null && LD_PRELOAD=./early.so fg-record -V >/dev/null 2>&1; then
	LD_PRELOAD=$tmp/early.so fg-record -q --ring-size 0.25 -o slow.folded ./two 2>/dev/null
	check "a slow start was tried" test -e started
	check "a slow start: no size of stack copies is chosen before the exec" test ! -e early
else
	skip "a slow start" "no library can be put before fg-record's"
fi

# A file size limit: an error, and no partial file.
fg-record -q -o whole.folded ./two
sh -c 'ulimit -f 1; exec fg-record -q -F 9970 -o none.folded sh -c "ls -lR /usr/include /usr/lib >/dev/null 2>&1"' 2>err
echo "$?" >code
check "ulimit -f 1: exit status 125, or a complete file" \
	awk '{ exit !($1 == 125 || $1 == 0) }' code
if [ "$(cat code)" = 125 ]; then
	check "ulimit -f 1: no incomplete file" test ! -e none.folded
	has "ulimit -f 1: the message has the reason" 'File too large' err
else
	skip "ulimit -f 1: no incomplete file" "the profile was small"
	skip "ulimit -f 1: the message has the reason" "the profile was small"
fi

# The leak checker opens files when the program ends, and sets another exit status if it cannot.
leaks=${ASAN_OPTIONS-}
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
sh -c 'ulimit -n 9; exec fg-record -q -o few.folded ./two' 2>err
echo "$?" >code
check "ulimit -n 9: exit status 125, or a complete file" awk '{ exit !($1 == 125 || $1 == 0) }' code
check "ulimit -n 9: a failure has a message" awk 'NR == FNR { failed = $1 == 125; next } { said = 1 }
	END { exit failed && !said }' code err
sh -c 'for n in 12 13 14 15 16; do (ulimit -n $n; fg-record -q -o few.folded true); done' 2>err
lacks "ulimit -n: the message of an event has the remedy" 'cannot sample.*open files$' err
if [ "$(id -u)" = 0 ]; then
	sh -c 'ulimit -n 12; exec fg-record -q -a -d 0.1 -o few.folded' 2>err
	has 'ulimit -n: also of an event that another process opened' 'cannot sample CPU.*open files; try' err
else
	skip 'ulimit -n: also of an event that another process opened' 'needs root'
fi
sh -c 'for n in 17 18 19 20 21 22 23 24; do (ulimit -n $n; fg-record -o few.folded ./two); done' 2>err
has "ulimit -n: the summary has the reason of unread programs" 'too many open files: not all' err
lacks "ulimit -n: it does not blame the program" 'without call frame information' err
ASAN_OPTIONS=$leaks

# A program without symbols: its functions are distinguished by start address.
$CC -O1 -s -o stripped two.c
fg-record -q --no-header -o stripped.folded ./stripped
awk '{ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); all += v }
	f[n] ~ /^stripped\+0x[0-9a-f]+$/ { leaf[f[n]] += v }
	END { for (l in leaf) heavy += leaf[l] > all / 10; print heavy + 0 }' stripped.folded >leaves
check "two functions of a stripped program are two frames" awk '{ exit $1 != 2 }' leaves

# Events that this machine does not have.
if fg-record -q -e instructions -o o true 2>err; then
	skip "-e instructions without hardware counters" "this machine has them"
else
	has "-e instructions without hardware counters: cpu-clock is advised" 'try -e cpu-clock' err
fi
if [ -r /sys/kernel/tracing/events/sched/sched_switch/format ]; then
	fg-record -v -e sched:sched_switch -o o ./two 2>err
	lacks "a tracepoint's samples try no deep stacks" 'deep' err
	status "--deep-stacks is not for tracepoints" 125 fg-record --deep-stacks -e sched:sched_switch true
else
	skip "a tracepoint's samples try no deep stacks" "no tracefs"
	skip "--deep-stacks is not for tracepoints" "no tracefs"
fi
printf '#!/bin/sh\n./two\n' >cargo
chmod +x cargo
fg-record -v -o o ./cargo run 2>err
check 'cargo: cargo fg is recommended' grep -q 'try cargo fg for one of the program only' err
fg-record -v --call-graph fp -o o ./two 2>err
lacks "--call-graph fp does not advise itself" 'call-graph fp' err
status "an option of fg-render names its program" 125 fg-record --title x true
fg-record --title x true 2>err
has "an option of fg-render: the message names fg-render" 'option of fg-render' err

# True if less than one of $1 samples was lost, by the summary in err.
few_lost() {
	awk -v part="$1" '
		/ samples of .* lost/ {
			for (i = 2; i <= NF; i++) if ($i ~ /^lost/) { lost = $(i - 1); found = 1 }
			taken = $2
		}
		{ print }
		END { exit !(found && part * lost <= taken + lost) }' err
}

rates || done_testing
# Many runnable threads: stack copies become smaller before samples are lost.
# crowded: 30 threads that run for a minute. crowded N: N threads at once, each for 3 ms.
cat >crowded.c <<'EOT'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_barrier_t all;
static long most = -1;
static void *run(void *arg)
{
	struct timespec t = {0};
	volatile long n = 0;
	(void)arg;
	pthread_barrier_wait(&all);
	while (most < 0 || t.tv_nsec < most) {
		for (n = 0; n < 10000;)
			n++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	}
	return 0;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 30;
	pthread_t *t = malloc(n * sizeof *t);
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all, 0, n + 1);
	most = argc > 1 ? 3000000 : -1;
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &small, run, 0) != 0)
			return 1;
	pthread_barrier_wait(&all);
	if (most < 0)
		sleep(60);
	for (int i = 0; i < n && most > 0; i++)
		pthread_join(t[i], 0);
	return 0;
}
EOT
$CC -O1 -pthread -o crowded crowded.c
# The service may lock 256 MB and has a real-time priority; CAP_IPC_LOCK and CAP_SYS_NICE replace
# these limits here, since a limit may not be raised.
rights=+perfmon,+sys_ptrace,+ipc_lock,+sys_nice
if setpriv --reuid 65534 --clear-groups --inh-caps $rights --ambient-caps $rights true 2>/dev/null; then
	chmod 755 . && mkdir -m 777 out
	./crowded &
	pid=$!
	started $pid crowded
	nice -n -15 setpriv --reuid 65534 --clear-groups --inh-caps $rights --ambient-caps $rights \
		fg-record -v -a -d 3 -o out/all.folded 2>err
	kill $pid
	wait $pid 2>/dev/null
	cat err >said
	check "-a beside 30 runnable threads with the rights and priority of the systemd unit: at most 1 % is lost" few_lost 100
else
	skip "-a beside 30 runnable threads with the rights and priority of the systemd unit: at most 1 % is lost" "no setpriv, or not root" util-linux
fi

fg-record -v -o crowd.folded -- ./crowded 2000 2>err
if grep -q 'samples of .* from 2001 threads' err; then
	check "2,000 running threads: at most 0.1 % is lost" few_lost 1000
else
	skip "2,000 running threads" "$(tail -n 1 err)"
fi
done_testing
