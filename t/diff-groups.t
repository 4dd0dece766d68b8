#!/bin/sh
# fg-diff --group-by: one comparison for each value of a label.
# tier: quick
. "$(dirname "$0")/lib.sh"

# profile FILE LABELS FACTOR SEED: 20 functions of about 1,000 samples; f3 has FACTOR * 1,000.
profile() {
	awk -v labels="$2" -v factor="$3" -v s="$4" '
		function random() { s = (s * 8121 + 28411) % 134456; return s / 134456 }
		BEGIN {
			if (labels != "") print "# label: " labels " 0"
			print "# unit: samples 0"
			for (i = 0; i < 20; i++)
				printf "main;f%d %d\n", i, 1000 * (i == 3 ? factor : 1) + (random() + random() + random() - 1.5) * 60
		}' >"$1"
}
for run in 1 2 3; do
	profile b.web1.$run 'host=web1 version=1' 1 1$run
	profile b.web2.$run 'host=web2 version=1' 1 2$run
	profile h.web1.$run 'host=web1 version=2' 1 3$run
	profile h.web2.$run 'host=web2 version=2' 1.8 4$run
done
base=$(echo b.*) head=$(echo h.*)

fg-diff --group-by host --report --fail-above 2% --mark-noise $base -- $head >both 2>said
check 'a gate fails if one value fails' test $? = 1
output 'the first lines are the answer for all values and that of each' 'FAIL: 1 of 2 values of host: host=web2.
host=web1: PASS
host=web2: FAIL' sh -c 'sed 3q said | sed "s/: nothing.*//; s/: total.*//"'
check 'a report for each value' test "$(grep -c '^== host=web[12] ==$' said)" = 2
fg-diff --confidence 0.995 --report --fail-above 2% b.web2.? -- h.web2.? 2>alone >/dev/null
sed -n '/^== host=web2 ==$/,$p' said | sed 1d >got
same 'the report of a value is that of its files at the shared confidence' alone got
check 'a report of one value names its confidence' grep -q 'Confidence 99.5 %' alone
output '--mark-noise: only the changed function of that value has 0' 'host=web2;main;f3' \
	sh -c "sed -n '/^#/d; s/ [0-9.]* [0-9.]* 0\$//p' both"
output 'the stacks have KEY=VALUE at the root' 40 grep -c '^host=web[12];main;f[0-9]* ' both
output 'the header is that of both values' '# columns: base head noise 0 0 0
# compared: runs=3,3 0 0 0
# sides: version=1 version=2 0 0 0
# unit: samples samples - 0 0 0
# label: host=web1,web2 version=1,2 0 0 0' grep '^#' both
fg-merge both >want
same 'the stacks are in canonical order' want both
fg-merge --group-by host b.web1.1 b.web2.1 >base
fg-merge --group-by host h.web1.1 h.web2.1 >head
fg-diff base head >want
fg-diff --group-by host b.web1.1 b.web2.1 -- h.web1.1 h.web2.1 >got
same '--group-by with one run a side: stacks equal those of merged groups' want got
fg-diff --group-by host h.web2.3 b.web1.2 b.web2.1 -- h.web1.2 b.web2.2 >got
fg-diff --group-by host b.web1.2 b.web2.1 h.web2.3 -- b.web2.2 h.web1.2 >want
same 'the order of the files does not matter' want got

# Formats
fg-diff -q --group-by host --report=markdown $base -- $head >got
output 'markdown begins with the answer and a table, changed values first' '**CHANGED**: 1 of 2 values of host: host=web2.

| group | verdict | whole |
|:--|:--|--:|
| `host=web2` | CHANGED
| `host=web1` | NO CHANGE' sh -c 'sed 6q got | sed -E "s/(CHANGED|NO CHANGE) [|].*/\1/"'
check 'at most 1,500 characters before <details>' test "$(sed '/<details>/,$d' got | wc -m)" -le 1500
check 'each <details> has an end' test "$(grep -c '^<details>' got)" = "$(grep -c '^</details>' got)"
fg-diff -q --group-by host --report=tsv $base -- $head >got
output 'tsv: 16 fields in every row' 16 sh -c "awk -F '\t' '{ print NF }' got | sort -u"
output 'tsv: one row of names' 1 grep -c '^kind' got
output 'tsv: the answers' 'NO CHANGE host=web1
CHANGED host=web2
CHANGED ' awk -F '\t' '$1 == "verdict" { print $7, $16 }' got
output 'tsv: the changed function' 'f3 host=web2' awk -F '\t' '$1 == "self" && $7 == "real" { print $10, $16 }' got
fg-diff -q --group-by host --report=json $base -- $head >got
output 'json is one object with a report for each value' 'fg-diff groups host CHANGED 2 host=web2 CHANGED 0.995' perl -MJSON::PP -e '
	local $/; my $j = decode_json(<>); my $g = $j->{groups}[1];
	print join " ", @$j{qw(format group_by verdict)}, scalar @{$j->{groups}}, $g->{group}, $g->{report}{verdict},
		sprintf("%g\n", $g->{report}{confidence})' got
output '--by keeps its meaning' 'main' sh -c "fg-diff -q --group-by host --by stack --report=tsv $base -- $head |
	awk -F '\t' '\$1 == \"stack\" { sub(/;.*/, \"\", \$10); print \$10 }' | sort -u"
output '--by module has two rows for a group' '2' sh -c "fg-diff -q --group-by host --by module --report=tsv $base -- $head | awk -F '\t' '\$1 == \"self\"' | wc -l"
fg-diff -q --group-by host --explain --report=tsv $base -- $head >got
check '--explain is of each value' grep -q '^explains_self.*f3.*host=web2$' got
output 'a gate passes if nothing changed' 0 sh -c "fg-diff -q --group-by host --fail-above 5% $base -- $base >got; echo \$?"
output 'shares of groups fail a gate at 2 %' 1 sh -c "fg-diff -q -n --group-by host --fail-above 2% $base -- $head >got; echo \$?"

# Values that only one side has
profile b.web3 'host=web3' 1 77
profile h.web4 'host=web4' 1 78
profile none '' 1 79
fg-diff --group-by host --report=tsv $base b.web3 -- $head h.web4 >got 2>said
check 'a value on one side is not compared, which is reported' sh -c \
	"grep -q 'host=web3 is only in base' said && grep -q 'host=web4 is only in head' said && ! grep -q 'host=web[34]\$' got"
status 'a value on one side: the gate passes on the others' 0 fg-diff -q --group-by host --fail-above 5% $base b.web3 -- $base
status '--require-power: a value on one side cannot be decided' 2 fg-diff -q --group-by host --require-power --fail-above 50% $base b.web3 -- $base
status '--require-power: a failure precedes a value that cannot be decided' 1 fg-diff -q --group-by host --require-power --fail-above 2% $base b.web3 -- $head
output 'json lists the values on one side' 'host=web3 host=web4' perl -MJSON::PP -e 'open my $f, "-|", "fg-diff -q --group-by host --report=json b.* -- h.*";
	local $/; my $j = decode_json(<$f>); print "@{$j->{only_base}} @{$j->{only_head}}\n"'
status 'no common value is exit status 2' 2 fg-diff --group-by version $base -- $head
output 'files without the label are a group' 'host=[unknown]' sh -c \
	'fg-diff -q --no-header --group-by host none b.web1.1 -- none h.web1.1 | cut -d ";" -f 1 | sort -u | head -1'

# A baseline of earlier runs
mkdir history
for run in 1 2 3 4 5 6; do
	profile history/1$run 'host=web1' 1 1$run
	profile history/2$run 'host=web2' 1 2$run
done
fg-diff --group-by host --report --baseline history --baseline-size 4 $base -- $head >got
output '--baseline: each value has its own earlier runs' 2 grep -c 'by 4 earlier ones (--baseline)' got
rm history/2[2-6]
fg-diff --group-by host --report --baseline history $base -- $head >got 2>said
check 'a value with one earlier run is reported' grep -q 'history: host=web2: 1 earlier run; at least two are needed' said

# A permutation test of 5 v 5 runs cannot reach the confidence that three values share, so
# Student's t is used.
for value in 1 2 3; do
	for run in 1 2 3 4 5; do
		profile w.b.$value.$run "zone=z$value" 1 5$value$run
		awk '/^#/ { print; next } { print $1, int($2 * 1.5) }' w.b.$value.$run >w.h.$value.$run
	done
done
output 'the total of 5 v 5 runs is judged in three values' 'real
real
real' sh -c "fg-diff -q --group-by zone --report=tsv w.b.* -- w.h.* | awk -F '\t' '\$1 == \"whole\" { print \$7 }'"

# Bad input
status 'a pipe is refused' 2 sh -c 'cat b.web1.1 | fg-diff --group-by host - h.web1.1'
status '--series' 2 fg-diff --series --group-by host $base
status '--no-labels' 2 fg-diff --no-labels --group-by host b.web1.1 h.web1.1
echo 'before 1' >kept
gzip -c b.web2.1 | head -c 150 >cut.gz
status 'a truncated file' 2 fg-diff -q --group-by host -o kept b.web1.1 b.web2.1 cut.gz -- h.web1.1 h.web2.1
output 'a truncated file leaves the file of -o unchanged' 'before 1' cat kept
printf '# label: host=web2 0\n# unit: ns 0\nmain;f3 5\n' >ns
status 'values of different units have no common differential' 2 fg-diff -q --group-by host b.web1.1 ns -- h.web1.1 ns
: >empty
echo '# label: host=web9 0' >bare
status 'no stacks at all' 2 fg-diff -q --group-by host empty -- empty
output 'a value without stacks does not hide another one' 'CHANGED host=web2' sh -c \
	"fg-diff -q --group-by host --report=tsv b.web2.? bare -- h.web2.? bare | awk -F '\t' '\$7 == \"CHANGED\" && \$16 != \"\" { print \$7, \$16 }'"

# A label's value is escaped in each format: `|`, backticks, HTML, a mention, a tab, an escape
# sequence.
label='host=a|b`c<b>@x"%09%1B[31m%3B%2C%25'
profile e.b "$label" 1 91
profile e.h "$label" 1.8 92
for format in text tsv markdown json; do
	fg-diff -q --group-by host --report=$format e.b -- e.h >got.$format
	check "a hostile value, $format: no control characters" sh -c "! tr -d '\t\n' <got.$format | LC_ALL=C grep -q '[[:cntrl:]]'"
done
output 'tsv: 16 fields with a hostile value' 16 sh -c "awk -F '\t' '{ print NF }' got.tsv | sort -u"
check 'markdown: no element of the value' sh -c "grep '^<details><summary>' got.markdown | grep -q '&lt;b&gt;' && ! grep '^<' got.markdown | grep -q '<b>'"
check 'json can be parsed' perl -MJSON::PP -e 'local $/; decode_json(<>)' got.json
fg-diff -q --group-by host e.b -- e.h >got
fg-merge got >want
same 'a hostile value: stacks are in canonical order' want got
output 'a hostile value: its stacks are below one root' 1 sh -c 'sed "/^#/d; s/;main;.*//" got | sort -u | wc -l'

done_testing
