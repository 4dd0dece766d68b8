#!/bin/sh
# fg-record --heap without free hardware breakpoints: the library copies stacks itself, into memory
# that it shares with the recorder. Each block is sampled, so all values are exact.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
. "$here/heap-lib.sh"

$CC -O2 -g -o heap "$here/programs/heap.c" -pthread || skip_all 'no C compiler'
$CC -O2 -o breakpoints "$here/programs/breakpoints.c"
$CC -O2 -o scribble "$here/programs/scribble.c"
breakpoints=$tmp/breakpoints
fg-record -q --heap=1000 -o try.folded ./heap >/dev/null 2>said
if grep -q 'perf_event_open' said; then
	skip_all "this machine refuses perf events: $(head -1 said)"
fi

# Records by the command "$@" to own/heap.folded until no record is lost.
mkdir own && chmod 777 own
keeps_all() {
	rm -f own/heap.folded
	"$@" "$breakpoints" "$BIN/fg-record" --heap=1000 -o own/heap.folded ./heap >printed 2>said
	got=$?
	grep -q '^# label: .*lost=0 ' own/heap.folded
}
wait_for keeps_all env
has 'a note names the reason' 'no hardware breakpoints .*: libfgheap.so copies the stacks itself' said
output 'the exit status is that of the command' 5 echo $got
output 'the library changes nothing that the program prints' right cat printed
exact own/heap.folded ''

nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ "$(id -u)" = 0 ] && chmod 755 "$tmp" && $nobody test -x "$BIN/fg-record" 2>/dev/null; then
	wait_for keeps_all $nobody
	output 'an ordinary user records it, too' '300 3 300 300' of leaks own/heap.folded
else
	skip 'an ordinary user' 'not root, no setpriv, or the programs are not readable'
fi

$CC -O2 -o refuse "$here/programs/refuse.c"
./refuse "$BIN/fg-record" --heap=1000 -o refused.folded ./heap >printed 2>said
output '--heap: exit status 125 and no file if perf events are refused' '125 none' \
    echo "$? $([ -e refused.folded ] && echo file || echo none)"

for seed in 1 2 3; do
	limited 100 "$breakpoints" "$BIN/fg-record" -q --heap=1000 -o scribbled.folded ./scribble $seed >printed 2>said
	output "a program that overwrites the shared memory at random ($seed) runs on, and is recorded" '0 right' \
	    echo "$? $(cat printed)"
done
done_testing
