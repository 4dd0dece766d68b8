#!/bin/sh
# The format in JSON of fg-hacking(7), linked with the objects of fg-collapse, reads what its comment
# shows.
# tier: soak
. "$(dirname "$0")/lib.sh"
top=$(cd "$here/.." && pwd)
objects=$top/build
[ -e "$objects/common.a" ] || skip_all 'the objects are not in build'

mkdir -p cmd/fg-collapse
sed 's|^FORMAT(gprof, |FORMAT(toy, "toy", "toys", "toy")\n&|' "$top/cmd/fg-collapse/formats.def" >cmd/fg-collapse/formats.def
cp "$top/cmd/fg-collapse/formats.c" formats.c
sed -n '/^\/\* toy: /,/^\.Ed/p' "$top/man/fg-hacking.7" | sed '$d; s/\\e/\\/g' >toy.c
check 'the format of the manual compiles without a warning' \
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Icmd -I"$top/common" -I"$top/cmd" -c toy.c formats.c
# shellcheck disable=SC2046,SC2086 # lists of words
${CC:-cc} -pthread -o toys toy.o formats.o $(find "$objects/cmd/fg-collapse" -name '*.o' ! -name formats.o) \
	"$objects/common.a" $(make -s -C "$top" BUILD=1 libs) "$objects/lazy.a" $(make -s -C "$top" BUILD=1 libs) >log 2>&1 || sed "s/^/# /" log
sed -n 's/.*toy: \(.*\), root first.*/\1/p' toy.c >in
output 'the format of the manual is recognized and read' 'main;work 3' ./toys -q --no-header in
printf '{"samples": [{"stack": ["a"], "count": 1}, {"stack": ["b"]}]}' >half
check 'the format of the manual reports a sample without a count' \
	sh -c './toys half 2>&1 >/dev/null | grep -q "without its stack or count; left out$"'
done_testing
