#!/bin/sh
# fg-render --heatmap: the heatmap strip, from the time marks of folded text.
# tier: quick
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
	print "# unit: samples 0"
	for (s = 0; s < 20; s++)
		for (k = 0; k < 100; k++) {
			if (s == 7)
				continue
			printf "# time: %.2f s 0\n", s + k / 100
			print "main;work 2"
			if (s == 12)
				print "main;spike;" (k < 50 ? "early" : "late") " 8"
		}
}' >times.folded

# strip FILE: shade and path of each shape in the strip.
strip()
{
	sed -n '/<svg id="fg-strip"/,/<\/svg>/s/.*class="heat\([1-5]\)".*d="\([^"]*\)".*/\1 \2/p' "$1"
}

fg-render --heatmap -o out.svg times.folded
check 'the heatmap strip is above the graph' test $? = 0
strip out.svg >got
output 'a column is a second, a cell a step; the darkest ran most, an empty second has none' \
	"1 $(for s in 0 1 2 3 4 5 6 8 9 10 11 13 14 15 16 17 18 19; do printf 'M%d 0v100' $s; done)
5 M12 0v100" cat got
check '--heatmap: the SVG is well-formed' sh -c '! command -v xmllint >/dev/null || xmllint --noout out.svg'
check '--heatmap: equal output each time' sh -c 'fg-render --heatmap <times.folded | cmp - out.svg'
check 'the frames of the graph are those of a picture without it' sh -c '
	fg-render --no-javascript -o without.svg times.folded
	fg-render --no-javascript --heatmap -o with.svg times.folded
	for f in without with; do sed -n "s/.*class=\"f[0-9]*\".* d=\"\([^\"]*\)\".*/\1/p" $f.svg >$f; done
	test -s with && cmp with without'
check 'no styles are needed: colours are attributes' sh -c 'grep -q "class=\"heat5\" stroke=\"#" with.svg'

# Inputs that have no valid time marks, and others
for case in 'a;b 1' '# time: soon 0
a;b 1'; do
	printf '%s\n' "$case" >none.folded
	status 'no time marks are an error' 2 fg-render --heatmap none.folded
done
check 'no time marks: the message names --time-order' sh -c 'fg-render --heatmap none.folded 2>&1 | grep -q -- --time-order=10ms'
status 'text has no strip' 2 fg-render --heatmap -T top times.folded
printf '# columns: x y 0 0\n# time: 0 s 0 0\na 1 2\n# time: 0.5 s 0 0\nb 3 0\n' >two.folded
status '--heatmap of two columns needs --column' 2 fg-render --heatmap two.folded
status '--heatmap with --column' 0 fg-render --heatmap --column y -o two.svg two.folded

# size FILE: columns and rows of its strip.
size()
{
	sed -n 's/.*<svg id="fg-strip".*viewBox="0 0 \([0-9]* [0-9]*\)".*/\1/p' "$1"
}
printf '# time: 0 s 0\na 1\n# time: 0.01 s 0\nb 1\n# time: 0.4 s 0\nb 1\n' | fg-render --heatmap -o short.svg
output 'a short one has columns of a hundredth' '41 1' size short.svg
printf '# time: 10 ms 0\na 1\n# time: 20000 us 0\nb 1\n# time: 400000000 ns 0\nb 1\n' | fg-render --heatmap -o units.svg
output '--heatmap: units of time other than seconds' '40 1' size units.svg
printf '# time: 0 s 0\na 0.5\n# time: 0 s 0\na 0.5\n' | fg-render --heatmap -o one.svg
output '--heatmap of a single moment' '1 1' size one.svg
awk 'BEGIN { for (s = 0; s < 7200; s += 3) printf "# time: %d s 0\na 1\n", s }' | fg-render --heatmap -o slow.svg
output '--heatmap: more than 3,000 seconds are minutes' '120 20' size slow.svg
awk 'BEGIN { for (s = 0; s < 2000; s++) printf "# time: %d.%03d s 0\na 1\n", s, s % 1000 }' | fg-render --heatmap -o long.svg
output 'very many cells are joined' '2000 10' size long.svg
printf '# time: 9000000000 s 0\na 1\n# time: 0.000000001 s 0\na 1\n' >far.folded
status 'times that lie far apart' 0 fg-render --heatmap -o far.svg far.folded
for options in --flamechart --reverse '--base main' '--order weight' '--inverted --total 99999'; do
	status "--heatmap with $options" 0 fg-render --heatmap $options -o other.svg times.folded
done
done_testing
