#!/bin/sh
# fg-merge -T tsv and share/recipes/duckdb.sql: the results equal those of fg-render and fg-diff.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/tables-lib.sh"

fg-merge p*.folded >all
fg-merge -T tsv -o one p*.folded
output 'the tables have their headers' 'profile	key	value
profile	name
profile	stack	time	column	value
stack	frames' sh -c 'for t in labels profiles samples stacks; do head -1 one/$t.tsv; done'
output 'each stack is in the dictionary once' "$(grep -vc '^# ' all)" sh -c 'tail -n +2 one/stacks.tsv | cut -f2 | sort -u | wc -l'
mkdir day
fg-merge -T tsv -o day/w1 p0.folded p1.folded p2.folded
fg-merge -T tsv -o day/w2 p[3-9].folded p1?.folded
for t in profiles labels stacks; do
	tail -q -n +2 day/*/$t.tsv | sort -u >got
	tail -n +2 one/$t.tsv | sort >want
	cmp got want
done >wrong
same 'ids are the same in every run' /dev/null wrong
printf '# columns: base head 0 0\n# time: 1.500 s 0 0\na;b\tc;d 1 2.5\n' >odd
fg-merge -T tsv -o odd.d odd
output 'columns, times, and a tab within a frame' '1.500 base 1,1.500 head 2.5,a;b c;d' \
	sh -c '{ tail -n +2 odd.d/samples.tsv | cut -f3- | tr "\t" " "; tail -n +2 odd.d/stacks.tsv | cut -f2; } | paste -sd,'
status '-T tsv without -o is wrong usage' 2 fg-merge -T tsv all
status '-T tsv with --mean is wrong usage' 2 fg-merge -T tsv --mean -o x all
status '-T of something else is wrong usage' 2 fg-merge -T csv -o x all

root=$(modules @duckdb/node-api "${DUCKDB-}")
if [ -z "$root" ]; then
	skip 'duckdb.sql' "npm's @duckdb/node-api is not installed" npm
	done_testing
fi
duckdb() {
	node "$here/duckdb.mjs" "$root" "$here/../share/recipes/duckdb.sql" "$@"
}
plain="printf('%s' || chr(9) || '%.1f' || chr(9) || '%.1f', function, self::DOUBLE, total::DOUBLE)"
duckdb one "SELECT $plain FROM top_functions ORDER BY function" >got 2>said || cat said
functions all >want
same 'self and total by function' want got
# top FILE...: function, self and total as fg-render -T top prints them, in its order
top() {
	fg-merge "$@" | fg-render -T top --notes '' | sed '1d; s/,//g
		s/^ *\([0-9]*\) samples *[0-9.]*% *\([0-9]*\) samples *[0-9.]*%  \(.*\)/\3	\1	\2/'
}
rounded="printf('%s' || chr(9) || '%.0f' || chr(9) || '%.0f', function, self::DOUBLE, total::DOUBLE)"
duckdb one "SELECT $rounded FROM top_functions ORDER BY self DESC, total DESC, function" >got
top all >wanted
check 'fg-render -T top prints all functions' test "$(wc -l <wanted)" = "$(wc -l <want)"
same 'names, values and order are those of fg-render -T top' wanted got
duckdb 'day/*' "SELECT $plain FROM top_functions ORDER BY function" >got
functions all >want
same 'the tables of two workers are as those of one' want got
duckdb one "SELECT $plain FROM functions_by_version_and_host WHERE version = '4.2' AND host = 'web1' ORDER BY function" >got
fg-filter --label version=4.2 --label host=web1 p*.folded >some
functions some >want
same 'by version and host' want got
for v in 4.2 4.3; do
	for h in web0 web1 web2; do
		echo "$v $h"
		fg-filter --label version=$v --label host=$h p*.folded >some
		top some
	done
done >want
for v in 4.2 4.3; do
	for h in web0 web1 web2; do
		echo "$v $h"
		duckdb one "SELECT $rounded FROM functions_by_version_and_host WHERE version = '$v' AND host = '$h'
			ORDER BY self DESC, total DESC, function"
	done
done >got
same 'each version and host is as in fg-render -T top' want got
# reported OPTION...: function and the fields base, head and percent of fg-diff's report of totals
reported() {
	fg-diff -q --report=tsv --top=0 "$@" base head | awk -F '\t' -v OFS='\t' \
		'$1 == "total" { print $10, sprintf("%.1f", $2), sprintf("%.1f", $3), sprintf("%.6f", $6) }' |
		sed 's/-\(0\.0*\)$/\1/' | sort
}
duckdb one "SELECT printf('%s' || chr(9) || '%.1f' || chr(9) || '%.1f' || chr(9) || '%.6f', function, base::DOUBLE,
	head::DOUBLE, percent) FROM regressions('4.2', '4.3')" | sed 's/-\(0\.0*\)$/\1/' >regressions
fg-filter --label version=4.2 p*.folded >base
fg-filter --label version=4.3 p*.folded >head
cut -f1-3 regressions | sort >got
reported | cut -f1-3 >want
check 'fg-diff reports all functions' test "$(wc -l <want)" = "$(functions all | wc -l)"
same 'regressions: names and amounts are those of fg-diff' want got
cut -f1,4 regressions >got
reported -n | cut -f1,4 | sort -t '	' -k2,2gr -k1,1 >want
same 'regressions: changes in percent and their order are those of fg-diff -n' want got
duckdb one "SELECT printf('%s' || chr(9) || '%.0f', start, total::DOUBLE) FROM series('g1') ORDER BY start" >got
for f in p*.folded; do
	top $f | sed -n "s/^g1	.*	/$(sed -n 's/.*start=\([^ ]*\).*/\1/p' $f)	/p"
done | sort >want
same 'the time series of a function' want got
duckdb one 'FROM folded' | fg-merge >got
fg-merge --no-labels all >want
same 'back to folded stacks' want got
# A second day, and a first one again: no file counts twice
printf '# label: start=2026-11-23T00:00:00Z 0\nm;f 3\nm;g 4\n' >host1
fg-merge -T tsv -o d1 host1
printf '# label: start=2026-11-24T00:00:00Z 0\nm;f 5\nm;new 6\n' >host1
fg-merge -T tsv -o d2 host1
LOADED=1 duckdb d1,d2,d1,'d?' "SELECT $plain FROM top_functions ORDER BY function" 'SELECT count(*) FROM profiles' >got
output 'a second day is added to the first, and nothing is added twice' '1	0
1	0
0	1
0	2
f	8.0	8.0
g	4.0	4.0
m	0.0	18.0
new	6.0	6.0
2' cat got
cp -r d1 d3
duckdb 'd?' "SELECT $plain FROM top_functions WHERE function = 'm'" >got
output 'a file in the tables of two workers counts once' 'm	0.0	18.0' cat got

done_testing
