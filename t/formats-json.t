#!/bin/sh
# JSON profiles.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q '^JSON profiles: yajl' || skip_all 'built without yajl' libyajl-dev

text 'cpuprofile: keys in any order, times that run back' '-e us' 'a 50
a;b 10
a;b;c 20' <<'EOF'
{"timeDeltas": [5, 20, -10, 10, 40], "samples": [7, 9, 8, 7, 9], "endTime": 1080, "startTime": 995,
 "nodes": [{"children": [9, 8], "id": 7, "callFrame": {"url": "", "functionName": "a"}},
  {"id": 8, "callFrame": {"functionName": "b"}}, {"id": 9, "parent": 8, "callFrame": {"functionName": "c"}}]}
EOF
text 'cpuprofile: from and to' '-e samples --from=20us --to=40us --time-order' 'c 1
b 1' <<'EOF'
{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}}, {"id": 2, "callFrame": {"functionName": "b"}},
{"id": 3, "callFrame": {"functionName": "c"}}], "startTime": 7, "samples": [1, 3, 2, 1], "timeDeltas": [1, 20, 10.5, 40]}
EOF
text 'cpuprofile: hits where no samples are listed' '' 'a 3
a;b 4' <<'EOF'
{"nodes":[{"id":1,"hitCount":3,"children":[2],"callFrame":{"functionName":"a"}},
{"id":2,"hitCount":4,"callFrame":{"functionName":"b"}}]}
EOF
text 'cpuprofile: samples of nodes that are below themselves are malformed' '-e samples' 'a 3' <<'EOF'
{"nodes":[{"id":1,"children":[2],"callFrame":{"functionName":"b"}},{"id":3,"callFrame":{"functionName":"a"}},
{"id":2,"children":[1],"callFrame":{"functionName":"c"}}],"samples":[1,2,1,3,3,3],"timeDeltas":[1,1,1,1,1,1]}
EOF
check 'cpuprofile: a cycle of nodes is reported' grep -q 'in: sample 1: a frame of its stack is missing or malformed; left out' said
check 'cpuprofile: the account of a cycle' sh -c "fg-collapse -v in 2>&1 | grep -q ': 3 folded, 0 left out, 3 malformed'"
text 'cpuprofile: the last sample lasts as long as the longest one' '' 'a 10
a;b 140' <<'EOF'
{"nodes":[{"id":1,"children":[2],"callFrame":{"functionName":"a"}},{"id":2,"callFrame":{"functionName":"b"}}],
"startTime":100,"endTime":900,"samples":[1,2,2],"timeDeltas":[10,10,70]}
EOF
check 'cpuprofile: time after the last sample is reported' sh -c "fg-collapse in 2>&1 | grep -q 'in: 640 us after the last sample were left out'"
text 'cpuprofile: a shorter time to the end is kept' '' 'a 70
a;b 40' <<'EOF'
{"nodes":[{"id":1,"children":[2],"callFrame":{"functionName":"a"}},{"id":2,"callFrame":{"functionName":"b"}}],
"startTime":100,"endTime":220,"samples":[1,2],"timeDeltas":[10,70]}
EOF

text 'speedscope: threads and their times' '--from=2s --to=5s --srcline' 'main;f (f.c:7) 2.5
other_one;g 3' <<'EOF'
{"profiles": [{"type": "evented", "name": "main", "unit": "seconds", "startValue": 0, "endValue": 9, "events": [
 {"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 1, "at": 2.5}, {"type": "C", "frame": 1, "at": 3.5},
 {"type": "C", "frame": 0, "at": 6}]},
 {"name": "other one", "unit": "seconds", "startValue": 4, "samples": [[1], [1]], "weights": [3, 5], "type": "sampled"}],
 "shared": {"frames": [{"name": "f", "file": "f.c", "line": 7, "col": 2}, {"name": "g"}]}}
EOF
text 'speedscope: units are events' '-e bytes --no-comm' 'f 3' <<'EOF'
{"shared": {"frames": [{"name": "f"}]}, "profiles": [
 {"type": "sampled", "unit": "bytes", "name": "a", "samples": [[0]], "weights": [3]},
 {"type": "sampled", "unit": "microseconds", "name": "b", "samples": [[0]], "weights": [4]}]}
EOF
text 'speedscope: a frame ends that is not the last, one that is not open' '' 'a 1
a;b 2' <<'EOF'
{"shared": {"frames": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}, "profiles": [{"type": "evented", "unit": "none",
 "endValue": 8, "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 1, "at": 2},
 {"type": "C", "frame": 2, "at": 3}, {"type": "C", "frame": 0, "at": 4}, {"type": "C", "frame": 1, "at": 5}]}]}
EOF
text 'stackprof: a stack that is cut off' '' 'a 2
a;b 1' <<'EOF'
{"mode": "wall", "missed_samples": 0, "raw": [1, 5, 2, 2, 5, 6, 1, 900, 5, 1], "frames": {"5": {"name": "a"}, "6": {"name": "b"}}}
EOF
text 'stackprof: how often a stack was seen is a number of samples' '--list-events' 'event    unit     samples  total
samples  samples        3      3  default
us       us             3     30' <<'EOF'
{"mode": "cpu", "interval": 10, "missed_samples": 0, "raw": [1, 5, 2, 2, 5, 5, 1], "frames": {"5": {"name": "a"}}}
EOF
output 'stackprof: --samples of its time' '3' sh -c "fg-collapse -q --no-header -e us --samples in | awk '{ n += \$NF } END { print n }'"
text 'cpuprofile: anonymous functions have their place; the default is time' '' '(anonymous) (a.js:3) 40
(anonymous) (a.js:8) 20' <<'EOF'
{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2, 3]},
 {"id": 2, "callFrame": {"functionName": "", "url": "a.js", "lineNumber": 2}},
 {"id": 3, "callFrame": {"functionName": "", "url": "a.js", "lineNumber": 7}}],
 "startTime": 0, "endTime": 60, "samples": [2, 3], "timeDeltas": [0, 40]}
EOF
echo '{"mode": "wall", "gc_samples": 0, "frames": {"5": {"name": "a", "total_samples": 3}}}' >in
fg-collapse in 2>said
check 'stackprof: without raw stacks' grep -q 'record with StackProf.run(raw: true)' said
printf '\004\b{\r:\fversionf\b1.2:\017gc_samplesi\000' | fg-collapse 2>said
check 'stackprof: its own dump' grep -q 'use stackprof --stackcollapse' said

text 'chrome-trace: PyTorch (Kineto) with stacks' '' 'python;train (a.py:38) 4
python;train (a.py:38);step (a.py:36) 3
python;train (a.py:38);step (a.py:36);aten::mm 3' <<'EOF'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
 {"name": "process_name", "ph": "M", "ts": 0, "pid": 7, "tid": 0, "args": {"name": "python"}},
 {"ph": "X", "cat": "python_function", "name": "a.py(38): train", "pid": 7, "tid": 7, "ts": 100.5, "dur": 10, "args": {"Python id": 1, "Python parent id": null}},
 {"ph": "X", "cat": "python_function", "name": "a.py(36): step", "pid": 7, "tid": 7, "ts": 101.5, "dur": 6, "args": {"Python id": 2, "Python parent id": 1}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 102.5, "dur": 3, "args": {"External id": 5}}]}
EOF
# Before PyTorch 1.13: callers of operators as strings, innermost first. An operator within another
# one has its own callers only (the line of main differs); one thread has events for Python too.
text 'chrome-trace: PyTorch (Kineto) with call stacks of operators' '--tid' 'python-7/7;main (a.py:30);ProfilerStep#0 19
python-7/7;main (a.py:30);ProfilerStep#0;step (a.py:12);aten::zeros 8
python-7/7;main (a.py:30);ProfilerStep#0;step (a.py:12);aten::zeros;aten::empty 2
python-7/7;main (a.py:30);ProfilerStep#0;step (a.py:13);forward (m.py:5);aten::mm 11
python-7/7;main (a.py:41);aten::mm 5
python-7/8;train (a.py:38) 6
python-7/8;train (a.py:38);aten::mm 4' <<'EOF'
{"schemaVersion": 1, "with_stack": 1, "traceEvents": [
 {"name": "process_name", "ph": "M", "ts": 0, "pid": 7, "tid": 0, "args": {"name": "python"}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 7, "tid": 7, "ts": 106, "dur": 2, "args": {"Call stack": "a.py(12): step;a.py(31): main"}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::zeros", "pid": 7, "tid": 7, "ts": 105, "dur": 10, "args": {"External id": 2, "Call stack": "a.py(12): step;a.py(31): main;"}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 120, "dur": 11, "args": {"Call stack": "m.py(5): forward;\r\na.py(13): step;\r\na.py(31): main"}},
 {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 7, "tid": 7, "ts": 100, "dur": 40, "args": {"Call stack": "a.py(30): main"}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 140, "dur": 5, "args": {"Call stack": "a.py(41): main"}},
 {"ph": "X", "cat": "python_function", "name": "a.py(38): train", "pid": 7, "tid": 8, "ts": 100, "dur": 10, "args": {"Python id": 1}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 8, "ts": 102, "dur": 4, "args": {"Call stack": "a.py(38): train"}}]}
EOF
text 'chrome-trace: call stacks without frames' '' 'python;aten::mm 4' <<'EOF'
{"traceEvents": [
 {"name": "process_name", "ph": "M", "ts": 0, "pid": 7, "tid": 0, "args": {"name": "python"}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 8, "ts": 102, "dur": 3, "args": {"Call stack": ""}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 8, "ts": 106, "dur": 1, "args": {"Call stack": ";;"}}]}
EOF
text 'safari: samples, their durations' '' '(anonymous) (a.js:2) 500
(idle) 1000.5
main;work 250' <<'EOF'
{"version": 1, "recording": {"startTime": 1, "endTime": 2, "instrumentTypes": ["timeline-record-type-script"], "records": [],
 "sampleStackTraces": [{"timestamp": 1.1, "stackFrames": [{"sourceID": "1", "name": "work", "line": 3, "column": 5, "url": "a.js"}, {"name": "main"}]},
  {"timestamp": 1.2, "stackFrames": []}, {"timestamp": 1.3, "stackFrames": [{"name": "", "line": 2, "url": "a.js"}]}],
 "sampleDurations": [0.00025, 0.0010005, 0.0005]}}
EOF
sed 's/"sampleDurations.*]/"other": []/' in >old
output 'safari: without durations a sample lasts until the next one' 'main;work 100000' sh -c "fg-collapse -q --no-header old | grep work"
text 'chrome-trace: threads, a trace that is cut off, ends without names' '--tid --from=1us' 'Main-7/1;f 4.5
Main-7/1;f;g 2
app-7/2;h 3' <<'EOF'
[{"args": {"name": "app"}, "ph": "M", "name": "process_name", "pid": 7},
 {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "Main"}},
 {"ph": "B", "pid": 7, "tid": "1", "ts": 11.5, "name": "f", "args": {}}, {"ph": "B", "pid": 7, "tid": 1, "ts": "13", "name": "g"},
 {"ph": "X", "pid": 7, "tid": 2, "dur": 3, "ts": 14, "name": "h"}, {"ph": "C", "name": "counter", "ts": 1, "pid": 7},
 {"ph": "E", "pid": 7, "tid": 1, "ts": 15}, {"ph": "E", "pid": 7, "tid": 1, "ts": 19.5},
EOF
cp in cut
check 'chrome-trace: an array without its end is not an error' fg-collapse --strict -q cut
text 'chrome-trace: operations that overlap' '-e async' 'a 7
a;b 3
c 5' <<'EOF'
{"displayTimeUnit": "ms", "traceEvents": [{"ph": "b", "cat": "x", "id": "1", "pid": 1, "tid": 1, "ts": 0, "name": "a"},
 {"ph": "b", "cat": "x", "id": "2", "pid": 1, "tid": 1, "ts": 2, "name": "c"},
 {"ph": "b", "cat": "x", "id": "1", "pid": 1, "tid": 5, "ts": 4, "name": "b"},
 {"ph": "e", "cat": "x", "id": "2", "pid": 1, "tid": 2, "ts": 7, "name": "c"},
 {"ph": "e", "cat": "x", "id": "1", "pid": 1, "tid": 1, "ts": 7, "name": "b"},
 {"ph": "e", "cat": "x", "id": "1", "pid": 1, "tid": 1, "ts": 10, "name": "a"}]}
EOF
text 'chrome-trace: a profile in chunks, of which two are at once' '-e samples ' 'Main;a;b 2
Main;a;c 1
Main;d 1' <<'EOF'
[{"args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}},
 {"id": 2, "parent": 1, "callFrame": {"functionName": "a"}}, {"id": 3, "parent": 2, "callFrame": {"functionName": "b"}}],
 "samples": [3]}, "timeDeltas": [5]}}, "id": "0x1", "name": "ProfileChunk", "ph": "P", "pid": 1, "tid": 9, "ts": 5},
 {"args": {"data": {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {"functionName": "d"}}], "samples": [1]}, "timeDeltas": [7]}},
 "id": "0x2", "name": "ProfileChunk", "ph": "P", "pid": 1, "tid": 9, "ts": 5},
 {"args": {"data": {"startTime": 3}}, "id": "0x1", "name": "Profile", "ph": "P", "pid": 1, "tid": 4, "ts": 3},
 {"args": {"data": {"startTime": 3}}, "id": "0x2", "name": "Profile", "ph": "P", "pid": 1, "tid": 4, "ts": 3},
 {"args": {"data": {"cpuProfile": {"nodes": [{"id": 4, "parent": 2, "callFrame": {"functionName": "c"}}], "samples": [4, 3]},
 "timeDeltas": [5, 2]}}, "id": "0x1", "name": "ProfileChunk", "ph": "P", "pid": 1, "tid": 9, "ts": 5},
 {"ph": "M", "name": "thread_name", "pid": 1, "tid": 4, "args": {"name": "Main"}}]
EOF

cat >otlp <<'EOF'
{"resourceProfiles": [{"scopeProfiles": [{"profiles": [
 {"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": [
  {"stackIndex": 1, "values": ["3"], "timestampsUnixNano": ["1000000000"], "attributeIndices": [1, 2]},
  {"stackIndex": 2, "timestampsUnixNano": ["1000000000", "3000000000"]}]},
 {"sampleType": {"typeStrindex": 7, "unitStrindex": 8}, "samples": [{"stackIndex": 1, "values": [640]}]}]}],
 "resource": {"attributes": [{"key": "process.pid", "value": {"intValue": "71"}},
  {"key": "process.executable.name", "value": {"stringValue": "app"}}]}}],
 "dictionary": {
 "mappingTable": [{}, {"filenameStrindex": 6}],
 "locationTable": [{}, {"address": "4096", "mappingIndex": 1, "lines": [{"functionIndex": 1, "line": "7"}, {"functionIndex": 2, "line": 9}]},
  {"mappingIndex": 1, "lines": [{"functionIndex": 3}]}, {"attributeIndices": [3], "lines": [{"functionIndex": 4}]}, {"address": 16}],
 "functionTable": [{}, {"nameStrindex": 3, "filenameStrindex": 9}, {"nameStrindex": 4}, {"nameStrindex": 5}, {"systemNameStrindex": 10}],
 "stackTable": [{}, {"locationIndices": [1, 2]}, {"locationIndices": [3, 4, 2]}],
 "attributeTable": [{}, {"keyStrindex": 11, "value": {"stringValue": "worker 1"}}, {"keyStrindex": 12, "value": {"intValue": "72"}},
  {"keyStrindex": 13, "value": {"stringValue": "kernel"}}],
 "stringTable": ["", "samples", "count", "inner", "outer", "main", "/bin/lib.so", "alloc_space", "bytes", "a.c", "vfs_read",
  "thread.name", "thread.id", "profile.frame.type"]}}
EOF
text 'otlp: a dictionary with stacks, attributes, inlined functions' '--tid' 'app-71/?;main_[l];[unknown];vfs_read_[k] 2
worker_1-71/72;main_[l];outer_[l];inner_[i] 3' <otlp
text 'otlp: another event, modules and lines' '-e alloc_space --no-comm --module --srcline --no-annotate' \
    'lib.so`main;lib.so`outer;lib.so`inner (a.c:7) 640' <otlp
text 'otlp: addresses and time' '--from=1s --addrs --no-comm' 'main_[l];[unknown <10>];vfs_read_[k] 1' <otlp
fg-collapse --list-events otlp >got
printf '%s\n' 'event        unit     samples  total' 'samples      samples        3      5  default' \
    'alloc_space  bytes          1    640' >want
same 'otlp: each type of sample is an event' want got
tr -d '\n' <otlp >lines
{ echo; tr -d '\n' <otlp; } >>lines
text 'otlp: messages on lines' '--no-comm --no-annotate' 'main;[unknown];vfs_read 4
main;outer;inner 6' <lines
text 'otlp: before stacks had numbers' --no-annotate 'main;f 4' <<'EOF'
{"dictionary": {"stringTable": ["", "cpu", "nanoseconds", "f", "main"], "functionTable": [{}, {"nameStrindex": 3}, {"nameStrindex": 4}],
 "locationTable": [{"line": [{"functionIndex": 1}]}, {"line": [{"functionIndex": 2}]}]},
 "resourceProfiles": [{"scopeProfiles": [{"profiles": [{"sample": [{"locationsStartIndex": 1, "locationsLength": 2, "value": ["4"]}],
 "sampleType": [{"typeStrindex": 1, "unitStrindex": 2}], "locationIndices": [1, 0, 1]}]}]}]}
EOF
text 'otlp: profiles with tables of their own' '-e space' 'g 5
main;f 9' <<'EOF'
{"resourceProfiles": [{"scopeProfiles": [{"profiles": [{"profile": {"sample": [{"locationsStartIndex": 0, "locationsLength": 2, "value": [1, 9]}],
 "sampleType": [{"type": 1, "unit": 2}, {"type": 3, "unit": 4}], "locationIndices": [0, 1], "location": [{"line": [{"functionIndex": 0}]},
 {"line": [{"functionIndex": 1}]}], "function": [{"name": 5}, {"name": 6}],
 "stringTable": ["", "objects", "count", "space", "bytes", "f", "main"]}},
 {"stringTable": ["", "space", "bytes", "g"], "functionTable": [{"nameStrindex": 3}], "locationTable": [{"line": [{"functionIndex": 0}]}],
 "sampleType": [{"typeStrindex": 1, "unitStrindex": 2}], "locationIndices": [0], "sample": [{"locationsLength": 1, "value": [5]}]}]}]}]}
EOF

cat >p.json <<'EOF'
{"meta": {"preprocessedProfileVersion": 55, "product": "app"}, "libs": [
 {"name": "app", "path": "/bin/app", "debugName": "app", "breakpadId": "F1D957D30B413D55A539BBA06F90DD8F0"},
 {"name": "libc.so.6", "path": "/lib/libc.so.6", "debugName": "libc.so.6", "breakpadId": "000000000000000000000000000000010"}],
 "threads": [{"name": "app", "pid": "71", "tid": "71", "samples": {"length": 3, "stack": [2, 2, 3], "timeDeltas": [5, 1.5, 2]}},
  {"name": "worker 1", "pid": "71", "tid": "72.1", "samples": {"stack": [3], "time": [7], "weight": [4], "weightType": "samples"}}],
 "shared": {"stringArray": ["main", "0x1004", "0x20", "f.js", "js"],
 "stackTable": {"prefix": [null, 0, 1, 0], "frame": [0, 1, 2, 3], "length": 4},
 "frameTable": {"func": [0, 1, 2, 3], "address": [-1, 4100, 32, -1], "line": [null, null, null, 9]},
 "funcTable": {"name": [0, 1, 2, 4], "resource": [0, 0, 1, -1], "source": [null, null, null, 0]},
 "resourceTable": {"lib": [0, 1]}, "sources": {"filename": [3]}}}
EOF
text 'firefox: tables that threads share, without names' '--addrs --tid' 'app-71/71;main;[app <1004>];[libc.so.6 <20>]_[l] 2
app-71/71;main;js 1
worker_1-71/72.1;main;js 4' <p.json
fg-collapse p.json >got 2>said
check 'firefox: unsymbolized frames are reported' grep -q 'p.json: 2 frames are unsymbolized addresses: samply' said
# CPU time is a difference to the previous sample, so the first sample has none; freed memory is
# negative.
cat >cpu.json <<'EOF'
{"meta": {"preprocessedProfileVersion": 55, "sampleUnits": {"time": "ms", "threadCPUDelta": "\u00b5s"}}, "libs": [],
 "threads": [{"name": "app", "pid": "71", "tid": "71",
  "samples": {"stack": [0, 1, 1, 0], "time": [1, 2, 3, 4], "weight": null, "weightType": "samples", "threadCPUDelta": [900, 40, null, 7]},
  "nativeAllocations": {"time": [1, 2, 3], "stack": [1, 0, 1], "weight": [4096, 32, -4096], "weightType": "bytes"},
  "jsAllocations": {"time": [1], "className": ["Object"], "stack": [1], "weight": [64], "weightType": "bytes", "inNursery": [true]}}],
 "shared": {"stringArray": ["main", "f"], "stackTable": {"prefix": [null, 0], "frame": [0, 1]},
 "frameTable": {"func": [0, 1]}, "funcTable": {"name": [0, 1]}}}
EOF
text 'firefox: CPU time' '-e cpu' 'app;main 7
app;main;f 40' <cpu.json
text 'firefox: allocations' '-e native-allocations' 'app;main 32
app;main;f 4096' <cpu.json
text 'firefox: all events of it' --list-events 'event               unit     samples  total
samples             samples        4      4  default
ms                  ms             3      3
cpu                 us             2     47
native-allocations  bytes          2   4128
js-allocations      bytes          1     64' <cpu.json
cat >p.syms.json <<'EOF'
{"string_table": ["UNKNOWN", "outer", "inner", "a.c", "memcpy"], "data": [
 {"debug_name": "app", "debug_id": "f1d957d3-0b41-3d55-a539-bba06f90dd8f", "code_id": "", "symbol_table": [
  {"rva": 4096, "size": 64, "symbol": 1, "frames": [{"function": 2, "file": 3, "line": 7}, {"function": 1, "file": 3, "line": 20}]}],
  "known_addresses": [[4100, 0]]},
 {"debug_name": "libc.so.6", "debug_id": "00000000-0000-0000-0000-000000000001", "code_id": "", "symbol_table": [
  {"rva": 16, "symbol": 4}], "known_addresses": [[32, 0]]}]}
EOF
cat >want <<'EOF'
app;app`main;app`outer (a.c:20);app`inner (a.c:7)_[i];libc.so.6`memcpy_[l] 3.5
EOF
gzip -c p.json >q.json.gz
cp p.syms.json q.json.syms.json
for file in p.json q.json.gz; do
	fg-collapse -q --no-header --srcline --module -e ms $file | grep memcpy >got
	same "firefox: names from the file beside $file" want got
done

text 'ghc-json: sources, a second profile' --srcline 'M.f (A.hs:3) 3
M.f (A.hs:3);M.g 4' <<'EOF'
{"profile": {"children": [{"id": 2, "ticks": 4, "alloc": 0, "children": []}], "ticks": 2, "alloc": 0, "id": 1}, "rts_arguments": [],
"cost_centres": [{"id": 1, "module": "M", "label": "f", "src_loc": "A.hs:(3,1)-(5,9)"}, {"label": "g", "module": "M", "id": 2, "src_loc": "<built-in>"}]}
{"profile": {"id": 1, "ticks": 1, "alloc": 0, "children": []}, "cost_centres": [{"id": 1, "module": "M", "label": "f", "src_loc": "A.hs:(3,1)-(5,9)"}]}
EOF

text 'bpftrace-json: keys, kernel and user, a histogram, stats' '--pid' 'app-7;main;f 9
bash-?;main;f;entry_SYSCALL_64_after_hwframe_[k];vfs_read_[k] 3' <<'EOF'
{"type": "attached_probes", "data": {"probes": 2}}

{"type": "map", "data": {"@": {"\n    vfs_read+1\n    entry_SYSCALL_64_after_hwframe+9\n,\n    f+2\n    main+3\n,bash": 3, ",\n    f+2\n    main+3\n,app,7": 9}}}
{"type": "map", "data": {"@start": 17}}
{"type": "printf", "data": "hello {"}
{"type": "hist", "data": {"@us": {"\n    f+2\n,app,7": [{"min": 1, "max": 1, "count": 4}, {"min": 2, "max": 3, "count": 5}]}}}
{"type": "stats", "data": {"@ns": {"\n    g+2\n": {"count": 3, "average": 13, "total": 40}}}}
EOF
fg-collapse -q --no-header -e us in >got
fg-collapse -q --no-header -e ns in >>got
printf '%s\n' 'app;f 9' 'g 40' >want
same 'bpftrace-json: the other maps' want got

text 'chrome-trace: complete events also end events that began within' '' 'a 5
a;b 5
b 5' <<'EOF'
[{"ph": "X", "ts": 0, "dur": 10, "name": "a"}, {"ph": "X", "ts": 5, "dur": 10, "name": "b"}]
EOF
perl -e 'print "["; printf "{\"ph\":\"X\",\"ts\":%d,\"dur\":50000,\"name\":\"f\"},\n", $_ for 0 .. 20000; print "{}]"' >in
limited 60 fg-collapse in 2>said | awk '{ if (NF > most) most = NF; n = split($0, f, ";"); if (n > deep) deep = n } END { print deep }' >got
echo 4096 >want
same 'chrome-trace: no deeper than 4096' want got
check 'chrome-trace: unmatched events are reported' grep -q 'in: [0-9]* begin or end events without a counterpart were skipped' said

perl -e 'print "{\"samples\":[1", ",1" x 50000, "],\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}]}"' >in
status 'a JSON list of numbers is not detected as a format' 2 fg-collapse in
fg-collapse -q --no-header -f cpuprofile in >got
echo 'a 50001' >want
same 'a JSON list of numbers is read with -f' want got

text 'chrome-trace: stackFrames that are below themselves' '' 'd 1' <<'EOF2'
{"traceEvents":[],"stackFrames":{"1":{"name":"b","parent":"2"},"2":{"name":"c","parent":"1"},"3":{"name":"d"}},"samples":[{"ts":1,"sf":"1"},{"ts":2,"sf":"3"}]}
EOF2
check 'chrome-trace: a cycle of nodes is reported' grep -q 'in: sample 1: a frame of its stack is missing or malformed; left out' said

# UTF-16, as PowerShell's > writes it.
echo '{"nodes":[{"id":1,"callFrame":{"functionName":"größe"}}],"samples":[1,1]}' >plain
for e in UTF-16LE UTF-16BE; do
	{ printf '\357\273\277' && cat plain; } | iconv -f UTF-8 -t $e >in
	output "JSON in $e" 'größe 2' fg-collapse -q --no-header in
	fg-collapse -q --no-header <in >got
	same "JSON in $e from a pipe" .got got
done
{ printf '\357\273\277' && cat plain && echo x; } >in
fg-collapse in >got 2>said
check 'an offset counts the byte order mark' grep -q "byte $(($(wc -c <in) - 1)): lexical error" said

for format in gprof2dot ghc-json; do
	case $format in
	gprof2dot) echo '{"version":0,"costs":[{"description":"C","unit":"u"}],"functions":[{"name":"NAME"}],"events":[{"callchain":[0],"cost":[2]}]}' ;;
	*) echo '{"cost_centres":[{"id":1,"label":"NAME","module":"M","src_loc":"x"}],"profile":{"id":1,"ticks":2,"alloc":3,"children":[]}}' ;;
	esac >in
	sed 's/NAME/a/' in >one
	sed 's/NAME/b/' in >other
	fg-collapse -q one other >want
	cat one other | fg-collapse -q >got
	same "$format: two in one input" want got
done

# Exports of Android's tools are folded text.
text "simpleperf's and Perfetto's folded exports" '' 'app;[kernel.kallsyms];el0t_64_sync 1
com.example.app;__start_thread;art::Thread::CreateCallback(void*);java.lang.Thread.run;void Pool<int>::work() const 12' <<'EOF'
com.example.app;__start_thread;art::Thread::CreateCallback(void*);java.lang.Thread.run;void Pool<int>::work() const 12
app;[kernel.kallsyms];el0t_64_sync 1
EOF
if command -v python3 >/dev/null; then
	python3 - >in <<'EOF2'
import json
stacks = {("main", "load"): 3, ("main", "run", "step"): 5, ("main", "run"): 2}
frames = sorted({f for s in stacks for f in s})
print(json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json",
    "shared": {"frames": [{"name": f} for f in frames]},
    "profiles": [{"type": "sampled", "name": "p", "unit": "milliseconds", "startValue": 0, "endValue": 10,
        "samples": [[frames.index(f) for f in s] for s in stacks], "weights": list(stacks.values())}]}, indent=1))
EOF2
	fg-collapse -q --no-header in >got
	printf '%s\n' 'main;load 3' 'main;run 2' 'main;run;step 5' >want
	same 'speedscope: JSON from a Python script' want got
else
	skip 'speedscope: JSON from a Python script' 'no python3' python3
fi

text 'memray: a tree, children before the location, HTML entities' '' '<module> (a.py:1) 16
<module> (a.py:1);<lambda> (a&b.py:7) 48' <<'EOF'
<!DOCTYPE html>
<html><head><title>memray - flamegraph report</title></head><script>
const data = {"children": [{"children": [{"children": [], "location": ["&lt;lambda&gt;", "a&amp;b.py", 7],
 "n_allocations": 1, "value": 48}], "location": ["&lt;module&gt;", "a.py", "1"], "n_allocations": 3, "value": 64}],
 "location": ["&lt;tracker&gt;", "<b>memray</b>", 0], "n_allocations": 3, "value": 64};
const merge_threads = true;
</script></html>
EOF
output 'memray: -e allocations counts allocations' '<module> (a.py:1) 2
<module> (a.py:1);<lambda> (a&b.py:7) 1' fg-collapse -q --no-header -e allocations in
memray_columns='"children": [[2, 1], [], [3], []], "filename": [0, 1, 1, 1], "function": [0, 2, 3, 4], "lineno": [0, 5, 9, 10]'
memray_page() {
	printf '<title>memray - %s</title>\n%s\nconst packed_data = {%s};\nvar data = null; {\n' \
	    'flamegraph report (memory leaks)' "$(printf '%70000s' '')" "$1"
}
memray_page "\"nodes\": {$memray_columns, \"n_allocations\": [9, 1, 8, 3], \"value\": [90, 10, 80, 30]},
 \"strings\": [\"x\", \"b.py\", \"f\", \"g\", \"h\"]" >page
text 'memray: columns, far into the page' '' 'f (b.py:5) 10
g (b.py:9) 50
g (b.py:9);h (b.py:10) 30' <page
memray_page "\"high_water_mark_by_snapshot\": [5, 70, 20], \"intervals\": [[0, 1, 1, 1, 5], [1, 2, 3, 2, 60],
 [0, null, 2, 1, 10], [2, null, 1, 1, 20]], \"nodes\": {$memray_columns},
 \"strings\": [\"x\", \"b.py\", \"f\", \"g\", \"h\"]" >page
text 'memray: by time: allocations at the peak' '' 'g (b.py:9) 10
g (b.py:9);h (b.py:10) 60' <page
sed 's/\[2, null, 1, 1, 20\]/[2, null, 1, 1, 20, 7, 7]/' page >in
output 'memray: by time: further numbers of an interval are skipped' 'g (b.py:9) 10
g (b.py:9);h (b.py:10) 60' limited 60 fg-collapse -q --no-header in
sed 's/"high_water_mark_by_snapshot": [^]]*\], //' page >in
output 'memray: by time: leaks' 'f (b.py:5) 20
g (b.py:9) 10' fg-collapse -q --no-header in
memray_page "\"inverted_no_imports_nodes\": {$memray_columns}, \"nodes\": {$memray_columns}, \"strings\": []" >in
status 'memray: an inverted page is refused' 2 fg-collapse in
head -c 70300 page >in
fg-collapse in >got 2>said
check 'memray: a truncated page is reported' grep -q 'truncated\|premature' said
done_testing
