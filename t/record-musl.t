#!/bin/sh
# fg-record: complete stacks of programs linked with musl, whose libc.so has no call frame
# information and only exported symbols.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

command -v musl-gcc >/dev/null || skip_all 'there is no musl-gcc' musl-tools
may_sample || skip_all 'this machine refuses perf_event_open'
fg-record --version | grep -qi zydis || skip_all 'only with Zydis, on x86-64' libzydis-dev
cat >spin.c <<'EOT'
#include <pthread.h>
#include <time.h>
static volatile unsigned long x;
__attribute__((noinline)) void burn(void) { for (int i = 0; i < 100000; i++) x += i; }
static void *run(void *arg)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;) burn();
	x++;
	return arg;
}
int main(void)
{
	pthread_t t;
	run(0);
	pthread_create(&t, 0, run, 0);
	return pthread_join(t, 0);
}
EOT
# complete FILE: burn has samples in both threads with the expected callers; in the tier soak, none
# has others.
complete() {
	awk '!/;run;burn/ { next } { main = /;main;/; n[main]++ }
		main && !/^spin;_start;/ || !main && !/^spin;[^;]+;[^;]+;run;/ { print "# " $0; bad++; n[main]-- }
		END { exit !(n[0] > 0 && n[1] > 0 && (!rates || !bad)) }' rates="${RATES-}" "$1"
}
for flags in -static -fPIE; do
	musl-gcc -O1 $flags -o spin spin.c
	fg-record -q -o spin.folded ./spin
	check "complete stacks: $flags" complete spin.folded
done
lacks 'a function without a size gives its name to no caller' ';memset[^;]*;(main|run)[; ]' spin.folded
done_testing
