#!/bin/sh
# tier: full soak
# fg-record: events other than time, weights from tracepoint fields, lock contention, idle threads.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "perf_event_open is refused here"

cat >events.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static char buf[4096];
#define NOINLINE __attribute__((noinline))
NOINLINE void small_writes(int fd) { for (int i = 0; i < 1000; i++) if (write(fd, buf, 10) != 10) _exit(1); }
NOINLINE void large_writes(int fd) { for (int i = 0; i < 500; i++) if (write(fd, buf, 4000) != 4000) _exit(1); }
NOINLINE int deep(int n, int fd) {
	volatile char page[4000];
	page[0] = 1;
	if (n > 0) return deep(n - 1, fd) + page[0];
	for (int i = 0; i < 4000; i++) if (write(fd, buf, 1) != 1) _exit(1);
	return 0;
}
NOINLINE void touch_pages(void) {
	volatile char *p = mmap(0, 2000 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)p, 2000 * 4096, MADV_NOHUGEPAGE);
	for (int i = 0; i < 2000; i++) p[i * 4096] = 1;
}
NOINLINE void naps(void) { struct timespec t = {0, 1000000}; for (int i = 0; i < 100; i++) nanosleep(&t, 0); }
NOINLINE void *mapper(void *a) {
	for (int i = 0; i < 20000; i++) {
		char *p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[0] = 1;
		munmap(p, 65536);
	}
	return a;
}
NOINLINE void *sleeper(void *a) { for (;;) pause(); return a; }
int main(int argc, char **argv) {
	pthread_t t[4];
	int fd = open("/dev/null", O_WRONLY);
	(void)argc;
	switch (argv[1][0]) {
	case 'w': small_writes(fd); large_writes(fd); break;
	case 'd': for (int i = 0; i < 8; i++) deep(i % 2 * 10, fd); break;
	case 'p': touch_pages(); break;
	case 'n': naps(); break;
	case 'l':
		for (int i = 0; i < 4; i++) pthread_create(t + i, 0, mapper, 0);
		for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
		break;
	case 'i': pthread_create(t, 0, sleeper, 0); for (int i = 0; i < 3000; i++) naps(); break;
	}
	return 0;
}
END
$CC -O1 -g -pthread -o events events.c
# The sum of the stacks in file $2 that contain function $1.
sum_of() { grep -e ";$1[; _]" "$2" | total; }

# ok when file $3 has samples of function $2: in the tier soak, at least $1.
at_least() {
	least=1
	! rates || least=$1
	[ "$(sum_of "$2" "$3")" -ge "$least" ]
}

# The number that precedes word $1 in the summary.
said() { grep -o "[0-9]* $1" err | head -n 1 | grep -o '[0-9]*'; }

fg-record -q -e page-faults -c 1 --stack-size 4096 -o faults -- ./events p
check "-e page-faults -c 1: touched pages are samples" at_least 2000 touch_pages faults
fg-record -q -e minor-faults -c 1 --stack-size 4096 -o faults -- ./events p
check "-e minor-faults -c 1: touched pages are samples" at_least 2000 touch_pages faults
fg-record -q -e context-switches -c 1 --stack-size 4096 -o switches -- ./events n
fg-record -e major-faults -c 1 -o none -- ./events w 2>err
has "an event that does not occur: the summary has the reason" 'no samples: major-faults did not occur$' err
check "-e context-switches -c 1: naps are samples" at_least 100 naps switches

# About a fifth of the samples of -c 5, and the header has the period that they stand for.
fg-record -q -e page-faults -c 5 --stack-size 4096 -o fifth -- ./events p
rated "-e page-faults -c 5: each fifth page is a sample" \
	[ "$(sum_of touch_pages fifth)" -ge 300 -a "$(sum_of touch_pages fifth)" -le 500 ]
has "-e page-faults -c 5: the period is in the header" '^# period: 5 page-faults 0$' fifth
fg-record -q -e page-faults -F 99 --stack-size 4096 -o rated -- ./events p
has "-e page-faults at a rate: the event is a label" '^# label: (.* )?event=page-faults ' rated
fg-render -T markdown rated >said
has "-e page-faults at a rate: fg-render counts samples, not time" 'Most self samples: ' said

status "--weight field:NAME of an event that is not a tracepoint is refused" 125 \
	fg-record -e cpu-clock --weight field:count -- true
status "--weight field:NAME without -e is refused" 125 fg-record --weight field:count -- true
status "--weight with another word is refused" 125 fg-record --weight nonsense -- true
status "--idle without --off-cpu or --wall is refused" 125 fg-record --idle hide -- true
status "--idle with another word is refused" 125 fg-record --off-cpu --idle nonsense -- true

events=/sys/kernel/tracing/events
if [ -r $events/syscalls/sys_enter_write/format ]; then
	fg-record -v -e syscalls:sys_enter_write --weight field:count --stack-size 1024 -m 32 \
		-o writes -- ./events w 2>err
	if grep -q ' 0 lost' err; then
		output "--weight field:count: the bytes of small writes" 10000 sum_of small_writes writes
		output "--weight field:count: the bytes of large writes" 2000000 sum_of large_writes writes
	else
		skip "--weight field:count" "records were lost: $(grep -o '[0-9]* lost' err | head -n 1)"
	fi
	output "--weight field:count: the unit is bytes" "# unit: bytes 0" grep '^# unit' writes
	check "--weight field:count: no period header" sh -c '! grep -q "^# period" writes'
	fg-record -v -e syscalls:sys_enter_write -c 10 --weight field:count --stack-size 1024 -m 32 \
		-o tenth -- ./events w 2>err
	if grep -q ' 0 lost' err; then
		# Each CPU counts for itself, and may have up to nine events that are not sampled.
		check "a tracepoint with -c 10: a tenth of the samples" \
			[ "$(said samples)" -ge 140 -a "$(said samples)" -le 150 ]
		check "--weight field:count -c 10: bytes times ten" [ "$(sum_of large_writes tenth)" -ge 1800000 ]
		check "--weight field:count -c 10: at most all bytes" [ "$(sum_of large_writes tenth)" -le 2040000 ]
	else
		skip "--weight field:count -c 10" "records were lost"
	fi
	status "--weight field:NAME: a field that does not exist is refused" 125 \
		fg-record -e syscalls:sys_enter_write --weight field:nonsense -- true
else
	skip "--weight field:count" "no tracepoint syscalls:sys_enter_write, or no right to read it"
fi

if [ -r $events/syscalls/sys_enter_write/format ]; then
	# The samples and the lost ones are all events; a busy machine loses some.
	fg-record -v -e 'syscalls:*' --stack-size 1024 -o calls -- ./events w 2>err
	has "-e syscalls:* is one tracepoint" ' of raw_syscalls:sys_enter in ' err
	check "-e syscalls:* has each system call" [ $(($(said samples) + $(said lost))) -ge 1520 ]
	check "-e syscalls:*: the stacks are those of the callers" \
		[ $(($(sum_of small_writes calls) + $(said lost))) -ge 1000 ]
	has "-e syscalls:*: the leaf is the system call" ';small_writes;.*;syscall:write_\[k\] [0-9]+$' calls
	fg-record -q -e 'syscalls:sys_enter_[ow]*' --stack-size 1024 -o calls -- ./events w
	has "SYSTEM:PATTERN of several: the leaf is the tracepoint" \
		';small_writes;.*;syscalls:sys_enter_write_\[k\] [0-9]+$' calls
	grep -v '^#' calls | grep -v ';syscalls:sys_enter_[a-z0-9_]*_\[k\] [0-9]*$' >others
	output "SYSTEM:PATTERN of several: each stack has such a leaf" 0 echo $(($(wc -l <others)))
	fg-record -q -e syscalls:sys_enter_write --stack-size 1024 -o calls -- ./events w
	lacks "a single tracepoint is not a frame" 'sys_enter_write_\[k\] [0-9]+$' calls
	fg-record -v -e 'syscalls:sys_exit_writ*' --weight field:ret -o calls -- ./events w 2>err
	if [ "$(said lost)" = 0 ] && [ "$(said samples)" = 1500 ]; then
		output "SYSTEM:PATTERN --weight field:ret: small writes" 10000 sum_of small_writes calls
		output "SYSTEM:PATTERN --weight field:ret: large writes" 2000000 sum_of large_writes calls
	else
		skip "SYSTEM:PATTERN --weight field:ret" "samples were lost"
	fi
	fg-record -q -e 'syscalls:sys_enter_[rw]*' --weight field:count --stack-size 1024 -m 32 \
		-o calls -- ./events w
	output "SYSTEM:PATTERN: tracepoints without the field are left out" "# unit: bytes 0" \
		grep '^# unit' calls
	check "SYSTEM:PATTERN: the others are weighed by their field" [ "$(sum_of large_writes calls)" -gt 0 ]
	fg-record -q --no-kernel -e raw_syscalls:sys_enter -c 10 --stack-size 1024 -o calls -- ./events w
	check "a tracepoint with --no-kernel has samples" [ "$(total <calls)" -gt 0 ]
	lacks "a tracepoint with --no-kernel has no kernel frames but its leaf" '_\[k\];' calls
	status "a pattern without a match is refused" 125 fg-record -e 'syscalls:nonsense*' -- true
	cp .said message
	has "a pattern without a match: where the names are" 'no tracepoint matches; .*/events/' message
	status "a pattern that matches too many is refused" 125 \
		fg-record -e 'syscalls:*' --weight field:ret -- true
	cp .said message
	has "a pattern that matches too many: their number" ': [0-9]* tracepoints match .*narrower' message
	status "a field that no tracepoint of a pattern has is refused" 125 \
		fg-record -e 'syscalls:sys_exit_writ*' --weight field:count -- true
	cp .said message
	has "a field that no tracepoint has: the fields that exist" 'but .*ret$' message
	status "a pointer is not a number field" 125 \
		fg-record -e syscalls:sys_enter_write --weight field:buf -- true
else
	skip "-e syscalls:*" "no tracepoints of system calls, or no right to read them"
fi
if [ -r $events/syscalls/sys_enter_write/format ]; then
	# The copies become larger and smaller: the tracepoints between two events count as lost.
	for m in 1 16; do
		fg-record -v -m $m -e syscalls:sys_enter_write -o calls -- ./events d 2>err
		output "rings of $m MB: samples and lost ones are all tracepoints" 32000 \
			echo $(($(said samples) + $(said lost)))
	done
	fg-record -v -m 1 -e 'syscalls:sys_enter_writ*' -o calls -- ./events d 2>err
	output "a pattern: samples and lost ones are all tracepoints" 32000 \
		echo $(($(said samples) + $(said lost)))
fi
if [ -r $events/sched/sched_switch/format ] && [ -x /usr/bin/python3 ]; then
	echo 'import os, time
null = os.open("/dev/null", os.O_WRONLY)
for i in range(500): os.write(null, b"x")
time.sleep(0.1)' >script.py
	status "a tracepoint that each stop causes: a Python program ends" 0 \
		timeout 600 fg-record -v -e 'sched:sched_sw*' -o calls -- /usr/bin/python3 -S -E script.py
	cp .said err
	has "a tracepoint that each stop causes: the reason for native frames" \
		'threads are not stopped for these tracepoints' err
	fg-record -v -e 'syscalls:sys_enter_writ*' -o calls -- /usr/bin/python3 -S -E script.py 2>err
	output "a Python program: samples and lost ones are all tracepoints" 500 \
		echo $(($(said samples) + $(said lost)))
	fg-record -v -e 'syscalls:sys_enter_[ew][xr]i*' -o calls -- /usr/bin/python3 -S -E script.py 2>err
	has "a Python program: the leaf is the tracepoint" ';syscalls:sys_enter_write_\[k\] [0-9]+$' calls
	output "a Python program: its last tracepoint, sys_enter_exit_group, counts" 501 \
		echo $(($(said samples) + $(said lost)))
else
	skip "tracepoints of a Python program" "no Python, or no right to read tracepoints" python3
fi
if unshare -m sh -c 'umount -l /sys/kernel/debug/tracing 2>/dev/null; umount -l /sys/kernel/tracing' 2>/dev/null; then
	unshare -m sh -c 'umount -l /sys/kernel/debug/tracing 2>/dev/null; umount -l /sys/kernel/tracing
		fg-record -e sched:sched_switch true' 2>err
	output "root without tracefs: exit status 125" 125 echo $?
	has "root without tracefs: the message has the command that mounts it" 'sudo mount -t tracefs' err
else
	skip "root without tracefs" "not root, or tracefs is not mounted"
fi
status "a pattern in a system that does not exist is refused" 125 fg-record -e 'nonsense:*' -- true

if [ -r $events/lock/contention_begin/format ]; then
	fg-record -v -e lock:contention -o locks -- ./events l 2>err
	if [ "$(total <locks)" -gt 0 ]; then
		! rates || has "-e lock:contention: the stack of the wait" "[;]mapper;.*_\\[k\\] [0-9]+$" locks
		output "-e lock:contention: the unit is ns" "# unit: ns 0" grep '^# unit' locks
	else
		skip "-e lock:contention" "no lock was contended: $(grep -o '[0-9]* samples' err | head -n 1)"
	fi
else
	skip "-e lock:contention" "no tracepoint lock:contention_begin, or no right to read it"
fi

# A thread that is blocked from the start of the recording to its end.
./events i &
pid=$!
pauses() { cat /proc/$pid/task/*/wchan | grep pause; }
wait_for pauses
fg-record -q --off-cpu -p $pid -d 1 -o shown
fg-record -v --off-cpu --idle hide -p $pid -d 1 -o hidden 2>err
kill $pid
if grep -q ';sleeper' shown; then
	lacks "--idle hide: a thread that never ran has no time" ';sleeper' hidden
	! rates || has "--idle hide: a thread that napped has its time" ';naps' hidden
	! rates || has "--idle hide: the summary counts the hidden threads" "1 thread never ran: their [0-9.]* s of blocked time are hidden" err
else
	skip "--idle hide" "threads that sleep already cannot be read here"
fi
done_testing
