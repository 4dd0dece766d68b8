#!/bin/sh
# fg-record --interval on a full disk: an interval is dropped, or the oldest file removed.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all 'this machine refuses perf_event_open'
mkdir disk
mount -t tmpfs -o size=32k none disk 2>err || skip_all 'no file system can be mounted'
trap 'cd /; umount "$tmp/disk"; rm -rf "$tmp"' EXIT

$CC -O1 -o naps "$here/programs/naps.c"
fill() { # the rest of the disk
	dd if=/dev/zero of="disk/$1" bs=512 2>dd.err
	true
}
files() {
	find disk -name 'p.*.folded' | sort
}
fill filler
status 'a full disk does not end a recording with --interval' 0 \
	sh -c 'fg-record -q --interval 0.1 -o "disk/p.%T.folded" -- ./naps 30 2>err'
has 'each interval that is dropped has a line' 'an interval of [0-9.]* s is dropped; the recording continues$' err
output 'a full disk has no part of an interval' '' files

rm disk/filler
for run in 1 2; do
	fg-record -q --interval 0.1 --keep 2 -o 'disk/p.%T.folded' -- ./naps "$run" >took
done
files >before
oldest=$(head -n 1 before)
fill filler
status 'a full disk with older files does not end a recording with --interval' 0 \
	fg-record -q --interval 0.1 --keep 9 -o 'disk/p.%T.folded' -- ./naps 30
check 'on a full disk the oldest file of --keep-files is removed' test ! -e "$oldest"
files >after
check 'on a full disk a newer file takes the place of the oldest one' \
	sh -c '[ -s after ] && [ "$(tail -n 1 after)" != "$(tail -n 1 before)" ]'
done_testing
