#!/bin/sh
# fg-merge: sums, order, prefixes, columns, scaling, errors.
# tier: quick
. "$(dirname "$0")/lib.sh"

lines() {
	printf '%s\n' "$@"
}

lines 'a;b 1' 'a;b;c 2' 'a;b2 3' >one
lines 'a;b;c 5' 'z 1' 'a 7' >two
lines 'a 7' 'a;b 1' 'a;b;c 7' 'a;b2 3' 'z 1' >both

# Plain
fg-merge one two >got
same "equal stacks are added up" both got
cat one two | fg-merge >got
same "fg-merge - reads standard input" both got
fg-merge - two <one >got
same "- is standard input" both got
output "frames are sorted as frames, not as text" 'a;b 1
a;b;c 2
a;b.x 3
a;b2 3' sh -c "printf 'a;b2 3\na;b.x 3\na;b;c 2\na;b 1\n' | fg-merge"
output "a prefix comes first, an empty frame before others" 'a 1
a; 2
a;;b 3
a;b 4' sh -c "printf 'a;b 4\na;;b 3\na; 2\na 1\n' | fg-merge"
output "fractions are exact" 'a 0.3
b 1000000000000000000000000.000000001' sh -c "printf 'a 0.1\nb 1e24\na .2\nb 0.000000001\n' | fg-merge -q"
output "a value of 0 keeps its stack" 'a 0' sh -c "echo 'a 0' | fg-merge"
output "carriage returns, comments, blank lines, no last newline" 'a;b 3' \
	sh -c "printf '# hello\r\n\r\na;b 1\r\n\na;b 2' | fg-merge"
output "bytes that are no UTF-8 pass" "$(printf 'a\377;\200b 2')" \
	sh -c "printf 'a\377;\200b 1\na\377;\200b 1\n' | fg-merge"
awk 'BEGIN { for (i = 1; i <= 5000; i++) printf "%sframe_%d", (i > 1 ? ";" : ""), i; print " 1" }' >deep
awk '{ $2 = 2; print }' deep >deep2
fg-merge deep deep >got
same "fg-merge keeps a stack of 5,000 frames" deep2 got
fg-merge -m deep deep >got
same "5,000 frames, sorted" deep2 got

# Any grouping of the inputs gives the same output: generated input, with names that are hard to
# sort.
generate() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		n = split("a b foo foo2 foo.x foo+ x~ main", name, " ")
		for (i = 0; i < 400; i++) {
			stack = ""
			for (d = int(rand() * 6); d >= 0; d--)
				stack = stack (stack == "" ? "" : ";") name[1 + int(rand() * n)]
			print stack, int(rand() * 1000) + int(rand() * 4) / 4
		}
	}'
}
for seed in 1 2 3 4 5; do
	generate $seed >a
	generate 1$seed >b
	generate 2$seed >c
	fg-merge a b c >abc
	fg-merge b c | fg-merge a - >bc
	fg-merge a b | fg-merge - c >ab
	fg-merge c b a >cba
	cat c a b | sort -r | fg-merge >mixed
	same "seed $seed: merge(a, merge(b, c)) = merge(a, b, c)" abc bc
	same "seed $seed: merge(merge(a, b), c) = merge(a, b, c)" abc ab
	same "seed $seed: merge(c, b, a) = merge(a, b, c)" abc cba
	same "seed $seed: in any order of lines" abc mixed
	fg-merge abc >again
	same "seed $seed: the result is its own merge" abc again
	awk '{ sum[$1] += $2 } END { for (s in sum) printf "%s %.10g\n", s, sum[s] }' a b c | sort >awk
	sort abc >lines
	same "seed $seed: sums as awk has them" awk lines
	for f in a b c; do fg-merge $f >$f.sorted; done
	fg-merge -m a.sorted b.sorted c.sorted >got
	same "seed $seed: sorted" abc got
	fg-merge --sorted a.sorted >got
	same "seed $seed: sorted, one file" a.sorted got
	fg-merge --prefix --mean --weight a.sorted=2.5 a.sorted b.sorted c.sorted >plain
	fg-merge -m --prefix --mean --weight a.sorted=2.5 a.sorted b.sorted c.sorted >got
	same "seed $seed: sorted, scaled and with prefixes" plain got
	fg-merge --normalize a.sorted b.sorted c.sorted >plain
	fg-merge --normalize -m a.sorted b.sorted c.sorted >got
	same "seed $seed: sorted, normalized" plain got
done

# --sorted
lines 'a 1' 'a;b 1' 'a;b 2' 'c 1' >twice
output "sorted: equal neighbours are allowed" 'a 1
a;b 3
c 1' fg-merge -m twice
lines '# a comment' 'b 1' 'c 1' 'a 1' >unsorted
status "sorted: an input out of order is an error" 2 fg-merge -m one unsorted
fg-merge -m one unsorted 2>errors
output "sorted: which names file and line" \
	'fg-merge: unsorted:4: not in canonical order, which --sorted needs; for the order of sort(1) use --sorted-lines' cat errors
lines 'a;b 1' 'a.x 1' 'a 1' >text
status "sorted: the order is that of frames" 2 fg-merge -m text
fg-merge -m -o kept unsorted 2>errors
status "sorted: on an error no output file is left" 1 test -e kept
mkdir many
awk 'BEGIN {
	for (i = 0; i < 1000; i++) {
		file = sprintf("many/%04d", i)
		printf "all;f%02d 1\nall;g%04d %d\n", i % 100, i, i > file
		close(file)
	}
}'
fg-merge many/* >want
fg-merge -m many/* >got
same "sorted: 1,000 files" want got
sh -c 'ulimit -n 24; exec fg-merge -m many/*' >got 2>errors
same "sorted: 1,000 files with 24 descriptors" want got
for n in 64 65 66 127 128; do
	ls many/* | head -$n | xargs fg-merge >want
	ls many/* | head -$n | xargs fg-merge -m >got
	same "sorted: $n files" want got
done
mkdir temporary
ls many/* | TMPDIR=$tmp/temporary xargs fg-merge -m >got
output "sorted: no temporary file is left" '' ls temporary
ls many/* | TMPDIR=/nonexistent xargs fg-merge -m >got 2>errors
check "sorted: no place for temporary files" grep -q '/nonexistent.*No such file' errors
mkfifo fifo
cat both >fifo &
fg-merge -m fifo one >got
fg-merge both one >want
same "sorted: a FIFO" want got

# Input in line order, as sort(1) writes it
lines 'cc1;x 3' 'cc;x 1' 'cc;x 2' 'foo 10' 'foo 5x 1' 'foo 7' 'foo 8' 'foo;a 1' 'foo2;b 1' 'foo2;b;c 1' 'foo2;b2 1' >out
LC_ALL=C sort out >lined
fg-merge lined >want
fg-merge --sorted-lines lined >got
same "the order of lines" want got
cat lined | fg-merge --sorted-lines >got
same "the order of lines, from a pipe" want got
gzip -c lined | fg-merge --sorted-lines - >got
same "--sorted-lines: compressed input" want got
fg-merge --sorted-lines <lined >got
same "the order of lines, standard input" want got
for seed in 1 2 3; do
	for k in 1 2 3 4; do
		awk -v seed="$seed$k" 'BEGIN {
			srand(seed)
			n = split("a a2 a22 a:b a.c b b! b- c cc1 cc c%d x~ x", name, " ")
			print "# columns: p q 0 0"
			print "# unit: ns 0 0"
			for (i = 0; i < 300; i++) {
				stack = ""
				for (d = int(rand() * 5); d >= 0; d--)
					stack = stack (stack == "" ? "" : ";") name[1 + int(rand() * n)] (rand() < .1 ? " 7" : "")
				printf "%s %d %.1f\n", stack, rand() * 1000, rand() * 9
			}
		}' | LC_ALL=C sort >lined$k
	done
	for o in '' '--prefix=base' '--mean' '--normalize' '--weight lined2=2.5 --column q'; do
		fg-merge $o lined1 lined2 lined3 lined4 >want
		fg-merge --sorted-lines $o lined1 lined2 lined3 lined4 >got
		same "seed $seed: the order of lines $o" want got
	done
	fg-merge -q lined1 lined1 lined2 >want
	cat lined2 | fg-merge --sorted-lines lined1 - lined1 >got
	same "seed $seed: with a pipe between" want got
done
mkdir lined.d
perl -e 'my @lines = <STDIN>;
	for my $n (1 .. 150) {
		open my $out, ">", "lined.d/$n" or die;
		print $out @lines[0, 1], sort map { s/^[^ ;]*\K/$n/r } @lines[2 .. $#lines];
	}' <lined3
fg-merge lined.d/* >want
fg-merge --sorted-lines lined.d/* >got
same "the order of lines, 150 files" want got
sh -c 'ulimit -n 32; exec fg-merge --sorted-lines lined.d/*' >got 2>errors
same "--sorted-lines: 150 files with 32 descriptors" want got
awk 'BEGIN { for (i = 0; i < 50000; i++) print "cc;f" i " 1\ncc1;f" i " 1"; print "c;x 1\nc ;x 1" }' | LC_ALL=C sort >lined
fg-merge lined >want
fg-merge --sorted-lines lined >got
same "--sorted-lines: half of the stacks move in canonical order" want got
status "the order of lines: no order" 2 fg-merge --sorted-lines unsorted
fg-merge --sorted-lines unsorted 2>errors
check "--sorted-lines: unsorted input: the message has file and line" grep -q '^fg-merge: unsorted:4: not in the order of LC_ALL=C sort' errors
fg-merge -m lined1 >got 2>errors
check "--sorted names --sorted-lines" grep -q -- --sorted-lines errors
lines 'a;x 1' 'bad' 'c;x 1' >bad
fg-merge --sorted-lines bad >got 2>errors
lines 'fg-merge: bad:2: no value at the end of the line; left out' >want
same "--sorted-lines: a malformed line is reported once" want errors
fg-merge --sorted-lines - <bad >got 2>errors
sed -i 's/bad:/stdin:/' want
same "--sorted-lines: a malformed line of a pipe is reported once" want errors
status "the order of lines: nothing" 2 fg-merge --sorted-lines /dev/null
status "the order of lines: nothing is allowed" 0 fg-merge --sorted-lines --allow-empty /dev/null

# Many unsorted stacks: fg-filter, which sorts with another algorithm, gives the same output
perl -e 'srand(9); for $i (1 .. 20000) { print join(";", map { join "", map { chr(int(rand(255)) + 1) } 1 .. rand(4) } 1 .. 1 + rand(5)) =~ tr/\0-\x1f\x7f #//dr, "x$i" x rand(2), " ", int(rand(100)), "\n" }' >bytes
perl -e 'srand(8); $long = "frame" x 1000; for $i (map { $_ * 7919 % 2000 } 1 .. 1999) { print "$long;", "y" x ($i % 7), ";$long$i", $i % 3 ? "" : ";z", " $i.5\n" }' >longer
perl -e 'for $i (map { $_ * 7919 % 50000 } 1 .. 49999) { print "main;f", $i % 100, ";g$i 1\n" }' >mixed
for f in bytes longer mixed; do
	fg-merge -q $f >got 2>/dev/null
	fg-filter -q $f >want 2>/dev/null
	same "stacks in no order: $f" want got
	check "stacks in no order: the input has more than 1,900" test "$(wc -l <got)" -gt 1900
	fg-merge -q $f $f 2>/dev/null | sed 's/ [0-9.]*$//' >got
	sed 's/ [0-9.]*$//' want >stacks
	same "stacks in no order: two copies have the same stacks" stacks got
done

# Prefix
output "fg-merge --prefix puts the file name at the root" 'one;a;b 1
one;a;b;c 2
one;a;b2 3
two;a 7
two;a;b;c 5
two;z 1' fg-merge --prefix two one
output "fg-merge --prefix NAME=file puts NAME at the root" 'base;a;b 1
base;a;b;c 2
base;a;b2 3
two;a 7
two;a;b;c 5
two;z 1' fg-merge --prefix base=one two
fg-merge --prefix base=one two >want
fg-merge --prefix=base=one two >got
same "fg-merge --prefix=NAME=file is --prefix NAME=file" want got
output "--prefix: standard input" 'stdin;a 1' sh -c "echo 'a 1' | fg-merge --prefix"
cp one 'x=y'
output "--prefix: a file with = in its name" './x=y;a;b 1
./x=y;a;b;c 2
./x=y;a;b2 3' fg-merge --prefix './x=y'
output "--prefix: a name stays one frame" 'p:q r;a;b 1
p:q r;a;b;c 2
p:q r;a;b2 3' fg-merge --prefix "$(printf 'p;q\tr')=one"
output "--prefix: a name does not become a comment" '#x;a;b 1
#x;a;b;c 2
#x;a;b2 3' fg-merge --prefix '# x=one'
lines 'a 7' 'a;b;c 5' 'z 1' >two.sorted
fg-merge --prefix base=one head=two.sorted >want
fg-merge -m --prefix head=two.sorted base=one >got
same "--prefix with --sorted" want got

mkdir 'dir.d'
cp one dir.d/host.a.folded
gzip -c one >dir.d/b.folded.gz
cp one dir.d/.hidden
cp one dir.d/plain
output "fg-merge --prefix=base omits directory and suffix" '.hidden;a;b 1
.hidden;a;b;c 2
.hidden;a;b2 3
b;a;b 1
b;a;b;c 2
b;a;b2 3
host.a;a;b 1
host.a;a;b;c 2
host.a;a;b2 3
plain;a;b 1
plain;a;b;c 2
plain;a;b2 3' fg-merge --prefix=base dir.d/host.a.folded dir.d/b.folded.gz dir.d/.hidden dir.d/plain
output "--prefix=base: NAME=FILE is a stack below NAME" 'x.y;z 1' sh -c "echo 'z 1' >z.z; fg-merge --prefix=base x.y=z.z"
output "--prefix=base: stacks of standard input are below stdin" 'stdin;a 1' sh -c "echo 'a 1' | fg-merge --prefix=base"

# Lists of files
printf 'one\0two\0' >list
fg-merge --files0-from list >got
same "fg-merge --files0-from reads the names from a list" both got
printf 'one\0two' | fg-merge --files0-from - >got
same "--files0-from standard input, without the last NUL" both got
find many -type f -print0 | fg-merge -m --files0-from=- >got
fg-merge many/* >want
same "--files0-from of 3,000 files" want got
printf 'one\0x=two\0' | fg-merge --prefix=base --files0-from=- >got
fg-merge --prefix one x=two >want
same "--files0-from with --prefix" want got
status "--files0-from with files" 2 fg-merge --files0-from list one
status "--files0-from with an empty name" 2 sh -c "printf 'one\\0\\0two\\0' | fg-merge --files0-from=-"
status "--files0-from standard input that names itself" 2 sh -c "printf -- '-\\0' | fg-merge --files0-from=-"
status "--files0-from of nothing" 2 fg-merge --files0-from /dev/null
status "--files0-from of nothing, sorted" 2 fg-merge -m --files0-from /dev/null
status "--files0-from that is not there" 2 fg-merge --files0-from nothing
status "--files0-from with a missing file in the list" 2 sh -c "printf 'nothing' | fg-merge --files0-from=-"

# Columns
lines '# columns: base head' 'a 1 2' 'b 3 4' >pairs
output "columns are added one by one" '# columns: base head 0 0
a 2 4
b 6 8' fg-merge pairs pairs
output "fg-merge sums each column of sorted inputs" '# columns: base head 0 0
a 2 4
b 6 8' fg-merge -m pairs pairs
output "fg-merge --no-header omits the header lines" 'a 1 2
b 3 4' fg-merge --no-header pairs
output "--column by name" 'a 2
b 4' fg-merge --column head pairs
output "--column by number, sorted" 'a 1
b 3' fg-merge -m --column 1 pairs
output "--columns for a file without a header" '# columns: base head 0 0
a 1 2
b 3 4' sh -c 'fg-merge --no-header pairs | fg-merge --columns base,head'
output "without a header a line has one value" 'a 1 2
b 3 4' sh -c 'fg-merge --no-header pairs | fg-merge'
mkdir pairs.d
for n in $(seq 130); do
	printf '# columns: base head\n# unit: ns\na %d 2\nf%d 1 0\n' $n $n >pairs.d/$n
done
fg-merge pairs.d/* >want
fg-merge -m pairs.d/* >got
same "columns of more than 64 files, sorted" want got
lines '# columns: base tail' 'a 1 2' >other
status "different columns are an error" 2 fg-merge pairs other
status "different columns are an error with -m" 2 fg-merge -m pairs other
status "a column that is not there" 2 fg-merge --column third pairs
fg-merge --normalize pairs pairs >got
fg-merge pairs pairs >want
same "--normalize, column by column" want got

# Scaling
lines 'a 1' 'b 2' >small
lines 'a 3' 'c 9' >large
output "fg-merge --mean divides by the number of inputs" 'a 2
b 1
c 4.5' fg-merge --mean small large
output "--mean rounds half up in the ninth place" 'a 0.333333333
b 0.666666667' fg-merge --mean small /dev/null /dev/null
output "--normalize: equal totals, the same sum" 'a 4.375
b 5
c 5.625' fg-merge --normalize small large
fg-merge --normalize small large | awk '{ s += $2 } END { print s }' >got
lines 15 >want
same "--normalize keeps the sum of all totals" want got
output "fg-merge --weight multiplies an input" 'a 5.5
b 5
c 9' fg-merge --weight small=2.5 small large
output "--weight by name" 'x;a 0.1
x;b 0.2
y;a 3
y;c 9' fg-merge --prefix --weight x=.1 x=small y=large
output "--weight with --mean is the weighted mean" 'a 1.666666667
b 1.333333333
c 3' fg-merge --mean --weight small=2 small large
fg-merge --mean small small large >want
fg-merge --mean small small >mean2
fg-merge --mean --weight mean2=2 mean2 large >got
same "means of groups have the mean of all files" want got
lines 'a 123456789012345678901234' 'b 1' >huge
lines 'c 1' 'd 6' >seven
output "products of more than 128 bits" 'a 61728394506172839450620.5
b 0.5
c 8818342072310405635803
d 52910052433862433814818' fg-merge --normalize huge seven
status "--normalize with --sorted reads no pipe" 2 sh -c 'fg-merge -m --normalize - small <large'
status "--weight of no input" 2 fg-merge --weight nothing=2 small
status "--weight twice for a file" 2 fg-merge --weight small=2 --weight small=3 small
status "--weight twice, by file and by name" 2 fg-merge --prefix --weight small=2 --weight x=3 x=small
status "--weight of 0" 2 fg-merge --weight small=0 small
status "--weight without a number" 2 fg-merge --weight small small

# Errors
if "$UNIT/collide" 200000 >prepared; then
	awk 'BEGIN { for (i = 0; i < 1500; i++) print "plain;frame" i, 1 }' >plain # the head has no control bytes
	cat plain prepared | limited 300 fg-merge | grep -av '^plain;' | sort >got
	sort prepared >want
	same "200,000 names prepared to collide" want got
else
	skip "names prepared to collide" "this is another XXH3"
fi
lines 'a;a 1' 'no value' 'b x' 'b;b 2' 'c;c 3' >bad
output "malformed lines are left out" 'a;a 1
b;b 2
c;c 3' fg-merge bad
fg-merge bad 2>errors >got
check "malformed lines: the first is reported" grep -q '^fg-merge: bad:2: ' errors
status "--strict" 2 fg-merge --strict bad
status "empty input" 2 fg-merge /dev/null
status "an empty file among others" 0 fg-merge /dev/null one
lines '# columns: x y 0 0' '# unit: ns 0 0' >header
for m in '' -m '--normalize' '-m --normalize' '-m --weight header=2' '--mean'; do
	output "--allow-empty: nothing comes of nothing $m" '' fg-merge $m --allow-empty header header
	status "--allow-empty: exit status 0 $m" 0 fg-merge $m --allow-empty header header
	status "no stacks without --allow-empty: exit status 2 $m" 2 fg-merge $m header header
done
status "--allow-empty with --column: inputs without stacks are exit status 0" 0 fg-merge --allow-empty --column x header
status "--allow-empty with an empty --files0-from is exit status 0" 0 fg-merge -m --allow-empty --files0-from /dev/null
output "--allow-empty keeps the stacks of an input that has some" 'a 1' sh -c "echo 'a 1' | fg-merge --allow-empty - header"
lines 'garbage' >garbage
status "--allow-empty: garbage is not nothing" 2 fg-merge --allow-empty garbage
status "sorted: empty input" 2 fg-merge -m /dev/null
status "a file that is not there" 2 fg-merge nothing one
status "an unknown option" 2 fg-merge --nothing one
status "a sum too large" 2 sh -c "printf 'a 3e29\na 3e29\n' | fg-merge -q"
if [ -e /dev/full ]; then
	status "a full disk" 2 sh -c 'fg-merge one >/dev/full'
	status "a full disk, sorted" 2 sh -c 'fg-merge -m one >/dev/full'
fi
perl -e 'srand 1; print pack "C*", map { rand 256 } 1 .. 300000' >junk
status "binary junk is refused" 2 sh -c 'fg-merge -q junk one 2>errors >got'
awk 'BEGIN { for (i = 0; i < 2000; i++) print "main;frame" i, 1 }' | cat - junk >junk2
status "binary junk after stacks does not crash fg-merge" 0 sh -c 'fg-merge -q junk2 2>errors >got'
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "0123456789"; print " 1" }' >long
fg-merge long >got
same "a line of 10 MB" long got
fg-merge -o out one && fg-merge one >want
same "fg-merge -o writes the same bytes as standard output" want out
fg-merge -o one one two
same "-o onto an input" both one

# The GNU parallel example of the manual, on pieces of a larger file
perf_script 40000 >perf.txt
manual=$here/../man/fg-merge.1
sed -n 's/^\.Dl \$ \(parallel .*\)/\1/p' "$manual" | sed 's/\\&//g; s/\\e/\\/g' >example
check "the manual has the example" test -s example
if command -v parallel >/dev/null; then
	fg-collapse -q -e cycles perf.txt >want
	PARALLEL_HOME=$tmp HOME=$tmp sh ./example >got 2>errors </dev/null
	same "GNU parallel: the same bytes as one run" want got
else
	skip "GNU parallel: the same bytes as one run" "GNU parallel is not installed" parallel
fi

# Reducers of Hadoop and Spark: lines distributed over four parts; one part is empty.
generate 9 >a
fg-merge a >want
awk '{ print >("part" (NR * 7 % 5 % 4)) }' a
: >part4
for i in 0 1 2 3 4; do fg-merge --allow-empty <part$i >reduced$i; done
cat reduced? | fg-merge >got
same "reducers in any partition, and a last one" want got

for how in 'fg-merge' 'fg-merge -m' 'fg-filter' 'fg-render -T top'; do
	: >void
	printf 'a;b 1\n' >good
	$how void good >out 2>said
	check "$how: a message for an empty file beside others" grep -q ': void: the file is empty' said
done
check 'fg-merge --allow-empty: no message for an empty file' sh -c 'fg-merge --allow-empty void good 2>&1 | grep -c empty | grep -qx 0'
# Files by their labels
printf '# label: host=a start=2026-11-23T10:00:00Z version=1 0\nm;f 1\n' >day1
printf '# label: host=b start=2026-11-24T10:00:00Z version=2 0\nm;f 2\n' >day2
printf '# label: host=a 0\nm;f 4\n' >undated
printf 'day1\0day2\0undated\0' >list
output '--group-by with two keys adds two frames' 'host=a;version=1;m;f 1
host=a;version=[unknown];m;f 4
host=b;version=2;m;f 2' fg-merge --no-labels --group-by host,version day1 day2 undated
output '--group-by with two keys, as a stream' 'host=a;version=1;m;f 1
host=a;version=[unknown];m;f 4
host=b;version=2;m;f 2' fg-merge -m --no-labels --group-by host,version undated day2 day1
fg-merge --group-by host,hots day1 day2 >got 2>said
check '--group-by reports a key that no file has' grep -q 'no file has the label hots' said
fg-merge --group-by host,version -o 'v.%V' day1 day2 undated
output '--group-by with two keys and %V writes a file for each pair' 'v.a,1
v.a,[unknown]
v.b,2' sh -c 'ls v.*'
status '--group-by with an empty key is wrong usage' 2 fg-merge --group-by host, day1
while IFS='|' read -r o want; do
	for p in 'fg-merge --no-labels' 'fg-filter --no-labels'; do
		output "$p $o" "m;f $want" sh -c "$p -q $o day1 day2 undated"
		[ "$p" = "${p#fg-filter}" ] ||
			output "$p $o --files0-from" "m;f $want" sh -c "$p -q $o --files0-from list"
	done
	fg-diff -q $o --no-header day1 day2 undated -- day2 undated day1 >got
	check "fg-diff $o selects the same files" grep -q '^m;f ' got
done <<'END'
--recorded-since=2026-11-24|2
--recorded-since=2026-11-23T10:00:00Z|3
--recorded-since=@1795485600|2
--recorded-before=2026-11-24|1
--recorded-since=2026-11-23T10:00 --recorded-before=2026-11-23T10:01|1
--focus-label=host=a|5
--focus-label=host=a --recorded-before=2027-01-01|1
--focus-label=!host=a|2
END
for p in fg-merge fg-filter; do
	$p --recorded-since 2026-01-01 day1 undated >got 2>said
	check "$p counts files without a time" grep -q '1 file has no single label start' said
done
status 'no file with that label is exit status 2' 2 fg-merge --focus-label host=z day1
status 'an impossible day is wrong usage' 2 fg-merge --recorded-since 2026-02-30 day1
status 'standard input cannot be selected' 2 sh -c 'fg-merge --recorded-since 2026-02-03 - <day1'
fg-diff --files0-from list --files0-from list >got
fg-diff day1 day2 undated -- day1 day2 undated >want
same 'fg-diff --files0-from twice: base and head' want got
status 'fg-diff --files0-from once is wrong usage' 2 fg-diff --files0-from list
status 'fg-diff --files0-from with files is wrong usage' 2 fg-diff --files0-from list --files0-from list day1
printf '' >none
status 'fg-filter --files0-from of nothing' 2 fg-filter --files0-from none
output 'fg-diff --group-by with two keys compares pairs of values' 'host=a;version=1;m;f 1 1' \
	sh -c 'fg-diff -q --no-header --group-by host,version day1 day2 -- day1 undated'

# Files in order are read side by side, until one is not in order.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "a;f%04d;x%d %d\n", i, i % 7, i + 1 }' >rising
awk 'BEGIN { for (i = 0; i < 3000; i += 3) printf "a;f%04d;x%d %d\n", i, i % 5, i + 1 }' >thirds
{ cat thirds; echo 'a;f0003 2'; echo 'z 1.5'; echo 'a 1'; } >late
tac rising >falling
: >nothing
for files in 'rising thirds' 'late rising' 'rising late' 'late late' 'falling rising late' 'rising nothing thirds' 'late falling'; do
	fg-merge $files >got
	cat $files | fg-merge >want
	cmp -s got want || echo "$files"
	for f in $files; do sed "s/^/$f;/; s/ *$//" $f; done | fg-merge >want
	fg-merge --prefix $files >got
	cmp -s got want || echo "--prefix $files"
done >wrong
same 'several files in any order give the same as their lines together' /dev/null wrong

done_testing
