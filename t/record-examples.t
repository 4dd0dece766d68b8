#!/bin/sh
# The examples of fg-record(1), which t/man.t skips because they record.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
page=$here/../man/fg-record.1

may_sample && [ "$(id -u)" = 0 ] || skip_all "not root, or this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc
# Each block is larger than the mean distance of samples of --heap, so that it is sampled for sure.
cat >blocks.c <<'END'
#include <stdlib.h>
#include <string.h>
static void *volatile kept[20];
int main(void) { for (int i = 0; i < 20; i++) kept[i] = memset(malloc(4 << 20), 1, 4 << 20); return 0; }
END
$CC -O1 -o blocks blocks.c
printf '#!/bin/sh\n./blocks\nexec ./shapes sleepy 30\n' >work
chmod +x work
cp shapes server
./server threads 60000 &
server=$!
awk '/^\.Sh/ { on = /EXAMPLES/ } /^\.Bd/ { lit = on; next } /^\.Ed/ { lit = 0 } lit' "$page" |
	sed -n 's/^\$ //p' >examples
check "the page has examples" test "$(wc -l <examples)" -ge 4
# An example that records for a second may have no samples: ok if one of ten attempts has some.
works() {
	for attempt in 1 2 3 4 5 6 7 8 9 10; do
		! sh -c "$1" || return 0
	done
	return 1
}
while read -r line; do
	check "$line" works "$line"
done <examples
kill $server
check "the examples left pictures" grep -q '</svg>' work.svg server.svg chart.svg

# The examples that need root, with the tracepoints of this kernel, and for a shorter time.
awk '/^\.Sh/ { on = /EXAMPLES/ } /^\.Bd/ { lit = on; next } /^\.Ed/ { lit = 0 } lit' "$page" |
	sed -n 's/^# //p' | sed 's/ -d 10 / -d 1 /' >examples
check "the page has examples for root" test "$(wc -l <examples)" -ge 4
# Writes to the disk, and contention for the lock of a directory.
mkdir files
cat >busy.pl <<'END'
use IO::Handle;
my $first = $$;
for (1 .. 2) { fork or last }
for (my $i = 0; $$ == $first || getppid == $first; $i++) {
	open my $f, '>', "files/$$.$i" or exit;
	print $f 'x' x 4096;
	$f->flush;
	$f->sync;
	unlink "files/$$.$i";
}
END
perl busy.pl &
busy=$!
while read -r line; do
	event=$(expr "$line" : ".* -e '*\([a-z_]*:[a-z_]*\)") || event=
	if [ -z "$event" ] || [ -n "$(find /sys/kernel/tracing/events/"${event%:*}"/ 2>/dev/null | head -n 1)" ]; then
		check "as root: $line" works "$line"
	else
		skip "as root: $line" "no tracepoints here, or not $event"
	fi
done <examples
kill $busy
check "the examples for root left pictures" grep -q '</svg>' waits.svg chart.svg
done_testing
