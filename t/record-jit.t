#!/bin/sh
# fg-record: code that a program generates, named by perf maps.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"

if command -v node >/dev/null && node --perf-basic-prof -e 0 2>/dev/null; then
	fg-record -q -o node.folded node --perf-basic-prof "$here/programs/spin.js" 1500
	mostly "node --perf-basic-prof" 60 '^node;.*callNode[^;]*_\[j\];.*burnNode[^;]*_\[j\]|^node;.*burnNode[^;]*_\[j\]' node.folded
	mostly "node's own functions" 60 '^node;_start;.*;node::Start(_\[l\])?;.*_\[j\]' node.folded
	fg-record -q -o dump.folded node --perf-prof "$here/programs/spin.js" 1000
	mostly "node --perf-prof writes a jitdump" 60 'burnNode[^;]*_\[j\]' dump.folded
	fg-record -o node.folded node "$here/programs/spin.js" 1000 2>err
	has "without a map it says what to type" 'node with --perf-basic-prof' err
else
	skip "node --perf-basic-prof" "no node that has it"
fi

if command -v javac >/dev/null && command -v jcmd >/dev/null && jcmd -h >/dev/null 2>&1 &&
	javac -d . "$here/programs/Spin.java" 2>/dev/null; then
	java -XX:+PreserveFramePointer -cp . Spin 6000 &
	pid=$!
	sleep 2
	if jcmd $pid Compiler.perfmap >/dev/null 2>&1; then
		fg-record -q -d 1 -p $pid -o java.folded
		mostly "java and jcmd Compiler.perfmap" 60 \
			'Spin[^;]*(main|callJava|burnJava)[^;]*_\[j\]' java.folded
	else
		skip "java" "this jcmd has no Compiler.perfmap"
	fi
	kill $pid
	wait $pid 2>/dev/null
else
	skip "java" "no javac and jcmd"
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
end = time.time() + float(sys.argv[1])
while time.time() < end:
    burn_python()
EOF
	fg-record -q -o python.folded python3 -X perf spin.py 1
	mostly "python3 -X perf" 60 'burn_python[^;]*_\[j\]' python.folded
else
	skip "python3 -X perf" "no Python from 3.12 on"
fi
done_testing
