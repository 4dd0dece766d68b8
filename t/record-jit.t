#!/bin/sh
# fg-record: JIT code, symbolized by perf maps.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"

if command -v node >/dev/null && node --perf-basic-prof -e 0 2>/dev/null; then
	fg-record -q -o node.folded node --perf-basic-prof "$here/programs/spin.js" 1500
	mostly "node --perf-basic-prof" 60 '^node;.*callNode[^;]*_\[j\];.*burnNode[^;]*_\[j\]|^node;.*burnNode[^;]*_\[j\]' node.folded
	mostly "node's own functions" 60 '^node;_start;.*;node::Start(_\[l\])?;.*_\[j\]' node.folded
	fg-record -q -o dump.folded node --perf-prof "$here/programs/spin.js" 1000
	mostly "node --perf-prof writes a jitdump" 60 'burnNode[^;]*_\[j\]' dump.folded
	fg-record --no-script -o node.folded node "$here/programs/spin.js" 1000 2>err
	has "node without a perf map: the summary recommends --perf-basic-prof" 'node with --perf-basic-prof' err
	lacks "node without a perf map: no hint for other runtimes" 'python3|java|erl ' err
else
	skip "node --perf-basic-prof" "no node that has it" nodejs
fi

if command -v javac >/dev/null && command -v jcmd >/dev/null && jcmd -h >/dev/null 2>&1 &&
	javac -d . "$here/programs/Spin.java" 2>/dev/null; then
	# Each method is compiled once, before its first call, so the perf map stays right.
	java -Xcomp -XX:-TieredCompilation -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,'Spin::*' \
		-XX:CompileCommand=dontinline,'Spin::*' -XX:+PreserveFramePointer -cp . Spin 120000 &
	pid=$!
	wait_for eval "jcmd $pid VM.version || ! kill -0 $pid"
	if jcmd $pid Compiler.perfmap >/dev/null 2>&1; then
		wait_for eval "jcmd $pid Compiler.perfmap; grep Spin.burnJava /tmp/perf-$pid.map || ! kill -0 $pid"
		record_running $pid 100 -q -o java.folded
		mostly "java and jcmd Compiler.perfmap" 90 'Spin\.main_\[j\];Spin\.callJava_\[j\];Spin\.burnJava_\[j\]' java.folded
	else
		skip "java" "this jcmd has no Compiler.perfmap"
	fi
	kill $pid
	wait $pid 2>/dev/null
	if [ "$(uname -m)" = x86_64 ]; then
		fg-record -v -o java.folded java -cp . Spin 1500 2>err
		rated "java without -XX:+PreserveFramePointer" awk '
			match($0, /stacks [0-9.]+ % complete/) { whole = substr($0, RSTART + 7) + 0 }
			END { exit whole < 90 }' err
	else
		skip "java without -XX:+PreserveFramePointer" "x86-64 alone"
	fi
else
	skip "java" "no javac and jcmd" openjdk-17-jdk-headless
fi
rm -f /tmp/perf-"${pid-0}".map

if python3 -X perf -c 0 2>/dev/null && python3 -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
	cat >spin.py <<'EOF'
import sys, time
def burn_python():
    n = 0
    for i in range(100000):
        n += i
    return n
end = time.process_time() + float(sys.argv[1])
while time.process_time() < end:
    burn_python()
EOF
	fg-record -q -o python.folded python3 -X perf spin.py 1
	mostly "python3 -X perf" 60 'burn_python[^;]*_\[j\]' python.folded
else
	skip "python3 -X perf" "no Python from 3.12 on" python3
fi
# JIT code that uses the frame pointer as a general register is unwound by decoding its
# instructions.
cat >jitframe.c <<'EOT'
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static volatile long counter;

__attribute__((noinline)) static void
spin(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC * 3 / 10; clock() < end;)
		for (int i = 0; i < 100000; i++)
			counter++;
}

__attribute__((noinline)) static int
run(void (*code)(void (*)(void)))
{
	code(spin);
	return (int)(counter == 0);
}

int
main(void)
{
	/* push %rbp; mov $1,%ebp; sub $64,%rsp; call *%rdi; add $64,%rsp; pop %rbp; ret */
	static const unsigned char frame[] = {
	    0x55, 0xbd, 1, 0, 0, 0, 0x48, 0x83, 0xec, 64, 0xff, 0xd7, 0x48, 0x83, 0xc4, 64, 0x5d, 0xc3};
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, frame, sizeof frame);
	return run((void (*)(void (*)(void)))code);
}
EOT
if [ "$(uname -m)" = x86_64 ] && $CC -O1 -g -fno-optimize-sibling-calls -o jitframe jitframe.c 2>/dev/null; then
	fg-record -q -o jitframe.folded ./jitframe
	mostly "generated code without frame pointers" 80 '^jitframe;_start;.*;main;run;\[jit\]_\[j\];spin[; ]' \
		jitframe.folded
else
	skip "generated code without frame pointers" "only made for x86-64"
fi

# A perf map that is rewritten all the time does not need more memory in the end.
cat >rejit.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	/* mov $1000000,%ecx; 1: dec %ecx; jnz 1b; ret */
	static const unsigned char spin[] = {0xb9, 0x40, 0x42, 0x0f, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
	char map[32], *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, spin, sizeof spin);
	snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)getpid());
	for (int i = 0; i < atoi(argv[1]); i++) {
		FILE *f = fopen(map, "w");
		for (int k = 0; k < 30000 + 100 * i; k++)
			fprintf(f, "%lx 10 function %d of a long name in map %d\n", (unsigned long)code + k * 16, k, i * i);
		fclose(f);
		for (int k = 0; k < 40; k++)
			((void (*)(void))code)();
	}
	unlink(map);
	return argc - 2;
}
EOT
if [ "$(uname -m)" = x86_64 ] && $CC -O1 -o rejit rejit.c 2>/dev/null; then
	./rejit 100000 &
	pid=$!
	fg-record -q -p $pid --interval 0.3 -o rejit.%T.folded &
	recorder=$!
	# Waits for N intervals instead of a time, since both programs may be slow under load.
	intervals() {
		wait_for eval "[ \$(ls | grep -c '^rejit\.2') -ge $1 ]"
		awk '/^VmRSS/ { print $2 }' /proc/$recorder/status
	}
	intervals 16 >before
	intervals 32 >after
	kill $pid
	wait 2>/dev/null
	rm -f "/tmp/perf-$pid.map"
	cat rejit.2*.folded >rejit.folded
	has "a perf map that is rewritten: current functions have names" 'function [0-9]* of a long name' rejit.folded
	paste before after >grown
	# After 16 more intervals, storing each map would need 64 MB more.
	rated "a perf map that is rewritten: constant memory" awk '{ print; exit $2 > $1 + 40000 }' grown
else
	skip "a perf map that is rewritten" "only made for x86-64"
fi
if [ "$(uname -m)" = x86_64 ]; then
	${CC:-cc} -g -shared -fPIC -DLIBRARY -o libcoreclr.so "$here/programs/clr.c"
	${CC:-cc} -g -pthread -o clr "$here/programs/clr.c" -L. -lcoreclr "-Wl,-rpath,$PWD"
	fg-record -v -o /dev/null ./clr 2>err
	has ".NET without a perf map: the summary recommends DOTNET_PerfMapEnabled=1" 'DOTNET_PerfMapEnabled=1' err

	# asked VERSION OPTIONS...: the commands that a runtime gets, and stacks and messages
	asked() {
		version=$1
		shift
		rm -f ran
		# shellcheck disable=SC2086
		TMPDIR=$PWD ./clr $version >commands &
		clr=$!
		fg-record -v "$@" -p $clr -o clr.folded 2>err &
		recorder=$!
		wait_for test -e ran
		kill -INT $recorder
		wait $recorder
		wait $clr
		rm -f "/tmp/perf-$clr.map"
	}
	asked 8
	has ".NET 8 writes a perf map on request, by which methods have names" 'App.Program.Burn' clr.folded
	output ".NET 8 gets a request to end the map after the recording" "5
6" cat commands
	asked 6
	output ".NET 6, which refuses to write a map, gets one request" 5 cat commands
	has ".NET 6: the summary recommends DOTNET_PerfMapEnabled=1" 'DOTNET_PerfMapEnabled=1' err
	asked '6 ./clr 8'
	output ".NET 8 after .NET 6 in the same process gets requests of its own" "5
5
6" cat commands
else
	skip ".NET" "the program has x86-64 code"
fi
done_testing
