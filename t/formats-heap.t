#!/bin/sh
# Heap profiles: massif, dhat, heaptrack.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

if fg-collapse --version | grep -q '^JSON profiles: yajl'; then
	text 'dhat: the table may come first, numbers may be missing, columns of Rust go' \
	    '-e gbk --srcline' 'main (a.c:9);f (a.c:3) 2' <<'EOF'
{"dhatFileVersion":2,"ftbl":["[root]","0x1: f (a.c:3:4)","0x2: main (a.c:9)"],"mode":"heap","pps":[
{"tb":10,"tbk":1,"gb":5,"gbk":2,"fs":[1,2]},{"tb":7,"fs":[2]},{"fs":[1]},7,{"tb":"x","fs":[1]}]}
EOF
	text 'dhat: units that a program counts itself' '--list-events' \
	    'event  unit    samples  total
tb     units         1     10  default
tbk    events        1      1' <<'EOF'
{"dhatFileVersion":2,"mode":"ad-hoc","pps":[{"tb":10,"tbk":1,"fs":[1]}],"ftbl":["[root]","0x1: f"]}
EOF
	text 'dhat: a frame with its caller'\''s address is inlined' '' 'main;g;f_[i] 10' <<'EOF'
{"dhatFileVersion":2,"mode":"heap","pps":[{"tb":10,"fs":[1,2,3]}],"ftbl":["[root]","0x1: f","0x1: g","0x2: main"]}
EOF
	printf '{"dhatFileVersion":2,"mode":"heap","ftbl":["","0x1: f"],"pps":[{"tb":10,"fs":[1]},{"tb":' >cut
	fg-collapse -q --no-header cut >got 2>said
	output 'dhat: frames before the end of a truncated file are kept' 'f 10' cat got
	check 'dhat: a truncated file is reported' grep -q 'cut' said
	text 'gprof2dot: what memray writes' '--module' 'a.py:1`<module> 7
a.py:1`<module>;a.py:9`work 4096' <<'EOF'
{"version":0,"costs":[{"description":"Memory","unit":"bytes"},{"description":"Blocks"}],
"functions":[{"module":"a.py:9","name":"work"},{"module":"a.py:1","name":"<module>"}],
"events":[{"callchain":[0,1],"cost":[4096,3]},{"cost":[7],"callchain":[1]},{"callchain":[1],"cost":["x"]},{}]}
EOF
	output 'gprof2dot: each cost is an event' 3 sh -c "fg-collapse -q --no-header -e Blocks in | sed 's/.* //'"
else
	skip 'dhat' 'built without yajl' libyajl-dev
fi

text 'massif: the peak, wherever it stands' '--srcline --addrs' '[libx.so <12>]_[l];f (a.c:3) 60
main;f (a.c:3) 10
main (a.c:9);f (a.c:3) 30' <<'EOF'
desc: (none)
cmd: ./a
time_unit: i
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=0
heap_tree=peak
n1: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n3: 100 0x109287: f(int) (a.c:3)
  n0: 60 0x12: ??? (in /usr/lib/libx.so)
  n0: 30 0x12: main (a.c:9)
  n0: 10 0x13: main (in /bin/a)
#-----------
snapshot=1
#-----------
time=9
mem_heap_B=0
heap_tree=detailed
n1: 50 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n0: 50 0x109287: g (a.c:3)
EOF
cat in in >twice
output 'massif: two of them add up' 'main;f 80
[libx.so]_[l];f 120' sh -c 'fg-collapse -q --no-header twice | sort -r'
sed 's/=peak/=detailed/' in >no-peak
fg-collapse --no-header no-peak >got 2>said
output 'massif: without a peak, the last detailed snapshot' 'g 50' cat got
check 'massif: a file without a peak snapshot is reported' grep -q 'no peak snapshot' said
grep -v '^ *n[0-9]\|=peak\|=detailed' in >flat
status 'massif: no snapshot with callers is exit status 2' 2 fg-collapse flat
check 'massif: a file without callers is refused' sh -c 'fg-collapse flat 2>&1 | grep -q "no snapshot has callers"'
sed 's/^  n0: 30.*/  n0: x/' in >bad
fg-collapse bad >got 2>said
check 'a node that is malformed is named' grep -q 'bad:13: not a node of massif' said
sed 's/^  n0: 30/     n0: 30/' in >bad
status 'massif: --strict refuses misplaced nodes' 2 fg-collapse --strict bad

text 'heaptrack: before version 3 strings have no length' '-e peak --no-header' 'main;f 100
main;g 4096' <<'EOF'
v 10200 2
X ./a
I 1000 5e298f
s /bin/a
s main
s f
s g
i 10 1 2
i 20 1 3
t 1 0
t 2 1
i 30 1 4
t 3 1
a 32 2
a 1000 3
+ 0
+ 0
+ 1
- 1
- 0
+ 0
- 0
EOF
sed 's/$/\r/' in >dos
output 'heaptrack: lines that end as DOS has it' 'main;f 100
main;g 4096' fg-collapse -q -e peak --no-header dos
output 'heaptrack: temporary counts memory freed immediately' 'main;f 1
main;g 1' fg-collapse -q --no-header -e temporary in
output 'heaptrack: leaked counts memory never freed' 'main;f 50' fg-collapse -q --no-header -e leaked in
output 'bytes is all that was allocated' 'main;f 150
main;g 4096' fg-collapse -q --no-header -e bytes in
sed '1s/.*/v 10200/' in >one
output 'version 1 was written as 10200' 'main;f 3
main;g 1' fg-collapse -q --no-header one
text 'heaptrack: inlined functions follow their caller' '--srcline --module' \
    'a`main (a.c:13);a`push (v.h:1294)_[i];a`new (n.h:2)_[i] 1' <<'EOF'
v 10400 3
X ./a
s 6 /bin/a
s 3 new
s 3 n.h
s 4 push
s 3 v.h
s 4 main
s 3 a.c
i 10 1 2 3 2 4 5 50e 6 7 d
t 1 0
a 8 1
+ 0
EOF
{ sed 's/^s 4 push/s 5 push/' in; printf -- '- 0\n- 0\n+ 9\nt 9 9\na 1\nwhat\n'; for i in 3 4 5 6 7; do printf "t 1 0\na 8 $i\n+ $((i - 1))\n"; done; } >bad
fg-collapse -q --no-header bad >got 2>said
output 'heaptrack: malformed lines keep their index in the table' 'main;push_[i];new_[i] 6' cat got
check 'heaptrack: malformed lines are counted' grep -q '6 malformed units' said
check 'the first is named' grep -q 'bad:6: not a line of heaptrack' said
awk 'NR == 2 { print "x 5 /bin/a" } 1' in >raw
check 'a raw recording is refused with what to do' \
    sh -c 'fg-collapse raw 2>&1 | grep -q "pass it through heaptrack_interpret"'
{ cat in; echo 'x 5 /bin/a'; } >bad
fg-collapse -q --no-header bad >got 2>said
output 'heaptrack: only a late x line is malformed' 'main;push_[i];new_[i] 1' cat got
sed '1s/3/9/' in >new
check 'heaptrack: a newer file version is refused' \
    sh -c 'fg-collapse new 2>&1 | grep -q "heaptrack file version 9; tested up to 3; use heaptrack_print -F"'
awk 'BEGIN { print "v 10400 3\nX ./a\ns 1 f\ni 10 0 1"
	for (i = 0; i < 100000; i++) printf "t 1 %x\na 1 %x\n", i, i + 1
	print "+ 1869f" }' >deep
output 'heaptrack: a stack of 100,000' 100000 \
    limited 60 sh -c "fg-collapse -q --no-header deep | tr ';' '\n' | wc -l | tr -d ' '"
done_testing
