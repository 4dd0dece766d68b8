#!/bin/sh
# The format in JSON of fg-hacking(7), built with fg-collapse, reads what its comment shows.
# tier: soak
. "$(dirname "$0")/lib.sh"
command -v make >/dev/null && command -v "${CC:-cc}" >/dev/null || skip_all "no compiler" make
top=$here/..
[ -e "$top/.git" ] || skip_all 'not a clone'

mkdir tree
(cd "$top" && git ls-files Makefile cmd common share man | tar -cf - -T -) | (cd tree && tar -xf -)
sed -n '/^\/\* toy: /,/^\.Ed/p' "$top/man/fg-hacking.7" | sed '$d; s/\\e/\\/g' >tree/cmd/fg-collapse/format/toy.c
sed -i 's|^FORMAT(gprof, |FORMAT(toy, "toy", "toys", "toy")\n&|' tree/cmd/fg-collapse/formats.def
check 'the format of the manual compiles without a warning' \
	sh -c '(cd tree && make -j2 programs) >log 2>&1 && ! grep -q warning log'
sed -n 's/.*toy: \(.*\), root first.*/\1/p' tree/cmd/fg-collapse/format/toy.c >in
output 'the format of the manual is recognized and read' 'main;work 3' tree/bin/fg-collapse -q --no-header in
printf '{"samples": [{"stack": ["a"], "count": 1}, {"stack": ["b"]}]}' >half
check 'the format of the manual reports a sample without a count' \
	sh -c 'tree/bin/fg-collapse half 2>&1 >/dev/null | grep -q "without its stack or count; left out$"'
done_testing
