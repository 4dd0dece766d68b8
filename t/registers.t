#!/bin/sh
# The registers, tables *.def that C, the viewer, manual pages and tests read: each row has its
# effect in the programs and its place in the manual.
# tier: quick
. "$(dirname "$0")/lib.sh"
top=$here/..

# rows NAME COLUMN FILE: that column of the rows with that name
rows() {
	awk -f "$top/share/registers.awk" -v want=rows "$top/$3" | awk -F '\t' -v row="$1" -v c="$2" '$1 == row { print $c }'
}

# The tables of manual pages, as make makes them.
cd "$top" || exit 1
for page in man/*.[157]; do
	LC_ALL=C awk -f share/registers.awk -v want=page "$page" >"$tmp/page"
	same "$page has the tables of the registers (make writes them)" "$page" "$tmp/page"
	sed -n 's/^\.\\" \([a-z]* made\) by make .*/\1/p; s/^\.\\" \(end of [a-z]*\)$/\1/p' "$page" >>"$tmp/marks"
done
cd "$tmp" || exit 1
check 'pages have tables' test "$(grep -c made marks)" -ge 16
check 'each table has its end' test "$(grep -c made marks)" = "$(grep -c 'end of' marks)"

rows HEADER 3 common/profile/foldedheaders.def >keys
while read -r key; do
	check "folded.c reads the header key $key" grep -q "^read_$key(" "$top/common/profile/folded.c"
done <keys

rows FORMAT 3 cmd/fg-collapse/formats.def >formats
for format in $(cat formats); do
	check "t/data/formats has a sample of the format $format" test -d "$here/data/formats/$format"
done
fg-collapse -l | awk 'NR % 2 { print $1 }' >listed
same 'fg-collapse -l lists the formats of the register, in its order' formats listed

printf '# columns: base head 0 0\n# unit: ms 0 0\nmain;f 10 20\nmain;g 5 5\n' >in
rows OUTPUT 2 cmd/fg-render/outputs.def >outputs
for output in $(grep -vx interactive outputs); do
	case $output in
	pprof | otlp) needs=protobuf ;;
	otlp-json | speedscope) needs=yajl ;;
	*) needs= ;;
	esac
	if fg-render -V | grep -q "$needs.*not built in" && [ -n "$needs" ]; then
		skip "-T $output" "built without $needs" "lib$needs-dev"
	else
		check "fg-render -T $output writes f" sh -c "fg-render -T $output --no-sort in | { gzip -cdf 2>/dev/null || :; } | grep -aq f"
	fi
done
rows REPORT 3 cmd/fg-diff/reports.def >reports
for report in $(cat reports); do
	check "fg-diff --report=$report names the function f" sh -c "printf 'm;f 1000\\n' >a; printf 'm;f 9000\\n' >b; fg-diff --report=$report a b | grep -q 'f'"
done

rows ANNOTATION 3 common/names/annotations.def >letters
for letter in $(cat letters); do
	output "fg-collapse -a$letter keeps _[$letter] and drops the others" "main;f_[$letter];g 2" sh -c "
		other=k
		[ $letter != k ] || other=j
		echo \"main;f_[$letter];g_[\$other] 2\" | fg-collapse -q -f folded -a$letter"
	output "fg-filter --no-annotations removes _[$letter]" 'main;f 2' sh -c "echo 'main;f_[$letter] 2' | fg-filter --no-annotations"
	check "--help of fg-collapse has the suffix _[$letter]" sh -c "fg-collapse --help | grep -q 'omit suffixes.* _\[$letter\]'"
done

# Each function of the register shows its reason: a stack each.
printf '# columns: cpu waiting blocked 0 0 0\n# unit: us us us 0 0 0\n' >waits.folded
for row in KERNEL_WAIT LIBRARY_WAIT; do
	awk -f "$top/share/registers.awk" -v want=rows "$top/common/names/waitreasons.def" |
	    awk -F '\t' -v row=$row '$1 == "WAIT" { key[$2] = $3 }
		$1 == row { print $2, key[$3], row == "KERNEL_WAIT" ? "k" : "l" }' >>functions
done
awk '{ print "p;main;work_" NR ";" $1 "_[" $3 "]" ($3 == "k" ? ";schedule_[k]" : "") " 0 0 1" }' functions >>waits.folded
awk '{ n[$2]++ } END { for (why in n) print why, n[why] }' functions | LC_ALL=C sort >want
fg-render -T json waits.folded | tr '{' '\n' | sed -n 's/^"reason":"\([^"]*\)","value":\([0-9]*\),.*/\1 \2/p' | LC_ALL=C sort >got
same 'fg-render -T json names the wait reason of each function in the register' want got
rows WAIT 3 common/names/waitreasons.def | grep -vx unknown | LC_ALL=C sort >waits
cut -d' ' -f1 want >shown
same 'each wait reason has a function that shows it' waits shown

# Two rows of one name: C would find the first one only.
twice() { # FILE ROW: the build refuses it
	mkdir -p "$(dirname "$1")"
	{ cat "$top/$1"; printf '%s\n' "$2"; } >"$1"
	status "two rows of one name are refused: $2" 1 awk -f "$top/share/registers.awk" -v want=check "$top/common/base/options.def" "$1"
}
twice cmd/fg-merge/options.def 'OPTION(0, "mean", NULL, "other", FLAG(other))'
twice cmd/fg-merge/options.def "OPTION('m', \"other\", NULL, \"other\", FLAG(other))"
twice cmd/fg-merge/options.def 'OPTION(0, "quiet", NULL, "other", FLAG(other))'
twice cmd/fg-merge/options.def "OPTION('V', \"other\", NULL, \"other\", FLAG(other))"
twice common/names/languages.def 'LANGUAGE(OTHER, ruby, "p", "other", ".oth", "", NULL)'
twice common/names/languages.def 'LANGUAGE(OTHER, other, "p", "other", "", ".oth .rb", NULL)'
twice common/names/waitreasons.def 'WAIT(OTHER, "lock", "for another lock")'
twice common/names/waitreasons.def 'KERNEL_WAIT("do_wait", LOCK, false)'
twice common/names/waitreasons.def 'LIBRARY_WAIT("poll", LOCK)'
twice common/names/annotations.def 'ANNOTATION(OTHER, "k", 7, "other", "_[o]", "another")'
twice common/profile/foldedheaders.def 'HEADER(OTHER, unit, "another")'
twice common/profile/units.def 'UNIT("other MiB", 0, 7)'
twice cmd/fg-collapse/formats.def 'FORMAT(other, "perf", "another", "other")'
twice cmd/fg-render/outputs.def 'OUTPUT("svg", other, "another", 0, 0)'
twice cmd/fg-diff/reports.def 'REPORT(OTHER, json, "another")'
for program in record collapse merge diff filter render; do
	find "$top/cmd/fg-$program" -name options.def
done | xargs awk -f "$top/share/registers.awk" -v want=check "$top/common/base/options.def" >/dev/null
check 'options of one name in different programs are taken' test $? = 0

# Spellings of a unit are shown alike.
rows UNIT 2 common/profile/units.def >units
while read -r first others; do
	for unit in $first $others; do
		printf '# unit: %s 0\nmain;f 123456789\n' "$unit" >in
		fg-render -T top in >shown.$unit
	done
	for unit in $others; do
		same "fg-render shows $unit as $first" shown.$first shown.$unit
	done
done <units
for file in keys formats outputs reports letters waits units; do
	check "the register of $file has rows" test -s $file
done
done_testing
