#!/bin/sh
# A view is a command: the command line that the viewer shows gives the contents of the view.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

cat >names <<'END_OF_NAMES'
main
parse (a.c:3)
parse (a.c:9)
parse (b.c:9)
foo
foo_[i]
libx.so`foo_[l]
libx.so`bar (x.c:1)_[l]
libc`read_[l]
_start
[libc-2.36.so]
kernel`schedule
sys_read_[k]
operator()(int) const
std::vector<int>::push_back(int&&)
$x ^y* {z} [a] \b |
it's
é
END_OF_NAMES
for columns in 1 2; do
	awk -v columns=$columns '{ name[n++] = $0 }
	    END {
		srand(5)
		if (columns == 2)
			print "# columns: base head 0 0"
		for (i = 0; i < 60; i++) {
			line = name[int(rand() * n)]
			for (k = int(rand() * 6); k > 0; k--)
				line = line ";" name[int(rand() * n)]
			for (c = 0; c < columns; c++)
				line = line " " int(rand() * 30) + (c == 0)
			print line
		}
	    }' names >input
	name=truth
	[ $columns = 1 ] || name=truth-diff
	fg-filter -o $name.folded input
	fg-render -o $name.svg $name.folded
done

# A flame chart of 40 steps of time.
awk '{ name[n++] = $0 }
    END {
	srand(7)
	for (i = 1; i <= 40; i++) {
		print "# time: " i " s 0"
		for (j = 0; j < 3; j++) {
			line = name[int(rand() * 5)]
			for (k = int(rand() * 6); k > 0; k--)
				line = line ";" name[int(rand() * n)]
			print line, int(rand() * 9) + 1
		}
	}
    }' names >input
fg-filter --time-order -o truth-chart.folded input
fg-render --flamechart -o truth-chart.svg truth-chart.folded

cp "$here/data/cases/pattern.txt" patterns
# A name that begins with a space would be the first line, and the file not detected as folded.
{
	sed '/^# /d; s/^[a-z]*	//; /;/d; /^$/d; /^ /d; s/$/ 1/' patterns
	sed '/^ /d; s/$/ 1/' names
	printf '%s 1\n' parser lex bar aab aaab aab_x goo zoo 1.5x '(anonymous namespace)::f' 'operator[](int)' \
	    '{lambda}' a.b a/b 'a\b' 'a^b$' 'x|y' x y ab a-b -b éé 'app/x' 'std::a<b>' 'f (z.c:12)' PARSE
} | fg-filter -o texts.folded
fg-render -o texts.svg texts.folded

# Pictures whose pages have other controls: threads, languages, columns, waits, times, options.
printf '%s\n' '# unit: samples 0' 'one;main;libz.so`deflate_[l] 6' 'one;main;parse (w.py:3)_[p];sys_read_[k] 9' \
	'worker;main;load (w.py:9)_[p] 5' >threads.folded
printf '%s\n' '# columns: instruction cache memory system 0 0 0 0' '# unit: cycles 0 0 0 0' 'main;load 9 3 2 1' \
	'main;store 5 0 7 0' 'main 1 1 0 0' >columns.folded
printf '%s\n' '# columns: cpu waiting blocked 0 0 0' '# unit: ns 0 0 0' 'main;nap;schedule_[k] 0 0 50' 'main;work 60 5 0' >waits.folded
printf '%s\n' '# unit: samples 0' '# time: 1 s 0' 'main;read 9' '# time: 2 s 0' 'main;sort 2' 'main;read 1' >times.folded
cp times.folded chart.folded
printf '%s\n' 'main;read 9' 'main;sort 2' >icicle.folded
fg-render -o threads.svg threads.folded
fg-render --colors bottleneck -o columns.svg columns.folded
fg-render -o waits.svg waits.folded
fg-render --heatmap --title "Times it's" -o times.svg times.folded
fg-render --flamechart -o chart.svg chart.folded
fg-render --inverted --title 'A & B' -o icicle.svg icicle.folded
node "$here/browser/command.js" "$tmp"
