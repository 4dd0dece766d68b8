#!/bin/sh
# fg-diff: stacks side by side, reports, marks, the gate.
. "$(dirname "$0")/lib.sh"

folded() { printf '%s\n' "$@"; }

folded 'main;parse 30' 'main;gone 5' 'main 2' >base
folded 'main 3' 'main;parse 20' 'main;new;leaf 7.5' >head
output 'stacks of both, removed and added ones too, in order' '# columns: base head 0 0
main 2 3
main;gone 5 0
main;new;leaf 0 7.5
main;parse 30 20' fg-diff base head
output '--no-header, from pipes' 'main 2 3
main;gone 5 0
main;new;leaf 0 7.5
main;parse 30 20' sh -c 'cat base | fg-diff --no-header - head'
fg-diff base head >expected
fg-diff -o out base head
same '-o' expected out
output 'a file with itself' '# columns: base head 0 0
main 2 2
main;gone 5 5
main;parse 30 30' fg-diff base base

folded 'a;foo_[k] 1' 'a;bar_[i];x 2' 'a;Zed 3' >base
folded 'a;foo 4' 'a;bar_[i];x 5' 'a;foo_Z 6' 'a;Zed_[l]_[i] 7' >head
output 'annotations do not keep stacks apart, head decides what is shown' 'a;Zed_[l]_[i] 3 7
a;bar_[i];x 2 5
a;foo 1 4
a;foo_Z 0 6' fg-diff --no-header base head
folded 'a;foo_[i];x 1' 'a;foo;x 2' 'a;foo;y 4' >both
output 'nor those of one file' 'a;foo_[k];x 3 9
a;foo_[k];y 4 0' sh -c 'echo "a;foo_[k];x 9" | fg-diff --no-header both -'

folded 'a;0x12ab 1' 'a;0xFF+0x1 2' 'a;0xzz 3' 'a;0x77 4' >base
folded 'a;0x99;b 5' >head
output '-s as difffolded.pl -s' 'a;0x... 5 0
a;0x...;b 0 5
a;0x...+0x... 2 0
a;0xzz 3 0' fg-diff --no-header -s base head

folded 'a 1' 'b 9' >base
folded 'a 7' 'b 8' >head
output '-n scales base to the whole of head and rounds down' 'a 1 7
b 13 8' fg-diff --no-header -n base head
folded 'a 0.1' 'b 0.9' >base
folded 'a 1.5' 'b 0.5' >head
output '-n keeps fractions' 'a 0.2 1.5
b 1.8 0.5' fg-diff --no-header -n base head
folded 'a 123456789012345678.123456789' 'b 300000000000000000000.5' >base
folded 'a 99999999999999999999' 'b 1' >head
# a's base times head's whole over base's whole
want=41135334882916584.654083021
fg-diff --no-header -n base head | sed -n 's/^a \([^ ]*\) .*/\1/p' >got
check '-n is exact beyond 64 bits' grep -q "^${want%?}" got

folded 'a 10' >r1; folded 'a 20' 'b 1' >r2; folded 'a 40' >r3
output 'several runs: means, exact to the ninth place' 'a 15 40
b 0.5 0' fg-diff --no-header r1 r2 -- r3
output 'and on the other side' 'a 40 23.333333333
b 0 0.333333333' fg-diff --no-header r3 -- r1 r2 r3
output '-- before two files ends the options' 'a 10 20
b 0 1' fg-diff --no-header -- r1 r2
status 'one file' 2 fg-diff r1
status 'three files without --' 2 fg-diff r1 r2 r3
status 'nothing after --' 2 fg-diff r1 r2 --
status 'standard input twice' 2 sh -c 'fg-diff - - <r1'
status 'standard input as a run of each side' 2 sh -c 'fg-diff r1 - -- - r2 <r1'
status 'a file that is not there' 2 fg-diff r1 nowhere
status 'an unknown option' 2 fg-diff --nosuch r1 r2

: >empty
output 'an empty base' 'a 0 10' fg-diff --no-header empty r1
output 'an empty head, normalized' 'a 10 0' fg-diff --no-header -n r1 empty
status 'both empty' 2 fg-diff empty empty
status 'a full disk' 2 sh -c 'fg-diff r1 r2 >/dev/full'
folded 'a 10' nonsense 'b 2' >bad
output 'a malformed line loses nothing around it' 'a 10 10
b 2 0' fg-diff --no-header bad r1
fg-diff bad r1 2>&1 >/dev/null | grep -q 'bad:2:' && ok 'and is named' || not_ok 'and is named'
status '--strict' 2 fg-diff --strict bad r1
folded 'a 10000' >much; folded 'a 2' >little
fg-diff much little 2>&1 >/dev/null | grep -q '1000 times' && ok 'wholes of different units' ||
	not_ok 'wholes of different units'
head -c 200000 /dev/urandom >junk
fg-diff junk r1 >/dev/null 2>&1
[ $? -le 2 ] && ok 'binary junk' || not_ok 'binary junk'
awk 'BEGIN { s = "r"; for (i = 0; i < 5000; i++) s = s ";f" i; print s, 1; print s ";x", 2 }' >deep
fg-diff deep deep | awk 'NR > 1 { n += $NF == $(NF - 1) } END { exit n != 2 }' && ok '5000 frames deep' ||
	not_ok '5000 frames deep'

# Columns.
folded '# columns: instruction cache' 'a 10 1' 'b 5 2' >c1
folded '# columns: instruction cache' 'a 10 3' 'b 6 2' >c2
output 'the first of several columns' 'a 10 10
b 5 6' fg-diff -q --no-header c1 c2
output '--column by name' 'a 1 3
b 2 2' fg-diff --no-header --column cache c1 c2
status '--column that is not there' 2 fg-diff --column memory c1 c2
grep -v '#' c1 >d1; grep -v '#' c2 >d2
output '--columns for files without a header' 'a 1 3
b 2 2' fg-diff --no-header --columns instruction,cache --column cache d1 d2
status 'different columns' 2 fg-diff c1 d1

# Generated trees: nothing is lost, the order of lines does not matter.
generate() {
	awk -v seed="$1" -v n="$2" '
	function random(k) { seed = seed * 16807 % 2147483647; return int(seed / 2147483647 * k) }
	BEGIN {
		split(" _[k] _[i] _[l]", note, " ")
		for (i = 0; i < n; i++) {
			s = "root"
			for (d = random(8); d > 0; d--)
				s = s ";f" random(6) note[random(4)]
			printf "%s %d%s\n", s, random(1000), random(5) ? "" : ".25"
		}
	}'
}
good=1
for seed in 1 2 3 4 5 6 7 8; do
	generate $seed 300 >g1
	generate $seed$seed 200 >g2
	fg-diff --no-header g1 g2 >d
	{ awk '{ a += $NF } END { printf "%.2f ", a }' g1; awk '{ b += $NF } END { printf "%.2f\n", b }' g2; } >want
	awk '{ a += $(NF - 1); b += $NF } END { printf "%.2f %.2f\n", a, b }' d >got
	cmp -s want got || good=0
	sort -r g1 >g1r
	fg-diff --no-header g1r g2 | cmp -s - d || good=0
	# Swapped sides have the same values, swapped; head's names may differ in annotations.
	fg-diff --no-header g2 g1 | sed 's/_\[[kil]\]//g' | awk '{ print $1, $3, $2 }' | sort >swapped
	sed 's/_\[[kil]\]//g' d | sort | cmp -s - swapped || good=0
	[ -z "$(sed 's/_\[[kil]\]//g; s/ .*//' d | sort | uniq -d)" ] || good=0
done
[ $good = 1 ] && ok 'generated: sums kept, each stack once, in any order of lines' ||
	not_ok 'generated: sums kept, each stack once, in any order of lines'

# The script that everybody knows; trailing spaces of a stack are the value's here.
if [ -n "$shared" ]; then
	c=$shared/corpus/diff-folded
	for o in '' -n; do
		fg-diff -q $o --no-header "$c/gen-before.folded.in" "$c/gen-after.folded.in" | sort >got
		sed 's/  *\([0-9.]* [0-9.]*\)$/ \1/' "$c/gen-after.folded.in.difffolded$o.folded" | sort >want
		same "as difffolded.pl $o" want got
	done
else
	skip 'as difffolded.pl' 'no shared corpus'
fi

# Reports.
folded 'main;parse;read 1000' 'main;parse 9000' 'main;calc;calc;calc 50000' 'main;idle 40000' \
	'main;gone|x 600' >base
folded 'main;parse;read 1030' 'main;parse 12000' 'main;calc;calc;calc 50100' 'main;idle 40000' \
	'main;new`f` 700' >head
output 'the report' 'Whole: 100,600 before, 103,830 after, +3,230 (+3.21 %), beyond noise.
Noise: sampling, counts of equal work.
How much one run differs from the next cannot be seen from one run.
Confidence 99 %; one sample weighs 1.
Smallest change that could have been seen: 1.15 % of the whole;
of a function with 20 % of the whole 3.17 %, with 5 % 6.40 %, with 1 % 14.7 %.

Self
   base    head   change   change %  of whole noise  visible  function
  9,000  12,000   +3,000   +33.33 %   +2.98 % real    4.44 %  parse
      0     700     +700      added   +0.70 % real            new`f`
    600       0     -600    removed   -0.60 % real    18.0 %  gone|x
 50,000  50,100     +100    +0.20 %   +0.10 % noise   1.87 %  calc
  1,000   1,030      +30    +3.00 %   +0.03 % noise   13.7 %  read

Total
   base    head   change   change %  of whole noise  visible  function
100,600 103,830   +3,230    +3.21 %   +3.21 % real    1.31 %  main
 10,000  13,030   +3,030   +30.30 %   +3.01 % real    4.21 %  parse
      0     700     +700      added   +0.70 % real            new`f`
    600       0     -600    removed   -0.60 % real    18.0 %  gone|x
 50,000  50,100     +100    +0.20 %   +0.10 % noise   1.87 %  calc
  1,000   1,030      +30    +3.00 %   +0.03 % noise   13.7 %  read' \
	fg-diff --report base head
fg-diff --report base base >got
grep -q 'Whole: .* 0 (+0.00 %), no change' got && grep -q '^Self: nothing changed' got &&
	! grep -q real got && ok 'a file with itself: no change' || not_ok 'a file with itself: no change'
fg-diff --report=tsv base head >tsv
output '--report=tsv: recursion counts once, names and numbers as they are' \
	'total	50000	50100	100	0.2	0.099403578528827	noise	calc' \
	sh -c 'grep "^total.*calc" tsv | cut -f1-7,10'
awk -F '\t' 'NF != 10 { exit 1 } NR == 2 && ($1 != "whole" || $4 != 3230) { exit 1 }' tsv &&
	ok 'ten fields in each row, the whole first' || not_ok 'ten fields in each row, the whole first'
output '--report=markdown' '| function (self) | base | head | change | change % | of whole | |
|:--|--:|--:|--:|--:|--:|:--|
| `parse` | 9,000 | 12,000 | **+3,000** | +33.33 % | +2.98 % | real |
| `` new`f` `` | 0 | 700 | **+700** | added | +0.70 % | real |
| `gone\|x` | 600 | 0 | **-600** | removed | -0.60 % | real |' \
	sh -c 'fg-diff --report=markdown --top 3 base head | grep -A4 "(self)"'
output '--top' 2 sh -c 'fg-diff --report --top 1 base head | grep -c " real "'
output '--by stack' 'main;parse' sh -c 'fg-diff --report=tsv --by stack base head | sed -n 3p | cut -f10'
folded 'main_[l];libc`read 10' 'main_[l];libc`write;sys_[k] 5' '[foo.so];x_[j] 2' 'plain 3' >m1
output '--by module' '[jit]	2
[kernel]	5
[library]	15
[no module]	3
foo.so	2
libc	15' sh -c 'fg-diff --report=tsv --by module m1 m1 | grep ^total | cut -f2,10 | sort -k2 |
	awk -F "\t" "{ print \$2 \"\t\" \$1 }"'
folded 'a;f (x.c:12) 10' >s1; folded 'a;f (x.c:14) 10' >s2
output 'functions whose lines moved' 'Self: nothing changed' \
	sh -c 'fg-diff --report s1 s2 | grep Self'
output '--only judges what matches' 'parse' \
	sh -c 'fg-diff --report=tsv --only "^par" base head | grep ^self | cut -f10'
status 'a bad expression' 2 fg-diff --report --only '(' base head
status 'an unknown report' 2 fg-diff --report=xml base head
printf 'main;a\033[31m\tb 5\n' >esc
fg-diff --report --noise none esc r1 | tr -d '\n' | grep -q "$(printf '[\033\t]')" &&
	not_ok 'no control characters in a report' || ok 'no control characters in a report'

# What is noise.
kind() { fg-diff --report "$@" | sed -n 's/^Noise: \([a-z]*\).*/\1/p'; }
output 'one run a side: counts' sampling kind r1 r2
output 'several: runs' between kind r1 r2 -- r3
output 'several that agree: exact' none kind r1 r1 -- r2 r2
output "a simulator's column: exact" none kind -q c1 c2
output '--noise none' none kind --noise none r1 r2
output '--noise counts, of several' sampling kind --noise counts r1 r2 -- r3
status '--noise runs with one run a side' 2 fg-diff --report --noise runs r1 r2
status 'an unknown model' 2 fg-diff --report --noise loud r1 r2
period() { fg-diff --report "$@" | sed -n 's/.*one sample weighs \(.*\)\.$/\1/p'; }
output 'a sample weighs what all values are multiples of' '1,001,001' \
	sh -c 'echo "a 3003003" >p1; echo "a 2002002
b 5005005" >p2; fg-diff --report p1 p2 | sed -n "s/.*one sample weighs \(.*\)\.$/\1/p"'
output '--period' 500 period --period 500 p1 p2
awk 'BEGIN { for (i = 0; i < 40; i++) print "s" i, 900000 + i * 1237 }' >v1
output 'periods that vary: the median stack' '924,740 (guessed from the median stack: --period says it)' \
	period v1 v1
verdict() { fg-diff --report=tsv "$@" | awk -F '\t' '$1 == "self" && $10 == "hot" { print $7 }'; }
folded 'hot 10000' 'rest 90000' >n1; folded 'hot 10500' 'rest 90000' >n2
output '5 % of 10000 samples are beyond noise' real verdict n1 n2
output 'not when a sample weighs 10' noise verdict --period 10 n1 n2
output 'not at a confidence of 99.99 %' noise sh -c '
	sed "s/10500/10480/" n2 >n3; fg-diff --report=tsv --confidence 0.9999 n1 n3 |
	awk -F "\t" "\$1 == \"self\" && \$10 == \"hot\" { print \$7 }"'
folded 'hot 10' 'rest 99990' >n3; folded 'hot 60' 'rest 99990' >n4
output 'below half a percent nothing is said' small verdict n3 n4
for i in 1 2 3; do
	folded "hot 100$i""00" "rest 9000$i" >b$i
	folded "hot 115$i""00" "rest 9000$i" >h$i
done
output 'three runs a side' real verdict b1 b2 b3 -- h1 h2 h3
folded 'hot 130000' 'rest 80000' >b4
output 'unless they differ as much among themselves' noise verdict b1 b2 b4 -- h1 h2 h3

# Marks.
folded 'main;hot 10000' 'main;same 90000' 'main;wobble 5000' >k1
folded 'main;hot 12000' 'main;same 90000' 'main;wobble 5050' 'main;added;fresh 700' >k2
output '--mark-noise' '# columns: base head noise 0 0 0
main;added;fresh 0 700 0
main;hot 10000 12000 0
main;same 90000 90000 1
main;wobble 5000 5050 1' fg-diff --mark-noise k1 k2
folded 'main;hot_[k] 10000' 'main;same 90000' 'main;wobble (a.c:3) 5000' >k3
fg-diff --no-header --mark-noise k3 k2 >got
output 'marks disregard annotations' 'main;hot 10000 12000 0' grep hot got

# The gate.
status 'gate: an increase above it' 1 fg-diff --fail-above 1% k1 k2
status 'gate: not above' 0 fg-diff --fail-above 5% k1 k2
status 'gate: self' 1 fg-diff --fail-above self:1% k1 k2
status 'gate: decreases never fail' 0 fg-diff --fail-above 0% k2 k1
status 'gate: noise never fails' 0 fg-diff --fail-above 0% --only wobble$ --period 100 k1 k2
status 'gate: new code counts' 1 fg-diff --fail-above 0.5% --only added k1 k2
status 'gate: --only leaves out the rest' 0 fg-diff --fail-above 1% --only same k1 k2
status 'gate: both limits' 1 fg-diff --fail-above 50% --fail-above self:1.5% k1 k2
status 'gate: shares' 0 sh -c 'sed "s/ \(.*\)/ \1\1/" k1 | fg-diff -n --fail-above 0% k1 - '
status 'gate: a limit that is none' 2 fg-diff --fail-above 5 k1 k2
fg-diff --fail-above 1% k1 k2 >out 2>err
fg-diff k1 k2 >want
same 'gate: stacks on stdout as ever' want out
grep -q '^Whole: 105,000 before' err && grep -q '^too slow: total of hot +1.90 %' err &&
	ok 'gate: report on stderr' || not_ok 'gate: report on stderr'
fg-diff --fail-above 1% --report=markdown k1 k2 2>&1 >/dev/null | grep -q '^| `hot`' &&
	ok 'gate: as Markdown' || not_ok 'gate: as Markdown'
output 'gate: silent with -q' '' sh -c 'fg-diff -q --fail-above 5% k1 k2 2>&1 >/dev/null'

# The whole program over drawn profiles: 40 functions, 4000 samples, no difference.
awk '
function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
	seed = 42
	for (i = 1; i <= 40; i++) sum += share[i] = 1 / i
	for (file = 0; file < 400; file++) {
		delete count
		for (s = 0; s < 4000; s++) {
			x = random() * sum
			for (i = 1; i < 40 && x > share[i]; i++) x -= share[i]
			count[i]++
		}
		for (i = 1; i <= 40; i++) if (count[i]) print "main;f" i, count[i] > ("aa" file)
		close("aa" file)
	}
}'
alarms=0 file=0
while [ $file -lt 400 ]; do
	fg-diff -q --confidence 0.95 --fail-above self:0% aa$file aa$((file + 1)) >out 2>&1
	case $? in 1) alarms=$((alarms + 1)) ;; 2) alarms=1000 ;; esac
	file=$((file + 2))
done
[ $alarms -le 10 ] && ok "200 equal pairs at 95 %: $alarms false alarms" ||
	not_ok "200 equal pairs at 95 %: $alarms false alarms"

done_testing
