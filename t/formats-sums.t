#!/bin/sh
# The account of each sample of t/data/formats, checked from outside: other programs count the units
# of the input, and each of up to 12 lines, garbled or deleted, lowers the total or is reported.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
command -v perl >/dev/null || skip_all 'no perl'

perl "$here"/formats-sums.pl 12 "$here"/data/formats/*/* >results
while read -r line; do
	case $line in
	'ok '*) ok "${line#ok }" ;;
	'not ok '*) not_ok "${line#not ok }" ;;
	*) echo "$line" ;;
	esac
done <results
done_testing
