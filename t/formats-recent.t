#!/bin/sh
# Layouts of recent versions of profilers, of which a reader of older ones loses stacks.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Firefox: 66 has prefixOffset, 70 moves lib to the frames.
cat >firefox.66 <<'EOF'
{"meta":{"preprocessedProfileVersion":66,"version":34,"stackwalk":0},"libs":[{"name":"libx.so","path":"/lib/libx.so"}],
"shared":{"stackTable":{"frame":[0,1,2,1],"prefixOffset":[0,1,1,3],"length":4},
"frameTable":{"address":[-1,4096,-1],"func":[0,1,2],"line":[1,null,9],"length":3},
"funcTable":{"name":[0,1,2],"resource":[-1,0,-1],"source":[3,null,null],"lineNumber":[1,null,null]},
"resourceTable":{"lib":[0]},"sources":{"filename":[9,9,9,3]},"stringArray":["main","work","leaf","a.c"]},
"threads":[{"name":"T","pid":"1","tid":2,"samples":{"weightType":"samples","weight":null,"stack":[2,2,3,1,null],"time":[0,1,2,3,4]}}]}
EOF
text 'firefox 66: stacks by prefixOffset' '' 'T 1
T;main;work_[l] 2
T;main;work_[l];leaf 2' <firefox.66
sed 's/"preprocessedProfileVersion":66/"preprocessedProfileVersion":70/; s/"resourceTable":{"lib":\[0\]}/"resourceTable":{}/
	s/"line":\[1,null,9\]/&,"lib":[-1,0,-1]/' firefox.66 >firefox.70
text 'firefox 70: modules of frames' --module 'T 1
T;main;libx.so`work_[l] 2
T;main;libx.so`work_[l];leaf 2' <firefox.70
sed 's/Version":66/Version":71/' firefox.66 >in
fg-collapse in >got 2>said
check 'firefox: a newer version is reported' grep -qx 'fg-collapse: in: Firefox profile version 71; tested up to 70' said
sed 's/prefixOffset/prefixDistance/' firefox.66 >in
status 'firefox: stacks without parents are an error' 2 fg-collapse in
check 'firefox: the missing column and its place' sh -c 'fg-collapse in 2>&1 | grep -q "in: byte [0-9]*: a stackTable without a column frame, prefix or prefixOffset"'
sed 's/"stack":\[/"stacks":[/' firefox.66 >in
status 'firefox: samples without stacks are an error' 2 fg-collapse in
sed 's/"prefixOffset":\[0,1,1,3\]/"prefixOffset":[0,1,3,"x"]/' firefox.66 >in
status 'firefox: most stacks have a parent that is not there' 2 fg-collapse in
sed 's/"frame":\[0,1,2,1/"frame":[0,1,7,1/; s/"stack":\[2,2/"stack":[2,1/' firefox.66 >bad
text 'firefox: a stack with an unknown frame is left out' '' 'T 1
T;main;work_[l] 3' <bad
check 'firefox: its account' sh -c "fg-collapse -v in 2>&1 | grep -q ': 4 folded, 0 left out, 1 malformed'"
done_testing
