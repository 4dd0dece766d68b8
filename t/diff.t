#!/bin/sh
# fg-diff: stacks with two columns, reports, marks, the gate.
# tier: quick
. "$(dirname "$0")/lib.sh"

folded() { printf '%s\n' "$@"; }

folded 'main;parse 30' 'main;gone 5' 'main 2' >base
folded 'main 3' 'main;parse 20' 'main;new;leaf 7.5' >head
output 'stacks of both, removed and added ones too, in order' '# columns: base head 0 0
# sides: file=base file=head 0 0
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
same '-o writes the differential to a file' expected out
output 'a file compared with itself has no change' '# columns: base head 0 0
main 2 2
main;gone 5 5
main;parse 30 30' fg-diff base base
mkdir elsewhere
cp head elsewhere/base
sides() { fg-diff "$@" | sed -n 's/^# sides: //p'; }
output 'files of one name are shown with their directories' 'file=base file=elsewhere/base 0 0' sides base elsewhere/base
output 'a side of several runs is its first file and their number' 'file=base%20+1 file=head 0 0' sides base base -- head
output 'a pipe has no name to show' '' sh -c 'fg-diff base - <head | grep sides'

for roots in 3 20; do
	{ seq $roots | awk '{ print "r" $1 "_[k] 1" }'; folded 'r1 1' 'x_[k];z_[i] 1'; } >wide.1
	folded 'x_[k];z 1' 'r1_[k] 1' >wide.2
	output "a side of several runs shows the first name in order, beside $roots roots" 'x_[k];z 1 1' \
		sh -c 'fg-diff -q wide.1 wide.2 -- wide.2 wide.1 | grep x_'
done

folded 'a;foo_[k] 1' 'a;bar_[i];x 2' 'a;Zed 3' >base
folded 'a;foo 4' 'a;bar_[i];x 5' 'a;foo_Z 6' 'a;Zed_[l]_[i] 7' >head
output 'stacks match without annotations; head'\''s are written' 'a;Zed_[l]_[i] 3 7
a;bar_[i];x 2 5
a;foo 1 4
a;foo_Z 0 6' fg-diff --no-header base head
folded 'a;foo_[i];x 1' 'a;foo;x 2' 'a;foo;y 4' >both
output 'annotations of one file only are ignored' 'a;foo_[k];x 3 9
a;foo_[k];y 4 0' sh -c 'echo "a;foo_[k];x 9" | fg-diff --no-header both -'

folded 'a;0x12ab 1' 'a;0xFF+0x1 2' 'a;0xzz 3' 'a;0x77 4' >base
folded 'a;0x99;b 5' >head
output '-s as difffolded.pl -s' 'a;0x... 5 0
a;0x...;b 0 5
a;0x...+0x... 2 0
a;0xzz 3 0' fg-diff --no-header -s base head

folded 'a 1' 'b 9' >base
folded 'a 7' 'b 8' >head
output '-n scales base to head'\''s total and rounds down' 'a 1 7
b 13 8' fg-diff --no-header -n base head
folded 'a 0.1' 'b 0.9' >base
folded 'a 1.5' 'b 0.5' >head
output '-n keeps fractions' 'a 0.2 1.5
b 1.8 0.5' fg-diff --no-header -n base head
folded 'a 123456789012345678.123456789' 'b 300000000000000000000.5' >base
folded 'a 99999999999999999999' 'b 1' >head
# a's base value * head's total / base's total
want=41135334882916584.654083021
fg-diff --no-header -n base head | sed -n 's/^a \([^ ]*\) .*/\1/p' >got
check '-n is exact beyond 64 bits' grep -q "^${want%?}" got

folded 'a 10' >r1; folded 'a 20' 'b 1' >r2; folded 'a 40' >r3
output 'several runs: means, exact to the ninth place' 'a 15 40
b 0.5 0' fg-diff --no-header r1 r2 -- r3
output 'several runs: exact means on the other side' 'a 40 23.333333333
b 0 0.333333333' fg-diff --no-header r3 -- r1 r2 r3
output '-- before two files ends the options' 'a 10 20
b 0 1' fg-diff --no-header -- r1 r2
status 'one file is a usage error' 2 fg-diff r1
status 'three files without -- are a usage error' 2 fg-diff r1 r2 r3
status 'no file after -- is a usage error' 2 fg-diff r1 r2 --
status 'standard input as base and as head is a usage error' 2 sh -c 'fg-diff - - <r1'
status 'standard input as a run of each side' 2 sh -c 'fg-diff r1 - -- - r2 <r1'
status 'a file that does not exist is exit status 2' 2 fg-diff r1 nowhere
status 'an unknown option is exit status 2' 2 fg-diff --nosuch r1 r2

: >empty
output 'an empty base' 'a 0 10' fg-diff --no-header empty r1
output 'an empty head, normalized' 'a 10 0' fg-diff --no-header -n r1 empty
status 'two empty profiles are exit status 2' 2 fg-diff empty empty
status 'a full disk is exit status 2' 2 sh -c 'fg-diff r1 r2 >/dev/full'
folded 'a;x 10' nonsense 'b;x 2' >bad
output 'a malformed line loses nothing around it' 'a 0 10
a;x 10 0
b;x 2 0' fg-diff --no-header bad r1
fg-diff bad r1 2>&1 >/dev/null | grep -q 'bad:2:' && ok 'a malformed line is reported with its number' || not_ok 'a malformed line is reported with its number'
status '--strict: a malformed line is exit status 2' 2 fg-diff --strict bad r1
folded 'a 10000' >much; folded 'a 2' >little
fg-diff much little 2>&1 >/dev/null | grep -q 'by a factor of more than 1000' && ok 'profile totals in different units are reported' ||
	not_ok 'profile totals in different units are reported'
folded 'app;main;f 10' 'app-2;g 3' >other; folded 'java;main;f 10' >java; folded 'app_[k];f 9' 'java;main 1' >app
fg-diff other java 2>said >/dev/null
check 'profiles without common roots: a warning names both roots and fg-filter' \
	grep -q "base: app, of head: java); align them with fg-filter --root-at RE" said
fg-diff other app 2>said >/dev/null
check 'profiles with a common root, annotated in one: no warning' sh -c '! grep -q roots said'
perl -e 'srand 7; print pack "C*", map { int rand 256 } 1 .. 200000' >junk
fg-diff junk r1 >/dev/null 2>&1
[ $? -le 2 ] && ok 'binary junk does not crash fg-diff' || not_ok 'binary junk does not crash fg-diff'
awk 'BEGIN { s = "r"; for (i = 0; i < 5000; i++) s = s ";f" i; print s, 1; print s ";x", 2 }' >deep
fg-diff deep deep | awk 'NR > 1 { n += $NF == $(NF - 1) } END { exit n != 2 }' && ok 'stacks of 5,000 frames are compared' ||
	not_ok 'stacks of 5,000 frames are compared'

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

# Generated trees: nothing is lost, and the line order does not matter.
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
	# Swapped sides have swapped values; head's frames may have other annotations.
	fg-diff --no-header g2 g1 | sed 's/_\[[kil]\]//g' | awk '{ print $1, $3, $2 }' | sort >swapped
	sed 's/_\[[kil]\]//g' d | sort | cmp -s - swapped || good=0
	[ -z "$(sed 's/_\[[kil]\]//g; s/ .*//' d | sort | uniq -d)" ] || good=0
done
[ $good = 1 ] && ok 'generated: sums kept, each stack once, in any order of lines' ||
	not_ok 'generated: sums kept, each stack once, in any order of lines'


# runs NAME N: N profiles NAME.1... with random differences, from stacks on stdin; the same name
# gives the same files.
runs() {
	awk -v name="$1" -v n="$2" '
	function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
	BEGIN { for (i = 1; i <= length(name); i++) seed = seed * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789", substr(name, i, 1)); seed = seed % 1000000 + 1; random() }
	{ line[NR] = $0 }
	END {
		for (r = 1; r <= n; r++) {
			machine = 1 + 0.02 * (random() - 0.5)
			for (i = 1; i <= NR; i++) {
				v = line[i]; sub(/.* /, "", v); s = line[i]; sub(/ [^ ]*$/, "", s)
				printf "%s %d\n", s, v * machine * (1 + 0.02 * (random() - 0.5)) > (name "." r)
			}
			close(name "." r)
		}
	}'
}

# Reports.
folded 'main;parse;read 1000' 'main;parse 9000' 'main;calc;calc;calc 50000' 'main;idle 40000' \
	'main;gone|x 600' | runs base 5
folded 'main;parse;read 1030' 'main;parse 12000' 'main;calc;calc;calc 50100' 'main;idle 40000' \
	'main;new`f` 700' | runs head 5
cp base.1 base
cp head.1 head
fg-diff --report base.? -- head.? >got
output 'the answer comes first' 'CHANGED: 3 functions are beyond noise, most of all parse.
Compared: base base.1 and 4 more, 100,802 a run; head head.1 and 4 more, 104,831 a run.' head -2 got
output 'the report has the direction of the change of the total' 'In total, head is slower: +4,029 (+4.00 %; +2.7 to +5.1 %), beyond noise.' sed -n 3p got
output 'the report has the noise model' 'Noise: sampling, and the spread of runs, estimated from 5 of base and 5 of head. Confidence 99 %.
One sample weighs 1 (values are counts).' sed -n 4,5p got
grep -q '^Changes are relative to [0-9]* functions that did not change, [0-9]* % of the total\.$' got &&
	ok 'the report has the unchanged part' || not_ok 'the report has the unchanged part'
output 'the functions, those beyond noise first' 'real parse
real new`f`
real gone|x
noise idle' sh -c 'sed -n "/^Self/,/^$/p" got | sed -n 3,6p | sed -E "s/.* (real|noise) .* /\1 /"'
grep -q '^visible: the smallest measured increase of this function' got && ok 'words are explained at the end' ||
	not_ok 'words are explained at the end'
fg-diff --report base base >got
output 'one run a side: the answer is CANNOT TELL' 'CANNOT TELL: no function changed beyond noise; one run a side: a spread of 18 % between runs is assumed' \
	sh -c 'head -1 got | cut -d";" -f1-2'
grep -q '^The profile totals are equal\.$' got && grep -q '^Self: nothing changed' got &&
	! grep -q ' real ' got && ok 'a file with itself: no change' || not_ok 'a file with itself: no change'
output 'several runs with themselves' 'NO CHANGE: no function changed beyond noise.' \
	sh -c 'fg-diff --report base.1 base.2 base.3 -- base.2 base.4 base.5 | head -1'
fg-diff --report=tsv base head >tsv
output '--report=tsv: recursion counts once, names and numbers as they are' \
	"$(awk '/calc/ { b = $NF } END { print b }' base)	$(awk '/calc/ { b = $NF } END { print b }' head)" \
	sh -c 'grep "^total.*calc" tsv | cut -f2,3'
awk -F '\t' 'NF != 15 { exit 1 } NR == 2 && $1 != "whole" { exit 1 } END { exit $1 != "verdict" }' tsv &&
	ok 'tsv: fifteen fields in each row, profile total first, verdict last' ||
	not_ok 'tsv: fifteen fields in each row, profile total first, verdict last'
output 'tsv: a changed function has its verdict' 'CHANGED	3 functions are beyond noise, most of all parse' \
	sh -c 'fg-diff --report=tsv base.? -- head.? | tail -1 | cut -f7,10'
fg-diff --report=markdown --top 3 base.? -- head.? >got
output '--report=markdown begins with the verdict' '**CHANGED**: 3 functions are beyond noise, most of all `parse`.' head -1 got
output '--report=markdown: the table' '| function (self) | base | head | change | change % | interval | of total | noise |
|:--|--:|--:|--:|--:|--:|--:|:--|
| `parse` real |
| `` new`f` `` real |
| `gone\|x` real |' sh -c 'grep -A4 "(self)" got | sed "s/ | [0-9].* | / /"'
fg-diff --report=json --fail-above 3% base.? -- head.? >/dev/null 2>json
fg-diff --report=tsv base.? -- head.? >tsv
{
	seq -f 'm;f%.0f 4' 30
	printf 'm;"\\\001\177\377\303\251\355\240\200\342\202 1\n'
} >bytes
fg-diff --report=json bytes bytes >json.bytes 2>&1
output '--report=json: control characters are escaped, invalid bytes are U+FFFD' '"\"\\\u0001\u007f\ufffdé\ufffd\ufffd\ufffd\ufffd\ufffd"' \
	sh -c 'LC_ALL=C grep -o "\"[\\][^ ]*ufffd\"" json.bytes | sort -u'
output '--report=json is JSON, with the values of tsv' 'FAIL fg-diff 1 5 5' perl -MJSON::PP -e '
	local $/; open F, "json"; my $j = decode_json(<F>); close F; open F, "tsv";
	my %tsv = map { my @f = split /\t/; ("$f[0] $f[9]" => \@f) } split /\n/, <F>;
	for my $kind ("self", "total") {
		for my $r (@{$j->{$kind}}) {
			my $t = $tsv{"$kind $r->{name}"};
			$r->{base} == $t->[1] && $r->{head} == $t->[2] && $r->{verdict} eq $t->[6] or die $r->{name};
			my ($low, $high) = @{$r->{interval_percent}};
			!defined $low || $t->[11] eq "" || abs($low - $t->[11]) < 0.01 or die "$low $t->[11]";
			!defined $low || !defined $high || $r->{verdict} ne "real" || $low * $high > 0 or die "$low $high";
		}
	}
	print join(" ", @$j{qw(verdict format version)}, map { scalar @{$j->{$_}{runs}} } qw(base head)), "\n"'
output '--top 1 keeps one row' 2 sh -c 'fg-diff --report --top 1 base.? -- head.? | grep -c " real "'
output '--by stack names the stack that changed' 'main;parse' sh -c 'fg-diff --report=tsv --by stack base.? -- head.? | sed -n 3p | cut -f10'
folded 'main_[l];libc`read 10' 'main_[l];libc`write;sys_[k] 5' '[foo.so];x_[j] 2' 'plain 3' >m1
output '--by module names the module that changed' '[jit]	2
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
printf 'main;a\033[31m\tb 5\nmain;x 1\nmain;y 1\n' >esc
fg-diff --report --noise none esc r1 | tr -d '\n' | grep -q "$(printf '[\033\t]')" &&
	not_ok 'no control characters in a report' || ok 'no control characters in a report'
awk 'BEGIN { for (i = 0; i < 100; i++) s = s "abcdefghij"; print "main;" s, 5; print "main;<b>@all [x](y)|``z`` 5" }' >long
fg-diff --report=markdown --noise none long r1 >got
check 'hostile names are code in Markdown' grep -qF '| ``` <b>@all [x](y)\|``z`` ``` | 5 |' got
awk '/abcdefghij/ { if (length($0) > 300 || !/[a-z]\.\.\.`/) exit 1; n++ } END { exit n != 2 }' got &&
	ok 'markdown: names have at most 200 bytes' || not_ok 'markdown: names have at most 200 bytes'

# Units.
folded '# unit: ns 0' '# period: 1000000 ns 0' 'main;hot 17300000000' 'main 100000000' >u1
folded '# unit: ns 0' '# period: 1000000 ns 0' 'main;hot 17400000000' 'main 100000000' >u2
output 'times have a unit that fits' 'Compared: base u1, 17.4 s; head u2, 17.5 s.' \
	sh -c 'fg-diff --report u1 u2 | sed -n 2p'
output 'the report has the period of the header' 'One sample weighs 1 ms (from the header).' \
	sh -c 'fg-diff --report u1 u2 | grep "^One sample"'
output 'times have the same unit in the tables of a report' '17.3 s 17.4 s +100 ms' \
	sh -c 'fg-diff --report u1 u2 | grep "hot$" | head -1 | awk "{ print \$1, \$2, \$3, \$4, \$5, \$6 }"'
folded '# unit: bytes 0' 'main 1' >u3
status 'different units' 2 fg-diff u1 u3
folded '# unit: samples 0' '# period: 10101010 ns 0' 'main 100' >u4
folded '# unit: samples 0' '# period: 1003009 ns 0' 'main 1000' >u5
status 'counts of different periods' 2 fg-diff u4 u5
status 'different periods can be compared as shares' 0 fg-diff -n u4 u5
folded '# unit: ns 0' 'main 100' >u6
folded '# unit: us 0' 'main 120' >u7
status 'different units' 2 fg-diff u6 u7
output 'different units: --unit sets the unit' '# unit: ns 0 0' sh -c 'fg-diff --unit ns u6 u7 | grep unit'
status '--unit refuses two words' 2 fg-diff --unit 'a b' u6 u7
{ seq -f 'a;f%.0f 1' 100000; echo bad; } >long
output 'an error at the end of base precedes a missing head' \
	'fg-diff: long:100001: no value at the end of the line' sh -c 'fg-diff --strict long nowhere 2>&1'
mkfifo left right
{ echo bad; cat long long long long; } | tee left >right 2>/dev/null &
check 'no deadlock when tee writes a damaged profile as base and as head' timeout 600 fg-diff left right
wait
output 'two files that do not exist: one message' 1 sh -c 'fg-diff nowhere nothing 2>&1 | wc -l | tr -d " "'

folded '# label: compiler=gcc-12 host=a 0' 'main 100' >l1
folded '# label: compiler=gcc-14 host=a 0' 'main 120' >l2
output 'different compiler labels: a warning' \
	'fg-diff: base and head have different labels compiler: gcc-12 and gcc-14; a change may come from that' \
	sh -c 'fg-diff l1 l2 2>&1 >/dev/null'
output 'equal compiler labels: no warning' '' sh -c 'fg-diff l1 l1 2>&1 >/dev/null'

# Noise models.
kind() { fg-diff --report "$@" | sed -n 's/^Noise: \([^.]*\)\. .*/\1/p; s/^Noise: \(none\).*/\1/p'; }
output 'noise model: one run a side, an assumed spread' \
	'sampling, and an assumed spread of 18 % between runs: one run a side does not show it, and no change of time in the kernel' kind r1 r2
output 'the noise of several runs is of sampling and of runs' 'sampling, and the spread of runs, estimated from 2 of base and 1 of head' kind r1 r2 -- r3
output 'several that agree: exact' none kind r1 r1 -- r2 r2
output "a simulator's column: exact" none kind -q c1 c2
output '--noise none judges no change' none kind --noise none r1 r2
output '--noise counts judges by sampling only' 'sampling only' kind --noise counts r1 r2 -- r3
status 'an unknown model' 2 fg-diff --report --noise loud r1 r2
weighs() { fg-diff --report "$@" | sed -n 's/^One sample weighs \(.*\)\.$/\1/p'; }
output 'small whole numbers are counts' '1 (values are counts)' weighs r1 r2
awk 'BEGIN { for (i = 1; i < 40; i++) print "s" i, i * 1001001 }' >p1
output 'a sample weighs what all values are multiples of' \
	'1,001,001 (the common divisor of all values); --period overrides it' weighs p1 p1
output '--period is the weight of a sample' '500 (from --period)' weighs --period 500 p1 p1
# 32 stacks and 200,000 samples, each 1,003,009 ns with jitter; the median stack has 6,000 samples.
awk 'function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
	seed = 7
	for (file = 1; file <= 2; file++)
		for (i = 1; i <= 32; i++) {
			mean = 200000 * (33 - i) / 528
			n = mean
			for (k = 0; k < 12; k++) n += sqrt(mean) * (random() - 0.5)
			printf "main;s%d %.0f\n", i, int(n) * 1003009 + int(random() * 1000000) > ("v" file)
		}
}'
fg-diff --report v1 v2 | sed -n 's/^One sample weighs \([0-9,]*\) (estimated.*/\1/p' | tr -d , |
	awk '$1 > 300000 && $1 < 3000000 { ok = 1 } END { exit !ok }' &&
	ok 'periods that vary: from how both sides differ' || not_ok 'periods that vary: from how both sides differ'
verdict() { fg-diff --report=tsv "$@" | awk -F '\t' '$1 == "self" && $10 == "hot" { print $7 }'; }
folded 'hot 10000' 'rest 90000' >n1; folded 'hot 10500' 'rest 90000' >n2
output 'noise model counts: 5 % of 10000 samples are real' real verdict --noise counts n1 n2
output 'noise model counts with period 10: 5 % are noise' noise verdict --noise counts --period 10 n1 n2
output '--confidence 0.9999: 5 % are noise' noise sh -c '
	sed "s/10500/10480/" n2 >n3; fg-diff --report=tsv --noise counts --confidence 0.9999 n1 n3 |
	awk -F "\t" "\$1 == \"self\" && \$10 == \"hot\" { print \$7 }"'
output 'noise model runs, one run a side: 5 % are noise' noise verdict n1 n2
folded 'hot 10' 'rest 99990' >n3; folded 'hot 60' 'rest 99990' >n4
output 'functions below half a percent are small' small verdict n3 n4
{ folded 'hot 10000'; for i in 1 2 3 4 5 6; do folded "f$i 15000"; done; } >n5
sed 's/hot.*/hot 13000/' n5 >n6
runs b 3 <n5; runs h 3 <n6
output 'a change between three runs a side is real' real verdict b.1 b.2 b.3 -- h.1 h.2 h.3
sed 's/hot.*/hot 14000/' n5 >b.4
output 'a change within the spread of three runs a side is noise' noise verdict b.1 b.2 b.4 -- h.1 h.2 h.3

# A speed-up does not make other functions slower: `hot` costs a tenth, all others the same.
sed 's/hot.*/hot 1000/' n5 | runs f 3
output 'a speed-up does not make other functions slower' 'hot' \
	sh -c 'fg-diff -n --report=tsv b.1 b.2 b.3 -- f.1 f.2 f.3 | awk -F "\t" "\$7 == \"real\" && \$1 == \"self\" { print \$10 }"'
status 'a speed-up passes the gate, as shares' 0 fg-diff -n --fail-above 1% b.1 b.2 b.3 -- f.1 f.2 f.3

# Marks.
folded 'main;hot 10000' 'main;same 90000' 'main;wobble 5000' >k1
folded 'main;hot 12000' 'main;same 90000' 'main;wobble 5050' 'main;added;fresh 700' >k2
output '--mark-noise adds a noise column' '# columns: base head noise 0 0 0
# sides: file=k1 file=k2 0 0 0
# interval: 15 24 hot 0 0 0
main;added;fresh 0 700 0
main;hot 10000 12000 0
main;same 90000 90000 1
main;wobble 5000 5050 1' sh -c 'fg-diff --noise counts --mark-noise k1 k2 | sed "s/\(interval: [0-9]*\)[.0-9]* \([0-9]*\)[.0-9]*/\1 \2/"'
folded 'main;hot_[k] 10000' 'main;same 90000' 'main;wobble (a.c:3) 5000' >k3
fg-diff --no-header --noise counts --mark-noise k3 k2 >got
output 'marks disregard annotations' 'main;hot 10000 12000 0' grep hot got

# The gate.
gate() { fg-diff --noise counts "$@"; }
status 'gate: an increase above the limit fails' 1 gate --fail-above 1% k1 k2
status 'gate: an increase below the limit passes' 0 gate --fail-above 5% k1 k2
status 'gate: self time above its limit fails' 1 gate --fail-above self:1% k1 k2
status 'gate: decreases never fail' 0 gate --fail-above 0% k2 k1
status 'gate: noise never fails' 0 gate --fail-above 0% --only wobble$ --period 100 k1 k2
status 'gate: new code counts' 1 gate --fail-above 0.5% --only added k1 k2
status 'gate: --only leaves out the rest' 0 gate --fail-above 1% --only same k1 k2
status 'gate: the lower of two limits fails' 1 gate --fail-above 50% --fail-above self:1.5% k1 k2
status 'gate: shares' 0 sh -c 'sed "s/ \(.*\)/ \1\1/" k1 | fg-diff -n --fail-above 0% k1 - '
status 'gate: --fail-above without a number is a usage error' 2 fg-diff --fail-above x k1 k2
gate --fail-above 1% k1 k2 >out 2>err
fg-diff k1 k2 >want
same 'gate: stacks on stdout as ever' want out
grep -q '^FAIL: total of hot +1.90 % of base.s total, 1 % allowed\.$' err &&
	ok 'gate: report on stderr' || not_ok 'gate: report on stderr'
output 'gate: the reasons list each failed function once' 'also too slow: the profile total +2.62 % of base'\''s total, 1 % allowed
also too slow: total of main +2.62 % of base'\''s total, 1 % allowed' grep '^also too slow' err
gate --fail-above 1% --report=markdown k1 k2 2>&1 >/dev/null | grep -q '^| `hot`' &&
	ok 'gate: as Markdown' || not_ok 'gate: as Markdown'
output 'gate: silent with -q' '' sh -c 'fg-diff --noise counts -q --fail-above 5% k1 k2 2>&1 >/dev/null'

# The functions behind a failed gate: runs of a program whose caller and callee both grew.
for i in 1 2 3 4 5; do
	for f in a b c; do echo "main;work;$f $((1000 + i))"; done >w.$i
	for f in p q r s t u v; do echo "main;$f $((1000 + 3 * i % 7))"; done | tee -a w.$i >v.$i
	for f in a b c; do echo "main;work;$f $((1000 + $(printf %d "'$f") * 5 + i))"; done >>v.$i
done
fg-diff --fail-above 3% w.? -- v.? 2>&1 >/dev/null | head -1 >got
output 'FAIL: the reason has the function with the largest growth of its own' \
	'FAIL: total of work +14.65 % of base'\''s total, 3 % allowed, most of all by c itself, +4.93 %.' cat got

# Empty recordings.
: >none
answer() { fg-diff "$@" 2>&1 >/dev/null | head -1; }
output 'a side without anything' 'CANNOT TELL: head has nothing; check that the recording worked.' \
	sh -c 'fg-diff -q --report --fail-above 5% w.1 none 2>&1 >/dev/null | sed -n 2p'
status 'a gate cannot decide about a side without anything' 2 fg-diff -q --fail-above 5% w.1 none
output '--noise none: a base without samples has no verdict' 'CANNOT TELL: base has nothing; check that the recording worked.' \
	sh -c 'fg-diff -q --report --noise none --fail-above 5% none w.1 2>&1 >/dev/null | sed -n 2p'
status '--noise none: exit status 2 for a head without samples' 2 fg-diff -q --noise none --fail-above 5% w.1 none
status 'a report exits with 2 for a side without samples' 2 fg-diff -q --report -o report w.1 none
output 'an empty run of two leaves nothing to compare it with' \
	'CANNOT TELL: run none of base has a total of 0, another run '"$(awk '{ n += $NF } END { printf "%.4g", n }' w.1)"': check that the recording worked.' \
	sh -c 'fg-diff -q --report w.1 none -- w.2 | head -1'
status 'a gate with an empty run of two is exit status 2' 2 fg-diff -q --fail-above 5% w.1 none -- w.2
cat w.1 >w.7; cat w.2 >w.8
awk 'NR == 1 { print $1, 3 }' w.1 >crashed
output 'a crashed run of three is left out and named' \
	"fg-diff: crashed: left out: its total is 3, that of another run $(awk '{ n += $NF } END { printf "%.4g", n }' w.7)" \
	answer --report w.7 crashed w.1 -- w.1 w.7
status 'a crashed run of three: the gate still decides' 1 sh -c 'sed "s/ \([0-9]*\)$/ 9\1/" w.1 >x1; sed "s/ \([0-9]*\)$/ 9\1/" w.2 >x2; sed "s/ \([0-9]*\)$/ 9\1/" w.8 >x3
	fg-diff -q --fail-above 5% w.1 crashed w.2 w.7 -- x1 x2 x3'
status 'two crashed runs of three are unusable' 2 fg-diff -q --fail-above 5% w.7 crashed crashed -- w.1 w.2 w.8
status 'only crashed runs: exit status 2' 2 fg-diff -q --fail-above 5% w.7 w.1 w.2 -- crashed crashed crashed
printf '# unit: Ir 0\na 1000\nb 500\n' >ir1; printf '# unit: Ir 0\na 1010\nb 500\n' >ir2
output 'an exact unit whose runs differ is not exact' \
	'The values of Ir are exact, but runs of one side differ: they are compared like samples.' \
	sh -c 'fg-diff -q --report ir1 ir2 -- ir1 ir1 | grep exact'
# Without the line `# values:` frames of Valgrind show that each event was counted.
# valgrind FIND SEARCH: find or its replacement, of other names and paths for each number
valgrind() {
	printf '# unit: cycles 0\n0x%x_[l];_dl_start_[l] 700\n0x%x_[l];(below main)%s;main;load%d 2000\n' $1 $1 "$4" $1
	printf '0x%x_[l];(below main)%s;main;parse%d;%s%d %d\n' $1 "$4" $1 "$2" $1 "$3"
}
wrong=
for n in 11 22 33 44 55 66 77 88 99 111; do
	valgrind $n find 5882 '_[l]' >vb
	valgrind $n search 3434 '' >vh
	fg-diff -q --fail-above 3% vb vh >/dev/null 2>&1 || wrong="$wrong $n"
	fg-diff -q --fail-above 3% vh vb >/dev/null 2>&1 && wrong="$wrong $n"
done
check 'ten callees that were replaced, by callgrind: cheaper ones pass, dearer ones fail' test -z "$wrong"
output 'frames of Valgrind are exact' 'Noise: none, the values are exact and every change is real.' \
	sh -c 'fg-diff -q --report vb vh | grep ^Noise'
sed 's/(below main)/below_main/' vb >ub; sed 's/(below main)/below_main/' vh >uh
status 'no frame of Valgrind: nothing is known' 2 fg-diff -q --fail-above 3% ub uh
{ cat vb; echo 'other;f 20000'; } >vb2; { cat vh; echo 'other;f 20000'; } >vh2
status 'frames of Valgrind beside more of others: nothing is known' 2 fg-diff -q --fail-above 3% vb2 vh2

# Roots are compared as functions.
printf 'main (/a/x.py:1)_[p];f (/a/x.py:2)_[p] 5\n' >rb; printf 'main (/b/x.py:9)_[p];f (/b/x.py:10)_[p] 5\n' >rh
output 'roots in another checkout are common' '' sh -c 'fg-diff --no-header rb rh 2>&1 >/dev/null | grep roots'

printf ';0x1a; 5\nm;;0x2b 7\n' >bare
output '-s and frames without a name' ';0x...; 5 5
m;;0x... 7 7' sh -c 'fg-diff -s --no-header bare bare'

# The power of the gate.
answer() { fg-diff "$@" 2>&1 >/dev/null | head -1; }
folded 'm;x 1000' 'm;y 1000' >g1; folded 'm;x 9000' 'm;y 1000' >g2; folded 'm;x 1100' 'm;y 1000' >g3
status 'one run a side: nine times the cost fails' 1 fg-diff --fail-above 5% g1 g2
status 'one run a side: ten percent more passes' 0 fg-diff --fail-above 5% g1 g3
output 'one run a side: ten percent more is CANNOT TELL' 'CANNOT TELL: one run a side: a spread of 18 % between runs is assumed; only a growth to 2.6 times the cost of a large function can be detected; record 3 runs a side, and give the files, not their sum, about 5 to detect 5 %.' \
	answer --fail-above 5% g1 g3
status '--require-power: a gate that cannot decide is exit status 2' 2 fg-diff --require-power --fail-above 5% g1 g3
output '--require-power: the reason is printed with -q too' 'fg-diff: CANNOT TELL: one run a side: a spread of 18 % between runs is assumed; only a growth to 2.6 times the cost of a large function can be detected; record 3 runs a side, and give the files, not their sum, about 5 to detect 5 %' \
	answer -q --require-power --fail-above 5% g1 g3
status '--require-power without a gate' 2 fg-diff --require-power g1 g3
answer --fail-above 0.5% b.? -- b.1 b.2 b.3 | grep -q '^CANNOT TELL: minimum detectable change [0-9.]* % (of [a-z0-9]*, the largest function), --fail-above 0.5 %: record [0-9]* runs a side to detect it\.$' &&
	ok 'CANNOT TELL has the number of runs that would be enough' || not_ok 'CANNOT TELL has the number of runs that would be enough'
runs seen 8 <n5
answer --fail-above 20% seen.[1-4] -- seen.[5-8] | grep -q '^PASS: nothing grew by more than 20 % of base.s total; minimum detectable change [0-9.]* % (of [a-z0-9]*, the largest function)\.$' &&
	ok 'a gate that sees its threshold passes' || not_ok 'a gate that sees its threshold passes'
# A machine that is 30 % slower, and one function that is slower still.
shared=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "main;f$i ${i}000"; done)
echo "$shared" | runs even 5
echo "$shared" | awk '{ printf "%s %d\n", $1, $2 * 1.3 * ($1 == "main;f3" ? 1.5 : 1) }' | runs slow 5
fg-diff --report --top 1 even.? -- slow.? >got
grep -q '^Most functions changed together, by +[0-9.]* %, which is more than runs differ: .* Estimated from ' got &&
	grep -q '^change %: the change beyond what all functions share; ' got &&
	ok 'the report has the change that all functions share' || not_ok 'the report has the change that all functions share'
fg-diff --report=tsv even.? -- slow.? | awk -F'\t' '$1 == "self" && $10 == "f3"' >got
output 'a common change is subtracted from own_percent, not from whole_percent' 'yes yes' \
	awk -F'\t' '{ print ($11 > 1.4 && $11 < 2.5 ? "yes" : $11), ($6 > 3.2 && $6 < 4.1 ? "yes" : $6) }' got
fg-diff --top 1 --fail-above 5% even.? -- slow.? >/dev/null 2>got
fg-diff --fail-above 5% even.[1-3] -- slow.[1-3] 2>&1 >/dev/null | grep -q '^CANNOT TELL: the profile total grew by .*; 3 runs a side do not show whether the machine was slower' &&
	ok 'three runs a side do not fail by a common change, since machines have two speeds' ||
	not_ok 'three runs a side do not fail by a common change, since machines have two speeds'
output 'a slower profile total fails; the reason has the common change' 'FAIL: the profile total +32.60 % of base'"'"'s total, 5 % allowed; most functions changed together, by +30.1 %, and beyond that f3 itself, +1.91 %.' \
	head -1 got
output 'recordings of different lengths hint at -n' 1 \
	sh -c 'fg-diff --report g1 g2 | grep -c "compare shares (-n)"'

# Recordings ten times as long, with a function that grew by 6 % of the total: shares do not depend
# on length.
echo "$shared" | awk '{ printf "%s %d\n", $1, $2 * 10 * ($1 == "main;f7" ? 1.7 : 1) }' | runs long 3
status 'gate: shares of a longer head' 1 gate -n --fail-above 3% even.? -- long.?
status 'gate: shares of a shorter head' 0 gate -n --fail-above 3% long.? -- even.?
echo "$shared" | awk '{ printf "%s %d\n", $1, $2 * ($1 == "main;f9" ? 1.7 : 1) }' | runs short 3
status 'gate: shares of a shorter head that grew' 1 gate -n --fail-above 3% long.? -- short.?

# Cost that only moved, and renamed functions.
{ folded 'main;work;slow 12000' 'main;work;other 8000'; for i in 1 2 3 4 5 6; do folded "main;f$i 15000"; done; } >m1
{ folded 'main;work;slow 2000' 'main;work;other 8000' 'main;work;fresh 10000'; tail -6 m1; } >m2
runs ma 5 <m1; runs mb 5 <m2
status 'cost that moved does not fail' 0 fg-diff --fail-above 3% ma.? -- mb.?
output 'moved cost: the gate reports the caller' 'its caller work did not change: cost moved from slow' \
	sh -c 'fg-diff --fail-above 3% ma.? -- mb.? 2>&1 >/dev/null | sed -n "s/^moved: fresh +[0-9.]* %; //p"'
sed 's/fresh 10000/fresh 22000/' m2 | runs mc 5
status 'moved cost that grew fails' 1 fg-diff --fail-above 3% ma.? -- mc.?
sed 's/slow/slow2/' m1 | runs md 5
output 'a rename is a hint' 'Perhaps slow, now slow2 (same callers, similar cost).' \
	sh -c 'fg-diff --report ma.? -- md.? | grep Perhaps'
status 'renamed functions: no cost' 0 fg-diff --fail-above 1% ma.? -- md.?
sed 's/slow/slow.constprop.0.isra.1/' m1 | runs me 5
output 'copies that compilers make are one function' 'NO CHANGE: no function changed beyond noise.' \
	sh -c 'fg-diff --report ma.? -- me.? | head -1'
output 'a compiler'\''s copy of a function: the report lists it' 'slow.constprop.0.isra.1 counted with slow.' \
	sh -c 'fg-diff --report ma.? -- me.? | grep counted'
sed 's/slow/slow.3/' m1 | runs mf 5
output 'numbered functions with unique names match' 'NO CHANGE' sh -c 'fg-diff --report ma.? -- mf.? | head -1 | cut -d: -f1'

# --explain.
explains() { fg-diff --noise none --explain --report=tsv "$@" | awk -F '\t' '/^explains/ { print $10, $4 }'; }
folded 'main;a;b;c;cause 1000' 'main;x 5000' 'main;y;z 3000' 'main;a;b;other 500' >x1
folded 'main;a;b;c;cause 3000' 'main;x 5000' 'main;y;z 3010' 'main;a;b;other 500' >x2
output 'explain: one cause, deep below equal parents' 'cause 2000' explains x1 x2
folded 'main;a;b 1000' 'main;x;q 5000' 'main;y;z;w 3000' 'main;o 5000' >x3
folded 'main;a;b 2000' 'main;x;q 5800' 'main;y;z;w 4100' 'main;o 5010' >x4
output 'explain: three causes' 'w 1100
b 1000
q 800' explains x3 x4
awk 'BEGIN { for (i = 0; i < 30; i++) print "main;f" i ";g 100\nmain;f" i " 1000" }' >x5
sed '/;g /s/ 100$/ 150/' x5 >x6
output 'explain: one function below many' 'g 1500' explains x5 x6
sed '/;g /!s/ 1000$/ 1100/' x5 >x6
output 'explain: spread over all' 'main 3000' explains x5 x6
folded 'main;f;f;f 100' 'main;f;g 50' >x7
folded 'main;f;f;f 300' 'main;f;g 150' >x8
output 'explain: recursion counts once' 'f 200
g 100' explains x7 x8
folded 't1;a 1000' 't2;b 1000' 't3;c 1000' >x9
folded 't1;a 1500' 't2;b 800' 't3;c 1000' >x10
output 'explain: slower here, faster there, without a common root' 'a 500
b -200' explains x9 x10
output 'explain: no change' 'The profile total did not change.' sh -c 'fg-diff --explain x1 x1 | grep total.did'
status 'explain: not by module' 2 fg-diff --explain --by module x1 x2

# fg-diff on random profiles without a difference: 40 functions, 4000 samples.
perl -e 'srand 42; my @of = map { ($_) x (1000 / $_) } 1 .. 40;
	for my $file (0 .. 399) {
		my @count;
		$count[$of[rand @of]]++ for 1 .. 4000;
		open my $out, ">", "aa$file" or die;
		print $out map { $count[$_] ? "main;f$_ $count[$_]\n" : () } 1 .. 40;
	}'
alarms=0 file=0
while [ $file -lt 400 ]; do
	fg-diff -q --noise counts --confidence 0.95 --fail-above self:0% aa$file aa$((file + 1)) >out 2>&1
	case $? in 1) alarms=$((alarms + 1)) ;; 2) alarms=1000 ;; esac
	file=$((file + 2))
done
[ $alarms -le 10 ] && ok "200 equal pairs at 95 %: $alarms false alarms" ||
	not_ok "200 equal pairs at 95 %: $alarms false alarms"

# Names that differ between profilers or versions.
printf 'a;m.Map[go.shape.int_0] 5\na;fopen@@GLIBC_2.2.5 7\na;memmove.abi0 (m.s:3)_[l] 9\na;shop:%s-f/1-fun-0-%s/2 4\n' \' \' >old.folded
printf 'a;m.Map[...] 5\na;fopen 7\na;memmove (m.s:3) 9\na;shop:-f/1-fun-0-/2_[j] 4\n' >new.folded
output 'stacks match by the canonical names of both sides' '4 stacks, equal' \
    sh -c "fg-diff -q --no-header old.folded new.folded | awk '{ n++; differ += \$(NF) != \$(NF - 1) } END { print n \" stacks, \" (differ ? \"different\" : \"equal\") }'"

printf 'n;JS:*fib /a.js:1:2_[j] 3\nn;JS:~fib /a.js:1:2_[j] 2\nn;py::f:/a.py_[j] 4\nn;void a.B.c(int)_[j] 6\nn;void [m] a.B::d()[Tier0]_[j] 8\nn;RegExp:[a-z]_[j] 9\nn;int A$$Lambda$14/0x7f01.run(int)_[j] 2\n' >generated.old
printf 'n;fib_[j] 5\nn;f (/a.py)_[j] 4\nn;a.B.c_[j] 6\nn;a.B.d_[j] 8\nn;RegExp: [a-z]_[j] 9\nn;A$$Lambda$14/0x7f02.run_[j] 2\n' >generated.new
output 'names of generated code match' 'n;A$$Lambda$14/0x7f02.run_[j] 2 2
n;RegExp: [a-z]_[j] 9 9
n;a.B.c_[j] 6 6
n;a.B.d_[j] 8 8
n;f (/a.py)_[j] 4 4
n;fib_[j] 5 5' sh -c 'fg-diff -q --no-header generated.old generated.new | LC_ALL=C sort'

printf 'n;JS:*fib /a.js:1:2;x 3\nn;JS:~fib /a.js:1:2;x 2\n' >generated.old
printf 'n;JS:~fib /a.js:1:2;x 5\n' >generated.new
output 'names of generated code match without annotations' 'n;JS:~fib /a.js:1:2;x 5 5' \
	fg-diff -q --no-header generated.old generated.new

printf 'main;Node->insert (/a.php:3);php::max 3\nmain;php::PDO->query;T::operator->;a->b c 4\n' >xdebug.old
printf 'main;Node::insert (/a.php:3)_[p];max_[p] 3\nmain;PDO::query_[p];T::operator->;a->b c 4\n' >xdebug.new
output "Xdebug's names of PHP match those of others" 'main;Node::insert (/a.php:3)_[p];max_[p] 3 3
main;PDO::query_[p];T::operator->;a->b c 4 4' fg-diff -q --no-header xdebug.old xdebug.new

sed 's/_\[l\]//; /memmove/d' old.folded >old.plain
output 'stacks match by canonical names without annotations' 'a;fopen 7 7' sh -c "fg-diff -q --no-header old.plain new.folded | grep fopen"

# One run a side cannot show the spread of time in the kernel: preemption, interrupts, page faults.
for run in base head; do
	seq 30 | awk '{ print "main;f" $1, 100 }' >kernel.$run
	for i in 1 2 3; do
		seq 30 | awk -v i=$i '{ print "main;f" $1, 100 + ($1 * i) % 7 }' >kernel.$run.$i
	done
done
for file in kernel.head kernel.head.?; do
	printf 'main;touch;fault_[k];clear_page_[k] 900\nmain;own 900\nmain;module;vmlinux`copy 900\n' >>$file
done
real() { fg-diff -q --report=tsv "$@" | awk -F '\t' '$7 == "real" { print $1, $10 }' | sort | tr '\n' ' '; echo; }
output 'time in the kernel has no verdict from one run of each side' 'self own total own ' real kernel.base kernel.head
output 'time in the kernel has a verdict from three runs of each side' 'self clear_page self copy self own ' \
	sh -c 'fg-diff -q --report=tsv kernel.base.? -- kernel.head.? | awk -F "\t" "\$7 == \"real\" && \$1 == \"self\" { sub(/.*\`/, \"\", \$10); print \$1, \$10 }" | sort | tr "\n" " "; echo'
fg-diff -q kernel.base kernel.head >kernel.both
output 'fg-render has the same verdict' 1 sh -c 'fg-render -T markdown kernel.both | grep -c "own" | sed "s/[1-9].*/1/"'
check 'fg-render does not name clear_page as slower' sh -c '! fg-render -T markdown kernel.both | grep "beyond noise" | grep -q clear_page'

# A search for cost shifts that visits the callees of each frame takes many minutes here.
echo 'a;b 5000' >small
perl -e 'print join(";", ("f") x 400000), " 5000\n"' >deep
status 'a recursion of 400,000 frames is searched in linear time' 1 limited 120 fg-diff -q --report --fail-above 5% small deep
echo 'a;b 100' >one.folded
check 'the report counts one unchanged function in the singular' sh -c \
	'fg-diff --report=text one.folded one.folded | grep -q "^Changes are relative to 1 function that did not change, "'
done_testing
