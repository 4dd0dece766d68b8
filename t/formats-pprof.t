#!/bin/sh
# pprof profiles: the protocol buffer, and the older formats that pprof still reads.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

message() {
	perl "$here/protobuf.pl"
}

cp "$here/data/pprof.pb" profile
message <profile >in
folded 'types, units, inlined frames' '' '# unit: ns 0
# period: 10000000 ns 0
# values: sampled 0
main;[libx.so.1]_[l] 10000000
main;outer_[l];_Z5innerv_[i] 30000000'
folded 'the event samples: values and period' '-e samples' '# unit: samples 0
# period: 10000000 ns 0
# values: sampled 0
main;[libx.so.1]_[l] 1
main;outer_[l];_Z5innerv_[i] 3'
folded 'lines' '--no-annotate --srcline' 'main (main.c:12);[libx.so.1] 10000000
main (main.c:12);outer;_Z5innerv (x.c:3) 30000000'
folded 'modules and addresses' '--no-annotate --module --addrs' 'app`main;[libx.so.1 <3000>] 10000000
app`main;libx.so.1`outer;libx.so.1`_Z5innerv 30000000'
folded 'labels say the thread' '--no-header -a --threads --tid' '?/?;main;[libx.so.1]_[l] 10000000
worker_1-5/77;main;outer_[l];_Z5innerv_[i] 30000000'
folded 'a label as root frame' '--no-header --no-annotate --group-by thread --addrs' 'thread=[unknown];main;[libx.so.1 <3000>] 10000000
thread=worker 1;main;outer;_Z5innerv 30000000'
folded 'a numeric label as root frame, above the thread' '--no-header --no-annotate --group-by tid --threads' \
    'tid=77;worker_1;main;outer;_Z5innerv 30000000
tid=[unknown];main;[libx.so.1] 10000000'
fg-collapse -v in 2>said >/dev/null
check 'comments with -v' grep -q 'in: built yesterday$' said
sed 's/13:16/14:1/' profile | message >in
folded 'the default sample type' '--no-header --no-annotate' 'main;[libx.so.1] 1
main;outer;_Z5innerv 3'
sed 's/13:16/14:14/' profile | message >in
folded 'a default that is none: the last' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
# Fields in any order: the string table first, the samples last.
(sed -n '/^6/p' profile; sed '/^[62]/d' profile; sed -n '/^2/p' profile) | message >in
folded 'parts in another order' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
message <profile | gzip >in.gz
fg-collapse -q in.gz in.gz >two
check 'two files of pprof are added up' grep -q 'inner.* 60000000' two

# Messages in the forms of other writers.
cat >forms <<'END'
1{1:1 2:2}
2{1[1 300] 2[5]} 2{1:1 1[] 1:300 2:7} 2{2[11] 1[300 1]} 2{1[1 300] 2[13] 3{1:7 2:7 4:1} 3{2:7 1:3}} 2{1[1 300] 2[17] 9:1 9"x"}
2{1[300 2] 2[18446744073709551615]} 2{2:1}
4{1:1 4{1:1}} 4{4{2:5 1:2 3:9} 5:1 1:1 1:300} 4{1:2 4{1:1} 9"x" 4{1:300}}
5{1:1 2:3 5:12} 5{1:2 2:4 9"x"} 5{1:2 2:3 1:300}
6"" 6"objects" 6"count" 6"main" 6"leaf" 6"" 6"" 6"key"
END
message <forms >in
folded 'messages in unusual forms' '--no-header --no-annotate' '[unknown] 0 1
leaf;main 0 42
main;leaf 0 11
main;main;leaf 1 0'
printf '1{1:1 2:2} 2{1[1] 2[5]} 2{1[1] 2[5]} 2{1[1] 2[5]} 4{1:1 4{1:1}} 4{1:2 4:1} 5{1:1 2:3} 5{1:2 2"x"} 6"" 6"n" 6"count" 6"main"' | message >in
fg-collapse --no-header in >out 2>said
check 'numbers where messages belong, and strings where numbers do: the others are read' grep -q 'main 15$' out
check 'numbers where messages belong, and strings where numbers do: malformed' grep -q 'not a message of this kind' said

# drop_frames: a dropped frame is removed with its callees, unless the stack would be empty.
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
	same 'stacks are those of go tool pprof -raw' want got
else
	skip 'stacks are those of go tool pprof -raw' 'there is no go tool pprof' golang-go
fi
sed 's/operator new|malloc/(?:operator new|malloc)/' drops | message >in
folded 'an expression that is not taken: nothing is dropped' '--no-header --no-annotate' 'main;main;malloc_inner 10
main;malloc_kept 1000
main;operator new;main 10000
main;operator new;malloc_inner 1
malloc_inner 100'
fg-collapse in 2>&1 >/dev/null | head -1 >said
check 'pprof: a drop_frames pattern that cannot be used is reported' grep -q 'these frames are kept: (?:operator new' said

# Errors state their offset; valid samples around them are kept.
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[99 1] 2[1 10000000]}/' profile | message >in
folded 'a location that is not there: the stack is left out' '--no-header --no-annotate' 'main;outer;_Z5innerv 30000000'
check 'pprof: a location that is not there is reported' grep -q 'in: sample [0-9]*: a frame of its stack is missing or malformed; left out' said
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[1]} 2{1[1] 2[-5 7]}/' profile | message >in
folded 'a sample with too few values, another with a negative one' '--no-header --no-annotate' 'main 7
main;outer;_Z5innerv 30000000'
status 'samples with wrong values are errors with --strict' 2 fg-collapse -q --strict in
sed 's/^1{1:1/1{} &/; s/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[9 1 10000000]}/; s/2\[3 30000000\]/2[9 3 30000000]/' \
    profile | message >in
folded 'a first sample type without a name' '--no-header --no-annotate' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
sed 's/2{1:3 1:1 2:1 2:10000000}/2{1[3 1] 2[-1 -10000000]}/' profile | message >in
folded 'a difference of profiles has two columns' '' '# columns: base head 0 0
# unit: ns 0 0
# period: 10000000 ns 0 0
# values: sampled 0 0
main;[libx.so.1]_[l] 10000000 0
main;outer_[l];_Z5innerv_[i] 0 30000000'
output 'a difference of profiles: each sample type has two events' 'cpu 30000000
cpu,base 10000000' sh -c "fg-collapse --list-events in | sed -n 's/, base/,base/; s/^cpu/cpu/p' | awk '{ print \$1, \$4 }'"
sed 's/4{1:3 2:8 3:12288}/4{1:3 2:999 4{2:-4}}/' profile | message >in
folded 'a mapping that is not there, a line without function' '--no-header --no-annotate' 'main;[unknown] 10000000
main;outer;_Z5innerv 30000000'
(message <profile; printf '\372\377\377\377\377\377\377\377\377\377\377\377\001') >in
folded 'an unterminated number' '--no-header --no-annotate -f pprof' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
(message <profile; printf '\062\377\377\377\377\007abc') >in
folded 'a length that claims gigabytes' '--no-header --no-annotate -f pprof' 'main;[libx.so.1] 10000000
main;outer;_Z5innerv 30000000'
check 'a field with an excessive length is reported' grep -q 'byte [0-9]*: a field that extends past the end of its message' said

message <profile >whole
cat whole whole >in
fg-collapse in 2>&1 >/dev/null | head -1 >said
check 'a second profile in a file is reported' \
	grep -q 'byte [0-9]*: a second profile follows the first; give each as a file of its own' said
cp whole in
damaged 'truncated and changed at every byte' pprof
printf 'abc' >in
status 'junk' 2 fg-collapse -q -f pprof in
# Word sizes and byte orders of other machines: a stack of three frames; then the leaf repeated
# after a signal handler.
for kind in 'Q<' 'Q>' 'L<' 'L>'; do
	perl -e 'print pack "($ARGV[0])*", 0, 3, 0, 10000, 0, 2, 3, 0x1000, 0x2001, 0x3001, 1, 2, 0x1500, 0x3001, 0, 1, 0' "$kind" >in
	printf '2000-3000 r-xp 00000000 00:00 0 /srv/app\n3000-4000: /lib/libq.so\n' >>in
	output "gperftools, words $kind" '# unit: ns 0
# period: 10000000 ns 0
# values: sampled 0
0x3000_[l];0x1500 10000000
0x3000_[l];0x2000;0x1000 20000000' fg-collapse -q in
	cp in one
	cat one one >in
	folded "gperftools: two profiles, words $kind" '--no-header -e samples' '0x3000_[l];0x1500 2
0x3000_[l];0x2000;0x1000 4'
done
perl -e 'print pack "Q*", 0, 5, 0, 10000, 0, 77, 78, 2, 2, 0x1000, 0x2001, 0, 1, 0' >in
folded 'gperftools: a header with more words than the text of its format names' '--no-header -e samples' '0x2000;0x1000 2'
perl -e 'print pack "Q*", 0, 5, 0, 10000, 0, 77' >in
status 'gperftools: a header that ends too early' 2 fg-collapse -q in
perl -e 'print pack "Q*", 0, 3, 0, 10000, 0, 2, 3, 0x1000, 0x2001, 0x3001, 1, 1 << 60, 1' >in
folded 'a stack that claims to be deeper than the file' '--no-header' '0x3000;0x2000;0x1000 20000000'
check 'gperftools: an excessive stack depth is reported' grep -q 'in: byte 80: a stack that extends past the end of the input; left out' said

# Concatenated profiles, with and without a list of mappings.
printf 'goroutine profile: total 2\n2 @ 0x1001 0x2001\n\n' >one
{ cat one one; printf 'MAPPED_LIBRARIES:\n1000-2000: /srv/a\n'; cat one; printf -- '--- Memory map:\n1000-2000: /srv/b\n'; } >in
folded 'pprof-legacy: three of them' '--module' '# unit: goroutine 0
# values: sampled 0
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

# Input in none of these formats.
echo junk >in
for f in pprof-legacy heap gperftools; do
	status "junk as $f" 2 fg-collapse -f $f in
	fg-collapse -f $f in 2>&1 | head -1 >said
	check 'junk as a profile: the message' grep -q 'in:.* not ' said
done

# Frames of the allocator itself, with and without sampling; jemalloc's threads; malformed lines.
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
done_testing
