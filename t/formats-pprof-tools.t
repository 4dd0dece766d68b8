#!/bin/sh
# Profiles that jemalloc, gperftools and Go write here, compared with the output of their own
# tools.
# tier: full
. "$(dirname "$0")/formats-lib.sh"
CC=${CC:-cc}

# Programs of this machine, symbolized from their files; the allocators' own tools agree.
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
		skip "$l" 'it is not installed, or its tool is not' 'google-perftools libjemalloc-dev'
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
	skip libprofiler 'it is not installed' google-perftools
fi

# Go programs, compared with go tool pprof.
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
	skip 'Go programs' 'there is no go' golang-go
fi
done_testing
