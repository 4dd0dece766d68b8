#!/bin/sh
# perf.data: sources of symbols, and files that must not be used: perf maps and jitdumps, kernel
# modules, debuginfod, and files above the size limits.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# Perf maps in /tmp are used only for recordings of this machine since its boot. The process is a
# running one, so that no other process can get its pid.
tail -f /dev/null &
pid=$!
map=/tmp/perf-$pid.map
trap 'kill $pid $other 2>/dev/null; rm -f "$map" "/tmp/perf-$other.map"; cd /; rm -rf "$tmp"' EXIT
other=
cat >living.d <<'END'
my ($pid, $host, $time, $pipe) = @ARGV;
file(pipe => $pipe);
event('cycles', period => 1);
feature('HOSTNAME', string($host));
feature('SAMPLE_TIME', u64($time + 2, $time + 2)) if !$pipe;
comm($pid, 'app', time => $time);
mmap2($pid, 0x900000, 0x10000, '//anon', time => $time + 1);
sample(pid => $pid, chain => ['user', 0x900010], time => $time + 2);
END
now=$(awk '{ printf "%.0f", $1 * 1e9 - 1e8 }' /proc/uptime)
# late COMMAND: makes a recording that starts now, then runs COMMAND.
late() {
	make_data <living.d >in.data
	sleep 0.1
	"$@"
}
folded() {
	limited 60 fg-collapse -q --no-header --no-annotate "$@" in.data 2>&1
}
write_map() {
	echo '900000 100 generated' >"$map"
}
words="$pid $(uname -n) $now"
rm -f in.data
late write_map
output 'a map in /tmp, written since the recording began' 'app;generated 1' folded
output "--maps '': none" 'app;[jit] 1' folded --maps ''
mkdir maps
output '--maps of another directory: no names' 'app;[jit] 1' folded --maps maps
echo '900000 100 elsewhere' >"maps/perf-$pid.map"
output '--maps of a directory with a perf map' 'app;elsewhere 1' folded --maps maps
cp "maps/perf-$pid.map" .
output 'a perf map beside the recording comes first' 'app;elsewhere 1' folded
rm "perf-$pid.map"
touch -d '1 hour ago' "$map"
output 'a perf map older than the recording is not used' 'app;[jit] 1' folded
rm "$map"
echo '900000 100 linked' >linked.map
ln -s "$tmp/linked.map" "$map"
output 'a symbolic link' 'app;[jit] 1' folded
rm "$map"
mkfifo "$map"
output 'a pipe' 'app;[jit] 1' folded
rm "$map"
if [ "$(id -u)" = 0 ] && perl -e '$( = $) = 12345; $< = $> = 12345; exit($> != 12345)' 2>/dev/null; then
	write_map
	chown 12345 "$map"
	output 'a perf map of another user is not used' 'app;[jit] 1' folded
	perl -e '$< = $> = 12345; exec qw(tail -f /dev/null)' &
	other=$!
	is_theirs() { [ "$(stat -c %u /proc/$other)" = 12345 ]; }
	wait_for is_theirs
	words="$other $(uname -n) $now"
	rm -f in.data
	late echo '900000 100 theirs' >"/tmp/perf-$other.map"
	chown 12345 "/tmp/perf-$other.map"
	output 'a perf map of the process'\''s user is used' 'app;theirs 1' folded
	kill $other
	wait $other 2>/dev/null
	output 'a perf map of an ended process is not used: its user is unknown' 'app;[jit] 1' folded
	rm -f "/tmp/perf-$other.map"
	rm "$map"
else
	skip 'maps of other users' 'not root'
fi
words="$pid another.machine $now"
rm -f in.data
late write_map
output 'a recording of another machine' 'app;[jit] 1' folded
words="$pid $(uname -n) $((now + 3600000000000))"
rm -f in.data
late write_map
output 'a recording of another boot: it is later than this one is old' 'app;[jit] 1' folded
words="$words 1"
rm -f in.data
late write_map
output 'pipe mode, which has no start time: the perf map is not used' 'app;[jit] 1' folded
rm "$map"

# A jitdump: tools/perf/Documentation/jitdump-specification.txt.
perl -e '
	print pack "L<6Q<2", 0x4A695444, 1, 40, 62, 0, 100, 0, 0;
	for my $index (1, 2) {
		my ($name, $time, $at) = ("function$index", 1_000_000_000 * $index, 0x900000 + 0x100 * $index);
		my $code = "\x90" x 64;
		my $body = pack("L<2Q<4", 100, 100, $at, $at, length $code, $index) . "$name\0" . $code;
		print pack("L<2Q<", 0, 16 + length $body, $time), $body;
	}' >jit-100.dump
cat >jitdump.d <<'END'
event('cycles', period => 1);
app(100, 'main');
mmap2(100, 0xa00000, 0x1000, "/home/somebody/.debug/jit/jit-100.dump", time => 900_000_000);
mmap2(100, 0x900000, 0x10000, '//anon', time => 900_000_001);
sample(pid => 100, chain => ['user', 0x900110, f('main')], time => 3_000_000_000);
sample(pid => 100, chain => ['user', 0x900210, 0x900120, f('main')], time => 4_000_000_000, period => 2);
END
words=
cross=no # perf wants it injected
made 'a jitdump beside the recording' 'app;[main];function1 1
app;[main];function1;function2 2' <jitdump.d
cross=no
made "--maps '': none" 'app;[main];[jit] 1
app;[main];[jit];[jit] 2' --maps '' <jitdump.d
mv jit-100.dump maps
cross=no
made '--maps of another directory: unsymbolized' 'app;[main];[jit] 1
app;[main];[jit];[jit] 2' <jitdump.d
cross=no
made '--maps of the map'\''s directory' 'app;[main];function1 1
app;[main];function1;function2 2' --maps maps <jitdump.d

# In pipe mode perf 4.x writes no event names; names of tracepoints are in the tracing data.
cat >probe.d <<'END'
file(pipe => 1, desc => 0);
event('probe:x', type => 2, config => 1201, period => 1, sample => 'identifier ip tid time period callchain');
event('cycles', period => 1, sample => 'identifier ip tid time period callchain');
tracing_data(tracing(probe => [tracepoint('app_main', 1201)], sched => [tracepoint('sched_switch', 300)]));
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]);
sample(pid => 100, event => 'cycles', chain => ['user', f('main')]);
END
names() {
	perl "$here/perfdata/make.pl" | fg-collapse -q --list-events 2>&1 | awk 'NR > 1 { print $1, $3 }'
}
output 'a tracepoint in a pipe has the name of its format' 'probe:app_main 1
cycles:HG 1' names <probe.d
sed -i '/^tracing_data/s/1201/1202/' probe.d
check 'a format of another number gives no name' sh -c "perl '$here/perfdata/make.pl' <probe.d | fg-collapse -q --list-events 2>&1 | grep -q 'unknown attr type: 2, config 0x4b1'"

# Kernel modules: the recorded kernel's symbols name functions in modules, with the module.
cat >module.d <<'END'
event('cycles', period => 1);
feature('OSRELEASE', string('6.1.0-other'));
feature('HOSTNAME', string('another'));
kernel_map();
mmap(-1, 0xffffffffc0000000, 0x10000, '/lib/modules/6.1.0-other/kernel/net/netfilter/nf-tables.ko.xz', tid => 0, mode => 1);
mmap(-1, 0xffffffffc0010000, 0x10000, '[ext4]', tid => 0, mode => 1);
app(100, 'main');
sample(pid => 100, chain => ['kernel', 0xffffffffc0000020, k(0x20), 'user', f('main')]);
sample(pid => 100, chain => ['kernel', 0xffffffffc0010020, k(0x20), 'user', f('main')], period => 2);
END
cross=no # perf shows [unknown]
made 'kernel modules without symbols are their names' 'app;[main];[kernel.kallsyms];[ext4] 2
app;[main];[kernel.kallsyms];[nf_tables] 1' <module.d
tab=$(printf '\t')
cat >their.kallsyms <<END
ffffffff81000000 T _text
ffffffff81000010 T __x64_sys_pause
ffffffff81000010 T __ia32_sys_pause
ffffffff81000100 T _etext
ffffffffc0000010 t nft_do_chain${tab}[nf_tables]
ffffffffc0010010 t ext4_sync_file${tab}[ext4]
END
cross=no
made '--kallsyms names them; a call without arguments is that of x86-64' 'app;[main];__x64_sys_pause;ext4_sync_file 2
app;[main];__x64_sys_pause;nft_do_chain 1' --kallsyms their.kallsyms <module.d
cross=no
made '--kallsyms with --module' 'app;[main];[kernel.kallsyms]`__x64_sys_pause;[ext4]`ext4_sync_file 2
app;[main];[kernel.kallsyms]`__x64_sys_pause;[nf_tables]`nft_do_chain 1' --kallsyms their.kallsyms --module <module.d
sed 's/ffffffff81/ffffffff9a/' their.kallsyms >moved.kallsyms
cross=no
made '--kallsyms of another boot: kernel modules are unsymbolized' 'app;[main];__x64_sys_pause;[ext4] 2
app;[main];__x64_sys_pause;[nf_tables] 1' --kallsyms moved.kallsyms <module.d
if printf '%s\n' '.globl _text' '.type _text,%function' '_text: .fill 16,1,0' '.size _text,16' '.globl sys_pause' \
    '.type sys_pause,%function' 'sys_pause: .fill 64,1,0' '.size sys_pause,64' |
    $CC -x assembler -nostdlib -static -Wl,-Ttext=0xffffffff81000000 -Wl,-e,_text -o vmlinux - 2>linked; then
	cross=no
	made '--vmlinux has no modules: their names' 'app;[main];sys_pause;[ext4] 2
app;[main];sys_pause;[nf_tables] 1' --vmlinux vmlinux <module.d
fi

# Guests: in samples, and in a call chain.
cross=no
made 'a call chain that continues in a guest' 'app;[guest] 5' <<'END'
event('cycles', period => 1);
kernel_map(); app(100, 'main');
mmap(-1, 0xffffffff81000000, 0x1000000, '[guest.kernel.kallsyms]_text', tid => 0, mode => 4, offset => 0xffffffff81000000);
mmap2(100, 0x400000, 0x1000, '/x/of-the-guest', mode => 5);
sample(pid => 100, mode => 'guest_user', ip => f('main'), chain => ['guest', f('main'), f('main', 0x20)], period => 2);
sample(pid => 100, mode => 'guest_kernel', ip => k(), chain => ['guest_kernel', k(), k(0x20), 'guest_user', f('main')], period => 3);
END

# Files at recorded paths: only regular ones, below --symfs if given, and none of the kernel's
# virtual file systems. Without a build ID, only files older than the recording.
cat >code.s <<'END'
	.text
	.globl found
	.type found, %function
	.skip 64
found:	.skip 64
	.size found, 64
END
if $CC -nostdlib -shared -Wl,-z,noseparate-code -Wl,--build-id=none -o plain.so code.s 2>said && found=$(nm -D plain.so | sed -n 's/ T found//p'); then
	cat >path.d <<'END'
my ($path, $found) = @ARGV;
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x100000, $path);
sample(pid => 100, chain => ['user', 0x400010 + hex $found]);
END
	touch -d 2001-01-01 plain.so
	mkdir -p root/lib root/dev outside
	cp -p plain.so root/lib/in.so
	cp -p plain.so outside/out.so
	ln -s ../../outside/out.so root/lib/escape.so
	ln -s /lib/in.so root/lib/absolute.so
	mkfifo root/lib/pipe.so
	# path NAME PATH EXPECTED [OPTION...]
	path() {
		name=$1 words="$2 $found" want=$3
		shift 3
		cross=no
		made "$name" "app;$want 1" "$@" <path.d
	}
	path '--symfs: a file below the directory' /lib/in.so found --symfs root
	path '--symfs: a link that stays in the directory' /lib/absolute.so found --symfs root
	path '--symfs: .. that stays in the directory' /lib/../lib/in.so found --symfs root
	path '--symfs: .. that would leave the directory' /../outside/out.so '[out.so]' --symfs root
	path '--symfs: a link that would leave the directory' /lib/escape.so '[escape.so]' --symfs root
	path 'a pipe' /lib/pipe.so '[pipe.so]' --symfs root
	path 'a device' /dev/zero '[jit]'
	path 'a terminal is not opened' /dev/tty '[tty]'
	path 'a file of /proc' /proc/self/exe '[exe]'
	path 'a file of /sys' /sys/kernel/notes '[notes]'
	path 'a folder' "$tmp" "[${tmp##*/}]"
	path 'without a build-id: one that is older than the recording' "$tmp/plain.so" found
	words="$tmp/plain.so $found"
	made_says 'perf.data: files without a build ID are counted' '100 % of weight is in 1 file without a build ID in the recording' <path.d
	touch -d '+1 hour' plain.so
	path 'a file that is younger than the recording is not used' "$tmp/plain.so" '[plain.so]'
	words="$tmp/plain.so $found"
	made_says 'perf.data: another build at the recorded path is not used' 'plain.so, which is another build on this machine' <path.d
	words=
else
	skip 'files by their recorded paths' "$(head -1 said)"
fi

# A file that needs random access is buffered in memory if it is a pipe or compressed.
make_data >in.data <<'END'
event('cycles', period => 1);
app(100, 'main');
sample(pid => 100, chain => ['user', f('main')]) for 1 .. 2000;
END
bound() {
	name=$1
	shift
	"$@" >got 2>said
	got=$?
	check "$name: exit 2" test "$got" = 2
	check "$name: names --max-size" grep -q -e --max-size said
}
bound 'a file from a pipe above --max-size' sh -c 'cat in.data | fg-collapse -q --max-size 20k'
gzip -c in.data >in.data.gz
bound 'packed by gzip' fg-collapse -q --max-size 20k in.data.gz
output 'the file itself is read piece by piece' 'app;[main] 2000' fg-collapse -q --no-header --max-size 20k in.data
output '--max-size: smaller files are read' 'app;[main] 2000
app;[main] 2000' sh -c 'cat in.data | fg-collapse -q --no-header --max-size 1M; fg-collapse -q --no-header --max-size 1M in.data.gz'

# debuginfod is queried only with --debuginfod: a server counts the requests.
cat >server.pl <<'END'
use strict; use warnings; use IO::Socket::INET;
my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', ReuseAddr => 1) or exit 1;
open my $f, '>', 'port.new'; print $f $s->sockport; close $f; rename 'port.new', 'port';
alarm 60;
while (my $c = $s->accept) {
	my $line = <$c> // '';
	open my $log, '>>', 'asked'; print $log $line; close $log;
	print $c "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
	close $c;
}
END
cat >asks.c <<'END'
int main(void) { return 0; }
END
id=00112233445566778899aabbccddeeff01234567
if perl -MIO::Socket::INET -e 1 2>/dev/null && $CC -g -Wl,--build-id=0x$id -o asks asks.c 2>said && strip asks; then
	perl server.pl &
	server=$!
	trap 'kill $pid $other $server 2>/dev/null; rm -f "$map" "/tmp/perf-$other.map"; cd /; rm -rf "$tmp"' EXIT
	wait_for [ -s port ]
	touch -d 2001-01-01 asks
	words="$tmp/asks $id"
	make_data >in.data <<'END'
my ($path, $id) = @ARGV;
event('cycles', period => 1);
comm(100, 'app');
mmap2(100, 0x400000, 0x10000, $path, build_id => $id);
sample(pid => 100, chain => ['user', 0x401010]);
END
	export DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)" DEBUGINFOD_CACHE_PATH="$tmp/cache"
	fg-collapse -q --srcline in.data >got
	check 'debuginfod is not queried by default' test ! -e asked
	fg-collapse -q --srcline --debuginfod in.data >got
	if [ -e asked ]; then
		check '--debuginfod queries that build ID' grep -q "/buildid/$id/debuginfo" asked
	else
		skip '--debuginfod' 'its library is not here'
	fi
	unset DEBUGINFOD_URLS
else
	skip 'debuginfod' 'no server can be made here'
fi
done_testing
