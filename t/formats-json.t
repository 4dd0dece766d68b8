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
done_testing
