#!/bin/sh
# perf.data: known traps for readers of modules and symbols (build IDs, ksymbols, guests, kernels of
# other machines, JIT code, mappings without files), in files that no available tool writes.
# Expected stacks follow linux/perf_event.h and perf's documentation.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# Build IDs and perf inject --jit need a module that exists.
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

# KSYMBOL names code without a file; records of unknown types are skipped.
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

# Guests have their own files and kernel.
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

# A kernel of another machine.
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

# perf inject --jit writes an ELF file for each function, with sections but no segments. The
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

# Addresses with 0x in perf maps of Java.
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

# Modules without a file: executable code in them is JIT code.
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

done_testing
