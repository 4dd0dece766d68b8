#!/bin/sh
# Formats whose stacks refer to tables: a stack with a reference to nothing is malformed, and
# counted with its weight.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q yajl || skip_all 'built without yajl (libyajl-dev)'
command -v perl >/dev/null || skip_all 'no perl'

# refers FORMAT WHAT STACKS MALFORMED LOST <PROFILE: fg-collapse's stacks, number of malformed ones,
# and their value
refers() {
	cat >in
	printf '%s\n' "$3" >want
	fg-collapse -v -f "$1" --no-header --no-annotate in >got 2>said
	same "$1: $2: the other stacks are those of the file" want got
	output "$1: $2: the malformed ones are counted" "$4" sed -n 's/.*left out, \([0-9]*\) malformed/\1/p' said
	[ -z "$5" ] || output "$1: $2: and so is their value" "$5" sh -c \
		"fg-collapse -f '$1' in in 2>&1 >/dev/null | sed -n 's/.*value of their stacks: //p'"
	status "$1: $2: an error with --strict" 2 fg-collapse -q --strict -f "$1" in
}
message() {
	perl "$here/protobuf.pl"
}

refers speedscope 'a sample of frame 9' 'main;work 3' 1 4 <<'EOF'
{"shared":{"frames":[{"name":"main"},{"name":"work"}]},"profiles":[{"type":"sampled","unit":"none",
"samples":[[0,1],[0,9]],"weights":[3,2]}]}
EOF
refers speedscope 'an event of frame 9' 'main 2
main;work 1' 1 8 <<'EOF'
{"shared":{"frames":[{"name":"main"},{"name":"work"}]},"profiles":[{"type":"evented","unit":"none","endValue":7,
"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":1},{"type":"C","frame":1,"at":2},
{"type":"O","frame":9,"at":3},{"type":"C","frame":9,"at":7},{"type":"C","frame":0,"at":7}]}]}
EOF
refers stackprof 'a stack of frame 900' 'a 2' 1 2 <<'EOF'
{"mode":"object","interval":1,"missed_samples":0,"raw":[1,5,2,2,5,900,1],"frames":{"5":{"name":"a"}}}
EOF
refers cpuprofile 'a sample of node 9' 'a 1
a;b 1' 1 2 <<'EOF'
{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},{"id":2,"callFrame":{"functionName":"b"}}],
"samples":[1,2,9]}
EOF
refers cpuprofile 'a node of parent 9' 'a 1' 1 2 <<'EOF'
{"nodes":[{"id":1,"callFrame":{"functionName":"a"}},{"id":2,"parent":9,"callFrame":{"functionName":"b"}}],
"samples":[1,2]}
EOF
refers chrome-trace 'a sample of stack frame 9' 'f;g 1' 1 2 <<'EOF'
{"traceEvents":[],"stackFrames":{"1":{"name":"f"},"2":{"name":"g","parent":"1"}},
"samples":[{"ts":1,"sf":"2"},{"ts":2,"sf":"9"}]}
EOF
firefox() {
	printf '{"meta":{"processType":0,"stackwalk":1},"threads":[{"samples":{"data":[[0,1],[%s,2]]},' "$1"
	printf '"stackTable":{"data":[[null,0],[%s,%s]]},"frameTable":{"data":[[0],[%s]]},"stringTable":["f","g"]}]}\n' "$2" "$3" "$4"
}
firefox 1 0 1 1 >in
output 'firefox: the same file without a reference to nothing' 'f 1
f;g 1' fg-collapse -q --no-header -f firefox in
firefox 9 0 1 1 >bad
refers firefox 'a sample of stack 9' 'f 1' 1 2 <bad
firefox 1 9 1 1 >bad
refers firefox 'a stack of parent 9' 'f 1' 1 2 <bad
firefox 1 0 9 1 >bad
refers firefox 'a stack of frame 9' 'f 1' 1 2 <bad
firefox 1 0 1 9 >bad
refers firefox 'a frame of string 9' 'f 1' 1 2 <bad
refers gprof2dot 'a call chain of function 9' 'main;work 4096' 1 14 <<'EOF'
{"version":0,"costs":[{"description":"Memory","unit":"bytes"}],
"functions":[{"module":"a.py:9","name":"work"},{"module":"a.py:1","name":"main"}],
"events":[{"callchain":[0,1],"cost":[4096]},{"cost":[7],"callchain":[9,1]}]}
EOF
refers dhat 'a place of frame 7' 'main;f 10' 1 8 <<'EOF'
{"dhatFileVersion":2,"mode":"heap","pps":[{"tb":10,"fs":[1,2]},{"tb":4,"fs":[1,7]}],"ftbl":["[root]","0x1: f","0x2: main"]}
EOF
refers ghc-json 'a node of cost centre 9' 'M.f 2' 1 8 <<'EOF'
{"profile": {"children": [{"id": 9, "ticks": 4, "alloc": 0, "children": []}], "ticks": 2, "alloc": 0, "id": 1}, "rts_arguments": [],
"cost_centres": [{"id": 1, "module": "M", "label": "f", "src_loc": "A.hs:(3,1)-(5,9)"}]}
EOF
refers pyroscope 'a bar of name 9' 'f 5' 1 '' <<'EOF'
{"version":1,"flamebearer":{"names":["total","f"],"levels":[[0,7,0,0],[0,5,5,1,0,2,2,9]],"numTicks":7,"maxSelf":5},
"metadata":{"format":"single","units":"samples","sampleRate":100}}
EOF
refers memray 'a node of string 9, of sums' 'f (b.py:5) 5
f (b.py:8) 5' 2 60 <<'EOF'
<title>memray - </title>
const packed_data = {"nodes": {"children": [[1, 2, 4], [], [3], [], []], "filename": [0, 1, 1, 1, 1],
"function": [0, 0, 9, 0, 0], "lineno": [0, 5, 6, 7, 8], "value": [40, 5, 30, 20, 5]}, "strings": ["f", "b.py"]};
EOF
refers memray 'a node of string 9' 'f (b.py:5) 5' 1 20 <<'EOF'
<html><script>
const packed_data = {"intervals": [[0, null, 1, 1, 5], [0, null, 2, 1, 10]], "nodes": {"children": [[2, 1], [], []],
 "filename": [0, 1, 1], "function": [0, 2, 9], "lineno": [0, 5, 9]}, "strings": ["x", "b.py", "f"]};
</script></html>
EOF

# Profiles by pprof's tables: the same stacks, main;work 3 and main;work 2, of which one refers to
# nothing.
pprof() {
	message <<EOF
1{1:1 2:2} 2{1[2 1] 2[3]} 2{1[$1 1] 2[2]}
4{1:1 4{1:1}} 4{1:2 4{1:2}} 4{1:3 4{1:$2}} 4{1:4 4{1:3}} 5{1:1 2:3} 5{1:2 2:4} 5{1:3 2:$3} 6"" 6"samples" 6"count" 6"main" 6"work"
EOF
}
pprof 3 2 4 >in
output 'pprof: the same file without a reference to nothing' 'main;work 5' fg-collapse -q --no-header in
pprof 9 2 4 >bad
refers pprof 'a sample of location 9' 'main;work 3' 1 4 <bad
pprof 3 9 4 >bad
refers pprof 'a line of function 9' 'main;work 3' 1 4 <bad
pprof 4 2 99 >bad
refers pprof 'a function of string 99' 'main;work 3' 1 4 <bad
otlp() {
	message <<EOF
1{ 2{ 2{ 1{1:1 2:2} 2{1:1 2[3]} 2{1:$1 2[2]} } } }
2{ 2{} 2{3{1:1}} 2{3{1:2}} 2{3{1:$3}} 3{} 3{1:3} 3{1:4} 3{1:$4} 5"" 5"samples" 5"count" 5"main" 5"work" 7{} 7{1[2 1]} 7{1[$2 1]} }
EOF
}
otlp 2 3 2 4 >in
output 'otlp: the same file without a reference to nothing' 'main;work 5' fg-collapse -q --no-header -f otlp in
otlp 9 3 2 4 >bad
refers otlp 'a sample of stack 9' 'main;work 3' 1 4 <bad
otlp 2 9 2 4 >bad
refers otlp 'a stack of location 9' 'main;work 3' 1 4 <bad
otlp 2 3 9 4 >bad
refers otlp 'a line of function 9' 'main;work 3' 1 4 <bad
otlp 2 3 3 99 >bad
refers otlp 'a function of string 99' 'main;work 3' 1 4 <bad
otlpjson() {
	cat <<EOF
{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1},"samples":[{"stackIndex":1,"values":[3]},{"stackIndex":$1,"values":[2]}]}]}]}],
"dictionary":{"locationTable":[{},{"lines":[{"functionIndex":1}]},{"lines":[{"functionIndex":$3}]}],
"functionTable":[{},{"nameStrindex":2},{"nameStrindex":$4}],"stackTable":[{},{"locationIndices":[1]},{"locationIndices":[$2]}],
"stringTable":["","samples","main"]}}
EOF
}
otlpjson 9 2 2 2 >bad
refers otlp-json 'a sample of stack 9' 'main 3' 1 4 <bad
otlpjson 2 9 2 2 >bad
refers otlp-json 'a stack of location 9' 'main 3' 1 4 <bad
otlpjson 2 2 9 2 >bad
refers otlp-json 'a line of function 9' 'main 3' 1 4 <bad
otlpjson 2 2 2 99 >bad
refers otlp-json 'a function of string 99' 'main 3' 1 4 <bad

# Perfetto: two samples of callstack 1 and of another.
perfetto() {
	message <<EOF
1{10:1 13:1 12{5{1:1 2"main"} 5{1:2 2"work"} 6{1:1 2:1} 6{1:2 2:2} 6{1:3 2:$3} 7{1:1 2:1 2:2} 7{1:2 2:1 2:$2}}}
1{8:1000 10:1 66{2:7 3:7 4:1}} 1{8:2000 10:1 66{2:7 3:7 4:$1}}
EOF
}
perfetto 2 3 2 >in
output 'perfetto: the same file without a reference to nothing' 'main;work 2' fg-collapse -q --no-header -f perfetto in
perfetto 9 3 2 >bad
refers perfetto 'a sample of callstack 9' 'main;work 1' 1 2 <bad
perfetto 2 9 2 >bad
refers perfetto 'a callstack of frame 9' 'main;work 1' 1 2 <bad
perfetto 2 3 9 >bad
refers perfetto 'a frame of function 9' 'main;work 1' 1 2 <bad

# simpleperf: two samples; file 1 has the functions main and work.
simpleperf() {
	printf 'SIMPLEPERF\1\0' | head -c 12
	for record in "1{1:1000 2:7 3{1:16 2:1 3:1} 3{1:32 2:1 3:0} 4:3}" "1{1:2000 2:7 3{1:16 2:$1 3:$2} 3{1:32 2:1 3:0} 4:2}" \
		'3{1:1 2"/x" 3"main" 3"work"}' '5{1"cpu-clock"}'; do
		printf '%s' "$record" | message >record
		perl -e 'print pack "L<", -s "record"' && cat record
	done
	printf '\0\0\0\0'
}
simpleperf 1 1 >in
output 'simpleperf: the same file without a reference to nothing' 'main;work 5' fg-collapse -q --no-header -f simpleperf in
simpleperf 9 1 >bad
refers simpleperf 'a frame of file 9' 'main;work 3' 1 4 <bad
simpleperf 1 9 >bad
refers simpleperf 'a frame of symbol 9' 'main;work 3' 1 4 <bad

heaptrack() {
	printf 'v 10200 3\ns 4 main\ns 1 f\ni 10 0 1\ni 20 0 %s\nt 1 0\nt %s %s\na 40 1\na 40 %s\na 8 1\na 9 1\n+ 0\n+ 2\n+ 3\n+ 1\n' "$@"
}
heaptrack 2 2 1 2 >in
output 'heaptrack: the same file without a reference to nothing' 'main 3
main;f 1' fg-collapse -q --no-header -f heaptrack in
heaptrack 9 2 1 2 >bad
refers heaptrack 'an address of string 9' 'main 3' 1 2 <bad
heaptrack 2 9 1 2 >bad
refers heaptrack 'a trace of address 9' 'main 3' 2 2 <bad
heaptrack 2 2 9 2 >bad
refers heaptrack 'a trace of parent 9' 'main 3' 2 2 <bad
heaptrack 2 2 1 9 >bad
refers heaptrack 'an allocation of trace 9' 'main 3' 2 2 <bad

refers pprof-raw 'a sample of location 9' 'f 3' 1 4 <<'EOF'
PeriodType: cpu nanoseconds
Period: 10
Samples:
samples/count
          3: 1
          2: 9 1
Locations
     1: 0x1000 M=1 f a.c:3 s=0
Mappings
1: 0x1000/0x2000/0x0 /srv/a
EOF
refers hprof 'a row of trace 999' 'main;app.Main.main;app.Shop.sell 30' 1 '' <<'EOF'
JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013
THREAD START (obj=5000016b, id = 200001, name="main", group="main")
TRACE 300182: (thread=200001)
	app.Shop.sell(Shop.java:12)
	app.Main.main(Main.java:Unknown line)
CPU SAMPLES BEGIN (total = 40) Fri Jun 14 01:15:43 2013
rank   self  accum   count trace method
   1  75.00% 75.00%      30 300182 app.Shop.sell
   2  25.00% 100.00%     10 999 app.Main.main
CPU SAMPLES END
EOF
samples=$here/data/formats
# Events 101 at 1000 of thread 7 with stack 1: another number of the stack.
perl -0777 -pe 's/\x65\xe8\x07\x07\x01\x01/\x65\xe8\x07\x07\x63\x01/' "$samples/jfr/a" >bad
refers jfr 'an event of stack 99' 'app.Shop.main;app.Shop.sell 1
app.Shop.main;read;vfs_read 1' 1 2 <bad
# Where only a name is missing, and all else of the stack is known, the stack stays.
output 'callgrind: a number without a name is a function of its own' '(9) 7
main 5' sh -c 'printf "events: Ir\nfn=(1) main\n1 5\nfn=(9)\n2 7\n" | fg-collapse -q --no-header -f callgrind'
perl -0777 -pe 's/(\x22\0\0\x10\0\0\0\0\0\0\0\0\x03\0\0\0)\x40/$1\x99/' "$samples/heap-dump/ids-of-4.hprof" >in
output 'heap-dump: an array whose class is not in the dump keeps its place among the dominators' 'class app.Cache;[unknown] 24' \
	sh -c 'fg-collapse -q in | grep "unknown\] "'
perl -0777 -pe 's/(\x21\0\0\x10\x20\0\0\0\0\0\0\0)\x30/$1\x99/' "$samples/heap-dump/ids-of-4.hprof" >in
check 'heap-dump: an object whose class is not in the dump is malformed, as its references are not known' \
	sh -c 'fg-collapse -v in 2>&1 | grep -q "15 folded, 3 left out, 1 malformed"'
# The call of method 8 becomes one of 0x48; recorded files have such methods, too.
perl -0777 -pe 's/\x07\x00\x08\x00\x00\x00\x0a/\x07\x00\x48\x00\x00\x00\x0a/' "$samples/art/wall" >in
output 'art: a method that the file does not name keeps its place in the stack' 'main;app.Main.run;[unknown] 400' \
	sh -c 'fg-collapse -q in | grep "unknown\]"'
printf 'P1;T2;a.py:main:1;(unknown) 3\n' >in
output 'austin: a frame that Austin could not name keeps the name that Austin gave it' 'a.py' \
	sh -c 'fg-collapse -q -f austin in | grep -o "a.py" | head -n 1'
done_testing
