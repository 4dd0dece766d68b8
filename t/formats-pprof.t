#!/bin/sh
# pprof's profiles: its protocol buffer and the older formats that it still reads.
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

# Two sample types and a period of 10 ms; what is inlined; a mapping that is a library; labels.
cat >profile <<'END'
1{1:1 2:2} 1{1:3 2:4} 11{1:3 2:4} 12:10000000
2{1[2 1] 2[3 30000000] 3{1:12 2:13} 3{1:14 3:77} 3{1:15 3:5}}
2{1:3 1:1 2:1 2:10000000}
3{1:7 5:5} 3{1:8 5:6}
4{1:1 2:7 3:4096 4{1:1 2:12}}
4{1:2 2:8 3:8192 4{1:2 2:3} 4{1:3 2:40}}
4{1:3 2:8 3:12288}
5{1:1 2:7 4:10} 5{1:2 3:8 4:11} 5{1:3 2:9}
6"" 6"samples" 6"count" 6"cpu" 6"nanoseconds" 6"/srv/app" 6"/lib/libx.so.1" 6"main" 6"_Z5innerv" 6"outer"
6"main.c" 6"x.c" 6"thread" 6"worker 1" 6"tid" 6"pid" 6"built yesterday" 13:16
END
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
n=$(wc -c <whole) at=0
: >bad
while [ $at -lt $n ]; do
	head -c $at whole >in
	timeout 10 fg-collapse -q -f pprof in >got 2>said
	code=$?
	[ $code = 0 ] || [ $code = 2 ] || echo "$at: exit $code" >>bad
	! grep -q 'Sanitizer\|runtime error' said || echo "$at: $(head -1 said)" >>bad
	at=$((at + 1))
done
check 'cut off at every byte' test ! -s bad
cat bad
printf 'abc' >in
status 'junk' 2 fg-collapse -q -f pprof in

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
			fg-collapse -q $f.pb.gz | grep -v '^# period' >got
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
