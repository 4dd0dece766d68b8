#!/bin/sh
# Each sample of t/data/formats, truncated and changed at 30 to 60 places: exit status 0 or 2, in
# 5 s of CPU time and 1 GB.
# tier: full
. "$(dirname "$0")/formats-lib.sh"

for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) continue ;; esac
	name=${sample#"$here"/data/formats/}
	cp "$sample" in
	# An odd step reaches each byte of a number of 2, 4 or 8 bytes.
	damaged "$name" "${name%%/*}" $(($(wc -c <in) / 60 * 2 + 1))
done
done_testing
