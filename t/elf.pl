#!/usr/bin/perl
# elf.pl KIND N [FILE]: writes a hostile program for x86-64 of a size proportional to N, for
# t/proportional.t. Its code is at 0x1000.
#
#   relocations  N sections that are the same N relocations
#   symbols      N symbol tables that are the same N symbols
#   names        N symbols at one address, with names that overlap and are as long as N
#   stubs        N stubs of a procedure linkage table, with such names
#   functions    debug information: N functions that share a list of N ranges of addresses
#   units        N compilation units that share one
#   calls        N inlined calls that share one
#   tables       N compilation units, each with a table of abbreviations that begins in that of the
#                unit before; the abbreviation of all units is the last one
#   table        N compilation units with one table of N abbreviations; theirs is the last one
#   split        N units in the split file /proc/self/cwd/split.dwo
#   dwo          that file, with tables as of "tables"
#   directories  a line table with N files in a directory whose name has N bytes
#   attributes   N variables whose abbreviation has N attributes without bytes
#   bases        N functions that share a list of N base addresses
#   frames       call frame information: a function of N addresses with a program of N bytes
#   go           the table of Go programs: a function of N addresses, each with another frame size
#   states       a program that stores N states of many registers
#   pairs        a program that stores N / 2 states and restores each
#   registers    a program that names a register whose number is N
#
# With a FILE, it writes N addresses of code to it:
#
#   inlines      a function with N inlined calls, one at each address
#   scopes       N inlined functions, each below a class that has all following ones, too
#   long         N symbols at N addresses, with names that overlap and are as long as N
#   strings      N inlined functions with names that overlap and are as long as N
#   origins      N inlined calls of a function with a name of N bytes
#   lines        N units whose line tables contain each other
use strict;
use warnings;

my ($kind, $n, $list) = @ARGV;
my $body = '';
my @sections;

# Adds a section and returns its offset; with an offset, the section is that part of the file.
sub section {
	my ($type, $flags, $address, $bytes, %more) = @_;
	my $offset = $more{offset};
	if (!defined $offset) {
		$body .= "\0" x (-length($body) & 7);
		$offset = 120 + length $body;
		$body .= $bytes;
	}
	push @sections, pack('LLQQQQLLQQ', $more{name} // 0, $type, $flags, $address, $offset,
		length $bytes, $more{link} // 0, 0, 8, $more{entry} // 0);
	return $offset;
}

sub symbol { my ($name, $section, $at) = @_; pack('LCCSQQ', $name, 0x12, 0, $section, $at, $section ? 8 : 0) }

# Names of sections, by their offsets in $names.
my %name;
my $names = "\0";
for ('.text', '.plt', '.rela.plt', '.debug_abbrev', '.debug_info', '.debug_ranges', '.debug_str',
	'.debug_line', '.eh_frame', '.eh_frame_hdr',
	'.debug_abbrev.dwo', '.debug_info.dwo', '.gopclntab') {
	$name{$_} = length $names;
	$names .= "$_\0";
}
my @long = map { symbol($_, 1, 0x1000) } 1 .. $n;
my @addresses = (0x1000, 0x1000);

sub debug {
	my ($abbreviations, $information) = @_;
	section(1, 0, 0, $abbreviations . "\0", name => $name{'.debug_abbrev'});
	section(1, 0, 0, $information, name => $name{'.debug_info'});
	section(1, 0, 0, join('', map { $kind eq 'bases' ? pack 'qQ', -1, 0x1000
			    : pack 'QQ', 0x1000 + 8 * ($_ % 500), 0x1004 + 8 * ($_ % 500) } 1 .. $n) . "\0" x 16,
		name => $name{'.debug_ranges'});
}
sub uleb { my $v = shift; my $s = ''; do { my $b = $v & 0x7f; $v >>= 7; $s .= chr($b | ($v ? 0x80 : 0)) } while $v; $s }
sub addresses {
	open my $f, '>', $list or die "$list: $!";
	printf $f "%x\n", 0x1000 + 8 * $_ for 0 .. $n - 1;
	close $f;
}
sub unit { my ($dies, $table) = @_; pack('LSLC', 7 + length $dies, 4, $table // 0, 8) . $dies }

# A unit with its addresses; a function, without or with them; a function or a call with ranges.
my $abbreviations = pack('C*', 1, 0x11, 1, 0x13, 0x0b, 0x11, 1, 0x12, 7, 0, 0)
    . pack('C*', 2, 0x2e, 0, 3, 8, 0, 0)
    . pack('C*', 3, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 7, 0, 0)
    . pack('C*', 4, 0x2e, 0, 3, 8, 0x55, 0x17, 0, 0)
    . pack('C*', 5, 0x1d, 0, 0x31, 0x13, 0x55, 0x17, 0, 0)
    . pack('C*', 6, 0x11, 0, 0x13, 0x0b, 0x55, 0x17, 0, 0);
my $unit = pack 'CCQQ', 1, 4, @addresses;

section(0, 0, 0, '', offset => 0);
my $frames = $kind eq 'go' || $kind eq 'frames' || $kind eq 'states' || $kind eq 'pairs' || $kind eq 'registers';
my $text = $frames || $kind eq 'long' ? "\x5d\xc3" x ($n * ($frames ? 0.5 : 4)) : "\x55\x48\x89\xe5\x90\xc9\xc3\x90" x 512;
my $at = section(1, 6, 0x1000, $text, name => $name{'.text'});
if ($kind eq 'relocations' || $kind eq 'symbols' || $kind eq 'names' || $kind eq 'stubs' || $kind eq 'long') {
	section(3, 0, 0, "\0" . 'f' x (24 * $n) . "\0");
}
if ($kind eq 'relocations') {
	my $all = join '', map { pack 'QQq', 0x8000 + 8 * $_, 1 << 32 | 7, 0 } 1 .. $n;
	section(11, 2, 0x9000, symbol(0, 0, 0) . symbol(24 * $n, 0, 0), link => 2, entry => 24);
	my $at = section(4, 2, 0xa000, $all, link => 3, entry => 24);
	section(4, 2, 0xa000, $all, link => 3, entry => 24, offset => $at) for 2 .. $n;
} elsif ($kind eq 'symbols') {
	my $all = join '', map { symbol(24 * $n, 1, 0x1000 + 8 * ($_ % 512)) } 0 .. $n;
	my $at = section(2, 0, 0, $all, link => 2, entry => 24);
	section(2, 0, 0, $all, link => 2, entry => 24, offset => $at) for 2 .. $n;
} elsif ($kind eq 'names') {
	section(2, 0, 0, join('', symbol(0, 0, 0), @long), link => 2, entry => 24);
} elsif ($kind eq 'long') {
	section(2, 0, 0, join('', symbol(0, 0, 0), map { pack('LCCSQQ', $_, 0x12, 0, 1, 0x1000 + 8 * ($_ - 1), 8) } 1 .. $n), link => 2, entry => 24);
	addresses();
} elsif ($kind eq 'stubs') {
	section(11, 2, 0x9000, join('', symbol(0, 0, 0), @long), link => 2, entry => 24);
	section(4, 2, 0xa000, join('', map { pack 'QQq', 0x80000000 + 8 * $_, $_ << 32 | 7, 0 } 1 .. $n),
		link => 3, entry => 24, name => $name{'.rela.plt'});
	section(1, 6, 0x10000, join('', map { pack 'x4a2lx6', "\xff\x25", 0x80000000 + 8 * $_ - (0x10000 + 16 * $_ - 6) } 1 .. $n),
		name => $name{'.plt'});
} elsif ($kind eq 'go') {
	# A header of 72 bytes, one name, the sizes, then the list of functions with their records.
	my $sizes = "\0" . "\2\1" x $n . "\0";
	my $functions = 76 + length $sizes;
	section(1, 2, 0, pack('LCCCCQ8', 0xfffffff1, 0, 0, 1, 8, 1, 0, 0x1000, 72, 0, 0, 76, $functions)
		. "f\0\0\0" . $sizes . pack('LLL', 0, 12, $n) . pack('L5', 0, 0, 0, 0, 1) . "\0" x 64, name => $name{'.gopclntab'});
	section(3, 0, 0, "\0f\0");
	section(2, 0, 0, symbol(0, 0, 0) . pack('LCCSQQ', 1, 0x12, 0, 1, 0x1000, length $text), link => 3, entry => 24);
} elsif ($frames) {
	# A CIE, and an FDE of all code with that program, found by a table of one entry.
	my $program = $kind eq 'frames' ? "\0" x $n
	    : $kind eq 'states' ? pack('Cw', 7, 120) . "\x0a" x $n
	    : $kind eq 'pairs' ? pack('Cw', 7, 120) . "\x0a\x0b" x ($n / 2)
	    : pack('C', 7) . uleb(64 * $n);
	my $cie = pack 'LLCZ*CCCCCC3C2', 24, 0, 1, 'zR', 1, 0x78, 16, 1, 0x1b, 12, 7, 8, 0x90, 1;
	$cie .= "\0" x (28 - length $cie);
	my $eh = 0x1000000;
	my $fde = pack('LLlLC', length($program) + 13, 32, 0x1000 - ($eh + 36), length $text, 0) . $program;
	section(1, 2, $eh - 20, pack('C4lLll', 1, 0x1b, 3, 0x3b, 16, 1, 0x1000 - ($eh - 20), 48),
		name => $name{'.eh_frame_hdr'});
	section(1, 2, $eh, $cie . $fde . "\0" x 4, name => $name{'.eh_frame'});
	section(3, 0, 0, "\0f\0");
	section(2, 0, 0, symbol(0, 0, 0) . pack('LCCSQQ', 1, 0x12, 0, 1, 0x1000, length $text), link => 4, entry => 24);
} elsif ($kind eq 'attributes') {
	debug($abbreviations . pack('C*', 7, 0x34, 0) . pack('C2', 0x3f, 0x19) x $n . "\0\0",
		unit($unit . pack('C', 7) x $n . "\0"));
} elsif ($kind eq 'functions' || $kind eq 'bases') {
	debug($abbreviations, unit($unit . pack('CZ*L', 4, 'f', 0) x $n . "\0"));
} elsif ($kind eq 'units') {
	debug($abbreviations, unit(pack 'CCL', 6, 4, 0) x $n);
} elsif ($kind eq 'calls') {
	debug($abbreviations, unit($unit . pack('CZ*', 2, 'g') . pack('CZ*QQ', 3, 'f', @addresses)
		    . pack('CLL', 5, 11 + length $unit, 0) x $n . "\0\0"));
} elsif ($kind eq 'tables' || $kind eq 'table') {
	my $shared = join '', map { pack('C2', 0x80 | $_ & 0x7f, 1 + ($_ >> 7 & 0x3f)) . "\x2e\0\0\0" } 1 .. $n;
	debug($shared . $abbreviations, join '', map { unit($unit, $kind eq 'table' ? 0 : 6 * ($_ - 1)) } 1 .. $n);
} elsif ($kind eq 'split') {
	# A skeleton unit of DWARF 5, with an id that no unit of the split file has.
	my $dies = pack 'CZ*QQ', 12, '/proc/self/cwd/split.dwo', 0x1000, 0x1000;
	debug($abbreviations . pack('C*', 12, 0x4a, 0, 0x76, 8, 0x11, 1, 0x12, 7, 0, 0),
		pack('LSCCLQ', 16 + length $dies, 5, 4, 8, 0, 7) . $dies);
} elsif ($kind eq 'dwo') {
	my $shared = join '', map { pack('C2', 0x80 | $_ & 0x7f, 1 + ($_ >> 7 & 0x3f)) . "\x2e\0\0\0" } 1 .. $n;
	section(1, 0, 0, $shared . pack('C*', 1, 0x11, 0, 0x13, 0x0b, 0, 0, 0), name => $name{'.debug_abbrev.dwo'});
	section(1, 0, 0, join('', map { unit(pack('CC', 1, 4), 6 * ($_ - 1)) } 1 .. $n), name => $name{'.debug_info.dwo'});
} elsif ($kind eq 'inlines' || $kind eq 'scopes' || $kind eq 'strings' || $kind eq 'origins') {
	# A unit with the functions, and one function of all code in which each is inlined. A call has its
	# origin, address and size; a class has its next sibling; a function has a name in .debug_str.
	my $more = pack('C*', 8, 0x1d, 0, 0x31, 0x13, 0x11, 1, 0x12, 0x0b, 0, 0)
	    . pack('C*', 9, 0x02, 1, 3, 8, 1, 0x13, 0, 0) . pack('C*', 10, 0x2e, 0, 3, 0x0e, 0, 0)
	    . pack('C*', 11, 0x11, 1, 0x13, 5, 0x11, 1, 0x12, 7, 0, 0);
	my $dies = pack 'CSQQ', 11, 0x1c, 0x1000, 0x1000 + 8 * ($n + 1);
	my $begin = 11 + length $dies;
	my @origin;
	for my $i (0 .. ($kind eq 'scopes' || $kind eq 'strings' ? $n - 1 : 0)) {
		$dies .= pack 'CZ*L', 9, 's', 11 + length($dies) + 7 + 3 if $kind eq 'scopes';
		push @origin, 11 + length $dies;
		$dies .= $kind eq 'strings' ? pack('CL', 10, $i) : pack('CZ*', 2, $kind eq 'origins' ? 'f' x $n : 'f');
	}
	$dies .= pack('CZ*QQ', 3, 'main', 0x1000, 0x1000 + 8 * ($n + 1))
	    . join('', map { pack 'CLQC', 8, $origin[$_ % @origin], 0x1000 + 8 * $_, 4 } 0 .. $n - 1) . "\0\0";
	debug($abbreviations . $more, unit($dies));
	section(1, 0, 0, 'g' x $n . "\0", name => $name{'.debug_str'});
	addresses();
} elsif ($kind eq 'directories') {
	my $names = 'd' x $n . "\0\0" . pack('Z*C3', 'f', 1, 0, 0) x $n . "\0";
	my $more = pack('C*', 11, 0x11, 0, 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0);
	my $line = pack('SLCCCcCC', 4, 6 + 12 + length $names, 1, 1, 1, 1, 1, 13) . pack('C12', 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
	    . $names . "\x0d\0\1\1";
	debug($abbreviations . $more, unit(pack 'CLQQ', 11, 0, 0x1000, 8));
	section(1, 0, 0, pack('L', length $line) . $line, name => $name{'.debug_line'});
	addresses();
} elsif ($kind eq 'lines') {
	# A table is an instruction without meaning in the tables before it; all end with N rows.
	my $more = pack('C*', 11, 0x11, 0, 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0);
	my $header = pack('SLCCCcCC', 4, 6 + 12 + 2, 1, 1, 1, 1, 1, 13) . pack('C12', 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) . "\0\0";
	my $rows = "\x0d" x ($n + 40) . "\0\1\1";
	my $size = 4 + length($header) + 3;
	my $line = '';
	$line .= pack('L', $size * ($n - $_) - 4 + length $rows) . $header . pack('C3', 0, 4 + length($header) + 1, 0x40) for 0 .. $n - 1;
	debug($abbreviations . $more, join '', map { unit(pack 'CLQQ', 11, $size * $_, 0x1000 + 8 * $_, 8) } 0 .. $n - 1);
	section(1, 0, 0, $line . $rows, name => $name{'.debug_line'});
	addresses();
} else {
	die "elf.pl: no kind is named $kind\n";
}
section(3, 0, 0, $names);

# Numbers above 0xfeff are in the first section header.
my ($number, $last) = (scalar @sections, @sections - 1);
if ($number >= 0xff00) {
	$sections[0] = pack 'x32QLx20', $number, $last;
	($number, $last) = (0, 0xffff);
}
print "\x7fELF\2\1\1" . "\0" x 9,
    pack('SSLQQQLSSSSSS', 2, 62, 1, 0x1000, 64, 120 + length $body, 0, 64, 56, 1, 64, $number, $last),
    pack('LLQQQQQQ', 1, 5, $at, 0x1000, 0x1000, length $text, length $text, 8), $body, @sections;
