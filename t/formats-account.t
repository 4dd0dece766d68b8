#!/bin/sh
# The account of an input: each unit of it is folded, left out by an option, or malformed. A
# damaged unit lowers the total by its value and is reported.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# account NAME EXPECTED COMMAND...: the numbers that -v prints.
account() {
	name=$1 expected=$2
	shift 2
	"$@" -v >got 2>said
	output "$name" "$expected" sed -n 's/^fg-collapse: .*: \([0-9]* folded, .*\)/\1/p' said
}

cat >two <<'END'
app 1/1 1.5: 2 cycles:
	10 f (/x)
	20 main (/x)

app 1/1 1.6: 3 faults:
	10 f (/x)

app 1/1 1.7: 5 cycles:
	zz g (/x)
	20 main (/x)

app 1/1 1.8: 7 cycles:
	10 g (/x)
	20 main (/x)
END
account 'perf script: samples of another event are left out, one with a bad frame is malformed' \
	'2 folded, 1 left out, 1 malformed' fg-collapse two
output 'perf script: a stack with a malformed frame is not folded' 'app;main;f 2
app;main;g 7' fg-collapse -q --no-header two
check 'the value of malformed stacks is reported' sh -c "{ cat two two; } | fg-collapse 2>&1 >/dev/null |
	grep -q '^fg-collapse: 2 malformed units of the input were left out; value of their stacks: 10$'"
output 'the value of a single malformed stack is reported' \
	'fg-collapse: 1 malformed unit of the input was left out; value of its stack: 5' \
	sh -c 'fg-collapse two 2>&1 >/dev/null | grep "of the input"'
account 'perf script: samples before --from are left out' '1 folded, 3 left out, 0 malformed' fg-collapse --from 0.25 two
account '-l of the events: no account' '' fg-collapse --list-events two
printf 'a;b 1\nc 2\nd\n' >stacks
account 'folded stacks: each line is a unit' '2 folded, 0 left out, 1 malformed' fg-collapse -f folded stacks
printf 'a;b 1\nc\nd\n' >worse
status 'more malformed lines than others are an error' 2 fg-collapse -f folded worse
check 'the error names the first one and the numbers' sh -c "fg-collapse -f folded worse 2>&1 | tr '\n' '/' |
	grep -q '^fg-collapse: worse:2: .*; left out/fg-collapse: worse: more of the input is malformed than valid: 2 malformed, 1 folded, 0 left out/$'"
status 'such an input among others is an error' 2 fg-collapse -f folded stacks worse stacks
check 'an error writes nothing' sh -c 'test -z "$(fg-collapse -f folded stacks worse 2>/dev/null)"'

# Profiles without call chains
awk 'BEGIN { for (i = 0; i < 11; i++) printf "app 1/1 1.%d: 2 cycles:\n\t10 f (/x)\n\n", i }' >flat
flat='fg-collapse: each stack is a single frame; a profile with call chains shows more'
output 'more than 10 samples, each stack one frame: a warning' "$flat" sh -c 'fg-collapse -q flat 2>&1 >/dev/null'
status 'more than 10 samples, each stack one frame: exit 0' 0 fg-collapse flat
check '10 samples: no warning' sh -c 'test -z "$(head -n 30 flat | fg-collapse 2>&1 >/dev/null)"'
check 'a stack of two frames among them: no warning' sh -c 'test -z "$({ cat flat; printf "app 1/1 2.5: 2 cycles:\n\t10 f (/x)\n\t20 main (/x)\n\n"; } |
	fg-collapse 2>&1 >/dev/null)"'
check 'folded stacks may be flat' sh -c 'test -z "$(for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "f$i 1"; done | fg-collapse 2>&1 >/dev/null)"'

# Heads of threads
cat >go <<'END'
fatal error: unexpected signal during runtime execution

runtime stack:
runtime.throw({0x4a3b2c?, 0x0?})
	/usr/lib/go/src/runtime/panic.go:1047 +0x5d

goroutine 1 [running]:
main.main()
	/srv/a.go:3 +0x1d

odd 2 [running]:
main.f()
	/srv/a.go:9 +0x1d
END
account 'go: frames without a goroutine are malformed, the runtime stack is a stack' \
	'2 folded, 0 left out, 1 malformed' fg-collapse -f go go
output 'go: the runtime stack is that of a thread' 'main.main 1
runtime.throw 1' fg-collapse -q --no-header -f go go
cat >faulthandler <<'END'
Traceback (most recent call last):
  File "/srv/a.py", line 1, in <module>
Thread 0x1 (most recent call first):
  File "/srv/a.py", line 1 in f

  File "/srv/a.py", line 1 in g
END
account 'faulthandler: frames without a thread are malformed, those of a traceback are none' \
	'1 folded, 0 left out, 1 malformed' fg-collapse -f faulthandler faulthandler
cat >lldb <<'END'
* thread #1
  * frame #0: 0x10 a`f
    frame #1: 0x20 a`main
  odd #2
    frame #0: 0x10 a`g
    frame #2: 0x20 a`main
END
account 'lldb: a frame 0 begins a thread, a missing frame makes it malformed' \
	'0 folded, 0 left out, 2 malformed' fg-collapse -f lldb lldb
sed '4d; $d' lldb >lldb2
account 'lldb: a frame 0 without a head is malformed, the stack before it is not' \
	'1 folded, 0 left out, 1 malformed' fg-collapse -f lldb lldb2
cat >leaks <<'END'
Attaching to pid 5193, Ctrl+C to quit.
[11:16:38] Top 1 stacks with outstanding allocations:
	64 bytes in 4 allocations from stack
		f+0x1 [a]
	64 bytes in 4 allocations from stack
		g+0x1 [a]
END
status 'memleak: more stacks than a report has are an error' 2 fg-collapse -f bcc leaks
# Lines that are missing: a unit of which a part is missing is malformed
cat >silent <<'END'
Thread 2 (LWP 12):
warning: no frames here

Thread 1 (LWP 11):
#0  0x0000000000000010 in f () from /lib/x.so
#1  0x0000000000000020 in main () from /lib/x.so
END
account 'gdb: a thread whose frames cannot be read is malformed' '1 folded, 0 left out, 1 malformed' fg-collapse -f gdb silent
check 'gdb: its first line is reported' sh -c "fg-collapse -f gdb silent 2>&1 >/dev/null |
	grep -q '^fg-collapse: silent:2: a thread without frames that can be read; left out$'"
cat >silent <<'END'
PID 10 - process
TID 12:
eu-stack: dwfl_thread_getframes tid 12: No such process
TID 11:
#0  0x0000000000000010 f
#1  0x0000000000000020 main
END
account 'eu-stack: a thread whose frames cannot be read is malformed' '1 folded, 0 left out, 1 malformed' fg-collapse -f eu-stack silent
printf '@[\n    f+1\n    main+2\n]: 3\n@[\n    f+1\n    // odd\n    main+2\n]: 4\n@[\n    ffffffff81000000\n    main+2\n]: 5\n' >maps
account 'bpftrace: a line without an offset or an address is not a frame' '2 folded, 0 left out, 1 malformed' fg-collapse -f bpftrace maps
output 'bpftrace: frames of raw stacks are addresses' 'main;[unknown] 5
main;f 3' fg-collapse -q --no-header -f bpftrace maps
sed 's/(long) line: 2/ line: 2/' "$here/data/formats/jfr-text/exec" >events
account 'jfr-text: a line without arguments is not a frame' '0 folded, 0 left out, 1 malformed' fg-collapse -f jfr-text events
samples=$here/data/formats
# missing NAME FORMAT/SAMPLE LINE EXPECTED: the account of a sample without a line.
missing() {
	sed "$3d" "$samples/$2" >in
	account "${2%%/*}: $1" "$4" fg-collapse -f "${2%%/*}" in
}
missing 'a place without its function' go/a 10 '1 folded, 0 left out, 1 malformed'
missing 'a function without its place' go/a 11 '1 folded, 0 left out, 1 malformed'
missing 'a stack without its number, before a blank line' bcc/stackcount 8 '1 folded, 0 left out, 1 malformed'
missing 'frames in common, without the line of the cause' java-exceptions/what-causes-have-in 5 \
	'0 folded, 0 left out, 1 malformed'
missing 'a Java stack after a native one, without its thread' javacore/states-packages-native 9 \
	'2 folded, 0 left out, 1 malformed'
missing 'frames after a blank line, without their thread' jstack/virtual-threads-of-dump-to 9 \
	'1 folded, 0 left out, 1 malformed'
missing 'a fork without the line before it' perf-report/callers-of-a-tree 8 '0 folded, 0 left out, 1 malformed'
missing 'a second field event_type, without the line sample:' simpleperf-text/text 21 \
	'1 folded, 0 left out, 1 malformed'
missing 'frames without the line of their number' wcp/plain 7 '0 folded, 0 left out, 1 malformed'
missing 'a place without its frames' dhat/plain 18 '2 folded, 0 left out, 1 malformed'
printf '\tat a.B.c(B.java:1)\nCaused by: x\n\tat d.E.f(E.java:2)\n\t... 1 more\n' >caused
account 'java-exceptions: frames in common with the stack before it' '2 folded, 0 left out, 0 malformed' \
	fg-collapse -f java-exceptions caused
account 'java-exceptions: frames in common with a malformed stack' '0 folded, 0 left out, 2 malformed' \
	sh -c "sed '1s/c(B.java:1)/c)/' caused >in; fg-collapse -v -f java-exceptions in"

# refused NAME FORMAT/SAMPLE LINE: a sample without a line is an error, with the place.
refused() {
	sed "$3d" "$samples/$2" >in
	status "${2%%/*}: $1: exit status 2" 2 fg-collapse -q -f "${2%%/*}" in
}
refused 'no version' heaptrack/what-is-inlined-stands 1
refused 'no types of samples' pprof-raw/three-of 13
printf 'goroutine 1 [running]:\nmain.main()\n\t/a.go:1 +0x1\n\ngoroutine 2 [running]:\nzzz\n' >in
output 'go: nothing of a stack can be read' '2 fg-collapse: in:6: not a frame of Go, after a line goroutine' \
	sh -c 'fg-collapse -q -f go in 2>said >got; echo $? $(cat said)'
printf 'goroutine 1 [running]:\nmain.main()\n\t/a.go:1 +0x1\n\ngoroutine 2 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main\n\t/a.go:2 +0x1\n' >in
account 'go: the stack of a goroutine on another thread is not in the dump' '1 folded, 1 left out, 0 malformed' fg-collapse -f go in
sed '4s/^s/~/' "$samples/heaptrack/what-is-inlined-stands" >in
output 'heaptrack: an unknown line shifts the indices after it' \
	"fg-collapse: in:4: not a line of heaptrack's format: indices after it may be wrong" \
	sh -c 'fg-collapse -f heaptrack in 2>&1'

# Trees: with a malformed row, a tree is malformed up to its root
cat >tree <<'END2'
Call graph:
    9 Thread_1
    + 9 f  (in a)
    +   7 g  (in a)
    +   2 h  (in a)
    4 Thread_2
      4 f  (in a)
    1 Thread_3
      1 f  (in a)
    1 Thread_4
      1 f  (in a)

END2
account 'sample: complete trees' '5 folded, 0 left out, 0 malformed' fg-collapse -f sample tree
sed '4s/7/x/' tree >in
account 'sample: a malformed row' '3 folded, 0 left out, 3 malformed' fg-collapse -f sample in
output 'sample: only the stacks of other trees are folded' 'Thread_2;a`f 4
Thread_3;a`f 1
Thread_4;a`f 1' fg-collapse -q --no-header -f sample in
output 'sample: the value of the malformed tree is reported' 9 sh -c \
	"fg-collapse -f sample in 2>&1 >/dev/null | sed -n 's/.*; value of their stacks: //p'"
sed '2s/9/x/' tree >in
account 'sample: a tree without its first row' '3 folded, 0 left out, 3 malformed' fg-collapse -f sample in
sed 6d tree >in
output 'sample: callees with more samples than their caller' \
	'fg-collapse: in:2: inconsistent values: the lines below this one have more' sh -c 'fg-collapse -f sample in 2>&1 >/dev/null'
status 'sample: callees with more samples than their caller, --strict: exit status 2' 2 fg-collapse --strict -f sample in
sed '4s/7/x/; 7s/4/x/; 9s/1/x/' tree >in
status 'sample: more malformed stacks than others are an error' 2 fg-collapse -f sample in
sed 2d "$samples/vsprof/samples" >in
output 'vsprof: a row without its caller' 'fg-collapse: in:2: inconsistent indentation; read as one level deeper' \
	sh -c 'fg-collapse -f vsprof in 2>&1 >/dev/null'
sed '3s/^2,"[^"]*",306/2,"~",~/' "$samples/vsprof/samples" >in
account 'vsprof: a malformed row' '0 folded, 0 left out, 2 malformed' fg-collapse -f vsprof in
sed '5s/^2/~/' "$samples/xdebug/the-order-of" >in
account 'xdebug: a call without its caller, and the time around a malformed line' \
	'1 folded, 1 left out, 2 malformed' fg-collapse -f xdebug in
printf 'PID 7 - process\nTID 7:\n#0  0x00007f0000000001 f - /x\n#x\n#2  0x00007f0000000003 main - /x\n' >in
account 'eu-stack: a malformed frame' '0 folded, 0 left out, 1 malformed' fg-collapse -f eu-stack in

# V8: the caller of each node but (root) is known
cat >v8 <<'END2'
{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2]},
{"id": 2, "callFrame": {"functionName": "a"}, "children": [3]},
{"id": 3, "callFrame": {"functionName": "b"}}],
"samples": [2, 2, 3, 2], "timeDeltas": [1, 20, 30, 5], "startTime": 0, "endTime": 60}
END2
account 'cpuprofile: the complete tree' '4 folded, 0 left out, 0 malformed' fg-collapse -f cpuprofile v8
sed 's/, "children": \[3\]//' v8 >in
account 'cpuprofile: a sample of a node that no node calls is malformed' '3 folded, 0 left out, 1 malformed' \
	fg-collapse -f cpuprofile in
output 'cpuprofile: the other samples are folded' 'a 54' fg-collapse -q --no-header -f cpuprofile in
sed 's/20, 30/20/' v8 >in
check 'cpuprofile: fewer times than samples are reported' sh -c \
	"fg-collapse -f cpuprofile in 2>&1 >/dev/null | grep -q 'in: inconsistent: 4 samples have 3 times$'"
# unlisted FORMAT/SAMPLE KEY: the account of a sample whose first key KEY is another one.
unlisted() {
	awk -v from="\"$2\"" '!n { n = sub(from, "\"x\"") } 1' "$samples/$1" >in
	account "${1%%/*}: no key $2" "$3" fg-collapse -f "${1%%/*}" in
}
unlisted actuator/two-threads stackTrace '1 folded, 0 left out, 1 malformed'
unlisted jstack-json/virtual-threads stack '3 folded, 0 left out, 1 malformed'
unlisted safari/samples-their stackFrames '2 folded, 3 left out, 1 malformed'
unlisted gprof2dot/what-memray callchain '1 folded, 1 left out, 1 malformed'
printf '@[\n    %b\n    main+3\n]: %s\n' 'a+1\n    zz' 3 'b+1\n    zz' 4 c+1 5 d+1 6 >maps
account 'bpftrace: a malformed frame in two stacks' '2 folded, 0 left out, 2 malformed' fg-collapse maps
output 'bpftrace: the value of both' 7 sh -c 'fg-collapse maps 2>&1 >/dev/null | sed -n "s/.*value of their stacks: //p"'
printf '@[\n    main+3\n    zz\n]: 1\n' | cat - maps >first
account 'bpftrace: the first frame is malformed' '2 folded, 0 left out, 3 malformed' fg-collapse first
cat >rows <<'END'
<?xml version="1.0"?><trace-query-result><node><schema name="time-sample"/>
<row><sample-time id="1">1</sample-time><thread id="2" fmt="T  0x1 (app, pid: 71)"/><sentinel/>
<kperf-bt id="4" fmt="PC:0x1"><text-address id="5">4096</text-address></kperf-bt></row>
</node></trace-query-result>
END
account 'xctrace: a row with addresses only is malformed' '0 folded, 0 left out, 1 malformed' fg-collapse rows
sed 's/"values": \[6, 6, 2, 4\]/"values": [6, 6, 2]/' "$samples/pyroscope/panel" >in
status 'pyroscope: fields of different lengths are an error' 2 fg-collapse -q -f pyroscope in
sed 's/<title>c (10/<title>c (~/' "$samples/svg/flamegraph-pl" >in
status 'svg: a picture with a title that cannot be read is an error' 2 fg-collapse -q -f svg in
# Numbers of JSON with a wrong sign or fraction, and values that are not numbers
sp() { printf '{"mode": "cpu", "interval": 10, "missed_samples": 0, "raw": [1, 5, %s, 2, 5, %s, 1], "frames": {"5": {"name": "a"}}}\n' "$1" "$2" >in; }
for n in -2 0.5 0 null; do
	sp "$n" 5
	account "stackprof: a count of $n" '1 folded, 0 left out, 1 malformed' fg-collapse in
done
for n in -5 5.5; do
	sp 2 "$n"
	account "stackprof: a frame $n" '2 folded, 0 left out, 1 malformed' fg-collapse in
done
printf '{"shared": {"frames": [{"name": "f"}, {"name": "g"}]}, "profiles": [{"type": "sampled", "name": "p", "unit": "none", "startValue": 0, "endValue": 9, "samples": [[0], [0, 1], [1], [0]], "weights": [3, -2, 0, 4, 5]}]}\n' >in
account 'speedscope: a negative weight, none, and one without a sample' '2 folded, 1 left out, 2 malformed' fg-collapse in
sed 's/-2, 0, 4, 5/"", 1, 4/' in >odd
account 'speedscope: an empty text in place of a number' '3 folded, 1 left out, 1 malformed' fg-collapse odd
printf '{"version": 1, "flamebearer": {"names": ["total", "a"], "levels": [[0, 9, 2, 0], [0, 7, -7, 1]], "numTicks": 9}, "metadata": {"format": "single", "units": "samples", "sampleRate": 100}}\n' >in
account 'pyroscope: a negative value' '1 folded, 0 left out, 1 malformed' fg-collapse in
printf '{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2]}, {"id": 2, "callFrame": {"functionName": "f"}}], "startTime": 0, "endTime": 30, "samples": [2, -2, 2], "timeDeltas": [0, 10, 10]}\n' >in
account 'cpuprofile: a sample of a negative node' '2 folded, 0 left out, 1 malformed' fg-collapse in
mr() { printf '<title>memray - </title>\nconst packed_data = {"high_water_mark_by_snapshot": [5, 70], "intervals": [[0, 1, 1, 1, 5], %s], "nodes": {"children": [[1], %s], "filename": [0, 1, 1], "function": [0, 2, 3], "lineno": [0, 5, 9]}, "strings": ["x", "b.py", "f", "g"]};\n' "$1" "$2" >in; }
for i in 'null' '[0, null, 2, 1]' '["", null, 2, 1, 10]' '[0, null, 77, 1, 10]' '[0, null, 9007199254740993, 1, 10]'; do
	mr "[1, null, 2, 2, 60], $i" '[2], []'
	account "memray: by time: an interval $i" '1 folded, 0 left out, 1 malformed' fg-collapse in
done
mr '[1, null, 2, 2, 60], [1, null, 1, 1, 10]' '[], []'
account 'memray: by time: a node that is nobody'"'s child" '1 folded, 0 left out, 1 malformed' fg-collapse in
done_testing
