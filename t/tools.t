#!/bin/sh
# fg-tools(7): the profilers of native programs: perf, valgrind, heaptrack, debuggers, bpftrace,
# allocators.
# tier: full
. "$(dirname "$0")/tools-lib.sh"

cat >kept/app.c <<'END'
#include <stdlib.h>
#include <time.h>
#define KEEP __attribute__((noinline, noclone)) static void
static volatile unsigned long counter;
static void *volatile kept[100];
KEEP inner(clock_t end) { while (clock() < end) for (int i = 0; i < 100000; i++) counter++; }
KEEP outer(void) { inner(clock() + 2 * CLOCKS_PER_SEC); counter++; }
KEEP keep(void) { for (int i = 0; i < 100; i++) kept[i] = malloc(5000); }
int main(int n, char **v) { (void)v; keep(); do outer(); while (n > 1); return 0; }
END
if $CC -g -O1 -fno-builtin -fno-omit-frame-pointer -o kept/app kept/app.c; then
	if have perf && perf record -q -g -o probe kept/app >/dev/null 2>&1; then
		shown perf
	else
		skip perf 'perf cannot record here'
	fi
	if fg-record -q --heap -o probe true >/dev/null 2>&1; then
		shown fg-record-heap
	else
		skip fg-record-heap 'no hardware breakpoints here'
	fi
	for row in callgrind bottleneck massif dhat; do
		if ! have valgrind; then
			skip $row 'no valgrind' valgrind
		elif [ $row = dhat ] && [ -z "$json" ]; then
			skip $row 'built without yajl' libyajl-dev
		else
			shown $row
		fi
	done
	if have heaptrack && fg-collapse --version | grep -q '^zstd input: libzstd'; then
		shown heaptrack
	else
		skip heaptrack 'no heaptrack' heaptrack
	fi
	# A debugger may attach only to children of its shell, or to no process.
	if have gdb pgrep && [ "$(id -u)" = 0 ] && timeout 600 gdb -batch -p $$ -ex bt 2>/dev/null </dev/null | grep -q '^#0'; then
		shown gdb kept/app forever
	else
		skip gdb 'no gdb, or it may not attach' gdb
	fi
	if have eu-stack pgrep && [ "$(id -u)" = 0 ] && eu-stack -p $$ >/dev/null 2>&1; then
		shown eu-stack kept/app forever
	else
		skip eu-stack 'no eu-stack, or it may not attach' elfutils
	fi
	if have bpftrace && [ "$(id -u)" = 0 ] && timeout 600 bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1; then
		shown bpftrace kept/app forever
	else
		skip bpftrace 'no bpftrace, or not allowed' bpftrace
	fi
	for row in gperftools tcmalloc jemalloc; do
		case $row in
		gperftools) library=libprofiler.so.0 ;;
		tcmalloc) library=libtcmalloc.so.4 ;;
		jemalloc) library=libjemalloc.so.2 ;;
		esac
		if LD_PRELOAD=$library LD_TRACE_LOADED_OBJECTS=1 kept/app 2>&1 | grep -F "$library" | grep -q '^.\?/\|=> /'; then
			shown $row
		else
			skip $row "no $library" 'google-perftools libjemalloc-dev'
		fi
	done
else
	skip 'perf, fg-record-heap, callgrind, bottleneck, massif, dhat, heaptrack, gdb, eu-stack, bpftrace, gperftools, tcmalloc, jemalloc' 'no compiler' gcc
fi


# Each named row has a test.
sed -n 's/^\.\\" test \([^ ]*\) .*/\1/p' "$here/../man/fg-tools.7" | sort >want
cat "$here/tools.t" "$here/tools-heap.t" "$here/tools-runtimes.t" | grep -oE '(shown|row in|skip|version|heap|row .*) [a-z $-]+|for row in [a-z ]+' | tr ' ' '\n' | sort -u >words
comm -23 want words >missing
same 'each row of fg-tools(7) is tested' /dev/null missing
done_testing
