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
output "malformed records: those after them in the same memory are left out, and no others" \
	"every record once, in the order of time" "$ring" malformed
output "a ring without a reader, full of malformed records: their space is used again" \
	"every record once, in the order of time" "$ring" alone
done_testing
