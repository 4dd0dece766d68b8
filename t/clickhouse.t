#!/bin/sh
# fg-merge -T tsv and share/recipes/clickhouse.sql, in an embedded ClickHouse: the results equal
# those of the profiles.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/tables-lib.sh"

root=$(modules chdb "${CHDB-}")
node -e "require('$root/chdb')" 2>/dev/null || skip_all "npm's chdb is not installed" npm
clickhouse() {
	node "$here/clickhouse.mjs" "$root" "$here/../share/recipes/clickhouse.sql" "$@"
}
mkdir day
fg-merge -T tsv -o day/w1 p0.folded p1.folded p2.folded
fg-merge -T tsv -o day/w2 p[3-9].folded p1?.folded
fg-merge p*.folded >all
plain="concat(function, char(9), printf('%.1f', toFloat64(self)), char(9), printf('%.1f', toFloat64(total)))"
clickhouse day/w1,day/w2 "SELECT $plain FROM fg_top ORDER BY function" \
	"SELECT '=', version, hour, sum(value) FROM fg_hours GROUP BY version, hour ORDER BY hour" \
	"SELECT '==', $plain FROM fg_by_version_and_host WHERE version = '4.2' AND host = 'web1' ORDER BY function" \
	"SELECT '===', function, base_total, head_total, round(percent, 6) FROM fg_regressions(base = '4.2', head = '4.3') ORDER BY function" \
	"SELECT '====', start, total FROM fg_series(f = 'g1')" \
	"SELECT '=====', line FROM fg_folded" >got 2>said || cat said
functions all >want
grep -v '^=' got >top
same 'self and total by function' want top
for f in p*.folded; do
	echo "4.$(sed -n 's/.*version=4\.\([0-9]\).*/\1/p' $f) $(sed -n 's/.*start=2026-11-23T\(..\).*/2026-11-23 \1:00:00/p' $f)" \
		"$(awk '!/^#/ { n += $NF } END { printf "%.1f", n }' $f)"
done | sort -k2 >want
sed -n 's/^=	//p' got | awk -F '\t' '{ printf "%s %s %.1f\n", $1, $2, $3 }' >hours
same 'fg_hours is filled by the inserts: sums by version and hour' want hours
fg-filter --label version=4.2 --label host=web1 p*.folded >some
functions some >want
sed -n 's/^==	//p' got >some
same 'by version and host' want some
fg-filter --label version=4.2 p*.folded >base
fg-filter --label version=4.3 p*.folded >head
fg-diff -q --report=tsv --top=0 -n base head | awk -F '\t' '$1 == "total" { printf "%s %.6f\n", $10, $6 }' |
	sed 's/-\(0\.0*\)$/\1/' | LC_ALL=C sort >want
sed -n 's/^===	//p' got | awk -F '\t' '{ printf "%s %.6f\n", $1, $4 }' | sed 's/-\(0\.0*\)$/\1/' | LC_ALL=C sort >percent
same 'regressions: changes in percent are those of fg-diff -n' want percent
for f in p*.folded; do
	echo "$(sed -n 's/.*start=\([^ ]*\).*/\1/p' $f) $(functions $f | awk -F '\t' '$1 == "g1" { print $3 }')"
done | sort >want
sed -n 's/^====	//p' got | awk -F '\t' '{ printf "%s %.1f\n", $1, $2 }' >series
same 'the time series of a function' want series
sed -n 's/^=====	//p' got | fg-merge >folded
fg-merge --no-labels all >want
same 'back to folded stacks' want folded

# A second day, and a first one again; a file with times, columns and odd names; one without labels
printf '# label: start=2026-11-23T00:00:00Z 0\nm;f 3\nm;g 4\n' >host1
fg-merge -T tsv -o d1 host1
printf '# label: start=2026-11-24T00:00:00Z 0\nm;f 5\nm;new 6\n' >host1
fg-merge -T tsv -o d2 host1
clickhouse d1,d2,d1 "SELECT $plain FROM fg_top ORDER BY function" 'SELECT count() FROM fg_profiles' \
	'SELECT hour, sum(value) FROM fg_hours GROUP BY hour ORDER BY hour' >got 2>said || cat said
output 'a second day is added to the first, and nothing is added twice' 'f	8.0	8.0
g	4.0	4.0
m	0.0	18.0
new	6.0	6.0
2
2026-11-23 00:00:00	7
2026-11-24 00:00:00	11' cat got
printf '# columns: base head 0 0\n# time: 1.500 s 0 0\na;b "x\\n'"'"'; c 1 2.5\n' >odd
fg-merge -T tsv -o odd.d odd
clickhouse odd.d 'SELECT time, column, value FROM fg_samples ORDER BY column' 'SELECT line FROM fg_folded' \
	'SELECT * FROM fg_hours' >got 2>said || cat said
output 'times, columns, quotes and a backslash' '1.5	base	1
1.5	head	2.5
a;b "x\n'"'"'; c 3.5
		1970-01-01 00:00:00	'"$(sed -n '2s/\t.*//p' odd.d/stacks.tsv)"'	3.5' cat got
done_testing
