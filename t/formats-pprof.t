#!/bin/sh
# pprof's profiles: its protocol buffer and the older formats that it still reads.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

fg-collapse -V | grep -q 'protobuf-c$' || skip_all 'built without protobuf-c'
formats <<'END'
pprof/go-cpu.pb.gz | --no-annotate | go-cpu.pb.gz.t-cpu.folded |
pprof/go-cpu.pb.gz | --no-annotate -e cpu | go-cpu.pb.gz.t-cpu.folded |
pprof/go-cpu.pb.gz | --no-annotate -e samples | go-cpu.pb.gz.t-samples.folded |
pprof/go-allocs.pb.gz | --no-annotate | go-allocs.pb.gz.t-alloc_space.folded |
pprof/go-allocs.pb.gz | --no-annotate -e alloc_objects | go-allocs.pb.gz.t-alloc_objects.folded |
pprof/go-allocs.pb.gz | --no-annotate -e inuse_objects | go-allocs.pb.gz.t-inuse_objects.folded |
pprof/go-allocs.pb.gz | --no-annotate -e inuse_space | go-allocs.pb.gz.t-inuse_space.folded |
pprof/go-heap.pb.gz | --no-annotate | go-heap.pb.gz.t-inuse_space.folded |
pprof/go-heap.pb.gz | --no-annotate -e alloc_objects | go-heap.pb.gz.t-alloc_objects.folded |
pprof/go-heap.pb.gz | --no-annotate -e alloc_space | go-heap.pb.gz.t-alloc_space.folded |
pprof/go-heap.pb.gz | --no-annotate -e inuse_objects | go-heap.pb.gz.t-inuse_objects.folded |
pprof/pprof-large.cpu.pb.gz | --no-annotate | pprof-large.cpu.pb.gz.t-cpu.folded.gz |
pprof/pprof-large.cpu.pb.gz | --no-annotate -e samples | pprof-large.cpu.pb.gz.t-samples.folded.gz |
pprof/pprof-sample.cpu.pb.gz | --no-annotate | pprof-sample.cpu.pb.gz.t-cpu.folded |
pprof/pprof-sample.cpu.pb.gz | --no-annotate -e samples | pprof-sample.cpu.pb.gz.t-samples.folded |
pprof/speedscope-simple.prof | | speedscope-simple.prof.t-cpu.folded |
pprof/speedscope-simple.prof | -e samples | speedscope-simple.prof.t-samples.folded |
END

message() {
	perl "$here/protobuf.pl"
}

# folded NAME OPTIONS EXPECTED: of ./in
folded() {
	printf '%s\n' "$3" >want
	[ -n "$3" ] || : >want
	eval "fg-collapse -q $2 in" >got 2>said
	same "$1" want got
}

cp "$here/data/pprof.pb" profile
message <profile >in
folded 'types, units, inlined frames' '' '# unit: ns 0
# period: 10000000 ns 0
main;[libx.so.1]_[l] 10000000
main;outer_[l];_Z5innerv_[i] 30000000'
folded 'samples stand for the period too' '-e samples' '# unit: samples 0
# period: 10000000 ns 0
main;[libx.so.1]_[l] 1
main;outer_[l];_Z5innerv_[i] 3'
folded 'lines' '--no-annotate --srcline' 'main (main.c:12);[libx.so.1] 10000000
main (main.c:12);outer;_Z5innerv (x.c:3) 30000000'
folded 'modules and addresses' '--no-annotate --module --addrs' 'app`main;[libx.so.1 <3000>] 10000000
app`main;libx.so.1`outer;libx.so.1`_Z5innerv 30000000'
folded 'labels say the thread' '--no-header -a --threads --tid' '?/?;main;[libx.so.1]_[l] 10000000
worker_1-5/77;main;outer_[l];_Z5innerv_[i] 30000000'
fg-collapse -v in 2>said >/dev/null
check 'comments with -v' grep -q 'in: built yesterday$' said
sed 's/13:16/14:1/' profile | message >in
folded 'the default sample type' '--no-header --no-annotate' 'main;[libx.so.1] 1
main;outer;_Z5innerv 3'
sed 's/13:16/14:14/' profile | message >in
folded 'a default that is none: the last' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
# The string table first, and the samples last: any order.
(sed -n '/^6/p' profile; sed '/^[62]/d' profile; sed -n '/^2/p' profile) | message >in
folded 'parts in another order' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
message <profile | gzip >in.gz
fg-collapse -q in.gz in.gz >two
check 'two files add up' grep -q 'inner.* 60000000' two

# What shall be dropped goes with all that it calls, unless nothing would be left.
cat >drops <<'END'
1{1:1 2:2} 7:7 8:8
2{1[3 2 1] 2:1} 2{1[4 1] 2:10} 2{1[3] 2:100} 2{1[5 1] 2:1000} 2{1[6 1] 2:10000}
4{1:1 4{1:1}} 4{1:2 4{1:2}} 4{1:3 4{1:3}} 4{1:4 4{1:3} 4{1:1}} 4{1:5 4{1:4}} 4{1:6 4{1:1} 4{1:2}}
5{1:1 2:3} 5{1:2 2:4} 5{1:3 2:5} 5{1:4 2:6}
6"" 6"objects" 6"count" 6"main" 6"operator new(unsigned long)" 6"malloc_inner" 6"malloc_kept" 6"operator new|malloc.*" 6"malloc_kept"
END
message <drops >in
folded 'frames that the profile drops' '--no-header --no-annotate' 'main 10001
main;main 10
main;malloc_kept 1000
malloc_inner 100'
if command -v go >/dev/null && go tool pprof -h >/dev/null 2>&1; then
	go tool pprof -raw in 2>/dev/null | fg-collapse -q --no-header --no-annotate >want
	fg-collapse -q --no-header --no-annotate in >got
	same 'as pprof does it' want got
else
	skip 'as pprof does it' 'there is no go tool pprof'
fi
sed 's/operator new|malloc/(?:operator new|malloc)/' drops | message >in
folded 'an expression that is not taken: nothing is dropped' '--no-header --no-annotate' 'main;main;malloc_inner 10
main;malloc_kept 1000
main;operator new;main 10000
main;operator new;malloc_inner 1
malloc_inner 100'
fg-collapse in 2>&1 >/dev/null | head -1 >said
check 'and that is said' grep -q 'dropped are kept: (?:operator new' said

# Faults have their offset, and what is good beside them stays.
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[99 1] 2[1 10000000]}/' profile | message >in
folded 'a location that is not there' '--no-header --no-annotate' 'main 10000000
main;outer;_Z5innerv 30000000'
check 'is said with its offset' grep -q 'in: byte [0-9]*: a sample.s location that is not in the profile; left out' said
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[1]} 2{1[1] 2[-5 7]}/' profile | message >in
folded 'a sample with too few values, another with a negative one' '--no-header --no-annotate' 'main 7
main;outer;_Z5innerv 30000000'
status 'with --strict they are errors' 2 fg-collapse -q --strict in
sed 's/^1{1:1/1{} &/; s/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[9 1 10000000]}/; s/2\[3 30000000\]/2[9 3 30000000]/' \
    profile | message >in
folded 'a first sample type without a name' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[-1 -10000000]}/' profile | message >in
folded 'a difference of profiles has two columns' '' '# columns: base head 0 0
# unit: ns 0 0
# period: 10000000 ns 0 0
main;[libx.so.1]_[l] 10000000 0
main;outer_[l];_Z5innerv_[i] 0 30000000'
output 'each of its sample types has two events' 'cpu 30000000
cpu,base 10000000' sh -c "fg-collapse --list-events in | sed -n 's/, base/,base/; s/^cpu/cpu/p' | awk '{ print \$1, \$4 }'"
sed 's/4{1:3 2:8 3:12288}/4{1:3 2:999 4{1:999 2:-4}}/; s/5{1:3 2:9}/5{1:3 2:999}/' profile | message >in
folded 'indices that lead nowhere' '--no-header --no-annotate' 'main;[libx.so.1];_Z5innerv 30000000
main;[unknown] 10000000'
(message <profile; printf '\372\377\377\377\377\377\377\377\377\377\377\377\001') >in
folded 'a number without an end behind it' '--no-header --no-annotate -f pprof' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
(message <profile; printf '\062\377\377\377\377\007abc') >in
folded 'a length that claims gigabytes' '--no-header --no-annotate -f pprof' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
check 'is said' grep -q 'byte [0-9]*: a field that is longer than what is left' said

message <profile >whole
cat whole whole >in
fg-collapse in 2>&1 >/dev/null | head -1 >said
check 'two profiles in one are told' \
	grep -q 'byte [0-9]*: a second profile behind the first (name each file by itself)' said
spoiled whole
status 'cut off at every byte' 0 timeout 60 fg-collapse -q -f pprof whole cut/*
status 'changed at every byte' 0 timeout 60 fg-collapse -q -f pprof whole changed/*
printf 'abc' >in
status 'junk' 2 fg-collapse -q -f pprof in

# The older formats, by addresses as pprof -raw has them. The files that were mapped are
# not here, even if one of that name and number is.
for f in pprof-cppbench.contention pprof-cppbench.cpu pprof-cppbench.heap pprof-cppbench.thread.none \
    pprof-go.crc32.cpu pprof-go.godoc.thread pprof-java.contention pprof-java.cpu pprof-java.heap; do
	f=$corpus/pprof-legacy/$f
	perl -0777 -pe 's{ /(srv|usr|lib|home)}{ /gone/$1}g' "$f" >in
	perl -pe 's{ /(srv|usr|lib|home)}{ /gone/$1}g' "$f.raw.txt" >raw
	fg-collapse -q --no-header --addrs raw >want
	fg-collapse -q --no-header --addrs in >got
	same "${f##*/}, as pprof -raw has it" want got
	gzip -c in | fg-collapse -q --no-header --addrs >got
	same "${f##*/}, packed and from a pipe" want got
done
formats <<'END'
pprof-legacy/pprof-java.cpu | -e samples | pprof-java.cpu.raw.txt.perl.folded |
pprof-legacy/pprof-java.heap | -e inuse_objects | pprof-java.heap.raw.txt.perl.folded |
pprof-legacy/pprof-java.contention | -e contentions | pprof-java.contention.raw.txt.perl.folded |
pprof-legacy/pprof-cppbench.thread | --no-annotate --threads --tid | = main-?/14748;__libc_start_main;main;helper 1\nthread1-?/14751;__libc_start_main;0x40bce3;0xbb0d20;0xbaa9f8;0xbaa17e;0xa460b3;0xa45b95;start_thread;nanosleep 1\nthread2-?/14752;__libc_start_main;0x40bce3;0xbb0d20;0xbaa9f8;0xbaa17e;0xa48927;0xa45b95;start_thread;helper 2
pprof-legacy/go-goroutine.debug1.txt | | total 8
pprof-legacy/go-block.debug1.txt | -e contentions | total 1106
gperftools-heap/tc.0072.heap | | total 5904938
gperftools-heap/tc.0072.heap | -e inuse_objects | total 1342
gperftools-heap/tc.0072.heap | -e alloc_space | total 15004274
jemalloc-heap/je.9003.0.f.heap | | total 7293913
jemalloc-heap/je.9003.0.f.heap | -e alloc_space | refused no sample of event alloc_space
jemalloc-heap/jei.9004.20.i20.heap | | total 9165585
jemalloc-heap/jei.9004.20.i20.heap | -e alloc_space | total 10985201
gperftools-cpu/gp.cpu | | total 1120000000
gperftools-cpu/gp.cpu | -e samples | total 560
END
perl -0777 -pe 's{ /(srv|usr|lib)}{ /gone/$1}g' "$corpus/gperftools-cpu/gp.cpu" >in
perl -pe 's{ /(srv|usr|lib)}{ /gone/$1}g' "$corpus/gperftools-cpu/gp.cpu.raw.txt" | fg-collapse -q --no-header --addrs >want
fg-collapse -q --no-header --addrs in >got
same 'gperftools: stacks as pprof has them' want got
fg-collapse in 2>said >/dev/null
check 'frames without names are said, with the cure' grep -q 'frames have no name: .* google-pprof --collapsed PROGRAM FILE names them$' said

# The words of other machines: a stack of three, the leaf once more behind a handler.
for kind in 'Q<' 'Q>' 'L<' 'L>'; do
	perl -e 'print pack "($ARGV[0])*", 0, 3, 0, 10000, 0, 2, 3, 0x1000, 0x2001, 0x3001, 1, 2, 0x1500, 0x3001, 0, 1, 0' "$kind" >in
	printf '2000-3000 r-xp 00000000 00:00 0 /srv/app\n3000-4000: /lib/libq.so\n' >>in
	output "gperftools, words $kind" '# unit: ns 0
# period: 10000000 ns 0
0x3000_[l];0x1500 10000000
0x3000_[l];0x2000;0x1000 20000000' fg-collapse -q in
	cp in one
	cat one one >in
	folded "and two of them, words $kind" '--no-header -e samples' '0x3000_[l];0x1500 2
0x3000_[l];0x2000;0x1000 4'
done
perl -e 'print pack "Q*", 0, 3, 0, 10000, 0, 2, 3, 0x1000, 0x2001, 0x3001, 1, 1 << 60, 1' >in
folded 'a stack that claims to be deeper than the file' '--no-header' '0x3000;0x2000;0x1000 20000000'
check 'is said with its offset' grep -q 'in: byte 80: a stack that is longer than what is left; left out' said

# One behind the other, with what is mapped and without.
printf 'goroutine profile: total 2\n2 @ 0x1001 0x2001\n\n' >one
{ cat one one; printf 'MAPPED_LIBRARIES:\n1000-2000: /srv/a\n'; cat one; printf -- '--- Memory map:\n1000-2000: /srv/b\n'; } >in
folded 'pprof-legacy: three of them' '--module' '# unit: goroutine 0
0x2000;0x1000 2
0x2000;a`0x1000 2
0x2000;b`0x1000 2'
cat >in <<'END'
PeriodType: cpu nanoseconds
Period: 10
Samples:
samples/count
          2: 1
Locations
     1: 0x1000 M=1 f a.c:3 s=0
Mappings
1: 0x1000/0x2000/0x0 /srv/a
END
sed 's/ f / g /' in >other
cat in other in >three
mv three in
folded 'pprof -raw: three of them' '--no-header' 'f 4
g 2'

# What is none of these at all.
echo junk >in
for f in pprof-legacy heap gperftools; do
	status "junk as $f" 2 fg-collapse -f $f in
	fg-collapse -f $f in 2>&1 | head -1 >said
	check 'and what it is not is said' grep -q 'in:.* not ' said
done

# An allocator's own frames, sampled or not, jemalloc's threads, damaged lines.
cat >in <<'END'
heap_v2/1024
  t*: 3: 3000 [0: 0]
  t0: 3: 3000 [0: 0]
@ 0x1001 0x2001
  t*: 2: 2048 [4: 4096]
  t0: 2: 2048 [4: 4096]
@ 0x2001
  t*: 1: x
@ 0x1001
  t*: 1: 100000 [0: 0]
MAPPED_LIBRARIES:
00001000-00002000 r-xp 00000000 00:00 0 /lib/libjemalloc.so.2
00002000-00003000 r-xp 00000000 00:00 0 /srv/app
END
folded 'jemalloc' '--no-annotate' '0x1000 100000
0x2000 3239'
check 'a damaged line is named' grep -q '^fg-collapse: in:8: not a line of a heap profile; left out' said
cp in one
cat one one >in
folded 'jemalloc: two of them' '--no-annotate' '0x1000 200000
0x2000 6478'
cp one in
folded 'jemalloc: all that was allocated' '--no-annotate -e alloc_objects' '0x2000 6'

# Programs of this machine, named by their files; the tools of the allocators agree.
cat >alloc.c <<'END'
#include <stdlib.h>
#include <string.h>
static void *kept[1000];
__attribute__((noinline)) void *make(size_t n) { void *p = malloc(n); memset(p, 1, n); return p; }
__attribute__((noinline)) void *deep(int k, size_t n) { void *p = k > 0 ? deep(k - 1, n) : make(n); __asm__ volatile("" : : "r"(p)); return p; }
__attribute__((noinline)) long spin(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i; return s; }
int main(void) {
	for (int i = 0; i < 1000; i++) { kept[i] = deep(i % 3, 1000 + i); if (i % 2) free(kept[i]); }
	return spin(200000000) == 7;
}
END
${CC:-cc} -g -O1 -fno-omit-frame-pointer -o alloc alloc.c
library() { # by its name, where the dynamic linker finds it
	LD_PRELOAD=$1 LD_TRACE_LOADED_OBJECTS=1 ./alloc 2>/dev/null | sed -n 's/.*=> \(.*\) (.*/\1/p; s/^\t\(\/.*\) (.*/\1/p' | grep -F "$1"
}
sums() { # folded stacks from main on
	sed -n 's/<[0-9a-f]*>//g; s/.*\(main;.*\)/\1/p' | fg-merge --no-header
}
for l in libjemalloc.so.2 libtcmalloc.so.4; do
	if ! command -v jeprof >/dev/null || ! command -v google-pprof >/dev/null || [ -z "$(library $l)" ]; then
		skip "$l" 'it is not installed, or its tool is not'
		continue
	fi
	MALLOC_CONF=prof:true,prof_accum:true,prof_final:true,lg_prof_sample:10,prof_prefix:$tmp/h HEAPPROFILE=$tmp/h \
	    LD_PRELOAD=$l ./alloc 2>/dev/null
	tool=jeprof
	[ $l = libjemalloc.so.2 ] || tool=google-pprof
	for e in inuse_space alloc_space inuse_objects; do
		$tool --collapsed --$e ./alloc h*.heap 2>/dev/null | sums >want
		fg-collapse -q --no-annotate --no-header -e $e h*.heap | sums >got
		same "$l: $e as $tool has it" want got
	done
	check "$l: with lines" sh -c 'fg-collapse -q --no-annotate --srcline h*.heap | grep -q "main (.*alloc.c:8);deep (.*alloc.c:5);make (.*alloc.c:4) "'
	rm -f h*.heap
done
if [ -n "$(library libprofiler.so.0)" ]; then
	CPUPROFILE=$tmp/cpu.prof LD_PRELOAD=libprofiler.so.0 ./alloc 2>/dev/null
	fg-collapse -q --no-annotate --no-header cpu.prof | sums >got
	check 'libprofiler: the only busy function has its caller' grep -q '^main;spin ' got
	cp alloc newer && touch -d '+1 hour' newer && mv newer alloc
	fg-collapse cpu.prof >got 2>said
	status 'another file of that name gives no names' 1 grep -q spin got
else
	skip libprofiler 'it is not installed'
fi

# Go programs, through its own tool.
if command -v go >/dev/null && go tool pprof -h >/dev/null 2>&1; then
	cat >main.go <<'END'
package main

import (
	"os"
	"runtime/pprof"
	"time"
)

//go:noinline
func spin(d time.Duration) (n int) {
	for t := time.Now(); time.Since(t) < d; n++ {
	}
	return
}

func main() {
	f, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(f)
	spin(300 * time.Millisecond)
	pprof.StopCPUProfile()
	f.Close()
	h, _ := os.Create("heap.pb.gz")
	pprof.Lookup("allocs").WriteTo(h, 0)
	h.Close()
}
END
	if GOFLAGS=-mod=mod GO111MODULE=off GOCACHE=$tmp/gocache go build -o app main.go 2>.said && ./app; then
		for f in cpu heap; do
			go tool pprof -raw $f.pb.gz 2>/dev/null | fg-collapse -q >want
			fg-collapse -q $f.pb.gz >got
			same "a Go program's $f, as pprof -raw has it" want got
		done
		fg-collapse -q cpu.pb.gz >got
		check 'spin is in it' grep -q 'main.main;main.spin' got
	else
		not_ok 'a Go program'
	fi
else
	skip 'Go programs' 'there is no go'
fi
done_testing
