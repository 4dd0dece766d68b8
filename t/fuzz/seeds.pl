#!/usr/bin/perl
# Seeds of binary formats: t/fuzz/seeds.pl DIRECTORY writes DIRECTORY/READER/NAME.
use strict;
use warnings;

my $to = shift // die "usage: seeds.pl DIRECTORY\n";
mkdir $to;

sub put {
	my ($reader, $name, $bytes) = @_;
	-d "$to/$reader" or mkdir "$to/$reader" or die "$to/$reader: $!\n";
	open my $f, '>:raw', "$to/$reader/$name" or die "$to/$reader/$name: $!\n";
	print $f $bytes;
	close $f;
}

# An ELF file (x86-64, little-endian) with .text and one section of this name.
sub elf {
	my ($name, $bytes) = @_;
	my $text = "\x55\x48\x89\xe5\x83\xec\x10\xc9\xc3\x90" x 8;
	my $names = "\0.text\0$name\0.shstrtab\0";
	my ($at_text, $at) = (64 + 56, 64 + 56 + length $text);
	my $at_names = $at + length $bytes;
	my $at_sections = $at_names + length $names;
	my $section = sub { pack 'LLQQQQLLQQ', @_ };

	return pack("a4C5x7SSLQQQLSSSSSS", "\x7fELF", 2, 1, 1, 0, 0, 2, 62, 1, 0x1000, 64, $at_sections, 0, 64, 56, 1, 64, 4, 3)
	    . pack('LLQQQQQQ', 1, 5, 0, 0x1000 - $at_text, 0x1000 - $at_text, $at_names, $at_names, 0x1000)
	    . $text . $bytes . $names
	    . $section->((0) x 10)
	    . $section->(1, 1, 6, 0x1000, $at_text, length $text, 0, 0, 16, 0)
	    . $section->(7, 1, 2, 0x2000, $at, length $bytes, 0, 0, 8, 0)
	    . $section->(8 + length $name, 3, 0, 0, $at_names, length $names, 0, 0, 1, 0);
}

# Two functions at 0x1000 and 0x1020. Pairs of their frame sizes: size + 1 zigzag, length.
my $sizes = "\0" . pack('C*', 2, 4, 16, 28, 0) . pack('C*', 2, 32, 0);
my $functions = "\0main.main\0runtime.mcall.abi0\0";
sub record { # entry, name, sizes, flag
	my ($entry, $name, $pcsp, $flag) = @_;
	return pack('LLLLLLLLLLCCCC', $entry, $name, 0, 0, $pcsp, 0, 0, 0, 0, 1, 0, $flag, 0, 0);
}
my @records = (record(0, 1, 1, 0), record(0x20, 11, 6, 2));
for my $magic (0xfffffff0, 0xfffffff1) {
	my $table = pack 'LLLLL', 0, 20, 0x20, 20 + length $records[0], 0x40;
	my $start = 8 + 8 * 8;
	my @at = ($start, $start + length $functions);
	push @at, $at[1] + length $sizes;
	put('gopclntab', sprintf('%x', $magic), elf('.gopclntab',
		pack('LxxCCQ8', $magic, 1, 8, 2, 1, 0x1000, $at[0], $at[0], $at[0], $at[1], $at[2])
		    . $functions . $sizes . $table . join '', @records));
}
# Go 1.2: absolute offsets, and addresses of 8 bytes.
my $start = 8 + 8 + 5 * 8;
my @old = map { my $r = $_; $r } map {
	pack('QLLLLLLLL', $_->[0], $_->[1], 0, 0, $_->[2], 0, 0, 0, 0)
} [0x1000, $start + 81, $start + 80 + length($functions) + 1], [0x1020, $start + 91, $start + 80 + length($functions) + 6];
put('gopclntab', 'fffffffb', elf('.gopclntab', pack('LxxCCQ', 0xfffffffb, 1, 8, 2)
	    . pack('QQQQQ', 0x1000, $start, 0x1020, $start + 40, 0x1040) . join('', @old) . $functions . $sizes));
put('gopclntab', 'fffffffa', elf('.gopclntab', pack('LxxCCQ7', 0xfffffffa, 1, 8, 2, 1, 64, 64, 64, 64 + length $functions, 64 + length($functions) + length $sizes)
	    . $functions . $sizes . pack('QQQQQ', 0x1000, 40, 0x1020, 84, 0x1040) . join '', map { pack('Q', 0x1000 + 0x20 * $_) . substr $records[$_], 4 } 0, 1));

# jitdump: header; loads, lines and a move.
sub dumped { my ($id, $time, $body) = @_; pack('LLQ', $id, 16 + length $body, $time) . $body }
sub loaded {
	my ($time, $at, $size, $name) = @_;
	dumped(0, $time, pack('LLQQQQ', 1, 1, $at, $at, $size, 0) . "$name\0" . "\x90" x $size);
}
put('jitdump', 'small', pack('LLLLLLQQ', 0x4A695444, 1, 40, 62, 0, 1, 0, 0)
	    . loaded(100, 0x1000, 16, 'early') . loaded(200, 0x1000, 32, 'late')
	    . dumped(2, 300, pack('QQ', 0x1100, 2) . pack('QLL', 0x1100, 7, 0) . "a/b.js\0" . pack('QLL', 0x1108, 9, 0) . "\xff\0")
	    . loaded(300, 0x1100, 16, 'lined')
	    . dumped(1, 400, pack('LLQQQQQ', 1, 1, 0x1200, 0x1100, 0x1200, 16, 0))
	    . dumped(77, 500, "\1\2\3") . dumped(3, 600, ''));

put('kallsyms', 'small', join '', map { "$_\n" } 'ffffffff81000000 T _text', 'ffffffff81000010 t again.cold',
	'ffffffff81000010 T again', 'ffffffff81000040 D data', 'ffffffffc0000000 t start\t[one]', 'ffffffffc0000010 t next\t[one]',
	'ffffffffc0000010 b none\t[two]', 'ffffffffff600000 A cut');
put('kallsyms', 'hidden', "0000000000000000 T _text\n" x 3);

# Changes of captures (t/capture/edit.c): 12 at random, a few of a kind, and none.
{
	srand 45;
	my $edit = sub { pack 'CCSLQ', @_ };
	put('capture', $_, join '', map { $edit->(map { int rand $_ } 256, 256, 1 << 16, 4096, 2 ** 53) } 1 .. 12) for 1 .. 6;
	for my $how (2 .. 7) {
		put('capture', "how$how", join '', map { $edit->(0, $how, $_, 8 * 37 * $_, 5 * $_) } 1 .. 30);
	}
	put('capture', 'none', '');
}

put('perfmap', 'small', "1000 20 first\n1020 10 second::name(int)\n0x1030 8 third\n1000 8 again\n1040 10 cut");
put('pattern', $_->[0], "$_->[1]\nab aab foo(bar) ;[x] \xff 12345 line\n")
    for ['set', '[[:alpha:]]+b|(a*)*$'], ['repeat', '(a{1,3}b?){2,}\\(.*\\)'], ['back', '^(.)(.).*\\1'];

# Memory of a LuaJIT process from address 0x10000 on, at a stop in the interpreter or in a trace: two
# Lua functions on the stack of one state. The layout is in common/runtime/luajit.c, the stop in code.c.
sub lua_memory {
	my ($kind) = @_;
	my $at = 0x10000;
	my ($state, $loop, $global, $stack, $trace, $list) = map { $at + $_ } 0x400, 0x600, 0x800, 0x1000, 0x2a00, 0x2c00;
	my $m = "\0" x 0x3000;
	my $word = sub { substr($m, $_[0] - $at, 8) = pack 'Q', $_[1] };
	my $half = sub { substr($m, $_[0] - $at, 4) = pack 'L', $_[1] };
	my $byte = sub { substr($m, $_[0] - $at, 1) = chr $_[1] };
	my @function = map { $at + $_ } 0x2000, 0x2400;
	my $tag = 0x1fff7 << 47;
	for my $f (@function) {
		my $proto = $f + 0x100;
		$word->($f + 32, $proto + 104);
		$byte->($proto + 9, 7);
		$half->($proto + $_->[0], $_->[1]) for [12, 8], [72, 3], [76, 10], [112, 0x212];
		$word->($proto + 64, $at + 0x2800);
		$word->($proto + 80, $at + 0x2900);
	}
	substr($m, 0x2818, 9) = "\@app.lua\0";
	my @base = ($stack + 32, $stack + 64);
	$word->($base[0] - 16, $tag | $function[0]);
	$word->($base[0] - 8, 17);
	$word->($base[1] - 16, $tag | $function[1]);
	$word->($base[1] - 8, $function[0] + 0x100 + 116);
	$byte->($state + 9, 6);
	$word->($state + $_->[0], $_->[1]) for [16, $global], [32, $base[1]], [56, $stack], [80, $loop];
	$word->($global + $_->[0], $_->[1]) for [184, 1], [192, $state], [368, $state], [376, $kind == 2 ? $base[1] : 0], [400, $list];
	$word->($loop + 16, $state);
	$word->($list + 8, $trace);
	$byte->($trace + 9, 9);
	$word->($trace + $_->[0], $_->[1]) for [64, $function[0] + 0x100], [72, $function[0] + 0x100 + 108], [88, 0x5000];
	$half->($trace + 84, 0x100);
	$word->($at + 8 * $_->[0], $_->[1]) for [0, 0x5010], [1, $base[1]], [3, $function[1] + 0x100 + 108],
		[16, $kind == 2 ? $loop - 16 : $loop], [17, $kind];
	return $m;
}
put('luajit', 'interpreter', lua_memory(1));
put('luajit', 'trace', lua_memory(2));

# image(SIZE, {REGISTER => VALUE}, [[SP, KIND], ...], {OFFSET => VALUE or string}): the memory of a
# process from 0x10000 on, as in image.h; offsets and pointers in it are without 0x10000.
sub image {
	my ($size, $reg, $native, $content) = @_;
	my $m = "\0" x $size;
	my $put = sub {
		my ($at, $v) = @_;
		$v = pack 'Q', $v if $v =~ /^-?\d+$/;
		substr($m, $at, length $v) = $v;
	};
	$put->(8 * $_, $reg->{$_}) for keys %$reg;
	$put->(128 + 16 * $_, pack 'QQ', @{$native->[$_]}) for 0 .. $#$native;
	$put->($_, $content->{$_}) for keys %$content;
	return $m;
}
my $I = 0x10000;

# Haskell: code at 0x800 on with info tables before it; the stack at 0x400.
{
	my %m;
	my $frame = sub { # code, type, layout
		my ($code, $type, $layout) = @_;
		$m{$code - 16} = pack 'QL', $layout, $type;
		return $I + $code;
	};
	my @stack = ($frame->(0x820, 30, 1), 7, $frame->(0x900, 31, 0x40), (1) x 70, $frame->(0xa00, 32, 0), 2, 5, 6, 7,
		$frame->(0xb00, 33, 1), 3, $frame->(0xb40, 35, 0), $I + 0xe00);
	$m{0x940} = 70; # words of the large frame
	$m{0x400} = pack 'Q*', @stack;
	$m{0xe10} = $I + 0xf00; # the stack before this one
	$m{0xf00} = pack 'Q*', $frame->(0xb80, 55, 0), $frame->(0xbc0, 36, 0);
	put('haskell', 'stack', image(0x1000, {0 => $I + 0x840, 6 => $I + 0x400}, [[$I + 0x100, 1], [$I + 0x140, 0], [$I + 0x180, 0], [$I + 0x1c0, 0]], \%m));
}

# Erlang: one module with three functions at 0x2000; an Erlang process at 0x1000, its heap at 0x1400.
{
	my %m = (0x200 => pack('QQ', $I + 0x600, 1), 0x288 => $I + 0x5008, 0x600 => pack('QQ', $I + 0x2000, $I + 0x5000),
		0x378 => $I + 0x700, 0x700 => $I + 0x800);
	my @atoms = ('', 'app', 'main', 'loop');
	for my $i (1 .. $#atoms) {
		$m{0x800 + 8 * $i} = $I + 0x900 + 0x40 * $i;
		$m{0x900 + 0x40 * $i + 24} = pack 'SxxxxxxQ', length $atoms[$i], $I + 0xb00 + 16 * $i;
		$m{0xb00 + 16 * $i} = $atoms[$i];
	}
	my @f = map { 0x2400 + 0x400 * $_ } 0 .. 3;
	my $source = "\203\6sourcek\0\12/srv/x.erl";
	my $atom = sub { $_[0] << 6 | 0x0b };
	$m{0x2000} = 3;
	$m{0x2000 + 32} = pack 'QQ', $I + 0x2200, length $source;
	$m{0x2200} = $source;
	$m{0x2000 + 72} = $I + 0x2300;
	$m{0x2000 + 96} = pack 'Q4', map { $I + $_ } @f;
	$m{$_ + 16} = pack 'QQQ', $atom->(1), $atom->(2 + ($_ >> 10 & 1)), 2 for @f[0 .. 2];
	# Line table: names, size, locations, then a range of addresses for each function.
	$m{0x2300} = pack 'QLxxxxQQ4', $I + 0x23c0, 4, $I + 0x2380, map { $I + 0x2340 + 16 * $_ } 0 .. 3;
	$m{0x2340} = pack 'Q6', map { $I + $_ } 0x2410, 0x2420, 0x2810, 0x2820, 0x2c10, 0x2c20;
	$m{0x2380} = pack 'L6', 5, 6, 1 << 24 | 9, 1 << 24 | 10, 11, 12;
	$m{0x23c0} = $I + 0x23d1; # list of characters
	$m{0x23d0} = pack 'Q4', ord('x') << 4 | 15, $I + 0x23e1, ord('y') << 4 | 15, 0x3b;
	my $process = sub { # stop
		(0x1050 => pack('QQ', $I + 0x1480, $I + $_[0]), 0x1080 => pack('QQxxxxxxxxQ', $I + 0x1400, $I + 0x1800, 128));
	};
	$m{0x1700} = pack 'Q*', $I + 0x2434, 0x0f, $I + 0x2838, 0x1b, 3, $I + 0x2c38, $I + 0x5008;
	my @native = ([$I + 0x100, 2], map { [$I + 0x100 + 16 * $_, 0] } 1 .. 3);
	put('beam', 'code', image(0x5100, {0 => $I + 0x2414, 7 => $I + 0x1700, 13 => $I + 0x1000}, [[$I + 0x1700, 2], @native[1 .. 3]], {%m, $process->(0x1700)}));
	put('beam', 'call', image(0x5100, {0 => $I + 0x2440, 6 => $I + 0x1700, 13 => $I + 0x1000}, [[$I + 0x100, 0], @native[0, 2, 3]],
		{%m, $process->(0x1700), 0x2444 => "\x48\x89\xec"}));
	put('beam', 'dirty', image(0x5100, {0 => $I + 0x100, 12 => $I + 0x1000}, [[$I + 0x100, 0], [$I + 0x120, 1], @native[2, 3]], {%m, $process->(0x1700)}));
	put('beam', 'idle', image(0x5100, {0 => $I + 0x2414}, [[$I + 0x100, 3], @native[0, 2, 3]], \%m));
}

# V8: frames of one function in compiled code, with an inlined one, in baseline code and in the
# interpreter. Offsets and types are in v8.c. Tagged addresses end with 1.
for my $kind (0, 11, 12, 13) {
	my %m;
	my $at = 0x1000; # maps
	my %map;
	my $object = sub { # address, type, fields by offset
		my ($where, $type, %field) = @_;
		if (!exists $map{$type}) {
			$map{$type} = $I + $at + 1;
			$m{$at + 12} = pack 'S', $type;
			$at += 32;
		}
		$m{$where} = $map{$type};
		$m{$where + $_} = $field{$_} for keys %field;
		return $I + $where + 1;
	};
	my $smi = sub { $_[0] << 32 };
	my $string = sub { my ($where, $s) = @_; $object->($where, 8, 12 => pack('L', length $s), 16 => $s) };
	my $name = $object->(0x2000, 1, 12 => pack('L', 8), 16 => $string->(0x2040, 'func'), 24 => $string->(0x2080, 'tion'));
	my $scope = $object->(0x2100, 201, 8 + 16 => $smi->(1), 8 + 24 => $smi->(2), 8 + 40 => $name, 8 + 48 => $smi->(5), 8 + 56 => $smi->(40));
	my $source = $string->(0x2200, "a\nbb\nccc\n" x 8);
	my $script = $object->(0x2300, 202, 8 => $source, 16 => $string->(0x2380, '/srv/app.js'));
	my $shared = $object->(0x2400, 200, 24 => $scope, 32 => $script);
	my $ends = $object->(0x2600, 203, 8 => $smi->(3), 16 => $smi->(1), 24 => $smi->(30), 32 => $smi->(60));
	my $other = $object->(0x2500, 200, 24 => $string->(0x2580, 'inlined'), 32 => $object->(0x2700, 202, 8 => $source, 16 => $string->(0x2780, 'b.js'), 48 => $ends));
	# Positions: offset and entry of each, as differences; an entry is 2 * (position + 1) + inlining << 31.
	my $vlq = sub { my ($v, $out) = (shift, ''); while ($v > 127) { $out .= chr($v & 127 | 128); $v >>= 7 } return $out . chr $v };
	my $zigzag = sub { $_[0] < 0 ? -2 * $_[0] - 1 : 2 * $_[0] };
	my $entries = join '', map { $vlq->(2 * $_->[0]) . $vlq->($zigzag->($_->[1])) } [1, 2 * 11], [8, 2 * 5 + (1 << 31)], [40, 30 - (1 << 31)];
	my $positions = $object->(0x2800, 206, 8 => $smi->(length $entries), 16 => $entries);
	my $literals = $object->(0x2900, 203, 8 => $smi->(1), 16 => $other);
	my $inlining = $object->(0x2980, 206, 8 => $smi->(16), 16 => pack 'QQ', 2 * 21, 0);
	my $data = $object->(0x2a00, 203, 8 => $smi->(14), 16 + 8 => $smi->(1), 16 + 16 => $literals, 16 + 56 => $inlining,
		16 + 64 => pack 'Q6', $smi->(0x30), $smi->(0), $smi->(1), 0, 0, $smi->(9));
	my $bytecode = $object->(0x2b00, 207, 8 => $smi->(64), 24 => $positions, 48 => join '', map { chr(4 + $_ % 60) } 1 .. 64);
	my $table = $kind == 11 ? $object->(0x2c00, 206, 8 => $smi->(32), 16 => "\4" x 32) : $positions;
	my $code = $object->(0x2d00, 204, 16 => $data, 24 => $table, 40 => $I + 0x3040, 48 => pack('L', 0x100), 56 => pack('L', $kind));
	$object->(0x3000, 205, 8 => $code, 0x40 => "\x55\x48\x89\xe5", 0x70 => "\x41\xff\x55\x10");
	my $function = $object->(0x2e00, 2003, 24 => $code, 32 => $shared);
	# The frame: function, bytecode array and offset.
	$m{0x400 - 40} = pack 'Q5', $smi->(48 + 9 - 1), $bytecode, 0, $function, $I + 0x2e01;
	$m{0x3800} = pack 'Q768', map { $I + 0x5000 + 16 * ($_ * 7 % 768) } 0 .. 767; # handlers
	my @native = map { [$I + 0x300 + 16 * $_, $_ % 3 < 2 ? 2 : 0] } 0 .. 3;
	put('v8', "$kind.$_", image(0x5100, {0 => $I + ($_ == 3 ? 0x3070 : 0x3060), 5 => $function, 6 => $I + 0x400, 8 => (0, 8, 4, 2)[$_], 9 => 48 - 1 + 9,
		12 => $bytecode, 15 => $I + 0x3800}, \@native, \%m)) for 0 .. 3;
}

# Python 3.6 to 3.10: two frame objects, the inner one in a register, the outer one on the stack.
for my $minor (0, 2, 4) {
	my ($last, $executing, $first, $file, $name, $lines) = @{{0 => [120, 132, 36, 96, 104, 112], 2 => [104, 116, 40, 104, 112, 120], 4 => [96, 108, 40, 104, 112, 120]}->{$minor}};
	my %m;
	my $string = sub {
		my ($at, $s) = @_;
		$m{$at + 8} = pack 'QQxxxxxxxxLxxxx', $I + 0x220, length $s, 1 << 2 | 1 << 5 | 1 << 6;
		$m{$at + 48} = $s;
		return $I + $at;
	};
	$m{0x900 + 16} = 6;
	$m{0x900 + 32} = pack 'C6', 4, 1, 4, 2, 8, 255;
	$m{0x800 + 8} = $I + 0x210;
	$m{0x800 + $_->[0]} = $_->[1] for [$first, pack 'L', 7], [$file, $string->(0xa00, '/srv/a.py')], [$name, $string->(0xb00, 'work')], [$lines, $I + 0x900];
	for ([0x600, 0x700], [0x700, 0]) {
		my ($frame, $back) = @$_;
		$m{$frame + 8} = $I + 0x200;
		$m{$frame + 24} = pack 'QQ', $back == 0 ? 0 : $I + $back, $I + 0x800;
		$m{$frame + $last} = pack 'L', 4;
		$m{$frame + $executing} = chr($minor == 4 ? 0 : 1);
	}
	$m{0x430} = $I + 0x700;
	put('oldpython', "3.$minor", image(0x1000, {0 => $I, 3 => $I + 0x600, 8 => $minor},
		[[$I + 0x400, 1], [$I + 0x410, 0], [$I + 0x420, 1], [$I + 0x440, 0]], \%m));
}

# Ruby: one thread with two control frames, of a block and of a method in C; and calls of YJIT's code.
{
	my ($thread, $context, $control, $iseq, $body) = (0x400, 0x600, 0x700, 0x900, 0x1000);
	my %m = (0x200 => $I + 0x430, 0x430 => $I + 0x200, 0x440 => pack('L', 1), 0x3c0 => $I + $context);
	my $string = sub { my ($at, $s) = @_; $m{$at} = pack 'QQa*', 5 | length($s) << 14, 0, $s; return $I + $at };
	$m{$context} = pack 'QQQQ', $I + 0x600, 0x40, $I + $control, $I + 0x500;
	$m{0x500 + 56} = 0; # the tag
	$m{$control} = pack 'Q8', 0, 0, 0, 0, $I + 0xa50, 0, 0, 0;
	$m{$control + 64} = pack 'Q8', $I + 0x1208, 0, $I + $iseq, 0, $I + 0xa10, 0, 0, 0;
	$m{0xa00} = pack 'QQQ', $I + 0xb00, 0, 0x22; # environment of the method
	$m{0xa40} = pack 'QQQ', $I + 0xb00, 0, 0x55550002 | 1;
	$m{0xb00} = pack 'QQQQQ', 0x1a | 6 << 12, 0, $I + 0xb40, 0, $I + 0xc00;
	$m{0xb40} = pack 'QQ', 1, 0x3000;
	$m{0xb60} = 9; # the ID of its name
	$m{0x228} = $I + 0xd00;
	$m{0xd00} = pack 'QQQQQ', 7 | 1 << 13 | 1 << 15, 0, $I + 0xd40, 0, 0;
	$m{0xd40} = pack 'QQQQQ', 7, 0, 100, 0, $I + 0xd80;
	$m{0xd80 + 16 * 9} = $string->(0xf00, 'each');
	$m{0xd80 + 16 * 10} = $string->(0xf40, '__classpath__');
	$m{0x220} = $I + 0xc00;
	$m{0xc00} = pack 'QQQQ', 2, 0, 0, $I + 0xc40;
	$m{0xc48} = $I + 0xc80;
	$m{0xc80 + 40} = pack 'QQ', 1, $I + 0xcc0;
	$m{0xcc0} = pack 'QQQ', 0, 10, $string->(0xf80, 'Object');
	$m{$iseq + 16} = $I + $body;
	$m{$body + 8} = $I + 0x1200;
	$m{$body + 64} = pack 'QQQQ', $string->(0x1300, '/srv/a.rb'), $string->(0x1340, 'go'), $string->(0x1380, 'block in go'), 3 << 1 | 1;
	$m{$body + 120} = pack 'QQLxxxxQ', $I + 0x1400, 0, 2, $I + 0x1440;
	$m{0x1400} = pack 'L6', 4, 0, 0, 5, 0, 0;
	$m{0x1440} = 1;
	$m{0x1500} = "\xff\xd0\x90\xff\x50\x10"; # indirect calls
	$m{0x510} = $I + 0x1502;
	put('ruby', 'stack', image(0x1600, {0 => $I + 0x1502}, [[$I + 0x480, 1], [$I + 0x4c0, 0], [$I + 0x4f0, 1], [$I + 0x540, 0]], \%m));
}
