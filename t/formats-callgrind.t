#!/bin/sh
# callgrind: stacks by the rule of shape/callgraph.h; their sums equal those that the file states.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Each trap of the format.
text 'frames have modules and files' '--module --srcline' 'app`main (a.c) 3
app`main (a.c);libx.so`f (b.c)_[l] 7' <<'EOF'
# callgrind format
events: Ir
ob=/bin/app
fl=a.c
fn=main
1 3
cob=/lib/libx.so
cfi=b.c
cfn=f
calls=1 9
1 7
ob=/lib/libx.so
fl=b.c
fn=f
9 7
EOF
text 'a table for each kind of names, known after their first mention' '' 'main 1
main;work 20' <<'EOF'
version: 1
creator: test
positions: line
events: Ir
ob=(1) app
fl=(1) a.c
fn=(1) main
1 1
cfi=(2) b.c
cob=(2) libx
cfn=(2) work
calls=3 9
2 20
ob=(2)
fl=(2)
fn=(2)
9 20
EOF
text 'a number can be given again' '' 'a 1
b 2' <<'EOF'
# callgrind format
events: Ir
fn=(1) a
1 1
fn=(1) b
1 2
EOF
text 'a number without a name stays' '' '(7) 5
(below main) 1' <<'EOF'
# callgrind format
events: Ir
fn=(7)
1 5
fn=(below main)
1 1
EOF
text 'positions may be relative, addresses, and two' '-e B' 'f 15' <<'EOF'
positions: instr line
events: A B
ob=(1) x
fn=(1) f
0x1000 1 5 6
+4 * 1 2
* +3 1 3
-16 -2 1 4
EOF
text 'costs at the end of a line that are 0 are not there' '-e C' 'f 9
g 4' <<'EOF'
# callgrind format
events: A B C
fn=f
1 1
2
3 1 2 9
fn=g
4 0 0 4
EOF
text 'jumps cost nothing' '' 'f 5' <<'EOF'
# callgrind format
events: Ir
fn=(1) f
1 2
jump=3 +5
*
jcnd=3/4 6
*
jfi=(4) other.c
jfn=(1)
jump=3 +5
+1
9 3
EOF
text 'several parts in one file, of other events each' '-e Ir' 'f 3
f;g 30' <<'EOF'
# callgrind format
part: 1
events: Ir
fn=(1) f
1 1
cfn=(2) g
calls=1 1
1 10
fn=(2)
1 10
totals: 11

part: 2
events: Dr Ir
fn=(1)
1 7 2
cfn=(2)
calls=1 1
1 5 20
fn=(2)
1 5 20
totals: 12 22
EOF
text 'event: before events:, and summary: beside totals:' '-e sysTime --list-events' \
    'event    unit  samples  total
Ir       Ir          1      4
sysTime  us          1      8  default' <<'EOF'
# callgrind format
event: sysTime : sysTime (elapsed us)
events: Ir sysTime
summary: 9 9
fn=f
1 4 8
totals: 4 8
EOF
fg-collapse -q --bottleneck in 2>/dev/null >got
output 'time in the system in us counts 1000 cycles each' '8000' awk '!/^# / { print $NF }' got
sed 's/elapsed us/elapsed ns/' in >in.ns
output 'in ns 1 cycle each' '8' sh -c "fg-collapse -q --no-header --bottleneck in.ns 2>/dev/null | awk '{ print \$NF }'"
text 'recursion, by itself and through others, is one component' '' 'main 1
main;a 6
main;a;b 30' <<'EOF'
# callgrind format
events: Ir
fn=main
1 1
cfn=a
calls=1 1
1 36
fn=a
1 6
cfn=b
calls=5 1
1 30
cfn=a
calls=5 1
1 36
fn=b
1 30
cfn=a
calls=4 1
1 29
EOF
text 'functions without recorded callers are roots' '' 'f 75
main;f 25' <<'EOF'
# callgrind format
events: Ir
fn=main
cfn=f
calls=1 1
1 25
fn=f
1 100
EOF
text 'functions without recorded callers: up to a thousandth is rounding' '' 'main;f 100000' <<'EOF'
# callgrind format
events: Ir
fn=main
cfn=f
calls=1 1
1 99901
fn=f
1 100000
EOF
text 'the largest fractions are rounded up, so that sums stay' '' 'a;f 4
b;f 3
c;f 3' <<'EOF'
# callgrind format
events: Ir
fn=a
cfn=f
calls=1 1
1 4
fn=b
cfn=f
calls=1 1
1 4
fn=c
cfn=f
calls=1 1
1 4
fn=f
1 10
EOF
text "f(int)'2 keeps its number and loses its arguments" '' "f 1
f;f'2 3" <<'EOF'
# callgrind format
events: Ir
fn=f(int)
1 1
cfn=f(int)'2
calls=1 1
1 3
fn=f(int)'2
1 3
EOF
text 'Xdebug: calls= with two numbers, memory that shrinks' '-e "Memory_(bytes)"' '{main};php::b 40' <<'EOF'
version: 1
creator: xdebug 3.2.0 (PHP 8.2.35)
cmd: /a.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) php:internal
fn=(1) php::a
4 139 -40

fl=(1)
fn=(2) php::b
4 8 40

fl=(2) /a.php
fn=(3) {main}

1 5 -2
cfl=(1)
cfn=(1)
calls=1 0 0
3 139 -40
cfl=(1)
cfn=(2)
calls=1 0 0
3 8 40

summary: 152 -2
EOF
printf 'events: Ir\r\nob=x\r\nfn=f\r\n1 5\r\ncfn=g(int)\r\ncalls=1 2\r\n1 0x10\r\nfn=g(int)\r\n9 16\r\n' >dos
text 'lines that end as in DOS, hexadecimal costs' '' 'f 5
f;g 16' <dos
text 'blanks at the end' '' 'f 7' <<'EOF'
# callgrind format  
events: Ir Dr 
fn=(1) f 
1 7  
EOF
printf '# callgrind format\nevents: A B\n1 1\nfn=f\n1 2 3 4\n1 x\n1 5\ncalls=1 1\n1 8\ncalls=2 2\nfn=g\nwhat\n7 1\nfn=h\n7 1\nfn=i\n7 1\nfn=j\n7 1\nfn=k\n7 1\nfn=l\n7 1\n' >bad
fg-collapse bad >got 2>said
sed '/^# /d' got >got.stacks
printf '%s\n' 'f 5' 'g 1' 'h 1' 'i 1' 'j 1' 'k 1' 'l 1' >want
same 'malformed lines are left out' want got.stacks
check 'the first is named' grep -q 'bad:3: costs before the first fn= line; left out' said
check 'malformed lines are counted' grep -q '7 malformed units' said
status '--strict refuses malformed lines of callgrind' 2 fg-collapse --strict bad
printf '# callgrind format\nevents: Ir\nfn=f\n1 5\ntotals: 9\n' >bad
fg-collapse bad >got 2>said
check 'a wrong total is reported' grep -q 'add up to 5 Ir, but the file states 9' said
printf '# callgrind format\nevents: A\nfn=f\n1 9223372036854775807\n1 1\n' >bad
status 'sums beyond 2^63 are an error' 2 fg-collapse bad
awk 'BEGIN { printf "# callgrind format\nevents:"; for (i = 0; i < 65; i++) printf " e%d", i; print "\nfn=f\n1 1" }' >bad
status 'more than 64 events are an error' 2 fg-collapse bad

# Call graphs that no program could have.
awk 'BEGIN { print "# callgrind format\nevents: Ir"; for (i = 0; i < 3000; i++) {
	printf "fn=(%d) f%d\n1 1\ncfn=(%d) f%d\ncalls=1 1\n1 9\n", i, i, (i + 1) % 3000, (i + 1) % 3000 } }' >bad
output 'a circle of thousands' 3000 limited 60 sh -c "fg-collapse -q bad | awk '!/^# / { n += \$NF } END { print n }'"
awk 'BEGIN { print "# callgrind format\nevents: Ir"; for (i = 0; i < 120; i++) {
	printf "fn=l%d\n1 1000000\ncfn=l%d\ncalls=1 1\n1 1000000000\ncfn=r%d\ncalls=1 1\n1 1000000000\n", i, i + 1, i + 1
	printf "fn=r%d\n1 1000000\ncfn=l%d\ncalls=1 1\n1 1000000000\ncfn=r%d\ncalls=1 1\n1 1000000000\n", i, i + 1, i + 1 } }' >bad
limited 100 fg-collapse --no-header bad >got 2>said
check 'a circle of thousands: the smallest paths are left out, with a note' grep -q 'shares below .* of a function were added to larger ones' said
output 'the sum stays' 240000000 awk '{ n += $NF } END { printf "%d\n", n }' got
awk 'BEGIN { print "# callgrind format\nevents: Ir"; for (i = 0; i < 100000; i++)
	printf "fn=(%d) f%d\n%s", i, i, (i == 99999 ? "1 5\n" : "cfn=(" i + 1 ") f" i + 1 "\ncalls=1 1\n1 5\n") }' >bad
output 'a chain of 100,000 calls' 100000 limited 60 sh -c "fg-collapse -q --no-header bad | tr ';' '\n' | wc -l | tr -d ' '"

# 1.7 MB whose stacks have 5 GB: each call of a chain has a cost of its own.
awk 'BEGIN { print "# callgrind format\nevents: Ir"; for (i = 0; i < 40000; i++)
	printf "fn=(%d) f%d\n1 1\n%s", i, i, (i == 39999 ? "" : "cfn=(" i + 1 ") f" i + 1 "\ncalls=1 1\n1 " 39999 - i "\n") }' >bad
status 'stacks of over 1 GB and 100 times the input are refused' 2 limited 60 fg-collapse -q -o got bad
cp .said said
check 'stacks of over 1 GB: the message has the option that writes them' \
    grep -q '^fg-collapse: [0-9]* MB of stacks from [0-9]* MB of input; to write them, give --max-output=[0-9]*M$' said
printf '# callgrind format\nevents: Ir\nfn=main\n1 3\ncfn=work\ncalls=1 1\n1 7\nfn=work\n1 7\n' >in
status '--max-output: exactly the bytes of the stacks suffice' 0 fg-collapse -q --max-output 15 in
status '--max-output: one byte less is refused' 2 fg-collapse -q --max-output 14 in
fg-collapse -q --max-output 14 -o refused in 2>said
check '--max-output: nothing is written' test ! -e refused
printf '# time: 1 s 0\na;b 1\n# time: 2 s 0\na;b 2\n' >in
status '--max-output with --time-order: each stack in each step counts' 2 fg-collapse -q --time-order=1s --max-output 7 in
status '--max-output with --time-order: the sum suffices' 0 fg-collapse -q --time-order=1s --max-output 8 in
done_testing
