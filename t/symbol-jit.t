#!/bin/sh
# Addresses of generated code into function names: perf maps and jitdumps, also corrupted ones.
# tier: quick
. "$(dirname "$0")/lib.sh"

symbol=$UNIT/symbol
CC=${CC:-cc}
[ -x "$symbol" ] || skip_all "no $symbol: run make test"

# No process has this pid: it is above the kernel's limit.
none=4999999
map=/tmp/perf-$none.map
trap 'rm -f "$map"; cd /; rm -rf "$tmp"' EXIT
printf '%s\n' '1000 100 first function' '0x1080 0x10 later, within' '2000 10 old' '2000 10 new' \
	'nonsense' '3000' '3000 zz bad' '4000 0 empty' 'ffffffffffffffff 10 wraps' >"$map"
printf '5000 10 half a li' >>"$map"
output 'a perf map' 'first function
later, within
first function
new
[[jit]]
[[jit]]
[[jit]]
[[jit]]' "$symbol" jit $none - 1000 1085 1090 2001 2010 3000 4000 5001
output 'a perf map that grows, in the middle of a line' 'first function
[[jit]]
half a line
first function' "$symbol" jit $none - 1000 5001 "!echo ne >>$map" 5001 1000
output 'a perf map that is truncated and rewritten' 'half a line
first function
other
other' "$symbol" jit $none - 5001 1000 "!(echo 1000 10 other; seq 1000) >$map.new; cat $map.new >$map; rm $map.new" \
	1000 "!rm $map" 1000
echo '1000 10 old' >"$map"
output 'a perf map that is replaced by a new file' 'old
new' "$symbol" jit $none - 1000 "!rm $map; echo '1000 10 new' >$map" 1000
# A perf map with one function per address, in several versions, each longer than the last.
set --
for v in 1 22 333 4444 55555 666666 7777777; do
	set -- "$@" "!echo '1000 10 v$v' >$map" 1000
done
output 'a perf map that is rewritten all the time is read again once' 'v1 v22 v22 v22 v22 v22 v22' \
	sh -c '"$@" | paste -sd " " -' sh "$symbol" jit $none - "$@"
# A map of 150,000 functions in any order, with one more before each lookup: sorting them takes more
# than the time for changes, so that not each lookup finds the newest one.
perl -e 'printf "%x 10 f%d\n", 0x10000000 + 16 * ($_ * 7919 % 150000), $_ for 1 .. 150000' >"$map"
set -- 10000000
for i in $(seq 101 200); do
	set -- "$@" "!echo ${i}0 10 new$i >>$map" "${i}0"
done
"$symbol" jit $none - "$@" >got
output 'a perf map that grows all the time: the first changes' 'f150000
new101' head -2 got
check 'a perf map that grows all the time: not all changes at once' test "$(grep -c '^new' got)" -lt 100
mv "$map" elsewhere
ln -s "$tmp/elsewhere" "$map"
output 'a perf map behind a symbolic link is not used' '[[jit]]' "$symbol" jit $none - 1000
rm "$map"

if [ "$(id -u)" = 0 ]; then
	echo '1000 10 mine' >"$map"
	chown 65534 "$map"
	output "a perf map of another user is not used" '[[jit]]' "$symbol" jit $none - 1000
	chown 0 "$map"
	output "a perf map of root is used" 'mine' "$symbol" jit $none - 1000
	rm "$map"
else
	skip "a perf map of another user" "only root can make one"
fi

# A jitdump: header, and records of load, debug info, move and close.
cat >jitdump.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static void u32(uint32_t v) { fwrite(&v, 4, 1, stdout); }
static void u64(uint64_t v) { fwrite(&v, 8, 1, stdout); }
static void record(uint32_t id, uint32_t size, uint64_t time) { u32(id); u32(16 + size); u64(time); }
static void load(uint64_t at, uint64_t size, const char *name, uint64_t time)
{
	record(0, 40 + strlen(name) + 1 + size, time);
	u32(1); u32(1); u64(at); u64(at); u64(size); u64(0);
	fwrite(name, strlen(name) + 1, 1, stdout);
	for (uint64_t i = 0; i < size; i++)
		putchar(0x90);
}
int main(void)
{
	u32(0x4A695444); u32(1); u32(40); u32(62); u32(0); u32(1); u64(0); u64(0);
	load(0x1000, 16, "early", 100);
	load(0x1000, 32, "late", 200);
	load(0x100000, 200000, "large", 200);
	record(2, 16 + 16 + 7 + 16 + 2, 300);
	u64(0x2000); u64(2);
	u64(0x2000); u32(7); u32(0); fwrite("a/b.js", 7, 1, stdout);
	u64(0x2008); u32(9); u32(0); fwrite("\xff", 2, 1, stdout);
	load(0x2000, 16, "lined", 300);
	record(1, 48, 400);
	u32(1); u32(1); u64(0x3000); u64(0x2000); u64(0x3000); u64(16); u64(0);
	record(77, 3, 500); putchar(1); putchar(2); putchar(3);
	record(3, 0, 600);
	return 0;
}
END
$CC -w -o jitdump jitdump.c
./jitdump >jit-1.dump
output 'a jitdump by time' 'early
late
late
late
[[jit]]
large' "$symbol" jit $none "$tmp/jit-1.dump" 1000@150 1000@250 1000 101f@300 1020 110000
output 'lines of a jitdump, also of moved code' 'lined (b.js:7)
lined (b.js:9)
lined (b.js:9)' "$symbol" -l jit $none "$tmp/jit-1.dump" 2000 200f 300f
cat >sparse.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
static void u32(uint32_t v) { fwrite(&v, 4, 1, stdout); }
static void u64(uint64_t v) { fwrite(&v, 8, 1, stdout); }
int main(void)
{
	const uint32_t claimed = 2000000000;
	u32(0x4A695444); u32(1); u32(40); u32(62); u32(0); u32(1); u64(0); u64(0);
	u32(2); u32(claimed); u64(0); u64(0x1000); u64(claimed / 16);
	fflush(stdout);
	return ftruncate(1, 40 + (off_t)claimed);
}
END
$CC -w -o sparse sparse.c
./sparse >jit-2.dump
if (ulimit -v 1000000 && exec "$symbol" demangle x) >/dev/null 2>&1; then
	output 'a jitdump that claims to be huge costs nothing' '[[jit]]' \
		sh -c 'ulimit -v 1000000; exec "$0" "$@"' "$symbol" -l jit $none "$tmp/jit-2.dump" 1000
else
	skip 'a jitdump that claims to be huge' 'a sanitizer needs more room'
fi

# Any result is accepted, but no crash. ASan and UBSan check in make check.
$CC -O1 -o corrupt "$here/programs/corrupt.c"
crashed=
seed=0
while [ "$seed" -lt 30 ]; do
	cp jit-1.dump broken
	./corrupt broken "$seed" $((1 + seed % 8))
	limited 60 "$symbol" -l jit $none "$tmp/broken" 1000 2000 300f 1000@1 >got 2>&1
	got=$?
	{ [ "$got" -le 1 ] && ! grep -q 'runtime error' got; } || crashed="$crashed dump $seed: $got $(tail -3 got)"
	seed=$((seed + 1))
done
check "thirty corrupted jitdumps$crashed" test -z "$crashed"

done_testing
