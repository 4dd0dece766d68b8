#!/bin/sh
# Captures of recordings, t/data/captures: a replay of what fg-record read writes the same stacks and
# notes again, on any machine.
# tier: quick
. "$(dirname "$0")/lib.sh"
CAPTURE=${CAPTURE:-$UNIT/../capture/capture}
captures=$here/data/captures

[ "$(uname -m)" = x86_64 ] || skip_all "captures have the system calls of x86-64"

for capture in "$captures"/*/; do
	name=$(basename "$capture")
	timeout 600 "$CAPTURE" replay "$capture" >stacks 2>notes
	got=$?
	same "$name: a replay has the stacks of the recording" "$capture/stacks" stacks
	same "$name: a replay has the notes of the recording" "$capture/notes" notes
	check "$name: a replay ends with the status of the recording" \
	    test "$got" = "$(cat "$capture/status" 2>/dev/null || echo 0)"
	check "$name: takes at most 300 kB" test "$(cat "$capture"/* | wc -c)" -le 300000
done
check 'all captures take at most 6 MB' test "$(cat "$captures"/*/* | wc -c)" -le 6000000

# A replay with other options reads the same records: those of the capture c.
"$CAPTURE" replay "$captures/c" --no-inline --no-header -F 97 --stack-size 8192 --no-kernel -- ./shapes busy 200 >got 2>said
output 'a replay without inlined functions has the other frames' \
    "shapes;_start;__libc_start_main_[l];main;outer;burn" sed 's/libc\.so\.6+[^;]*;//; s/ [0-9]*$//' got

# A replay sees no file of this machine.
mkdir empty
gzip -n </dev/null >empty/calls.gz
gzip -n </dev/null >empty/bytes.gz
status 'a replay of no answers ends with an error' 125 "$CAPTURE" replay empty -- ./shapes busy 200
done_testing
