#!/bin/sh
# pprof profiles of the corpus, and the older formats that pprof still reads.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"
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


# The older formats, compared by address with pprof -raw. Module paths are changed to /gone, so
# that no file of this machine is used.
for f in pprof-cppbench.contention pprof-cppbench.cpu pprof-cppbench.heap pprof-cppbench.thread.none \
    pprof-go.crc32.cpu pprof-go.godoc.thread pprof-java.contention pprof-java.cpu pprof-java.heap; do
	f=$corpus/pprof-legacy/$f
	perl -0777 -pe 's{ /(srv|usr|lib|home)}{ /gone/$1}g' "$f" >in
	perl -pe 's{ /(srv|usr|lib|home)}{ /gone/$1}g' "$f.raw.txt" >raw
	fg-collapse -q --no-header --addrs raw >want
	fg-collapse -q --no-header --addrs in >got
	same "${f##*/}, as pprof -raw has it" want got
	gzip -c in | fg-collapse -q --no-header --addrs >got
	same "${f##*/}: compressed, from a pipe" want got
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
jemalloc-heap/je.9003.0.f.heap | -e alloc_space | refused no samples of event alloc_space
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
check 'unsymbolized frames are reported, with a command that names them' grep -q 'frames are unsymbolized: .* symbolize with google-pprof --collapsed PROGRAM FILE$' said
done_testing
