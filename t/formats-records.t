#!/bin/sh
# Samples of binary formats and of JSON in t/data/formats: records, fields, keys and items, deleted
# or garbled, are reported, or change nothing but their own unit.
# tier: full
. "$(dirname "$0")/formats-lib.sh"
command -v perl >/dev/null || skip_all 'no perl'
fg-collapse --version | grep -q yajl || skip_all 'built without yajl (libyajl-dev)'

perl "$here"/formats-records.pl "$here"/data/formats/*/* >results
while read -r line; do
	case $line in
	'ok '*) ok "${line#ok }" ;;
	'not ok '*) not_ok "${line#not ok }" ;;
	*) echo "$line" ;;
	esac
done <results
done_testing
