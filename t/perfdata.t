#!/bin/sh
# fg-collapse reads perf.data: recordings made here, compared with perf script.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/timehist-lib.sh"

if ! perf record -q -e cpu-clock -o try.data true >.said 2>&1 || ! perf script -i try.data >/dev/null 2>&1; then
	skip 'recordings made here' "perf cannot record: $(head -1 .said)"
	done_testing
fi
cat >work.cc <<'EOF'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
#include <vector>
struct box { std::vector<int> v; int twice(size_t i) const { return 2 * v[i]; } };
static volatile long sink;
__attribute__((noinline)) static long leaf(box &b) { long n = 0; for (size_t i = 0; i < b.v.size(); i++) n += b.twice(i) ^ (long)i; return n; }
__attribute__((noinline)) static long deep(box &b, int d) { long n = d == 0 ? leaf(b) : deep(b, d - 1); sink = sink + n; return n + 1; }
__attribute__((noinline)) static void sorts(box &b) { for (auto &x : b.v) x = rand(); std::sort(b.v.begin(), b.v.end()); }
__attribute__((noinline)) static void asks() { for (int i = 0; i < 2000; i++) if (access("/proc/self/x", R_OK) == 0) sink = sink + 1; }
__attribute__((noinline)) static void naps() { usleep(20000); sink = sink + 1; }
int main(int argc, char **)
{
	box b;
	b.v.resize(20000);
	for (clock_t end = clock() + CLOCKS_PER_SEC / 3; clock() < end;) {
		for (int i = 0; i < 200; i++)
			deep(b, 6);
		sorts(b);
		asks();
	}
	for (int i = 0; argc > 1 && i < 10; i++)
		naps();
}
EOF
${CXX:-c++} -O2 -g -fno-omit-frame-pointer -o work work.cc 2>.said || {
	skip 'recordings made here' 'no C++ compiler' g++
	done_testing
}
touch -d 2000-01-01 work # older than its recordings

totals() { awk '!/^#/ { n += $NF } END { printf "%.0f\n", n }' "$1"; }

# shares FILE LEAST: the percentage of each function of work.cc that has at least LEAST.
shares() {
	awk -v least="$2" '!/^#/ { v = $NF; sub(/ [^ ]*$/, ""); gsub(/_\[.\]/, ""); all += v; n = split($0, f, ";")
		split("", seen); for (i = 1; i <= n; i++) if (f[i] ~ /^(leaf|deep|sorts|asks|main|std::sort)/ && !seen[f[i]]++) sum[f[i]] += v }
		END { for (s in sum) if (sum[s] > all * least / 100) printf "%s %.0f\n", s, 100 * sum[s] / all }' "$1" | sort
}

# against NAME FILE [OPTION...]: compares totals, functions and events with perf script.
against() {
	what=$1 file=$2
	shift 2
	fg-collapse -q "$@" "$file" >ours || { not_ok "$what: reads"; return; }
	perf script -i "$file" 2>/dev/null | fg-collapse -q "$@" >perfs
	check "$what: the same total as perf script" test "$(totals ours)" = "$(totals perfs)"
	shares ours 1 >a
	shares perfs 4 >b
	# At most two points apart, since perf looks up return addresses, and we the calls before
	# them. A function of 4 % has at least 1 % here.
	join a b | awk '{ d = $2 - $3; if (d > 2 || d < -2) print }' >.said
	[ -s a ] || echo 'no functions' >>.said
	join -v 2 a b >>.said
	! rates || if [ ! -s .said ]; then ok "$what: the same functions"; else not_ok "$what: the same functions"; fi
	fg-collapse -q --list-events "$file" >a
	perf script -i "$file" 2>/dev/null | fg-collapse -q --list-events >b
	same "$what: the same events" b a
}

depth() { awk '!/^#/ { v = $NF; d += v * gsub(/;/, ""); n += v } END { print int(100 * d / n) }' "$1"; }

perf record -q -e cpu-clock -F 997 -g -o fp.data ./work >/dev/null 2>.said
against 'frame pointers' fp.data
perf record -q -e cpu-clock -F 997 --call-graph dwarf -o dwarf.data ./work >/dev/null 2>.said
against 'copies of stacks' dwarf.data
rated 'stacks are at least as deep as those of perf script' test "$(depth ours)" -ge "$(depth perfs)"
# inlined FILE LEAST: the inlined functions below main that have at least LEAST percent of all, without
# namespaces and template arguments. Above main, perf reports functions of libc as inlined whose symbol
# has another name.
inlined() {
	awk -v least="$2" '!/^#/ { v = $NF; all += v; sub(/ [^ ]*$/, ""); if (!sub(/^.*;main;/, "")) next
		n = split($0, f, ";"); split("", seen)
		for (i = 1; i <= n; i++) if (sub(/_\[i\]$/, "", f[i])) {
			sub(/<.*/, "", f[i]); sub(/.*::/, "", f[i])
			if (!seen[f[i]]++) sum[f[i]] += v
		} }
		END { for (s in sum) if (sum[s] >= all * least / 100) print s }' "$1" | sort
}
inlined perfs 4 >b
inlined ours 0 >a
if ! rates; then
	:
elif [ -s b ]; then
	comm -13 a b >lacking
	same 'the inlined functions of perf script' /dev/null lacking
else
	skip 'the inlined functions of perf script' 'perf script shows none that has 4 %'
fi
fg-collapse -q -j 1 dwarf.data >want
for jobs in 2 5; do
	fg-collapse -q -j $jobs dwarf.data >got
	same "$jobs threads give the same output as one" want got
done
against 'a process and a thread at the root' fp.data --tid
# From a seventh to three quarters of the samples: in a fixed range of time the program may not have
# had a CPU.
perf script -i fp.data -F time 2>/dev/null | awk '{ t[NR] = $1 }
	END { printf "%.4f %.4f\n", t[int(NR / 7)] - t[1], t[int(NR * 3 / 4)] - t[1] }' >range
read -r from to <range
against "a range of time" fp.data --from "$from" --to "$to"
if script -qec true /dev/null </dev/null >.said 2>&1; then
	script -qefc "sh '$here/programs/slowly' dwarf.data said | fg-collapse -o out" said </dev/null >/dev/null
	check 'a progress line' grep -q 'fg-collapse: stdin: [0-9]* MB' said
else
	skip 'a progress line' "script(1) makes no terminal: $(head -1 .said)" bsdutils
fi
against 'weights of 1' dwarf.data --samples
perf record -q -e cpu-clock -F 997 -g -z -o packed.data ./work >/dev/null 2>.said && against 'packed' packed.data
perf record -q -e cpu-clock -e page-faults -c 1000003 -g -o two.data ./work >/dev/null 2>.said
against 'two events' two.data -e cpu-clock
perf record -q -e cpu-clock -F 997 -g -o - ./work 2>.said >pipe.data
against 'a pipe' pipe.data
perf record -q -e cpu-clock -F 997 -g -o - ./work 2>.said | fg-collapse -q | grep -c ';main;' >got
check 'from perf without a file between' test "$(cat got)" -gt 2
fg-collapse -q fp.data >want
fg-collapse -q -j 1 - <fp.data >got
same 'from standard input' want got
cat fp.data | fg-collapse -q >got
same 'a file through a pipe' want got
gzip -c fp.data >fp.gz
fg-collapse -q fp.gz >got
same 'compressed with gzip' want got
fg-collapse -q --no-annotate --srcline dwarf.data | grep -c ';leaf (work.cc:[0-9]*)' >got
check '--srcline: lines of the debug information' test "$(cat got)" -gt 0
fg-collapse -q --no-inline dwarf.data >got
check '--no-inline: no inlined frame' sh -c '! grep -q "_\[i\]" got && grep -q ";leaf" got'
DEBUGINFOD_URLS=http://127.0.0.1:9 fg-collapse -q --debuginfod --no-inline fp.data >got2 2>&1
fg-collapse -q --no-inline fp.data >got
same '--debuginfod: a server that is not there takes nothing away' got got2
fg-collapse -q --time-order fp.data | totals - >got
check '--time-order has all weight' test "$(cat got)" = "$(totals want)"

# A file with another build ID is not used for symbols.
cp -p work kept
printf 'int main() { return 0; }\n' | ${CC:-cc} -x c -O1 -o work - 2>/dev/null
fg-collapse --buildids . --maps '' fp.data >got 2>said
check 'another program at the same path is not used' sh -c '! grep -q ";main" got && grep -q ";\[work\]" got'
check 'another build is reported with the options that find the recorded one' grep -q 'work, which is another build on this machine; give the recorded one with --symfs or --buildids' said
mkdir -p "root$tmp" && cp kept "root$tmp/work"
fg-collapse -q --buildids . --symfs root fp.data >got
check '--symfs: the program that ran' grep -q ';deep;deep;' got
id=$(perf buildid-list -i fp.data | awk '/\/work$/ { print $1 }')
mkdir -p "ids/.build-id/$(printf %.2s "$id")/${id#??}" && cp kept "ids/.build-id/$(printf %.2s "$id")/${id#??}/elf"
fg-collapse -q --buildids ids fp.data >got
check '--buildids: the program that ran' grep -q ';deep;deep;' got
cp -p kept work

fg-collapse --header fp.data >got
check '--header: the command' grep -q '^# command: .*record .*work' got
check '--header: the machine' grep -qx "# host: $(uname -n)" got
check '--header: the events' grep -q '^# event: cpu-clock' got
if [ -e /dev/full ]; then
	fg-collapse --header fp.data 2>full.said >/dev/full
	check '--header: a full disk is an error' grep -qx 'fg-collapse: stdout: No space left on device' full.said
fi
check '--header: no stacks' sh -c '! grep -vq "^#" got'

# The kernel was relocated: functions keep their distance from _text.
at=$(perf script -i fp.data --show-mmap-events 2>/dev/null | sed -n 's/.*@ *0*x*\([0-9a-f]*\).*\[kernel.kallsyms\]_text.*/\1/p' | head -1)
if [ -n "$at" ] && grep -q 'asm_sysvec\|do_syscall_64' want; then
	awk '/ [tT] / { print }' /proc/kallsyms >symbols
	perl -ne 'my ($a, $r) = /^(\w+)( .*)/; printf "%x%s\n", hex($a) - 0x1400000, $r' symbols >moved
	fg-collapse -q --kallsyms moved fp.data >got
	same '--kallsyms: of the same kernel after another boot' want got
fi

if perf record -q -e context-switches -c 1 -g --switch-events -o off.data ./work nap >/dev/null 2>.said; then
	fg-collapse -q --off-cpu off.data >got
	us=$(awk '/;main.*nanosleep/ { n += $NF } END { print n + 0 }' got)
	naps=$(recorded_naps off.data work 10)
	echo "$naps naps were recorded; $us us blocked" >.said
	rated '--off-cpu: where it slept' test "$naps" -gt 0 -a "$us" -ge $((20000 * naps))
	check '--off-cpu: in microseconds' grep -q '^# unit: us 0' got
fi
status '--off-cpu needs something of the kind' 2 fg-collapse --off-cpu fp.data

# Truncated anywhere: the records before the end are folded, and nothing crashes.
size=$(stat -c %s fp.data)
bad=0
for part in 0 1 7 8 15 16 40 103 104 200 400 $((size / 3)) $((size / 2)) $((size - 4000)) $((size - 1)); do
	head -c "$part" fp.data >cut
	limited 60 fg-collapse -q --no-inline cut >/dev/null 2>said
	case $? in 0 | 2) ;; *) bad=1; echo "cut at $part" >.said ;; esac
done
check 'a recording that is cut off' test $bad = 0
# Truncated within the records, so that the feature sections are missing. In a stored recording,
# because perf may write the program's mappings last.
mkdir -p stored/tmp/fg-replay
gzip -dc "$here/data/replay/layers.gz" >stored/tmp/fg-replay/layers
touch -d 2000-01-01 stored/tmp/fg-replay/layers # older than the recording
gzip -dc "$here/data/replay/layers.fp.data.gz" >whole
head -c "$(od -An -t u8 -j 40 -N 16 whole | awk '{ printf "%.0f", $1 + $2 * 0.9 }')" whole >cut
fg-collapse -q --symfs stored cut >got 2>said
check 'a truncated recording: its first part is folded' grep -q ';main;' got
check 'a truncated recording is reported with its offset' grep -q 'cut: byte [0-9]*: the file is truncated' said

done_testing
