#!/bin/sh
# perf.data: 24 known traps for readers, in files that no available tool writes. Expected stacks
# follow linux/perf_event.h and perf's documentation.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# 1. Deferred user call chains, matched by thread and cookie. (perf 6.1 does not support them.)
cross=no
made 'a deferred call chain joins the samples that wait for it' 'app;[main];[kernel.kallsyms] 10
app;[main];[read];[kernel.kallsyms] 3' <<'END'
event('cycles', sample => 'ip tid time period callchain', flags => 'mmap comm task sample_id_all mmap2 defer_callchain defer_output', period => 1);
kernel_map(); app(100, qw(main read));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 7]);
sample(pid => 100, chain => ['kernel', k(), 'deferred', 7], period => 2);
fork_(100, 100, tid => 101);
sample(pid => 100, tid => 101, chain => ['kernel', k(), 'deferred', 7], period => 10);
deferred(100, 7, 'user', f('read'), f('main'));
deferred(100, 7, 'user', f('main'), {tid => 101});
END

cross=no
made 'another cookie is another stack, a chain that never came is the kernel part' 'app;[kernel.kallsyms] 5
app;[main];[kernel.kallsyms] 3' <<'END'
event('cycles');
kernel_map(); app(100, qw(main));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 7], period => 1);
deferred(100, 8, 'user', f('main'));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 9], period => 3);
deferred(100, 9, 'user', f('main'));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 10], period => 4);
END

cross=no
made 'a deferred call chain on another CPU, earlier in the file' 'app;[main];[kernel.kallsyms] 3' <<'END'
event('cycles', sample => 'ip tid time cpu period callchain');
kernel_map(); app(100, qw(main));
deferred(100, 7, 'user', f('main'), {time => 2_000_000_000, cpu => 1});
sample(pid => 100, chain => ['kernel', k(), 'deferred', 7], time => 1_999_999_000, period => 3);
finished_round();
END

cross=no
made 'deferred chains of one process with the same cookies as those of another' 'app;[main];[kernel.kallsyms] 1
app;[read];[kernel.kallsyms] 2' <<'END'
event('cycles');
kernel_map(); app(100, qw(main read)); app(200, qw(main read));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 1], period => 1);
sample(pid => 200, chain => ['kernel', k(), 'deferred', 1], period => 2);
deferred(200, 1, 'user', f('read'));
deferred(100, 1, 'user', f('main'));
END

made_says 'a chain that never came is counted' '1 .*(sample|stack|chain).*(user|deferred)' <<'END'
event('cycles');
kernel_map(); app(100, qw(main));
sample(pid => 100, chain => ['kernel', k(), 'deferred', 7]);
END

# 2. COMPRESSED2 with perf's wrong sizes. A push writes several records of 16 + at most 65519
# bytes. The first record's data_size is the sum of all of them; its header.size is that sum + 16,
# rounded up to 8, modulo 65536. The padding is present only if header.size is not smaller than the
# sum.
big_push='event("cycles", sample => "ip tid time period callchain", period => 1);
app(100, qw(main read));
my $all = records { sample(pid => 100, chain => ["user", f("read"), f("main")]) for 1 .. $samples; };'
two='app;[main];[read]'

cross=no # perf 6.1 does not know record 83
made 'compressed2: plain' "$two 100" <<END
my \$samples = 100; $big_push
compressed(\$all, type => 83);
END

cross=no
made 'compressed2: header.size has wrapped to 0' "$two 920" <<END
my \$samples = 920; $big_push
my \$tail = records { sample(pid => 100, chain => ["user", f("read"), f("main")]) };
# 65519 bytes, minus the headers of two blocks and of the frame.
my \$first = substr \$all, 0, 65519 - 6 - 2 * 3;
my \$z = records { compressed(\$first, type => 83, size => 0) };
raw(substr \$z, 0, 65535);
compressed(substr(\$all, length \$first), type => 83);
END

cross=no
made 'compressed2: one push of two records' "$two 1200" <<END
my \$samples = 1200; $big_push
my \$z = records { compressed(\$all, type => 83) };
my \$payload = substr \$z, 16; # of more than 64 KB, in two records of at most 65535 bytes
my \$rest = substr \$payload, 65519;
my \$total = 16 + 65519 + 16 + length \$rest;
raw(u32(83) . u16(0, (\$total + 7 & ~7) & 0xffff) . u64(\$total - 16) . substr(\$payload, 0, 65519));
my \$second = u32(83) . u16(0, 16 + length \$rest) . u64(0) . \$rest;
raw(\$second);
END

cross=no
made 'compressed2: data_size is nonsense, the header is right' "$two 10" <<END
my \$samples = 10; $big_push
compressed(\$all, type => 83, data_size => 1 << 40);
END

# 3. One zstd stream through all records; a decompressed record may continue in the next one.
for cut in 8 9 100; do
	words=$cut
	made "compressed: a record in two parts, cut after $cut bytes" "$two 2" <<'END'
event('cycles', period => 1);
app(100, qw(main read));
my $all = records { sample(pid => 100, chain => ['user', f('read'), f('main')]) for 1 .. 2 };
compressed(substr $all, 0, $ARGV[0]);
compressed(substr $all, $ARGV[0]);
feature('COMPRESSED', u32(1, 1, 1, 1, 524288));
END
done
words=

made 'compressed: mmaps and comms are in the stream too, with plain records between' "$two 3" <<'END'
event('cycles', period => 1);
compressed(records { app(100, qw(main read)) });
sample(pid => 100, chain => ['user', f('read'), f('main')]);
compressed(records { sample(pid => 100, chain => ['user', f('read'), f('main')]); finished_round(); });
sample(pid => 100, chain => ['user', f('read'), f('main')]);
feature('COMPRESSED', u32(1, 1, 1, 1, 524288));
END

# 4. Pipe mode, from a file and from a pipe; and file mode from a pipe.
cat >pipe.d <<'END'
file(pipe => $ARGV[0], order => $ARGV[1]);
event('cycles', sample => 'identifier ip tid time period callchain', read => 'id lost', freq => 1000);
event('page-faults', sample => 'identifier ip tid time period callchain', read => 'id lost', ids => [7, 8]);
feature('HOSTNAME', string('box'));
feature('CMDLINE', strings('perf', 'record'));
if ($ARGV[0]) {
	event_type(0, 'cycles');
	tracing_data('x' x 41);
	build_id_record(-1, '/x/main', '0123456789' x 4);
	event_update(2, 101, cstring('cycles'));
	thread_map(100); cpu_map(0, 1);
	finished_init();
}
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], period => 5);
finished_round();
sample(pid => 100, chain => ['user', f('main')], event => 'page-faults', id => 8);
sample(pid => 100, chain => ['user', f('main')], period => 6);
END
for order in little big; do
	words="1 $order"
	cross=no # it is no tracing data
	made "pipe mode, $order-endian" "app;[main] 6
app;[main];[read] 5" <pipe.d
	cross=no # it is no tracing data
	made "pipe mode, $order-endian, the second event" 'app;[main] 1' -e page-faults --samples <pipe.d
	cat >slow.sh <<'END'
dd bs=1 count=500 2>/dev/null
sleep 0.1
cat
END
	fg-collapse -q --no-header --no-annotate in.data >file.folded 2>&1
	same "$order-endian: the same from a pipe that is slow" file.folded - <<END
$(sh slow.sh <in.data | fg-collapse -q --no-header --no-annotate 2>&1)
END
	words="0 $order"
	made "file, $order-endian" "app;[main] 6
app;[main];[read] 5" <pipe.d
	fg-collapse -q --no-header --no-annotate in.data >file.folded 2>&1
	same "$order-endian: a file in a pipe" file.folded - <<END
$(sh slow.sh <in.data | fg-collapse -q --no-header --no-annotate 2>&1)
END
done
words=

cross=no # perf 6.1 stops at the empty one
made 'pipe mode: features that are padded, and one that is empty' 'app;[main] 1' <<'END'
file(pipe => 1);
event('cycles', period => 1);
feature('HOSTNAME', string('box') . 'x', pad => 64);
feature('NRCPUS', u32(2, 2));
feature('CPUDESC', '');
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]);
END

# 5. perf 6.12 wrote an event of size 0 between build IDs.
made 'build-ids: an event of size zero' 'app;[main] 1' <<'END'
event('cycles', period => 1);
build_id(-1, '/x/main', '11' x 20);
build_id(0, '', '', event => zeros(8));
build_id(-1, '/x/read', '22' x 20);
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]);
END

# 6, 7 and 17 need a module that exists.
cat >named.s <<'END'
	.text
	.globl leaf, root
	.type leaf, %function
	.type root, %function
	.skip 64
leaf:	.skip 64
	.size leaf, 64
root:	.skip 64
	.size root, 64
END
short=0123456789abcdef
long=00112233445566778899aabbccddeeff01234567
if $CC -nostdlib -shared -Wl,-z,noseparate-code -Wl,--build-id=0x$short -o short.so named.s 2>cc.said &&
    $CC -nostdlib -shared -Wl,-z,noseparate-code -Wl,--build-id=0x$long -o long.so named.s 2>cc.said &&
    leaf=$(nm -D long.so | sed -n 's/ T leaf//p') && root=$(nm -D long.so | sed -n 's/ T root//p'); then
	touch -d '2001-01-01' short.so long.so
	cat >id.d <<'END'
# MODULE LEAF ROOT BUILD-ID HOW
my ($module, $leaf, $root, $id, $how) = @ARGV;
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x4000, $module, $how eq 'mmap2' ? (build_id => $id) : ());
build_id(100, $module, $id, $how eq 'sized' ? (bytes => length($id) / 2) : ()) if $how ne 'mmap2';
sample(pid => 100, chain => ['user', 0x400010 + hex $leaf, 0x400010 + hex $root]);
END
	for how in mmap2 sized plain; do
		words="$tmp/short.so $leaf $root $short $how"
		made "a build-id of 8 bytes is right ($how)" 'app;root;leaf 1' <id.d
		words="$tmp/short.so $leaf $root 0123456789abcdee $how"
		cross=no # perf takes the file all the same, since its path is that
		made "a build-id of 8 bytes is wrong ($how)" 'app;[short.so];[short.so] 1' <id.d
		words="$tmp/long.so $leaf $root $long $how"
		made "a build-id of 20 bytes is right ($how)" 'app;root;leaf 1' <id.d
		words="$tmp/long.so $leaf $root ${long%7}8 $how"
		cross=no
		made "a build-id of 20 bytes is wrong ($how)" 'app;[long.so];[long.so] 1' <id.d
		words="$tmp/long.so $leaf $root $(echo $long | cut -c 1-16) $how"
		cross=no # and with the length unsaid the rest of it is zeros
		made "a build-id of 8 bytes is not the first 8 of 20 ($how)" 'app;[long.so];[long.so] 1' <id.d
	done
	words=
else
	skip 'build-ids' 'the compiler makes no module with a build-id'
fi

# 8. No FINISHED_ROUND: records may be out of order. 9. Also the records of one CPU.
made 'no rounds: the module comes after its sample, with an earlier time' "$two 1" <<'END'
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x1000, '/x/main', time => 1_000_500_000);
sample(pid => 100, time => 1_002_000_000, chain => ['user', 0x500010, 0x400010]);
mmap2(100, 0x500000, 0x1000, '/x/read', time => 1_001_000_000);
END
made 'rounds: CPU 1 is ahead of CPU 0, time goes back on CPU 0' 'app;[main] 2
app;[read] 1
late;[read] 1' <<'END'
event('cycles', sample => 'ip tid time cpu period callchain', period => 1);
comm(100, 'app', time => 1_000_000);
mmap2(100, 0x400000, 0x1000, '/x/main', time => 1_000_001);
sample(pid => 100, time => 3_000_000, cpu => 1, chain => ['user', 0x400010]);
sample(pid => 100, time => 9_000_000, cpu => 1, chain => ['user', 0x400010]);
comm(100, 'late', time => 8_500_000, cpu => 1);
sample(pid => 100, time => 1_500_000, chain => ['user', 0x400010]);
sample(pid => 100, time => 1_400_000, chain => ['user', 0x400010]);
mmap2(100, 0x400000, 0x1000, '/x/read', time => 2_000_000);
finished_round();
END
made 'time order is that of the times' 'app;[main] 1
app;[read] 1
app;[main] 1' --time-order <<'END'
event('cycles', period => 1);
app(100, qw(main read));
sample(pid => 100, time => 5_000_000_000, chain => ['user', f('main')]);
sample(pid => 100, time => 4_000_000_000, chain => ['user', f('read')]);
sample(pid => 100, time => 3_000_000_000, chain => ['user', f('main')]);
END

# The sorting window is bounded: 240 MB without rounds, in 200 MB of memory. (The file has no data
# size, as after a killed perf record, so that records can be appended.)
make_data >large.data <<'END'
file(header => {data_size => 0}, desc => 0);
event('cycles', sample => 'ip tid time period callchain raw', period => 1);
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')], raw => 'r' x 60004);
END
perl -e 'local $/; open my $f, "<:raw", "large.data"; my $s = <$f>; my $r = substr $s, rindex $s, "\t\0\0\0\2\0";
	open $f, ">>:raw", "large.data"; print $f $r for 1 .. 3999'
if sh -c 'ulimit -v 200000; fg-collapse --version' >/dev/null 2>&1; then
	output 'no rounds: the queue is bounded' 'app;[main] 4000' sh -c 'ulimit -v 200000; fg-collapse -q --no-header large.data'
else
	skip 'no rounds: the queue is bounded' 'it takes more memory from the start, as with sanitizers'
fi
rm large.data

# 10. READ fields and ids. For perf, the period of a sample with READ is the counter's increase
# since the previous one; samples with unknown ids are skipped.
for read in 0 id 'enabled running' 'id lost' 'enabled running id lost' group 'group id' 'group id lost' 'group enabled running id lost'; do
	words=$(echo "$read" | tr ' ' ,)
	case $read in *id*) ;; *) cross=no ;; esac # perf leaves such samples out
	made "read_format: $read" "$two 1" <<'END'
event('cycles', sample => 'ip tid time period read callchain', read => $ARGV[0] =~ tr/,/ /r, period => 1);
app(100, qw(main read));
read_(100, values => [[9, 101]]);
sample(pid => 100, chain => ['user', f('read'), f('main')], read => [[1, 101], $ARGV[0] =~ /group/ ? [8, 102] : ()]);
END
done
words=
made 'the trailers of other records have the time that sorts them' 'app;[read] 1' <<'END'
event('cycles', sample => 'tid time id stream_id cpu identifier ip callchain period', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x1000, '/x/read', time => 3_000_000_000);
mmap2(100, 0x400000, 0x1000, '/x/main', time => 2_000_000_000);
sample(pid => 100, time => 4_000_000_000, chain => ['user', 0x400010]);
END
made 'events with different sample types are found by identifier' 'app;[main] 3
app;[read] 4' -e instructions <<'END'
event('cycles', sample => 'identifier ip tid time period', ids => [5, 6]);
event('instructions', sample => 'identifier ip tid time addr cpu period callchain weight', ids => [7, 8]);
app(100, qw(main read));
sample(pid => 100, ip => f('main'), id => 6);
sample(event => 'instructions', pid => 100, chain => ['user', f('main')], id => 7, period => 3);
sample(event => 'instructions', pid => 100, chain => ['user', f('read')], id => 8, period => 4);
sample(pid => 100, ip => f('main'), id => 5);
END
# {cycles,instructions}:S samples only the leader; READ has the counters of the whole group.
for event in cycles instructions; do
	case $event in cycles) want='app;[main] 40' ;; *) want='app;[main] 90' ;; esac
	made "a sampled group: $event" "$want" -e $event <<'END'
event('cycles', sample => 'identifier ip tid time read callchain period', read => 'group id', flags => 'mmap comm task sample_id_all mmap2 freq', ids => [5]);
event('instructions', sample => 'identifier ip tid time read callchain period', read => 'group id', ids => [6], period => 0);
feature('GROUP_DESC', group_desc(['{cycles,instructions}', 0, 2]));
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')], period => 10, read => [[10, 5], [60, 6]]);
sample(pid => 100, chain => ['user', f('main')], period => 30, read => [[40, 5], [90, 6]]);
END
done

# 11. Both types of records for lost samples.
cat >lost.d <<'END'
event('cycles', period => 1);
app(100, 'main');
lost(5);
sample(pid => 100, chain => ['user', f('main')]);
lost_samples(7);
throttle(); unthrottle();
END
made 'losses between samples' 'app;[main] 1' <lost.d
made_says 'the losses are counted' '(5 .*(record|event).*7 .*sample|12 .*lost|lost .*12)' <lost.d
made_says 'throttling is said' throttl <lost.d

# 12. KSYMBOL names code without a file; records of unknown types are skipped.
made 'ksymbols name BPF programs while they are there' 'app;[main];bpf_prog_1_old 1
app;[main];bpf_prog_2_new 1' <<'END'
event('cycles', period => 1);
kernel_map(); app(100, 'main');
ksymbol(0xffffffffc0000000, 0x100, 'bpf_prog_1_old'); bpf_event(1, 11);
sample(pid => 100, chain => ['kernel', 0xffffffffc0000010, 'user', f('main')]);
ksymbol(0xffffffffc0000000, 0x100, 'bpf_prog_1_old', flags => 1); bpf_event(2, 11);
ksymbol(0xffffffffc0000000, 0x100, 'bpf_prog_2_new');
sample(pid => 100, chain => ['kernel', 0xffffffffc0000010, 'user', f('main')]);
END
cross=no # perf knows where the kernel ends, and shows [unknown]
made 'a ksymbol that is gone names nothing' 'app;[main];[kernel.kallsyms] 1' <<'END'
event('cycles', period => 1);
kernel_map(); app(100, 'main');
ksymbol(0xffffffffc0000000, 0x100, 'bpf_prog_1_old');
ksymbol(0xffffffffc0000000, 0x100, 'bpf_prog_1_old', flags => 1);
sample(pid => 100, chain => ['kernel', 0xffffffffc0000010, 'user', f('main')]);
END
cross=no # perf 6.1 stops at types above its own
made 'records of all types, known or not, between the samples' 'app;[main] 150' <<'END'
event('cycles', period => 1);
app(100, 'main');
my $at = sub { sample(pid => 100, chain => ['user', f('main')]) };
my @all = (sub { namespaces(100, 4026531836, 4026531837) }, sub { cgroup(77, '/system.slice') },
	sub { text_poke(k(), 'abcde', 'fghij') }, sub { aux_output_hw_id() }, sub { itrace_start(100) },
	sub { switch_(1, pid => 100) }, sub { switch_cpu_wide(0, 0, 0) }, sub { aux(0, 4096) },
	sub { auxtrace_info(1, 2, 3) }, sub { auxtrace('y' x 4096) }, sub { auxtrace_error() },
	sub { id_index([101, 0, 0, 100]) }, sub { time_conv(0, 1, 2, 0, 0, 0) }, sub { finished_init() },
	sub { event_update(0, 101, cstring('ms')) }, sub { thread_map(100) }, sub { cpu_map(0) },
	sub { exit_(300, 100) }, sub { fork_(300, 100) },
	map { my $type = $_; sub { record($type, 0, 'z' x (8 * ($type % 5))) } } 23 .. 40, 75, 76, 77, 84 .. 110, 4711, 0x7fffffff);
$_->(), $at->() for @all;
$at->() for @all + 1 .. 150;
END

# 13. Guests have their own files and kernel.
cross=no # perf leaves them out without --guest
made 'samples of a guest are not named by the host' 'app;[guest] 3
app;[main] 4' <<'END'
event('cycles');
kernel_map(); app(100, 'main');
mmap(-1, 0xffffffff81000000, 0x1000000, '[guest.kernel.kallsyms]_text', tid => 0, mode => 4, offset => 0xffffffff81000000);
sample(pid => 100, mode => 'guest_kernel', ip => k(), period => 1);
sample(pid => 100, mode => 'guest_user', ip => f('main'), period => 2);
sample(pid => 100, ip => f('main'), period => 4);
END

# 14. A kernel of another machine.
cat >kernel.d <<'END'
event('cycles', period => 1);
feature('OSRELEASE', string($ARGV[0]));
build_id(-1, '[kernel.kallsyms]', $ARGV[1], mode => 1);
feature('HOSTNAME', string($ARGV[2]));
my ($at) = map { hex } $ARGV[3];
mmap(-1, $at, 0x1000000, '[kernel.kallsyms]_text', tid => 0, mode => 1, offset => $at);
app(100, 'main');
sample(pid => 100, chain => ['kernel', $at + 0x11, 'user', f('main')]);
END
words="3.10.0-other 3131313131313131313131313131313131313131 another ffffffff81000000"
cross=no # perf's [unknown] in [kernel.kallsyms] is that too, but it warns
made 'the kernel of another machine is not named by this one' 'app;[main];[kernel.kallsyms] 1' <kernel.d
words="$(uname -r) 3131313131313131313131313131313131313131 $(uname -n) ffffffff81000000"
cross=no
made 'another build of the same release is not used for symbols' 'app;[main];[kernel.kallsyms] 1' <kernel.d
cat >their.kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000010 T their_function
ffffffff81000100 T _etext
END
cross=no
made '--kallsyms is used for another kernel' 'app;[main];their_function 1' --kallsyms their.kallsyms <kernel.d
sed 's/81/9a/' their.kallsyms >moved.kallsyms
cross=no
made '--kallsyms: addresses are relocated' 'app;[main];their_function 1' --kallsyms moved.kallsyms <kernel.d
if printf '%s\n' '.globl _text' '.type _text,%function' '_text: .fill 16,1,0' '.size _text,16' '.globl their_function' \
    '.type their_function,%function' 'their_function: .fill 64,1,0' '.size their_function,64' |
    $CC -x assembler -nostdlib -static -Wl,-Ttext=0xffffffff9a000000 -Wl,-e,_text -Wl,--build-id=0x3131313131313131313131313131313131313131 -o vmlinux - 2>linked; then
	cross=no
	made '--vmlinux: addresses are relocated' 'app;[main];their_function 1' --vmlinux vmlinux <kernel.d
	words="$(uname -r) 3231313131313131313131313131313131313131 $(uname -n) ffffffff81000000"
	cross=no
	made_says 'a vmlinux of another build is not used' 'vmlinux: not the recorded kernel' --vmlinux vmlinux <kernel.d
else
	skip '--vmlinux' 'no kernel can be linked here'
fi
words=

# 15. Hybrid CPUs: one event on two PMUs.
cat >hybrid.d <<'END'
event('cpu_core/cycles/', sample => 'identifier ip tid time period callchain', type => 4, ids => [1]);
event('cpu_atom/cycles/', sample => 'identifier ip tid time period callchain', type => 10, ids => [2]);
event('cpu_core/instructions/', sample => 'identifier ip tid time period callchain', type => 4, config => 1, ids => [3]);
feature('HYBRID_TOPOLOGY', u32(2) . string('cpu_core') . string('0-3') . string('cpu_atom') . string('4-7'));
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')], period => 5);
sample(pid => 100, chain => ['user', f('main')], period => 7, event => 'cpu_atom/cycles/');
sample(pid => 100, chain => ['user', f('main')], period => 90, event => 'cpu_core/instructions/');
END
cross=no
made 'hybrid CPUs: the twins are one event' 'app;[main] 12' <hybrid.d

# 16. With a sampling frequency, a recording begins with periods of 1.
cat >freq.d <<'END'
event('cycles', freq => 4000);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], period => $_) for 1, 1, 1, 12, 250;
sample(pid => 100, chain => ['user', f('main')], period => $_) for 250000, 250001;
END
made 'first periods of 1 are periods of 1' 'app;[main] 500001
app;[main];[read] 265' <freq.d
made 'weights of 1 each: --samples' 'app;[main] 2
app;[main];[read] 5' --samples <freq.d

# 17. perf inject --jit writes an ELF file for each function, with sections but no segments. The
# runtime's anonymous mapping of the same pages may come later.
perl -e '
	my $id = pack "H*", shift;
	my $shstr = "\0.text\0.symtab\0.strtab\0.shstrtab\0.note.gnu.build-id\0";
	my ($text, $str) = ("\x90" x 64, "\0jitted\0");
	my $note = pack("L<3", 4, length $id, 3) . "GNU\0" . $id;
	my $sym = pack("x24") . pack("L<CCS<Q<2", 1, 0x12, 0, 1, 0x80, 64);
	my @parts = ($text, $sym, $str, $shstr, $note);
	my ($at, @at) = 0x80;
	for (@parts) { push @at, $at; $at = ($at + length($_) + 15) & ~15 }
	my $body = "";
	for my $i (0 .. $#parts) { $body .= "\0" x ($at[$i] - 0x80 - length $body) . $parts[$i] }
	$body .= "\0" x ($at - 0x80 - length $body);
	my $machine = { x86_64 => 62, aarch64 => 183 }->{`uname -m` =~ s/\n//r} // 62;
	my $elf = "\x7fELF\2\1\1" . "\0" x 9 . pack("S<2L<Q<3L<S<6", 3, $machine, 1, 0x80, 0, $at, 0, 64, 0, 0, 64, 6, 4);
	my $section = sub { pack "L<2Q<4L<2Q<2", @_ };
	my $table = "\0" x 64 . $section->(1, 1, 6, 0x80, $at[0], 64, 0, 0, 16, 0) .
	    $section->(7, 2, 0, 0, $at[1], length $sym, 3, 1, 8, 24) . $section->(15, 3, 0, 0, $at[2], length $str, 0, 0, 1, 0) .
	    $section->(23, 3, 0, 0, $at[3], length $shstr, 0, 0, 1, 0) . $section->(33, 7, 2, 0, $at[4], length $note, 0, 0, 4, 0);
	print $elf, "\0" x (0x80 - length $elf), $body, $table;
' $long >jitted-100-1.so
touch -d 2001-01-01 jitted-100-1.so
words="$tmp/jitted-100-1.so $long"
cat >jitted.d <<'END'
my ($so, $id, $hidden) = @ARGV;
event('cycles', period => 1);
app(100, 'main');
mmap2(100, 0x7f0000001080, 64, $so, offset => 0x80);
mmap2(100, 0x7f0000000000, 0x10000, '//anon') if $hidden;
build_id(100, $so, $id);
sample(pid => 100, chain => ['user', 0x7f0000001090, f('main')]);
END
made 'perf inject --jit: an object without program headers' 'app;[main];jitted 1' <jitted.d
words="$words hidden"
cross=no # perf shows [anon], and its manual says to inject
made 'perf inject --jit: an anonymous mapping added later' 'app;[main];jitted 1' <jitted.d
words=

# 18. Addresses with 0x in perf maps of Java.
printf '%s\n' '0x0000000000900000 0x100 Ljava/lang/Foo;::bar' '900100 80 plain name' >perf-100.map
cross=no # perf looks in /tmp alone
made 'a perf map beside the data, with 0x and without' 'app;[main];Ljava/lang/Foo:::bar 1
app;[main];plain name 2' <<'END'
event('cycles', period => 1);
app(100, 'main');
mmap2(100, 0x900000, 0x10000, '//anon');
sample(pid => 100, chain => ['user', 0x900010, f('main')]);
sample(pid => 100, chain => ['user', 0x900110, f('main')], period => 2);
END
rm perf-100.map

# 19. Modules without a file: executable code in them is JIT code.
cross=no # all of these but [vdso] are perf-PID.map to perf
made 'mappings without a file' 'app;[jit] 30
app;[unknown] 8
app;[vdso] 7' <<'END'
event('cycles');
comm(100, 'app');
my $at = 0x400000;
my $n = 0;
for my $name ('//anon', '/anon_hugepage (deleted)', '/memfd:jit (deleted)', '[heap]', '/SYSV00000000 (deleted)', '[stack]', '[vdso]', '', '/dev/zero (deleted)') {
	mmap2(100, $at += 0x10000, 0x10000, $name) if $name;
	sample(pid => 100, ip => $name ? $at : 0x10, chain => ['user', $name ? $at + 8 : 0x10], period => ++$n);
}
END
made 'four thousand mappings of one process' "$(for i in 0 1 2 3 4 5 6 7 8 9; do echo "app;[lib$i.so] 400"; done)" <<'END'
event('cycles', period => 1);
comm(100, 'app');
for my $i (0 .. 3999) {
	my $at = 0x100000000 + ($i * 1231 % 4000) * 0x1000;
	mmap2(100, $at, 0x1000, '/x/lib' . $i % 10 . '.so');
	sample(pid => 100, chain => ['user', $at + 0x10]);
}
END
made 'four thousand mappings from the top down, each with a child' "$(for i in 0 1 2 3 4 5 6 7 8 9; do echo "app;[lib$i.so] 400"; done)" <<'END'
event('cycles', period => 1);
comm(100, 'app');
for my $i (0 .. 3999) {
	my $at = 0x7fff00000000 - $i * 0x1000;
	mmap2(100, $at, 0x1000, '/x/lib' . $i % 10 . '.so');
	fork_(1000 + $i, 100);
	sample(pid => 1000 + $i, chain => ['user', $at + 0x10]);
}
END
made 'mappings over one another: the last one counts' 'app;[a] 2
app;[b] 4
app;[c] 1' <<'END'
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x3000, '/x/a');
mmap2(100, 0x401000, 0x1000, '/x/b');
sample(pid => 100, chain => ['user', $_]) for 0x400010, 0x401010, 0x402010;
mmap2(100, 0x400000, 0x3000, '/x/b');
mmap2(100, 0x401fff, 2, '/x/c');
sample(pid => 100, chain => ['user', $_]) for 0x400010, 0x401010, 0x402000, 0x402010;
END
made 'a mapping inside another one: its outer parts stay' 'app;[a] 2
app;[b] 1
child;[a] 1
child;[b] 1' <<'END'
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x5000, '/x/a');
fork_(200, 100);
comm(200, 'child');
mmap2(100, 0x401800, 0x800, '/x/b');
mmap2(200, 0x403000, 0x800, '/x/b');
sample(pid => 100, chain => ['user', $_]) for 0x4017f0, 0x401810, 0x402000;
sample(pid => 200, chain => ['user', $_]) for 0x401810, 0x403010;
END
made 'a child has the mappings of its parent, until it has its own' 'app;[main] 1
app;[other] 2
child;[own] 4' <<'END'
event('cycles');
app(100, 'main');
mmap2(100, 0x700000, 0x1000, '/x/other');
fork_(200, 100);
mmap2(100, 0x400000, 0x1000, '/x/main2');
sample(pid => 200, chain => ['user', f('main')], period => 1);
sample(pid => 200, chain => ['user', 0x700010], period => 2);
comm(200, 'child', misc => 1 << 13); # by exec
mmap2(200, 0x400000, 0x1000, '/x/own');
sample(pid => 200, chain => ['user', f('main')], period => 4);
END
# During exec the stack is still that of the old program.
cross=no # perf keeps the old mappings for ever
made 'exec: the old mappings last until the new program runs' 'new;[main];[kernel.kallsyms] 3
new;[own] 4
new;[unknown];[kernel.kallsyms] 8' <<'END'
event('cycles');
kernel_map(); app(100, 'main');
comm(100, 'new', misc => 1 << 13);
sample(pid => 100, chain => ['kernel', k(), 'user', f('main')], period => 1);
mmap2(100, 0x900000, 0x1000, '/x/own');
sample(pid => 100, chain => ['kernel', k(), 'user', f('main')], period => 2);
sample(pid => 100, chain => ['user', 0x900010], period => 4);
sample(pid => 100, chain => ['kernel', k(), 'user', f('main')], period => 8);
END

# 20. Compressed, of the other byte order, 32-bit, of another architecture.
cat >packed.d <<'END'
file(order => $ARGV[0], bits => $ARGV[1]);
event('cycles', flags => 'mmap comm task sample_id_all mmap2', sample => 'ip tid time cpu period callchain read', read => 'id lost');
feature('ARCH', string($ARGV[2]));
feature('HOSTNAME', string('box'));
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], period => 11);
sample(pid => 100, chain => ['user', f('main')], period => 12);
END
for machine in 'little 64 aarch64' 'little 32 i686' 'little 32 armv7l' 'big 64 s390x' 'big 64 ppc64' 'big 32 ppc'; do
	words=$machine
	made "a recording of $machine" 'app;[main] 12
app;[main];[read] 11' <packed.d
done
cp in.data perf.data.old
for packer in gzip zstd xz; do
	command -v $packer >/dev/null || { skip "$packer" 'it is not here'; continue; }
	$packer -c perf.data.old >packed
	fg-collapse -q --no-header --no-annotate packed >got 2>&1
	printf '%s\n' 'app;[main] 12' 'app;[main];[read] 11' | diff - got >"$tmp/.said"
	judge "perf.data through $packer"
done
mkdir -p .debug/.build-id/00
echo >.debug/.build-id/00/11
if tar -cjf perf.data.tar.bz2 .debug 2>/dev/null; then
	fg-collapse perf.data.tar.bz2 >got 2>"$tmp/errors"
	echo $? >>errors
	: >"$tmp/.said"
	grep -qx 2 errors && grep -q 'tar ' errors && grep -qe --buildids errors || cat errors >"$tmp/.said"
	judge 'the tarball of perf archive is refused, with the commands that unpack it'
else
	skip 'the tarball of perf archive' 'no tar or bzip2'
fi
words=
# The kernel removes pointer authentication codes from return addresses only of processes that use
# them, and older kernels not in frame pointer chains.
cross=no
made 'AArch64: pointer authentication codes are removed from addresses' "$two 1" <<'END'
event('cycles', period => 1);
feature('ARCH', string('aarch64'));
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main') | 0x2f << 48]);
END

# 21. All fields of a sample in their order, before and after the call chain: of a process with a
# stack copy, and of a kernel thread without one.
cat >fields.d <<'END'
my ($less, $order) = (@ARGV, '', '');
file(order => $order);
feature('ARCH', string($order ? 's390x' : 'x86_64'));
event('cycles', sample => join(' ', grep { $_ ne $less } qw(ip tid time addr read callchain id cpu period stream_id raw
	branch_stack regs_user stack_user weight data_src identifier transaction regs_intr phys_addr aux cgroup
	data_page_size code_page_size)), read => 'group enabled running id lost', branch => 'user any hw_index counters',
	regs => 0xff0fff, regs_intr => 0xff0fff, stack => 64, flags => 'mmap comm task sample_id_all mmap2 build_id exclude_callchain_user');
kernel_map();
app(100, qw(main read));
for my $n (1, 2) {
	sample(pid => 100, addr => 0xadd7, cpu => $n, period => $n, read => [[$n * ($n + 1) / 2, 101, 0], [2, 102, 3]],
	    ip => k(), chain => ['kernel', k(), k(0x20)], raw => 'r' x (4 + 8 * $n), branches => [([1, 2, 3]) x $n],
	    regs => $n == 1 ? [1 .. 6, 0x7000, 0x7000, f('read'), 1 .. 11] : [],
	    stack => $n == 1 ? 's' x 64 : '', weight => 9, data_src => 8, transaction => 7,
	    regs_intr => [$n == 1 ? (1 .. 20) : ()], phys_addr => 6, cgroup => 5, data_page_size => 4096,
	    code_page_size => 4096, aux => 'a' x (16 * $n));
	finished_round();
}
END
kernel='[kernel.kallsyms];[kernel.kallsyms]'
made 'samples with every field' "app;$kernel 2
app;[read];$kernel 1" <fields.d
words='callchain'
made 'samples with every field but a call chain' 'app;[kernel.kallsyms] 2
app;[read] 1' <fields.d
words='period'
made 'samples with every field but a period: READ has it' "app;$kernel 2
app;[read];$kernel 1" <fields.d
words=', big'
cross=no # perf takes the registers for those of this machine
made 'samples with every field, of a big-endian machine' "app;$kernel 3" <fields.d
words=
made 'no period in the sample: that of the event' "$two 4000" <<'END'
event('cycles', sample => 'ip tid time callchain', period => 4000);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')]);
END
made 'weights as a structure' "$two 4" <<'END'
event('cycles', sample => 'ip tid time period callchain weight_struct data_src');
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], weight => 1 << 40, period => 4);
END
cross=no # perf wants to decode them
made 'AUXTRACE: its data are not read as records' 'app;[main] 2' <<'END'
event('cycles', period => 1);
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]);
auxtrace(u32(9) . u16(2, 8) x 100);
sample(pid => 100, chain => ['user', f('main')]);
END
# LBR records only calls, so its branches continue the kernel's call chain.
cross=no # perf script does not join them without --call-graph lbr in the header of the event
made 'LBR: branches of calls are the chain where the frames have none' 'app;[main];[parse];[read] 1' <<'END'
event('cycles', sample => 'ip tid time period callchain branch_stack', branch => 'user call_stack', flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user', period => 1);
app(100, qw(main parse read));
sample(pid => 100, ip => f('read'), chain => ['user', f('read')],
    branches => [[f('parse', 0x20), f('read', 0)], [f('main', 0x20), f('parse', 0)]]);
END
made 'branch stacks without LBR are not a call chain' 'app;[read] 1' <<'END'
event('cycles', sample => 'ip tid time period branch_stack', branch => 'user any', period => 1);
app(100, qw(main parse read));
sample(pid => 100, ip => f('read'), branches => [[f('parse', 0x20), f('read', 0)], [f('main', 0x20), f('parse', 0)]]);
END

# 22. perf record --off-cpu: a second event.
cat >offcpu.d <<'END'
event('cpu-clock', sample => 'identifier ip tid time cpu period callchain', period => 1000000, ids => [1]);
event('offcpu-time', sample => 'identifier ip tid time cpu period callchain', type => 1, config => 10, ids => [2], period => 1);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('main')], period => 1000000);
sample(pid => 100, chain => ['user', f('main')], period => 1000000);
# The samples are at the end, with fictitious times: perf counts up from ~0 << 32.
sample(event => 'offcpu-time', pid => 100, chain => ['user', f('read'), f('main')], period => 7000000, time => 0xffffffff00000001);
sample(event => 'offcpu-time', pid => 100, chain => ['user', f('main')], period => 2000000, time => 0xffffffff00000002);
END
made 'off-CPU samples are another event' 'app;[main] 2000000' <offcpu.d
made 'the off-CPU event' 'app;[main] 2000000
app;[main];[read] 7000000' -e offcpu-time <offcpu.d
cross=no
made 'off-CPU: microseconds' 'app;[main] 2000
app;[main];[read] 7000' --off-cpu <offcpu.d
made 'events a and b, SWITCH, READ, CPUs' 'app;[main] 30' -e page-faults <<'END'
event('cycles', sample => 'identifier ip tid time cpu period callchain', flags => 'mmap comm task sample_id_all mmap2 context_switch inherit_stat', period => 7);
event('page-faults', sample => 'identifier ip tid time cpu period callchain', flags => 'inherit_stat sample_id_all', read => 'enabled running id');
app(100, qw(main read));
switch_(0, pid => 100);
sample(pid => 100, chain => ['user', f('main')]);
sample(pid => 100, chain => ['user', f('main')], event => 'page-faults', period => 10);
switch_(1, pid => 100);
sample(pid => 100, chain => ['user', f('main')], event => 'page-faults', period => 20, cpu => 3);
switch_cpu_wide(1, 0, 0);
read_(100, event => 'page-faults', values => [[30, 102]]);
END

# 23. Registers by perf's mask and ABI.
cross=no # perf unwinds, and shows 1
made '32-bit and missing user registers: the call chain is used, not the stack copy' "$two 3" <<'END'
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => 0x1ff, stack => 64);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], abi => 1, regs => [1 .. 9], stack => 's' x 64, period => 1);
sample(pid => 100, chain => ['user', f('read'), f('main')], period => 2);
END

# 24. Inconsistent records. Each file has a valid sample before and after the inconsistent one.
lie() {
	name=$1 lines=$2
	shift 2
	{
		cat <<'END'
event('cycles', period => 1);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('main')]);
END
		cat
		[ "$lines" = 1 ] || echo "sample(pid => 100, chain => ['user', f('read')]);"
	} >lie.d
	cross=no
	case $lines in
	1) made "$name" 'app;[main] 1' "$@" <lie.d ;;
	*) made "$name" 'app;[main] 1
app;[read] 1' "$@" <lie.d ;;
	esac
}
lie 'a sample whose chain is longer than itself' 2 <<'END'
sample(pid => 100, chain => ['user', f('main')], nr_chain => $_) for 3, 1 << 32, 1 << 61, 0xffffffffffffffff;
END
lie 'a sample that is too short for its fields' 2 <<'END'
sample(pid => 100, chain => ['user', f('main')], size => 16);
raw(''); record(0x63, 0, '') for 1; # what is left of it
END
lie 'a record of size zero' 1 <<'END'
raw(zeros(8));
END
lie 'a record of size zero with a type' 1 <<'END'
record(9, 2, 'abcdefgh', size => 0);
END
lie 'a record that goes past the end' 1 <<'END'
record(9, 2, 'abcdefgh', size => 0xfff8);
END
lie 'ids of no attribute' 2 <<'END'
lost(1, id => 999999);
END
lie 'a mapping without an end to its name' 2 <<'END'
kernel(10, 2, u32(100, 100) . u64(0x400000, 0x1000, 0, 0, 0, 0) . u32(5, 2) . 'x' x 64, pid => 100) if 0;
record(10, 2, u32(100, 100) . u64(0x7400000, 0x1000, 0, 0, 0, 0) . u32(5, 2) . 'x' x 64);
END
lie 'mappings of no length, around the end of addresses' 2 <<'END'
mmap2(100, 0x7000, 0, '/x/none');
mmap2(100, 0xfffffffffffff000, 0xffffffffffffffff, '/x/far');
mmap2(100, 0xffffffffffffffff, 2, '/x/wrapped');
END
lie 'a deferred chain longer than its record' 2 <<'END'
deferred(100, 7, 'user', f('main'), {nr => 1 << 61});
END
lie 'a build-id section that claims gigabytes' 2 <<'END'
feature('BUILD_ID', 'x' x 64, size => 1 << 40);
END
lie 'a feature beyond the end' 2 <<'END'
feature('HOSTNAME', string('box'), at => 1 << 50);
feature('CMDLINE', strings('a', 'b'), at => 0xfffffffffffffff0);
END
lie 'build-ids over the data, events whose count is huge' 2 <<'END'
feature('BUILD_ID', '', at => 256, size => 4096);
feature('EVENT_DESC', u32(0xffffffff, 128) . zeros(64));
feature('GROUP_DESC', u32(0xffffffff));
feature('CMDLINE', u32(0xffffffff));
END
lie 'strings that are longer than their section' 2 <<'END'
feature('HOSTNAME', u32(0xffffffff) . 'box');
feature('ARCH', u32(0x7fffffff) . 'x86_64');
feature('OSRELEASE', u32(0));
END
lie 'a data section that is larger than the file' 2 <<'END'
file(header => {data_size => 1 << 40}, desc => 0);
END
lie 'a data section of no size: a recording that was killed' 2 <<'END'
file(header => {data_size => 0}, desc => 0);
END
lie 'ids beyond the end' 2 <<'END'
event('page-faults', ids_section => [1 << 40, 1 << 40]);
END
lie 'a thread that forks itself' 2 <<'END'
fork_(100, 7, ptid => 100);
fork_(7, 7);
comm(100, 'app');
app(100, qw(main read));
END
lie 'a compressed record that is no zstd' 2 <<'END'
record(81, 0, 'abcdefghabcdefgh');
END
lie 'a bomb: zeros, two thousand times as many' 2 <<'END'
compressed('', repeat => 131072, blocks => 2000);
END
done_testing
