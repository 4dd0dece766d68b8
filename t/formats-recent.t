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

# perf report: the direction of chains, the unit of entries, branches with numbers
cat >inlined <<'EOF'
# Samples: 10  of event 'cycles'
# Event count (approx.): 70000
#
# Overhead       Samples  Command  Shared Object  Symbol
# ........  ............  .......  .............  ..........
#
    60.00%             6  w        libm.so.6      [.] sqrt@GLIBC
4 _start;main;mid;fsqrt (inlined)
2 _start;main;alt;fsqrt (inlined)
    30.00%             3  w        w              [.] leaf
3 _start;main;mid;leaf
    10.00%             1  w        w              [.] _init
1 _start;main;mid;leaf;_init
EOF
text 'perf report: the leaf of the first entry is inlined' '' 'w;_start;main;alt;fsqrt_[i] 2
w;_start;main;mid;fsqrt_[i] 4
w;_start;main;mid;leaf 3
w;_start;main;mid;leaf;_init 1' <inlined
sed '/^ /!s/^\([0-9]*\) \(.*\)/\1 \2/; s/_start;main;mid;fsqrt (inlined)/fsqrt (inlined);mid;main;_start/
	s/_start;main;alt;fsqrt (inlined)/fsqrt (inlined);alt;main;_start/; s/_start;main;mid;leaf;_init/_init;leaf;mid;main;_start/
	s/_start;main;mid;leaf$/leaf;mid;main;_start/' inlined >callee
text 'perf report: the same with the callee first' '' 'w;_start;main;alt;fsqrt_[i] 2
w;_start;main;mid;fsqrt_[i] 4
w;_start;main;mid;leaf 3
w;_start;main;mid;leaf;_init 1' <callee
text 'perf report: a tree whose first leaf is inlined; an entry without chain, with -n' '' 'w;main;mid;fsqrt_[i] 60
w;main;mid;leaf 30
w;page_fault_[k] 10' <<'EOF'
# Overhead  Samples  Command  Shared Object      Symbol
# ........  .......  .......  .................  ..........
#
    60.00%        6  w        libm.so.6          [.] sqrt@GLIBC
            |
            ---fsqrt (inlined)
               mid
               main

    30.00%        3  w        w                  [.] leaf
            |
            ---leaf
               mid
               main

    10.00%        1  w        [kernel.kallsyms]  [k] page_fault
EOF
cat >counted <<'EOF'
# Samples: 348  of event 'cycles'
# Event count (approx.): 348348
#
# Overhead  Command  Shared Object  Symbol
# ........  .......  .............  ..........
#
    98.85%  w        w              [.] leaf
            |
            ---main
               |
               |--201--mid
               |          leaf
               |
                --143--alt
                          leaf

     0.86%  w        w              [.] slow
            |
            ---main
               slow
     0.29%  w        w              [.] flat
EOF
text 'perf report -g count: branches with numbers, entries by their share of the samples' '' 'w;flat 1
w;main;alt;leaf 143
w;main;mid;leaf 201
w;main;slow 3' <counted
sed 's/--201--/--201201--/; s/--143--/--143143--/' counted >period
text 'perf report -g period' '--no-annotate' 'w;flat 1010
w;main;alt;leaf 143143
w;main;mid;leaf 201201
w;main;slow 2996' <period
check 'perf report -g period: the unit is the event' sh -c 'fg-collapse period | grep -qx "# unit: cycles 0"'
sed 's/--143--alt/--1x3--alt/' counted >bad
text 'perf report: a tree with a malformed branch is left out' '' 'w;flat 1
w;main;slow 3' <bad
check 'perf report: the malformed tree counts once' sh -c "fg-collapse -v in 2>&1 | grep -q ': 2 folded, 0 left out, 1 malformed'"
done_testing
