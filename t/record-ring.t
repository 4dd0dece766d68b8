#!/bin/sh
# fg-record: the thread that drains the rings, with rings filled by a test program.
# tier: quick
. "$(dirname "$0")/lib.sh"

ring=$UNIT/ring
[ -x "$ring" ] || skip_all "no $ring: run make test"
output "records of many sizes, also around the end of a ring" \
	"every record once, in the order of time" "$ring" stream
output "a ring that waits for memory, beside one with later records" \
	"every record once, in the order of time" "$ring" full
output "a burst of 12 MB, then single records: the memory of the burst is freed" \
	"every record once, in the order of time" "$ring" calm
done_testing
