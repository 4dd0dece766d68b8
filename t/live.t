#!/bin/sh
# fg-record and perf on this machine: a dozen claims about recordings of running programs. t/record-*.t
# has the others.
# tier: live
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc
main='_start;.*main'

status "fg-record COMMAND: the exit status is the command's own" 7 fg-record -q -o busy.folded ./shapes busy 200 7
has "fg-record COMMAND: a stack from _start to the leaf, with inlined functions" \
	"^shapes;$main;outer;middle_\[i\];inner_\[i\];burn" busy.folded
fg-record -q -o threads.folded ./shapes threads 100
has "a thread from its first function" ';worker;burn' threads.folded
cp shapes second
fg-record -q -o fork.folded ./shapes fork 200 ./second
has "a program that a child became" "^second;$main;outer;middle_\[i\];inner_\[i\];burn" fork.folded
fg-record -q --ptrace -o ptrace.folded ./shapes busy 200
has "--ptrace: a stack from _start to the leaf" "^shapes;$main;outer;middle_\[i\];inner_\[i\];burn" ptrace.folded

./shapes busy 600000 &
pid=$!
started $pid shapes
check "-p PID: SIGTERM ends the recording, with exit status 0" record_running $pid 20 -q -o pid.folded
has "-p PID: a stack from _start to the leaf" "^shapes;$main;outer;middle_\[i\];inner_\[i\];burn" pid.folded
check "-p PID: the process runs on" kill -0 $pid
kill $pid
wait $pid 2>/dev/null

if [ "$(id -u)" = 0 ]; then
	cat >blocked.c <<-'EOT'
	#include <unistd.h>
	__attribute__((noinline)) static int inner(int n)
	{
		volatile char room[300];
		room[n] = (char)n;
		pause();
		return room[n];
	}
	__attribute__((noinline)) static int outer(int n) { return inner(n) + n; }
	int main(int argc, char **argv) { (void)argv; return outer(argc); }
	EOT
	$CC -O1 -fno-omit-frame-pointer -o blocked blocked.c
	./blocked &
	pid=$!
	wait_for grep -q '^State:.S' /proc/$pid/status
	fg-record -q --off-cpu -p $pid -d 0.2 -o blocked.folded
	kill $pid
	wait $pid 2>/dev/null
	has "--off-cpu -p: callers of a thread blocked before, also of functions with frame pointers" \
		'^blocked;_start;.*;main;outer;inner;.*pause' blocked.folded
else
	skip "--off-cpu -p: callers of a thread blocked before, also of functions with frame pointers" "not root"
fi

python=/usr/bin/python3
if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
	fg-record -q -F 499 -o script.folded "$python" "$here/data/script/busy.py" 0.5
	has "a Python program: a stack of its functions" '<module> [^;]*_\[p\];main \([^;]*busy.py:[0-9]+\)_\[p\];' script.folded
else
	skip "a Python program: a stack of its functions" "no Python 3.11 to 3.13" python3
fi

if command -v perf >/dev/null && perf record -q -e cpu-clock --call-graph dwarf -o perf.data ./shapes busy 200 >/dev/null 2>&1; then
	fg-collapse -q perf.data >perf.folded
	has "perf.data: a stack of a recording of perf" '^shapes;.*main;outer;.*burn' perf.folded
else
	skip "perf.data: a stack of a recording of perf" "no perf, or it may not record" linux-perf
fi

if command -v script >/dev/null; then
	script -qec 'fg-record ./shapes busy 200' /dev/null </dev/null >seen 2>&1
	has "on a terminal: fg-record ./shapes writes shapes.folded" 'wrote shapes.folded; next: ' seen
else
	skip "on a terminal: fg-record ./shapes writes shapes.folded" "no script(1)" bsdutils
fi
done_testing
