# Reads an SVG on standard input as the viewer does; prints folded text with all columns and
# annotations. With the name of a part of the data, prints that.
use strict;
use warnings;
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);
local $/;
my $svg = <STDIN>;
my ($n, %digit) = (0);
$digit{$_} = $n++ for grep { !/[&<>]/ } map { chr } 33 .. 126;
sub decompressed { # the elements of a name together
	my ($name) = @_;
	my @digits = map { $digit{$_} } split //, join '', $svg =~ /<metadata data-of="\Q$name\E">([^<]*)</g;
	my $bits = '';
	while (@digits) { # two digits of base 91 are 13 bits; one at the end, the rest of the last byte
		my ($low, $high) = splice @digits, 0, 2;
		$bits .= substr unpack('b16', pack 'v', $low + 91 * ($high // 0)), 0, defined $high ? 13 : 6;
	}
	my $zipped = pack 'b*', substr $bits, 0, length($bits) - length($bits) % 8;
	gunzip(\$zipped => \my $bytes) or die $GunzipError;
	$bytes;
}
if (@ARGV) {
	print decompressed($ARGV[0]);
	exit;
}
sub varints {
	unpack 'w*', join '', map { # LEB128 is BER with its digits turned round
		my @d = map { ord($_) & 127 } split //;
		join '', map { chr($d[$_] | ($_ ? 128 : 0)) } reverse 0 .. $#d;
	} $_[0] =~ /([\x80-\xff]*[\x00-\x7f])/gs;
}
my ($scale) = $svg =~ /"scale":(\d+)/;
my ($frames) = $svg =~ /"frames":(\d+)/;
my (@names, $last) = ('all');
$last = '';
my $front = decompressed('names');
utf8::decode($front);
for (split /\n/, $front, -1) {
	my ($head, $rest, $units) = (substr($_, 0, 1), substr($_, 1), 0);
	my $n = 0;
	$units += ord(substr($last, $n++, 1)) > 0xffff ? 2 : 1 while $units < ord($head) - 35;
	$last = substr($last, 0, $n) . $rest;
	push @names, $last;
}
sub signed { $_[0] % 2 ? -($_[0] + 1) / 2 : $_[0] / 2 }
my @runs = varints(decompressed('runs'));
my @ids = varints(decompressed('ids'));
my @values = ([varints(decompressed('value0'))]);
# a column of verdicts that fg-render added is not the input's
my $judged = $svg =~ /^"judged":true/m ? ($svg =~ /^"noise":(\d+)/m)[0] : 0;
for (my $k = 1; $k != $judged && $svg =~ /data-of="value$k"/; $k++) {
	my @delta = varints(decompressed("value$k"));
	push @values, [map { $values[0][$_] + signed($delta[$_]) } 0 .. $#delta];
}
my (@path, @numbered);
my ($all, $next, $count) = (0, 0, 0);
binmode STDOUT, ':utf8';
while (@runs) { # see columns.c
	my ($up, $length) = splice @runs, 0, 2;
	my @run;
	if ($length) {
		@run = splice @ids, 0, $length;
		die "ids\n" if @run != $length;
		$next = push @numbered, [@run] if $length >= 4;
	} else {
		$next += signed(shift @runs);
		@run = @{$numbered[$next++] // die "runs\n"};
	}
	splice @path, @path - $up if $up;
	push @path, map { $names[$_] } @run;
	$all += @run;
	my @v = map { $_->[$count] / $scale } @values;
	print join(';', @path[1 .. $#path]), ' ', join(' ', @v), "\n" if grep { $_ } @v;
	$count++;
}
die "frames\n" unless $all == $frames + 1 && !@ids && !grep { @$_ != $count } @values;
