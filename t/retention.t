#!/bin/sh
# Which files --keep-files removes when the clock was set back (telling/retention).
# tier: quick
. "$(dirname "$0")/lib.sh"
[ -x "$UNIT/retention" ] || skip_all 'no t/unit/retention; make units builds it'

# left NAME N WANT LINES: the minutes in the names of the files that are left after lines
# "MINUTE write|find MINUTE" of an hour.
left() {
	rm -rf kept
	mkdir kept
	printf "$4" | sed -E 's/([0-9]{2})/20261130T04\100.000Z/g' | "$UNIT/retention" 'kept/p.%T.folded' "$2" >said 2>&1
	echo "$?" >>said
	output "$1" "$3" sh -c 'ls kept | sed "s/p.20261130T04\(..\)00.*/\1/" | paste -sd" "'
	check "$1: without an error" grep -qx 0 said
}
left 'the newest files are kept' 2 '03 04' '01 write 01\n02 write 02\n03 write 03\n04 write 04\n'
left 'older files of other recordings are removed first' 3 '04 05 06' \
    '01 find 01\n02 find 02\n04 write 04\n05 write 05\n06 write 06\n'
left 'newer files of another recording at the same time are kept' 3 '05 06 07' \
    '01 write 01\n05 find 05\n06 find 06\n07 write 07\n'
left 'the clock is set back: files of the hour that is repeated are removed first' 3 '11 12 13' \
    '20 write 20\n30 write 30\n40 write 40\n11 write 11\n12 write 12\n13 write 13\n'
left 'the clock is set back: the first file after it is kept' 3 '11 30 40' \
    '20 write 20\n30 write 30\n40 write 40\n11 write 11\n'
left 'the clock is set back: the hour is over' 3 '25 35 45' \
    '20 write 20\n30 write 30\n40 write 40\n11 write 11\n25 write 25\n35 write 35\n45 write 45\n'
left 'the clock is set back twice' 3 '01 02 10' \
    '20 write 20\n30 write 30\n10 write 10\n01 write 01\n02 write 02\n'
left 'the clock is set back and forth' 3 '12 40 41' '30 write 30\n11 write 11\n12 write 12\n40 write 40\n41 write 41\n'
left 'another recording was before the clock was set back: its files go first' 2 '01 02' \
    '50 find 50\n51 find 51\n52 find 52\n01 write 01\n02 write 02\n'
left 'a name that is repeated is one file, the later one' 2 '20 30' '20 write 20\n30 write 30\n20 write 20\n'
done_testing
