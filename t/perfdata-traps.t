#!/bin/sh
# perf.data: known traps for readers of records and samples (compression, order, other machines,
# fields, inconsistent records), in files that no available tool writes. Expected stacks follow
# linux/perf_event.h and perf's documentation. perfdata-modules.t has those of modules and symbols.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# Deferred user call chains, matched by thread and cookie. (perf 6.1 does not support them.)
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

# COMPRESSED2 with perf's wrong sizes. A push writes several records of 16 + at most 65519
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

# One zstd stream through all records; a decompressed record may continue in the next one.
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

# Pipe mode, from a file and from a pipe; and file mode from a pipe.
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

# perf 6.12 wrote an event of size 0 between build IDs.
made 'build-ids: an event of size zero' 'app;[main] 1' <<'END'
event('cycles', period => 1);
build_id(-1, '/x/main', '11' x 20);
build_id(0, '', '', event => zeros(8));
build_id(-1, '/x/read', '22' x 20);
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]);
END

# No FINISHED_ROUND: records may be out of order. Also the records of one CPU.
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

# READ fields and ids. For perf, the period of a sample with READ is the counter's increase
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

# Both types of records for lost samples.
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

# Hybrid CPUs: one event on two PMUs.
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

# A recording with a sampling frequency begins with periods of 1.
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

# Compressed, of the other byte order, 32-bit, of another architecture.
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
	command -v $packer >/dev/null || { skip "$packer" 'it is not here' "$packer"; continue; }
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
	skip 'the tarball of perf archive' 'no tar or bzip2' 'tar bzip2'
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

# All fields of a sample in their order, before and after the call chain: of a process with a
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

# perf record --off-cpu: a second event.
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

# Registers by perf's mask and ABI.
cross=no # perf unwinds, and shows 1
made '32-bit and missing user registers: the call chain is used, not the stack copy' "$two 3" <<'END'
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => 0x1ff, stack => 64);
app(100, qw(main read));
sample(pid => 100, chain => ['user', f('read'), f('main')], abi => 1, regs => [1 .. 9], stack => 's' x 64, period => 1);
sample(pid => 100, chain => ['user', f('read'), f('main')], period => 2);
END

# Inconsistent records. Each file has a valid sample before and after the inconsistent one.
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
sample(pid => 100, chain => ['user', f('main')], nr_chain => $_) for 3, 0xffffffffffffffff;
END
lie 'a sample whose chain has more bytes than a number counts' 2 <<'END'
sample(pid => 100, chain => ['user', f('main')], nr_chain => $_) for 1 << 32, 1 << 61;
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
END
lie 'features whose count is huge' 2 <<'END'
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
