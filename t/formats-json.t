#!/bin/sh
# Profiles in JSON.
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q '^JSON profiles: yajl' || skip_all 'built without yajl'

formats <<'EOF'
cpuprofile/node20.cpuprofile | | node20.cpuprofile.count.folded |
cpuprofile/node20.cpuprofile | -e us | node20.cpuprofile.us.folded |
cpuprofile/node20.cpuprofile | -e us | total 1008464
cpuprofile/node20.cpuprofile | -e hits | node20.cpuprofile.hit.folded |
cpuprofile/node20-200us.cpuprofile | | node20-200us.cpuprofile.count.folded |
cpuprofile/node20-200us.cpuprofile | -e us | node20-200us.cpuprofile.us.folded |
cpuprofile/node20-200us.cpuprofile | -e hits | node20-200us.cpuprofile.hit.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | | speedscope-Chrome-65-simple.cpuprofile.count.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e us | speedscope-Chrome-65-simple.cpuprofile.us.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e hits | speedscope-Chrome-65-simple.cpuprofile.hit.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | --srcline --skip-after=c | = (anonymous) 1\n(anonymous);a;b;d 14\nc;d 14
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | | speedscope-node-10.11.0-example.cpuprofile.count.folded |
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | -e us | speedscope-node-10.11.0-example.cpuprofile.us.folded |
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | -e hits | speedscope-node-10.11.0-example.cpuprofile.hit.folded |
heapprofile/node20.heapprofile | | node20.heapprofile.folded |
heapprofile/speedscope-node10.heapprofile | | speedscope-node10.heapprofile.folded |
heapprofile/node20.heapprofile | --pid | refused the format heapprofile, which has no process
speedscope/0.0.1-simple.speedscope.json | | 0.0.1-simple.speedscope.json.speedscope.folded |
speedscope/0.0.1-simple-no-pretty-print.speedscope.json | | 0.0.1-simple-no-pretty-print.speedscope.json.speedscope.folded |
speedscope/0.1.2-simple-sampled.speedscope.json | | 0.1.2-simple-sampled.speedscope.json.speedscope.folded |
speedscope/invalid-incomplete-trace.json | | = A 100
speedscope/invalid-incomplete-trace.json | --strict | refused the end of a frame, missing or where it is not open
stackprof/gen-wall.json | | gen-wall.json.stackprof.folded |
stackprof/gen-wall.json | -e us | gen-wall.json.speedscope.folded |
stackprof/gen-object.json.gz | | gen-object.json.stackprof.folded.gz |
stackprof/gen-object.json.gz | | gen-object.json.speedscope.folded |
stackprof/gen-object.json.gz | -e objects | total 749710
stackprof/speedscope-object-stackprof.json | | speedscope-object-stackprof.json.speedscope.folded |
stackprof/speedscope-stackprof-last-frame-no-name.json | | speedscope-stackprof-last-frame-no-name.json.speedscope.folded | nameless
stackprof/speedscope-simple-cpu-stackprof.json | -e us | speedscope-simple-cpu-stackprof.json.speedscope.folded |
stackprof/speedscope-simple-cpu-stackprof.json | | total 489
EOF

text 'cpuprofile: keys in any order, times that run back, a node that is not there' '-e us' '[unknown] 40
a 10
a;b 10
a;b;c 20' <<'EOF'
{"timeDeltas": [5, 20, -10, 10, 40], "samples": [7, 9, 8, 2, 9], "endTime": 1080, "startTime": 995,
 "nodes": [{"children": [9, 8], "id": 7, "callFrame": {"url": "", "functionName": "a"}},
  {"id": 8, "callFrame": {"functionName": "b"}}, {"id": 9, "parent": 8, "callFrame": {"functionName": "c"}}]}
EOF
text 'cpuprofile: from and to' '--from=20us --to=40us --time-order' 'c 1
b 1' <<'EOF'
{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}}, {"id": 2, "callFrame": {"functionName": "b"}},
{"id": 3, "callFrame": {"functionName": "c"}}], "startTime": 7, "samples": [1, 3, 2, 1], "timeDeltas": [1, 20, 10.5, 40]}
EOF
text 'cpuprofile: hits where no samples are listed' '' 'a 3
a;b 4' <<'EOF'
{"nodes":[{"id":1,"hitCount":3,"children":[2],"callFrame":{"functionName":"a"}},
{"id":2,"hitCount":4,"callFrame":{"functionName":"b"}}]}
EOF
text 'cpuprofile: a node that is below itself' '' 'c 1
c;b 2' <<'EOF'
{"nodes":[{"id":1,"children":[2],"callFrame":{"functionName":"b"}},
{"id":2,"children":[1],"callFrame":{"functionName":"c"}}],"samples":[1,2,1],"timeDeltas":[1,1,1]}
EOF
check 'cpuprofile: that is said' grep -q 'in: byte .*: the callers of a node below itself; left out' said

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
text 'speedscope: a frame ends that is not the last, one that is not open, one that is not there' '' '[unknown] 1
a 1
a;b 2' <<'EOF'
{"shared": {"frames": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}, "profiles": [{"type": "evented", "unit": "none",
 "endValue": 8, "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 1, "at": 2},
 {"type": "C", "frame": 2, "at": 3}, {"type": "C", "frame": 0, "at": 4}, {"type": "C", "frame": 1, "at": 5},
 {"type": "O", "frame": 9, "at": 6}, {"type": "C", "frame": 9, "at": 7}]}]}
EOF
text 'stackprof: a stack that is cut off, a frame that is not there' '' 'a 2
a;[unknown] 1' <<'EOF'
{"mode": "wall", "missed_samples": 0, "raw": [1, 5, 2, 2, 5, 6, 1, 900, 5, 1], "frames": {"5": {"name": "a"}}}
EOF
echo '{"mode": "wall", "gc_samples": 0, "frames": {"5": {"name": "a", "total_samples": 3}}}' >in
fg-collapse in 2>said
check 'stackprof: without raw stacks' grep -q 'record with StackProf.run(raw: true)' said
printf '\004\b{\r:\fversionf\b1.2:\017gc_samplesi\000' | fg-collapse 2>said
check 'stackprof: its own dump' grep -q 'fold it with stackprof --stackcollapse' said
done_testing
