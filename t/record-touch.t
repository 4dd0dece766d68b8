#!/bin/sh
# fg-record: complete stacks below large local arrays whose pages were never touched.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
for size in 30000 200000; do
	$CC -O1 -g -fno-optimize-sibling-calls -DSIZE=$size -o array$size "$here/programs/bigarray.c" -pthread ||
		skip_all "no C compiler" gcc
done
chmod 755 .
mkdir -m 777 out

# ok when samples in file $1 whose leaf is below the array have a caller: many, in the tier soak.
# Without touched pages none would have one. Exceptions: samples before the first touch, and those
# with smaller copies.
complete() {
	cat err
	awk '/with_array/ { all += $NF; if (/;caller_[ab];with_array/) whole += $NF }
		END { print whole + 0 " of " all + 0; exit !(whole > 0 && (!rates || all > 50 && 5 * whole >= all)) }' rates="${RATES-}" "$1"
}

# If fg-record reads late, stack copies become smaller than the array, so it gets a high priority,
# and the frequency is low.
record() {
	$prompt "$@" 2>err
}
options="-v --no-header -F 97"

record fg-record $options -o main.folded $usual ./array30000 2
check "an array of 30,000 bytes: samples have callers" complete main.folded
recorded=$(awk '/^Anonymous/ { print $2 }' err)
alone=$(./array30000 0.5 2>&1 | awk '{ print $2 }')
echo "$recorded KB recorded, $alone KB alone" >"$tmp/.said"
# Most kernels map one page of zeros for all pages that are only read.
cat >zeros.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static long anonymous(void)
{
	char line[128];
	long kb = -1;
	FILE *f = fopen("/proc/self/status", "r");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		sscanf(line, "RssAnon: %ld", &kb);
	fclose(f);
	return kb;
}
int main(void)
{
	volatile char *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long before = anonymous(), sum = 0;
	for (int i = 0; i < 1 << 20; i += 4096)
		sum += m[i];
	return sum != 0 || anonymous() - before > 512;
}
END
$CC -o zeros zeros.c
if ! ./zeros; then
	skip "reading untouched pages costs the program no memory" "this kernel allocates pages that are only read"
elif ! rates; then
	:
elif [ "$recorded" -le $((alone + 16)) ]; then
	ok "reading untouched pages costs the program no memory"
else
	not_ok "reading untouched pages costs the program no memory"
fi
record fg-record $options -o thread.folded $usual ./array30000 2 thread
check "untouched pages in a thread's stack" complete thread.folded
./array30000 3 2>/dev/null &
pid=$!
started $pid array30000
record fg-record $options -o attached.folded -p $pid
check "untouched pages of a running process" complete attached.folded
wait $pid
if setpriv --reuid 65534 --clear-groups true 2>/dev/null && [ "$(id -u)" = 0 ]; then
	record setpriv --reuid 65534 --clear-groups fg-record $options -o out/user.folded \
		$usual ./array30000 2
	check "as an ordinary user" complete out/user.folded
	! rates || lacks "an ordinary user: no stack is truncated at untouched pages" 'untouched page' err
	setpriv --reuid 65534 --clear-groups fg-record -o out/deep.folded ./array200000 1 2>err
	# Beside load, copies are made smaller, and the advice is another one.
	! rates || has "an array of 200,000 bytes: the summary recommends --deep-stacks" \
		'% of stacks are deeper than the stack copy [(]65528 bytes[)]; try sudo fg-record --deep-stacks' err
else
	skip "an ordinary user" "not root, or no setpriv" util-linux
fi
if fg-record --deep-stacks -o o true 2>&1 | grep -q 'deep-stacks:'; then
	skip "an array of 200,000 bytes" "not root, or no BPF"
else
	record fg-record $options -o deep.folded $usual ./array200000 2
	check "an array of 200,000 bytes, with deep stacks" complete deep.folded
	# Pages without memory within the copy and above it, at every sample: touching is too late.
	! rates || for size in 30000 200000; do
		fg-record $options -F 499 --deep-stacks --stack-size 65528 -o drop.folded \
			./array$size 1 drop 2>err
		check "$size bytes that lose their memory before each use: callers in all samples" \
			awk '/with_array;leaf/ { if (/;caller_[ab];with_array/) whole += $NF; else cut += $NF }
			END { exit whole == 0 || cut > 0 }' drop.folded
	done
fi

# perf's stack copies end at the untouched pages; fg-collapse's summary states the reason.
if perf record -q -e cpu-clock -F 97 -m 16M --call-graph dwarf,65528 -o perf.data ./array30000 2 >/dev/null 2>&1; then
	fg-collapse perf.data 2>err >/dev/null
	has "perf.data: truncated at untouched pages" 'truncated at an untouched page' err
	! rates || lacks "perf.data: not truncated by small copies" 'deeper than' err
else
	skip "perf.data: truncated at untouched pages" "no perf, or no right to its ring buffers of 16 MB" linux-perf
fi
done_testing
