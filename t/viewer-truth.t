#!/bin/sh
# What the viewer saves equals what it shows, after any sequence of gestures.
# tier: full soak
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

# Frames of one function with different lines, annotations and modules; recursion; kernel, C
# library and Python. Many stacks end with the same names, which the picture stores once.
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
sys_read_[k]
x y
é
K.go (/srv/k.py:3)_[p]
<module> (/srv/k.py:1)_[p]
END_OF_NAMES
for columns in 1 2 4; do
	awk -v columns=$columns '{ name[n++] = $0 }
	    END {
		srand(7)
		if (columns == 2)
			print "# columns: base head 0 0"
		if (columns == 4)
			print "# columns: instruction cache memory system 0 0 0 0"
		for (i = 0; i < 60; i++) {
			line = name[int(rand() * n)]
			for (k = int(rand() * 6); k > 0; k--)
				line = line ";" name[int(rand() * n)]
			if (i % 2)
				line = line ";parse (a.c:3);foo_[i];libx.so`foo_[l];libc`read_[l];sys_read_[k]"
			for (c = 0; c < columns; c++)
				line = line " " int(rand() * 30) + (c == 0)
			print line
		}
	    }' names >input
	case $columns in
	1) name=truth ;;
	2) name=truth-diff ;;
	*) name=truth-four ;;
	esac
	fg-filter -o $name.folded input
	fg-render -o $name.svg $name.folded
done
# The header lines of a file are saved with it.
i=0
for lines in '# unit: ns 0' '# unit: ns 0
# period: 1003009 ns 0' '# period: mixed 0' '# columns: base head 0 0
# unit: samples ns 0 0
# period: - 99.5 ns 0 0' '# columns: x 2, 0 0'; do
	i=$((i + 1))
	printf '%s\nmain;a 12 7\nmain;b 30.25 1\n' "$lines" |
		if echo "$lines" | grep -q columns; then cat; else sed '/^main/s/ [0-9.]*$//'; fi |
		fg-filter -o header-$i.folded
	fg-render -o header-$i.svg header-$i.folded
done
node "$here/browser/truth.js" "$tmp"
