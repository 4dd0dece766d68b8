#!/bin/sh
# fg-render is lossless: decoded as in the viewer, the data of the SVG equal the input.
# tier: quick
. "$(dirname "$0")/lib.sh"

# random.pl SEED COLUMNS N [TAILS]: random stacks in canonical order; with TAILS many end with one of
# that number of sequences of 2 to 9 names.
cat >random.pl <<'END'
my ($seed, $columns, $n, $tails) = @ARGV;
srand $seed;
my @name = ('a' .. 'f', "\xc3\xa9t\xc3\xa9", "\xf0\x9f\x99\x82one", "\xf0\x9f\x99\x83two", 'x]]>y', 'x]]>z',
    'std::map<int, char>', 'std::map<int, long>', 'f_[k]', 'l' x 200, 'l' x 150 . 'm', '"&<', '');
my @tail = map { my $k = $_; join ';', map { "t$k-$_" } 1 .. 2 + int rand 8 } 1 .. $tails // 0;
my %stack;
for (1 .. $n) {
	my $s = join ';', map { $name[int rand @name] } 0 .. int rand @tail ? 2 : 12;
	$s .= ";$tail[int rand @tail]" if @tail && rand() < 0.8;
	$stack{$s} = join ' ', map { int rand(10 ** int rand 12) + 1 } 1 .. $columns if $s ne '';
}
print "$_ $stack{$_}\n" for sort { my @a = split /;/, $a, -1; my @b = split /;/, $b, -1;
	while (@a && @b) { my $c = shift(@a) cmp shift(@b); return $c if $c } @a <=> @b } keys %stack;
END

for seed in 1 2 3; do
	perl random.pl $seed 1 3000 >in
	fg-render in >out.svg
	perl "$here/decode.pl" <out.svg >out
	same "the viewer's data are the input: one column, seed $seed" in out
	perl random.pl $seed 2 500 >in
	fg-render in >out.svg
	perl "$here/decode.pl" <out.svg >out
	same "two columns, seed $seed" in out
	perl random.pl $seed 4 500 >in
	fg-render --columns a,b,c,d in >out.svg
	perl "$here/decode.pl" <out.svg >out
	same "four columns, seed $seed" in out
done

# Runs of frames that equal earlier ones refer to those.
for columns in 1 2; do
	perl random.pl 4 $columns 2000 20 >in
	fg-render in >out.svg
	perl "$here/decode.pl" <out.svg >out
	same "equal runs of frames, columns: $columns" in out
	check "equal runs of frames are stored once, columns: $columns" \
		test "$(perl "$here/decode.pl" ids <out.svg | wc -c)" -lt \
		$(($(sed -n 's/.*"frames":\([0-9]*\).*/\1/p' out.svg) * 3 / 4))
done
perl -e 'for my $root ("a", "b") { for my $k (1 .. 3) { print join(";", $root, "x$k", 1 .. $k * 700), " $k\n" } }' >in
fg-render in | perl "$here/decode.pl" >out
same 'equal runs of thousands of frames' in out
printf 'a 1\na;b;c;d;e 2\nb;a 3\nb;a;b;c;d;e 4\nb;a;b;c;d;e;f 5\nc;b;c;d;e 6\n' >in
fg-render in | perl "$here/decode.pl" >out
same 'runs that begin and end at callers with self values' in out
fg-render --total 30 in >out.svg
perl "$here/decode.pl" <out.svg >out
same '--total adds no frames' in out

# A stored prefix has at most 91 UTF-16 units, and ends between characters.
perl -e 'for my $n (1 .. 100) { for my $c ("\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x99\x82") {
	print "p" x $n, "$c$_ 1\n" for "a", "b" } }' | LC_ALL=C sort >in
fg-render in | perl "$here/decode.pl" >out
same 'prefixes of 1 to 100 letters before characters of 2 to 4 bytes' in out

printf 'a;b 0.5\na;c 1.25\nd 9007199254740992\n' >in
fg-render in | sed 's/"scale":100/"scale":1/' | perl "$here/decode.pl" >out
printf 'a;b 50\na;c 125\nd 900719925474099200\n' >want
same 'fractions and large values' want out

fg-render --flamechart - <<'END' | perl "$here/decode.pl" >out
m;p 3
m 2
m;p 1
m;p 2
END
printf 'm;p 3\nm; 2\nm;p 3\n' >want
same 'a flame chart merges neighbours only' want out

fg-render --base main - <<'END' | perl "$here/decode.pl" >out
start;main_[i];a 1
start;main;b;main;c 2
other 4
END
printf 'main;c 2\nmain_[i];a 1\n' >want
same '--base begins at the frame nearest to the leaf' want out

printf 'b;x 1\na;y 2\nb;a 3\n' | fg-render --no-sort | perl "$here/decode.pl" >out
printf 'b;x 1\nb;a 3\na;y 2\n' >want
same '--no-sort keeps the order' want out

printf 'a;b;c 1\nb;c 2\n' | fg-render --reverse | perl "$here/decode.pl" >out
printf 'c;b 2\nc;b;a 1\n' >want
same '--reverse' want out

# Long data are split into several elements, since libxml2 would reject one of that length.
perl -MDigest::MD5=md5_base64 -e 'print "N", (map { md5_base64($_) } 1 .. 480_000), ";a 1\nr 1\n"' >in
fg-render in >out.svg
check 'a name of 10 MB that does not compress is split' test "$(grep -c '^<metadata data-of="names">' out.svg)" -ge 2
if command -v xmllint >/dev/null; then
	check 'libxml2 reads a name of 10 MB' xmllint --noout out.svg
else
	skip 'libxml2 reads a name of 10 MB' 'xmllint is not installed' libxml2-utils
fi
perl "$here/decode.pl" <out.svg >out
check 'large data split into elements: the input is restored' cmp in out

# The change of a frame: mark, base and head, and the other stack's values; exact ones, so that
# no change is noise.
while IFS='|' read -r mark base head rest; do
	printf '# compared: runs=3,3\n# columns: base head 0 0\nx %s %s\ny %s\n' "$base" "$head" "$rest" |
		fg-render -T flame --width 1000 >out
	for m in ▲ ▼ + −; do
		grep -qF "$m x" out && echo $m
	done >got
	output "$base and $head beside $rest: ${mark:-same}" "$mark" cat got
done <<END
$(sed '/^#/d' "$here/data/cases/change.txt")
END
printf '# columns: calls bytes 0 0\na 1 200\nb 3 4\n' >calls.folded
check 'two columns other than base and head: no differential' \
	sh -c 'fg-render -o calls.svg calls.folded && grep -q "^\"mode\":\"function\"" calls.svg'
check 'two columns other than base and head: --colors differential' \
	sh -c 'fg-render --colors differential -o asked.svg calls.folded && grep -q "^\"mode\":\"differential\"" asked.svg'
done_testing
