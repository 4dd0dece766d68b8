#!/bin/sh
# Binary formats: small files made here.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# The check itself: a program that crashes is reported.
echo x >in
mkdir crashes
printf '#!/bin/sh\nkill -SEGV $$\n' >crashes/fg-collapse
chmod +x crashes/fg-collapse
(PATH=$tmp/crashes:$PATH && unharmed none in) >harmed 2>/dev/null # the shell, too, reports the crash
check 'a crash on a damaged file fails its check' grep -q '^in: exit status' harmed

for kind in '' plain blocks 'plain blocks'; do
	# shellcheck disable=SC2086 # two words
	perl "$here/nettrace.pl" $kind >in
	folded "nettrace: samples${kind:+, $kind events}" '' '# unit: samples 0
# period: 1000000 ns 0
# values: sampled 0
App.Program.Main_[j] 1
App.Program.Main_[j];App.Café.Brew_[j] 2
[unknown]_[j] 1'
	folded 'nettrace: threads' '--no-header --no-annotate --tid' '42/7;App.Program.Main;App.Café.Brew 2
42/8;App.Program.Main 1
42/8;[unknown] 1'
	folded 'nettrace: managed code only' '--no-header --no-annotate --state managed' 'App.Program.Main;App.Café.Brew 2
[unknown] 1'
	folded 'nettrace: times' '--no-header --no-annotate --to 15ns' 'App.Program.Main;App.Café.Brew 2'
done
cat in | fg-collapse -q --no-header --no-annotate --state managed >got
fg-collapse -q --no-header --no-annotate --state managed in >want
same 'nettrace: the same from a pipe' want got
output 'nettrace: names of threads are in version 6 only' 'pool;App.Program.Main 1
main;App.Program.Main;App.Café.Brew 2' sh -c 'fg-collapse -q --no-header --no-annotate --threads in | grep Program | sort -r'
damaged 'nettrace: version 6, truncated and changed at every third byte' nettrace 3
perl -0777 -pe 'my $n = 24 + unpack "v", substr $_, 20, 2; # the end of the first block
	substr($_, $n, 0) = pack "L<a3 L<L<L<Ca5 L<a2", 3 | 7 << 24, "\1\2\3", 14 | 8 << 24, 1, 1, 0x87, "zzzzz", 2 | 99 << 24, "ab"' in >more
fg-collapse -q in >want
fg-collapse -q more >got
same 'nettrace: version 6: blocks of other kinds are skipped' want got
for kind in '' own; do
	perl "$here/nettrace.pl" universal $kind >in
	folded "nettrace: a recording of all processes${kind:+, mappings name them}" '' '# unit: samples 0
# period: 1001001 ns 0
# values: sampled 0
db;query 1
db;query;[unknown] 1
shop;[unknown];sell_[l];Shop.Till.Add_[j];clear_page_[k] 1
shop;sell_[l];Shop.Till.Add_[j] 2'
done
folded 'nettrace: waits of all processes, in ns of the recording' '--tid --addrs -e cswitch' '# unit: ns 0
# values: sampled 0
shop-42/42;sell_[l];Shop.Till.Add_[j] 25000'
folded 'nettrace: another event of all processes' '--no-header -e page_fault_user' 'db;query;[unknown] 1'
folded 'nettrace: times of all processes' '--no-header --to 250us' 'shop;[unknown];sell_[l];Shop.Till.Add_[j];clear_page_[k] 1
shop;sell_[l];Shop.Till.Add_[j] 2'
output 'nettrace: all processes have no states' "fg-collapse: in: a recording of all processes has no states for --state" \
    sh -c 'fg-collapse --state managed in 2>&1'
perl "$here/nettrace.pl" universal missing >more
fg-collapse -q in >want
fg-collapse -v more >got 2>said
same 'nettrace: samples of an unknown thread, of one that a sequence point ended, without their stack, or cut' want got
check 'nettrace: they and a symbol of an unknown mapping are malformed' grep -qF '4 folded, 2 left out, 5 malformed' said
damaged 'nettrace: all processes, truncated and changed at every third byte' nettrace 3
perl "$here/nettrace.pl" >in
damaged 'nettrace: truncated and changed at every third byte' nettrace 3
output 'nettrace: each thread has a root frame' 'Thread_(8);App.Program.Main 1
Thread_(7);App.Program.Main;App.Café.Brew 2' sh -c 'fg-collapse -q --no-header --no-annotate --threads in | grep Program | sort -r'
# A block that states 4,278,190,082 stacks and has two.
perl -0777 -pe 'substr($_, 419, 1) = chr(255 - ord substr $_, 419, 1)' in >many
fg-collapse many >got 2>said
check 'nettrace: a count of stacks beyond its block is reported' grep -q 'many: byte [0-9]*: a stack that extends past the end of its block' said
printf 'Nettrace\0\0\0\0\7\0\0\0\0\0\0\0' >in
fg-collapse in >got 2>said
check 'nettrace: version 7 is refused' grep -q 'use dotnet-trace convert' said

# Heap dumps of Java: the shared key belongs to the array, each other array to its entry.
retained='class app.Cache 16
class app.Cache;app.Entry[] 32
class app.Cache;app.Entry[];app.Entry 24
class app.Cache;app.Entry[];app.Entry;byte[] 1016
class app.Cache;app.Entry[];app.Special 32
class app.Cache;app.Entry[];app.Special;byte[] 2016
class app.Cache;app.Entry[];app.Special;class app.Special 16
class app.Cache;app.Entry[];byte[] 120
class app.Cache;app.Entry[];class app.Entry 16
class app.Cache;app.Entry[];class app.Entry[] 16
class java.lang.Object 16
java.lang.Thread 16
java.lang.Thread;byte[] 4016
java.lang.Thread;class java.lang.Thread 16
java.lang.ref.WeakReference 24
java.lang.ref.WeakReference;class java.lang.ref.WeakReference 16
java.lang.ref.WeakReference;class java.lang.ref.WeakReference;class java.lang.ref.Reference 16'
for kind in '' late segments; do
	perl "$here/heapdump.pl" 8 $kind >in
	folded "heap-dump: retained sizes${kind:+, $kind}" '' "# unit: bytes 0
# values: exact 0
$retained"
	damaged "heap-dump: truncated and changed at every seventh byte${kind:+, $kind}" heap-dump 7
done
perl "$here/heapdump.pl" 8 heads >in
fg-collapse -q --no-header -e shallow in >shallow
output 'heap-dump: heads of arrays are shorter since JDK 23' 'app.Entry 40
byte[] 104' head -n 2 shallow
perl "$here/heapdump.pl" 8 aligned >in
output 'heap-dump: the IDs show the alignment of objects' 'app.Entry 32
app.Entry[] 32
app.Special 32
byte[] 9248' sh -c 'fg-collapse -q -e shallow --no-header in | grep -v "class \|java"'
perl "$here/heapdump.pl" 8 segments >in
fg-collapse -v in >got 2>said
check 'heap-dump: objects that only a weak reference has are left out, and counted' \
	grep -q '2 objects, 5336 bytes, not reachable from roots; left out' said
output 'heap-dump: --event shallow is the bytes of each class' 'app.Entry 24
app.Entry[] 32
app.Special 32
byte[] 7168' sh -c 'fg-collapse -q -e shallow --no-header in | grep -v "class \|java"'
head -c 700 in >cut
fg-collapse cut >got 2>said
check 'heap-dump: a truncated dump is reported' grep -q 'cut: byte [0-9]*: the heap dump is truncated' said
head -c 1700 in >cut
fg-collapse cut >got 2>said
check 'heap-dump: without roots, each object is one' grep -q '^app.Special;class app.Special\|^app.Cache\|^class app.Cache ' got
check 'heap-dump: a dump without roots is reported' grep -q 'cut: the dump has no roots' said
perl "$here/heapdump.pl" 4 | sed 's,app/Special,Lpp/Special,' >in
check 'heap-dump: a class whose name begins with L keeps it' sh -c "fg-collapse -q in | grep -q ';Lpp.Special;'"
perl "$here/heapdump.pl" 4 >in
folded 'heap-dump: IDs of four bytes' '--no-header' 'class app.Cache 16
class app.Cache;app.Entry[] 24
class app.Cache;app.Entry[];app.Entry 24
class app.Cache;app.Entry[];app.Entry;byte[] 1016
class app.Cache;app.Entry[];app.Special 24
class app.Cache;app.Entry[];app.Special;byte[] 2016
class app.Cache;app.Entry[];app.Special;class app.Special 8
class app.Cache;app.Entry[];byte[] 112
class app.Cache;app.Entry[];class app.Entry 8
class app.Cache;app.Entry[];class app.Entry[] 8
class java.lang.Object 8
java.lang.Thread 16
java.lang.Thread;byte[] 4016
java.lang.Thread;class java.lang.Thread 8
java.lang.ref.WeakReference 16
java.lang.ref.WeakReference;class java.lang.ref.WeakReference 8
java.lang.ref.WeakReference;class java.lang.ref.WeakReference;class java.lang.ref.Reference 8'

# Android's simpleperf: files, threads and events come after the samples.
simpleperf() {
	perl -e 'binmode STDOUT; print "SIMPLEPERF", pack "v", 1'
	while read -r record; do
		echo "$record" | perl "$here/protobuf.pl" >record
		perl -e 'binmode STDOUT; print pack "V", -s "record"'
		cat record
	done
	printf '\0\0\0\0'
}
cat >records <<'END'
1{1:1000 2:7 3{1:16 2:1 3:0} 3{1:32 2:1 3:1} 4:250 5:0}
1{1:2000 2:7 3{1:16 2:1 3:0} 3{1:32 2:1 3:1} 4:1 5:1}
1{1:2500 2:8 3{1:48 2:2 3:-1} 3{1:64 2:3 3:0 4:2} 4:100 5:0}
1{1:5000 2:7 3{1:17 2:1 3:0} 3{1:32 2:1 3:1} 4:250 5:0}
2{1:4 2:3}
3{1:1 2"/system/lib64/libc.so" 3"read" 3"main(int, char**)"}
3{1:2 2"/data/app/base.odex"}
3{1:3 2"[JIT app cache]" 3"app.Main.run"}
4{1:7 2:7 3"app"} 4{1:8 2:7 3"worker 1"}
5{1"cpu-clock:u" 1"sched:sched_switch" 6:1}
END
simpleperf <records >in
folded 'simpleperf: the first event' '' '# unit: ns 0
# values: sampled 0
app;main_[l];read_[l] 500
worker_1;app.Main.run_[j];[base.odex] 100'
folded 'simpleperf: time off the CPU' '-e off-cpu --tid --no-header --no-annotate' 'app-7/7;main;read 3000'
folded 'simpleperf: times, modules' '--from 3us --module --no-header --no-annotate' 'app;libc.so`main;libc.so`read 250'
fg-collapse in 2>said >/dev/null
check 'simpleperf: lost samples are reported' grep -q '3 samples were lost while recording' said
sed 's/2{1:4 /2{1:5 /' records | simpleperf >in
fg-collapse in 2>said >/dev/null
check 'simpleperf: missing samples are reported' grep -q '4 samples, but the file states 5: part of the file is missing' said
damaged 'simpleperf: truncated and changed at every second byte' simpleperf 2
{ cat records; echo '1{1:1000 2:7 3{1:16 2:1 3:0} 3"no message" 4:10 5:0}'; } | simpleperf >in
folded 'simpleperf: a sample with a damaged frame is left out' '--no-header --no-annotate' 'app;main;read 500
worker_1;app.Main.run;[base.odex] 100'
cat >in <<'END'
meta_info:
  event_type: cpu-clock
sample:
  event_type: cpu-clock
  time: 1000
  event_count: 250
  thread_id: 7
  thread_name: worker 1
  vaddr_in_file: 10
  file: /system/lib64/libc.so
  symbol: read
  callchain:
    vaddr_in_file: 20
    file: /data/app/base.odex
    symbol: base.odex[+20]
    execution_type: ART
    vaddr_in_file: 20
    file: /data/a b.jar
    symbol: a.B: c(int)

sample:
  event_type: cpu-clock
  time: 1500
  event_count: 50
  thread_id: 7
  thread_name: worker 1
  vaddr_in_file: 10
  file: /system/lib64/libc.so
  symbol: read
context_switch:
  switch_on: false
END
folded 'simpleperf: text' '--tid' '# unit: ns 0
# values: sampled 0
worker_1-?/7;a.B: c;[base.odex];read_[l] 250
worker_1-?/7;read_[l] 50'
# Perfetto: two sequences whose ids are replaced after a clear; symbols come at the end.
cat >trace <<'END'
1{2{1{1:42 2:1 3"/system/bin/app"} 2{1:43 3:42 2"RenderThread"}}}
1{10:1 13:1 8:1000 12{5{1:1 2"main"} 5{1:2 2"draw(int)"} 6{1:1 2:1 3:1 4:16} 6{1:2 2:2 3:1 4:32} 6{1:3 3:1 4:48}
  7{1:1 2[1 2]} 7{1:2 2:1 2:3} 16{1:1 2"\001\002"} 17{1:1 2"system"} 17{1:2 2"libapp.so"} 19{1:1 2:1 7[1 2]}}
  66{1:0 2:42 3:43 4:1 6:1}}
1{10:1 8:2000 66{2:42 3:43 4:2}}
1{10:1 8:2500 66{2:42 3:43 18:1}}
1{10:1 13:1 8:3000 12{5{1:1 2"other"} 6{1:1 2:1} 7{1:1 2:1}} 66{2:42 3:42 4:1}}
1{10:2 44{1:42 2:43} 12{5{1:1 2"js"} 6{1:1 2:1} 7{1:9 2:1}} 54{1[9 9] 2[10 20]}}
1{10:3 37{1{1:7 2"alloc"} 2{1:1 2:7} 3{1:1 2:1} 5{1:42 11"art" 2{1:1 2:100 3:40 5:3 6:1}}}}
1{61{1"libapp.so" 2"\001\002" 3{1:48 2{1"inner"} 2{1"outer"}}}}
END
sed 's/\\001\\002/ab/g' trace | perl "$here/protobuf.pl" >in
folded 'perfetto: perf samples' '' '# unit: samples 0
# values: sampled 0
/system/bin/app;other 1
RenderThread;main_[l];draw_[l] 1
RenderThread;main_[l];outer_[l];inner_[i] 1'
folded 'perfetto: threads, times' '--tid --from 1us --to 1500ns --no-header --no-annotate' 'RenderThread-42/43;main;outer;inner 1'
folded 'perfetto: a CPU profile' '-e "cpu profile" --no-header' 'RenderThread;js 2'
folded 'perfetto: heapprofd, unreleased memory' '-e "art unreleased bytes" --pid' '# unit: bytes 0
/system/bin/app-42;alloc 60'
fg-collapse -e 'art allocations' in 2>said | sed '/^# /d' >got
output 'perfetto: heapprofd, allocations' '/system/bin/app;alloc 3' cat got
check 'perfetto: skipped samples are reported' grep -q '0 samples were lost, 1 skipped by the recorder' said
cat in | fg-collapse -q >got
fg-collapse -q in >want
same 'perfetto: the same from a pipe' want got
damaged 'perfetto: truncated and changed at every second byte' perfetto 2
cp in whole
perl -MCompress::Zlib -e 1 2>/dev/null && {
	perl -MCompress::Zlib -e 'local $/; binmode STDOUT; my $z = compress(<STDIN>); my $n = length $z;
		my $v = sub { my ($n, $s) = (@_, ""); while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n };
		my $p = "\x92\x03" . $v->($n) . $z; print "\x0a" . $v->(length $p) . $p' <whole >in
	folded 'perfetto: compressed packets' '--tid --from 1us --to 1500ns --no-header --no-annotate' 'RenderThread-42/43;main;outer;inner 1'
}
# StackSample: interned and inline messages, default counters; the first packet is not of a profile.
perl "$here/protobuf.pl" >in <<'END'
1{2{1{1:42 2:1 3"app"}} 6{1{1:6 2:900}}}
1{10:1 13:1 8:1000 59{100{1"py" 2{2"wall" 3:1 5:1000} 3{2"insn" 3:3}}} 12{5{1:1 2"_ZN3art9ArtMethod6InvokeEv"}
  18{1:1 2"/src/a.cc"} 6{1:1 2:1 5:1 6:7} 7{1:1 2[1]} 48{1:1 2:42 3:43} 50{1:1 2"cycles" 3:2}}}
1{10:1 8:2000 135{2:1 6:1 11:5 14[9]}}
1{10:1 8:3000 135{1{2:42 3:43} 5{1{1"main" 2"/src/m.py" 3:3} 1{1"f(int)" 2"/src/m.py" 3:9}} 10:1 11:70}}
1{10:1 8:4000 135{1{2:42} 6:1 13[] 14[]}}
END
folded 'perfetto: stack samples' '--lines --tid' '# unit: ns 0
# values: sampled 0
app-42/43;art::ArtMethod::Invoke (/src/a.cc:7) 5000'
folded 'perfetto: stack samples, another counter' '-e cycles --lines --no-header' 'app;main (/src/m.py:3);f (/src/m.py:9) 70'
folded 'perfetto: stack samples, a second counter of each' '-e insn --no-header' 'app;art::ArtMethod::Invoke 9'
folded 'perfetto: stack samples without a counter' '-e samples --no-header' 'app;art::ArtMethod::Invoke 1'
damaged 'perfetto: stack samples, truncated and changed' perfetto 2
perl "$here/protobuf.pl" >in <<'END'
1{10:1 8:1000 135{5{1{1"f"}} 9{2"ticks"} 11:3 14[4]}}
1{10:1 8:1000 135{5{1{1"f"}} 9{2"ticks"} 11:3}}
1{10:1 8:1000 135{5{1{1"f"}} 9{2"ticks"} 11:3}}
1{10:1 8:2000 135{1"no message" 5{1{1"g"}} 9{2"ticks"} 11:5}}
END
fg-collapse in 2>said >got
output 'perfetto: a stack sample with a damaged task is left out' 'f 9' sed '/^# /d' got
check 'perfetto: a damaged task and a value without a counter are reported' grep -q '2 malformed' said
echo '1{10:1 8:1000 2{1{1:1 3"init"}}}' | perl "$here/protobuf.pl" >in
fg-collapse in 2>said >got
check 'perfetto: a trace without profiles is refused' grep -q 'the trace has no profile' said
# Austin's MOJO format, version 4: a sample that continues the previous sample of its thread.
mojo() {
	perl -e 'binmode STDOUT;
		sub n { my $n = shift; my $s = chr(($n & 63) | ($n > 63 ? 128 : 0)); $n >>= 6;
			while ($n > 0) { $s .= chr(($n & 127) | ($n > 127 ? 128 : 0)); $n >>= 7 } $s }
		sub s_ { "\x0b" . n($_[0]) . "$_[1]\0" }
		sub stack { "\2" . n(10) . n(0) . "$_[0]\0" }
		print "MOJ", n(4), "\1mode\0wall\0",
			stack("1f"), s_(5, "/srv/a.py"), s_(6, "main"), s_(900, "work"), s_(8, "lib.c"), s_(9, "native"), "\3", n(70), n(5), n(6), n(3), n(3), n(1), n(9),
			"\3", n(71), n(5), n(900), n(12), n(0), n(0), n(0), "\3", n(72), n(8), n(9), n(0), n(0), n(0), n(0),
			"\5", n(70), "\5", n(71), "\5", n(72), "\x09", n(1000),
			stack("1f"), "\x0d", "\5", n(71), "\x09", n(300), stack("20"), "\7", "\x06do_exit\0", "\x09", n(7), "\x0a", n(64)'
}
mojo >in
folded 'mojo: samples' '--no-header --tid' '10/1f;main (/srv/a.py:3);work (/srv/a.py:12);native (lib.c) 1000
10/1f;main (/srv/a.py:3);work (/srv/a.py:12);work (/srv/a.py:12) 300
10/20;(garbage collector);do_exit_[k] 7'
folded 'mojo: memory' '-e memory' '# unit: bytes 0
# values: sampled 0
(garbage collector);do_exit_[k] 64'
damaged 'mojo: truncated and changed at every byte' mojo

# Method traces of ART: with a text header before the records, or a stream with definitions.
art() {
	perl -e 'binmode STDOUT;
		my $streamed = shift;
		my @r = ([7, 4, 0, 0], [7, 8, 10, 100], [9, 4, 0, 150], [7, 9, 30, 400], [9, 5, 5, 160], [7, 5, 31, 500], [7, 9, 32, 600]);
		sub rec { pack "vVVV", @{$_[0]} }
		my $head = "SLOW" . pack("vvQ<v", $streamed ? 0xf3 : 3, 32, 1000000, 14) . "\0" x 14;
		my %m = (4 => "0x4\tapp/Main\trun\t()V\tMain.java", 8 => "0x8\tjava.util.Map\tget\t()V\tMap.java");
		if ($streamed) {
			print $head;
			for my $r (@r[0 .. 1]) {
				my $d = "$m{$r->[1]}\n";
				print pack("vCv", 0, 1, length $d), $d;
			}
			print pack("vCvv", 0, 2, 7, 4), "main", map(rec($_), @r), pack("vCV", 0, 3, 3), "end";
		} else {
			print "*version\n3\ndata-file-overflow=false\nclock=dual\nvm=art\npid=42\n*threads\n7\tmain\n9\tworker 1\n",
				"*methods\n$m{4}\n$m{8}\n*end\n", $head, map rec($_), @r;
		}' "$@"
}
art '' >in
folded 'art: wall time' '--tid' '# unit: us 0
main-42/7;app.Main.run 200
main-42/7;app.Main.run;java.util.Map.get 300
worker_1-42/9;app.Main.run 10'
folded 'art: CPU time' '-e cpu --no-header' 'main;app.Main.run 11
main;app.Main.run;java.util.Map.get 20
worker_1;app.Main.run 5'
fg-collapse in 2>said >got
check 'art: exits without entries are reported' grep -q '1 exit of a method that was entered before' said
damaged 'art: truncated and changed at every second byte' art 2
art streamed >in
folded 'art: streamed' '--no-header' 'app.Main.run 10
main;app.Main.run 200
main;app.Main.run;java.util.Map.get 300'
damaged 'art: streamed, truncated and changed at every second byte' art 2

# trace-cmd: kernel and user stacks follow their events, in the buffers of two CPUs.
case $(fg-collapse --version) in
*'not built in (libdw)'*)
	skip trace.dat 'built without libdw' libdw-dev
	done_testing
	exit
	;;
esac
for kind in '6' '7' '6 big' '6 32' '7 big 32' '7 zlib'; do
	perl "$here/tracedat.pl" $kind >in
	folded "trace.dat: version $kind: the stacks of the first event" --tid '# unit: samples 0
# values: exact 0
:9-?/9;do_syscall_[k];[unknown]_[k] 1
swapper-?/0;do_syscall_[k];schedule_[k];trace_event_raw_event_sched_switch_[k] 1
worker_one-40/42;[unknown];[unknown];do_syscall_[k];schedule_[k] 1
worker_one-?/42;do_syscall_[k];schedule_[k] 1'
done
folded 'trace.dat: another event, of a function in a kernel module' '-e sched:sched_wakeup --no-header --module' \
    'bash;do_syscall_[k];[ext4]`vfs_read_[k] 1'
folded 'trace.dat: a stack of another task than the event before it' '-e ftrace:kernel_stack --no-header' \
    'bash;vfs_read_[k] 1'
folded 'trace.dat: time order and range' '--no-header --no-annotate --time-order --from 100ms' \
    'worker_one;[unknown];[unknown];do_syscall;schedule 1
:9;do_syscall;[unknown] 1'
fg-collapse in >got 2>said
check 'trace.dat: the events without a stack are counted' grep -q ': 2 events without a stack were left out' said
check 'trace.dat: overwritten records are reported' grep -q 'overwritten 1 time before' said
fg-collapse -q in >want
gzip -c in | fg-collapse -q >got
same 'trace.dat: compressed, from a pipe' want got
perl "$here/tracedat.pl" 6 >in
damaged 'trace.dat: version 6, truncated and changed every 29 bytes' trace.dat 29
perl "$here/tracedat.pl" 7 zlib >in
damaged 'trace.dat: version 7, compressed, truncated and changed every 13 bytes' trace.dat 13
done_testing
