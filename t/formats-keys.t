#!/bin/sh
# Keys of the samples of t/data/formats that have any: a profile in which one has another name is
# refused, or the loss is reported, unless the format need not have the key.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
command -v perl >/dev/null || skip_all 'no perl'

perl "$here"/formats-keys.pl "$here"/data/formats/*/* >results
while read -r line; do
	case $line in
	'ok '*) ok "${line#ok }" ;;
	'not ok '*) not_ok "${line#not ok }" ;;
	*) echo "$line" ;;
	esac
done <results
done_testing
