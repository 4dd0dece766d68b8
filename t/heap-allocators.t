#!/bin/sh
# fg-record --heap of programs with another malloc: jemalloc, tcmalloc, mimalloc, linked or
# preloaded. The library is above them; each block is sampled, so all values are exact.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
. "$here/heap-lib.sh"

$CC -O2 -g -o heap "$here/programs/heap.c" -pthread || skip_all 'no C compiler'
fg-record -q --heap=1000 -o try.folded ./heap >/dev/null 2>said
grep -q 'perf_event_open' said && skip_all "this machine refuses perf events: $(head -1 said)"

keeps_all() {
	env "$@" >printed 2>said
	grep -q '^# label: .*lost=0 ' heap.folded
}

# above NAME PROGRAM PRELOAD: its output is that of a run without --heap, and its values are exact.
above() {
	LD_PRELOAD=$3 "$2" >alone 2>/dev/null
	wait_for keeps_all LD_PRELOAD="$3" "$BIN/fg-record" -q --heap=1000 -o heap.folded "$2"
	same "$1: the output equals that of a run by itself" alone printed
	exact heap.folded "$1: "
}

for library in jemalloc tcmalloc mimalloc; do
	if $CC -O2 -g -o "$library" "$here/programs/heap.c" -pthread -Wl,--no-as-needed -l$library 2>/dev/null; then
		above "linked with $library" ./$library ''
		file=$(ldd ./$library | sed -n "s/.*=> \(.*lib${library}[^ ]*\) .*/\1/p")
		above "$library preloaded" ./heap "$file"
	else
		skip $library "no lib$library" 'libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev'
	fi
done
done_testing
