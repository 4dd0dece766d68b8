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

cp "$here/data/cases/pattern.txt" patterns
# A name that begins with a space would be the first line, and the file not detected as folded.
{
	sed '/^# /d; s/^[a-z]*	//; /;/d; /^$/d; /^ /d; s/$/ 1/' patterns
	sed '/^ /d; s/$/ 1/' names
	printf '%s 1\n' parser lex bar aab aaab aab_x goo zoo 1.5x '(anonymous namespace)::f' 'operator[](int)' \
	    '{lambda}' a.b a/b 'a\b' 'a^b$' 'x|y' x y ab a-b -b éé 'app/x' 'std::a<b>' 'f (z.c:12)' PARSE
} | fg-filter -o texts.folded
fg-render -o texts.svg texts.folded
node "$here/browser/command.js" "$tmp"
