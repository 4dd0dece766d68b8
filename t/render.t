#!/bin/sh
# fg-render: the SVG, byte for byte; t/data/render-X.svg is the expected output of each case.
# tier: quick
. "$(dirname "$0")/lib.sh"
data=$here/data

# The SVG without its styles, script and compressed columns, which have tests of their own.
picture() {
	fg-render "$@" | sed -e '/^<style>/,/<\/style>$/d' -e '/^<script>/,/<\/script>$/d' \
	    -e '/^<metadata data-of/d'
}

draws() {
	name=$1 case=$2
	shift 2
	picture "$@" >"$case.svg"
	same "$name" "$data/render-$case.svg" "$case.svg"
}

cat >plain <<'END'
main;parse;read 5
main;parse 10
main;exec;std::vector<int, std::allocator<int> >::push_back(int const&) 40
main;exec;std::vector<int, std::allocator<int> >::push_back(int const&);malloc 4.5
main;exec 2
idle 1
END
cat >annotated <<'END'
app;main;write_[l];sys_write_[k];vfs_write_[k] 30
app;main;util`helper_[i] 10
app;[unknown] 5
app;main;run (src/main.c:12)_[j] 15
END
printf '%s\n' '# columns: base head' '# compared: exact' 'a;gone 10 0' 'a;new 0 20' 'a;slow 10 30' 'a;fast 30 10' \
	'a;same 100 101' >two
printf '# columns: base head noise\n%s\n' 'a;x 10 20 1' 'a;y 10 30 0' >noisy
printf '# columns: instruction cache memory system\n%s\n' 'a;i 9 1 0 0' 'a;c 1 9 1 0' 'a;m 0 1 9 1' \
	'a;s 0 0 1 9' >four
printf '%s\n' 'm;p 3' 'm 2' 'm;p 1' 'm;p 2' 'm;x;y 4' 'm;x 1' 'm;x;y 2' 'idle 3' >intime

fg-render --no-javascript annotated >whole.svg
same 'the complete static SVG' "$data/render-whole.svg" whole.svg
draws 'frames and options' plain plain
draws 'origin' annotated annotated
draws 'differential with two columns' two two
draws 'the noise column' noisy noisy
draws 'bottleneck with four columns' four four
draws 'a flame chart keeps time' intime --flamechart intime
draws 'icicle of callers' reverse --inverted --reverse plain
draws 'java palette' java --colors java annotated

# The result does not depend on the line order, nor on whether input is a file or a pipe.
fg-render plain >1.svg
sort -r plain | fg-render >2.svg
same 'any order of lines gives the same bytes' 1.svg 2.svg
# Frames that sort otherwise as lines than as names; in random order, subtrees are mixed, too.
awk 'BEGIN { srand(5); for (i = 0; i < 3000; i++) { s = "app"
	for (d = int(rand() * 9); d > 0; d--) s = s ";f" int(rand() * 5) (rand() < .5 ? "" : "(z")
	print s, 1 + i * 7919 % 100003 + i / 1e4 } }' | fg-filter >names
LC_ALL=C sort names >lines
awk 'BEGIN { srand(6) } { print rand() "\t" $0 }' lines | sort -n | cut -f 2- >mixed
check 'lines in another order' test "$(cat names)" != "$(cat lines)"
for f in names lines mixed; do
	fg-render $f | perl "$here/decode.pl" summary | sed 's/,"say.*//' >$f.rows
done
check 'the summary has places of frames' grep -q '^{"rows":\[\[[0-9]*,[0-9]' names.rows
same 'places of frames: lines in another order' names.rows lines.rows
same 'places of frames: mixed subtrees' names.rows mixed.rows
head -3 plain >p1
sed 1,3d plain >p2
fg-render p1 p2 >2.svg
same 'several files are added' 1.svg 2.svg
cat plain | fg-render - >2.svg
same 'a pipe gives the same bytes' 1.svg 2.svg
sed 's/$/\r/' plain | fg-render >2.svg
same 'CRLF is taken' 1.svg 2.svg
fg-render -o 2.svg plain
same '-o writes the same' 1.svg 2.svg
echo old >3.svg
ln -s 3.svg link.svg
fg-render -o link.svg plain
check '-o keeps a link' test -h link.svg
same '-o writes through a link' 1.svg 3.svg
fg-render -o /dev/stdout plain >2.svg
same '-o /dev/stdout' 1.svg 2.svg
mkfifo fifo
cat fifo >2.svg &
fg-render -o fifo plain
wait
same '-o onto a FIFO' 1.svg 2.svg

# Canonical order: siblings that sorted lines would separate
printf 'm;foo 100\nm;foo2 100\nm;foo;x 100\n' | fg-render --no-javascript >2.svg
check 'foo is drawn once' test "$(grep -c '>foo<' 2.svg)" = 1
printf 'Thread 12 5\nThread 3\n' | fg-render --no-javascript >2.svg
check 'a name that ends in a number is a name' grep -q '>Thread 12<' 2.svg
printf 'a 0.25\nb 0.25\nc 0.5\n' | fg-render >2.svg
check 'decimals are scaled in the columns' grep -q '"scale":100,' 2.svg
check 'fractions are exact in the total' grep -q '"total":"1",' 2.svg
for svg in 1.svg whole.svg; do
	if command -v xmllint >/dev/null; then
		check "$svg is well formed" xmllint --noout $svg
	else
		skip "$svg is well formed" 'xmllint is not installed' libxml2-utils
	fi
done
done_testing
