#!/bin/sh
# The order of the house: the wings of common/ stand on those to their left,
# base <- profile, code <- trace. And its looks: .clang-format. No link of t/data dangles.
. "$(dirname "$0")/lib.sh"

stands_on() {
	output "common/$1 includes nothing of $2" '' \
	    grep -rnE "#include \"($2)/" "$here/../common/$1"
}

stands_on base 'profile|code|trace'
stands_on profile 'code|trace'
stands_on code 'profile|trace'

output 'no link leads nowhere' '' find "$here/data" -type l ! -exec test -e {} \; -print

if command -v clang-format >/dev/null; then
	for f in "$here"/../cmd/*/*.[ch] "$here"/../cmd/*/*/*.[ch] "$here"/../common/*/*.[ch] \
	    "$here"/*.c "$here"/*/*.c; do
		clang-format "$f" | cmp -s - "$f" || echo "$f"
	done >unlike
	check 'all C is as clang-format has it' test ! -s unlike
	sed 's/^/# clang-format -i /' unlike
else
	skip 'clang-format' 'there is no clang-format'
fi
done_testing
