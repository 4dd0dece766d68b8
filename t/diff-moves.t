#!/bin/sh
# fg-diff's gate on recordings and exact profiles of compiled programs with an improvement or a
# move in head, each made anew: MOVES is the number of recorded programs (80).
# tier: soak
. "$(dirname "$0")/lib.sh"

n=${MOVES:-80}
mkdir exact recorded
if command -v valgrind >/dev/null; then
	(cd exact && perl "$here/diff-moves.pl" fg-diff 1 $((n * 3 / 2)) callgrind >../exact.out)
	sed 's/^/# /' exact.out
	check 'exact: no improvement and no move fails' awk '$1 == "all" { exit !($2 > 0 && $3 == 0) }' exact.out
else
	skip 'exact' 'valgrind is not installed' valgrind
fi
(cd recorded && perl "$here/diff-moves.pl" fg-diff 1 "$n" record >../recorded.out)
sed 's/^/# /' recorded.out
check 'recorded: at most 0.5 % of improvements and moves fail, or one' \
	awk '$1 == "all" { exit !($2 > 0 && $3 <= ($2 * 0.005 > 1 ? $2 * 0.005 : 1)) }' recorded.out
check 'recorded: none by a function' awk '$1 == "all" { exit !($2 > 0 && $3 == $6) }' recorded.out
done_testing
