#!/usr/bin/perl
# elf.pl KIND N: writes a hostile program for x86-64 of a size proportional to N, for
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
use strict;
use warnings;

my ($kind, $n) = @ARGV;
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
for ('.text', '.plt', '.rela.plt', '.debug_abbrev', '.debug_info', '.debug_ranges') {
	$name{$_} = length $names;
	$names .= "$_\0";
}
my @long = map { symbol($_, 1, 0x1000) } 1 .. $n;
my @addresses = (0x1000, 0x1000);

sub debug {
	my ($abbreviations, $information) = @_;
	section(1, 0, 0, $abbreviations . "\0", name => $name{'.debug_abbrev'});
	section(1, 0, 0, $information, name => $name{'.debug_info'});
	section(1, 0, 0, join('', map { pack 'QQ', 0x1000 + 8 * ($_ % 500), 0x1004 + 8 * ($_ % 500) } 1 .. $n) . "\0" x 16,
		name => $name{'.debug_ranges'});
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
section(1, 6, 0x1000, "\x55\x48\x89\xe5\x90\xc9\xc3\x90" x 512, name => $name{'.text'});
if ($kind eq 'relocations' || $kind eq 'symbols' || $kind eq 'names' || $kind eq 'stubs') {
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
} elsif ($kind eq 'stubs') {
	section(11, 2, 0x9000, join('', symbol(0, 0, 0), @long), link => 2, entry => 24);
	section(4, 2, 0xa000, join('', map { pack 'QQq', 0x80000000 + 8 * $_, $_ << 32 | 7, 0 } 1 .. $n),
		link => 3, entry => 24, name => $name{'.rela.plt'});
	section(1, 6, 0x10000, join('', map { pack 'x4a2lx6', "\xff\x25", 0x80000000 + 8 * $_ - (0x10000 + 16 * $_ - 6) } 1 .. $n),
		name => $name{'.plt'});
} elsif ($kind eq 'functions') {
	debug($abbreviations, unit($unit . pack('CZ*L', 4, 'f', 0) x $n . "\0"));
} elsif ($kind eq 'units') {
	debug($abbreviations, unit(pack 'CCL', 6, 4, 0) x $n);
} elsif ($kind eq 'calls') {
	debug($abbreviations, unit($unit . pack('CZ*', 2, 'g') . pack('CZ*QQ', 3, 'f', @addresses)
		    . pack('CLL', 5, 11 + length $unit, 0) x $n . "\0\0"));
} elsif ($kind eq 'tables' || $kind eq 'table') {
	my $shared = join '', map { pack('C2', 0x80 | $_ & 0x7f, 1 + ($_ >> 7 & 0x3f)) . "\x2e\0\0\0" } 1 .. $n;
	debug($shared . $abbreviations, join '', map { unit($unit, $kind eq 'table' ? 0 : 6 * ($_ - 1)) } 1 .. $n);
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
    pack('LLQQQQQQ', 1, 5, 120, 0x1000, 0x1000, 4096, 4096, 8), $body, @sections;
