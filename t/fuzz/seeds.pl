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

put('perfmap', 'small', "1000 20 first\n1020 10 second::name(int)\n0x1030 8 third\n1000 8 again\n1040 10 cut");
put('pattern', $_->[0], "$_->[1]\nab aab foo(bar) ;[x] \xff 12345 line\n")
    for ['set', '[[:alpha:]]+b|(a*)*$'], ['repeat', '(a{1,3}b?){2,}\\(.*\\)'], ['back', '^(.)(.).*\\1'];

# Memory of a LuaJIT process from address 0x10000 on, at a stop in the interpreter or in a trace: two
# Lua functions on the stack of one state. The layout is in common/code/luajit.c, the stop in code.c.
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
