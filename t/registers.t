#!/bin/sh
# The registers, tables *.def that C, the viewer and tests read: their rows are in the manual pages.
# tier: quick
. "$(dirname "$0")/lib.sh"
top=$here/..

# rows NAME COLUMN FILE: that column of the rows with that name
rows() {
	awk -f "$top/share/registers.awk" -v want=rows "$top/$3" | awk -F '\t' -v row="$1" -v c="$2" '$1 == row { print $c }'
}

rows LANGUAGE 3 common/names/languages.def >languages
while read -r language; do
	check "fg-filter(1) has the language $language" grep -Eq "^\.Cm (.* )?$language( |$)" "$top/man/fg-filter.1"
done <languages
rows HEADER 3 common/profile/foldedheaders.def >keys
while read -r key; do
	check "folded(5) has the header key $key" grep -q "^\.It Li \"# $key:" "$top/man/folded.5"
	check "folded.c reads the header key $key" grep -q "^read_$key(" "$top/common/profile/folded.c"
done <keys
rows WAIT 3 common/names/waitreasons.def | grep -vx unknown >waits
tr -s ' (),.\n' '\n' <"$top/man/fg-render.1" >words
while read -r why; do
	check "fg-render(1) has the wait reason $why" grep -qx -e "$why" words
done <waits
for file in languages keys waits; do
	check "the register of $file has rows" test -s $file
done

# A function shows one reason: two rows of one name would hide the second one.
for row in KERNEL_WAIT LIBRARY_WAIT; do
	rows $row 2 common/names/waitreasons.def | LC_ALL=C sort | uniq -d >twice
	: >none
	same "each function has one row $row" none twice
done
rows UNIT 2 common/profile/units.def | tr ' ' '\n' | LC_ALL=C sort | uniq -d >twice
same 'each spelling is of one unit' none twice
done_testing
