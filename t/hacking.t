#!/bin/sh
# Worked examples of fg-hacking(7): each whole file among them compiles with this tree's headers.
# tier: quick
. "$(dirname "$0")/lib.sh"

awk '
	/^\.Bd/ { first = 1; next }
	/^\.Ed/ { file = ""; next }
	first { first = 0; if (/^\/\*/) file = "example" ++n ".c" }
	file != "" { gsub(/\\e/, "\\"); print >file }' "$here/../man/fg-hacking.7"
check 'the manual has a complete format, output and interpreter' test -f example3.c
for f in example*.c; do
	title=$(sed -n 's/^.*\* *\([a-z0-9]*\):.*/\1/p; 2q' "$f" | head -1)
	check "the example $title compiles" \
		sh -c '"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I"$0/../common" -I"$0/../cmd" "$1" >&2' "$here" "$f"
done
done_testing
