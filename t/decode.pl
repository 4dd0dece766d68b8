# Reads an SVG on standard input as the viewer does; prints folded text with all columns and
# annotations.
use strict;
use warnings;
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);
use MIME::Base64;
local $/;
my $svg = <STDIN>;
sub unpacked { # what the elements of a name hold together
	my ($name) = @_;
	my $zipped = decode_base64(join '', $svg =~ /<metadata data-of="\Q$name\E">([^<]*)</g);
	gunzip(\$zipped => \my $bytes) or die $GunzipError;
	$bytes;
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
my $front = unpacked('names');
utf8::decode($front);
for (split /\n/, $front, -1) {
	my ($head, $rest, $units) = (substr($_, 0, 1), substr($_, 1), 0);
	my $n = 0;
	$units += ord(substr($last, $n++, 1)) > 0xffff ? 2 : 1 while $units < ord($head) - 35;
	$last = substr($last, 0, $n) . $rest;
	push @names, $last;
}
my @pops = varints(unpacked('pops'));
my @ids = varints(unpacked('ids'));
my @values = ([varints(unpacked('value0'))]);
# a column of verdicts that fg-render added is not the input's
my $judged = $svg =~ /^"judged":true/m ? ($svg =~ /^"noise":(\d+)/m)[0] : 0;
for (my $k = 1; $k != $judged && $svg =~ /data-of="value$k"/; $k++) {
	my @delta = varints(unpacked("value$k"));
	push @values, [map { $values[0][$_] + ($delta[$_] % 2 ? -($delta[$_] + 1) / 2 : $delta[$_] / 2) }
	    0 .. $#delta];
}
die "frames\n" unless @pops == $frames + 1 && @ids == @pops && @{$values[0]} == @pops;
my @path;
binmode STDOUT, ':utf8';
for my $i (0 .. $#pops) {
	splice @path, @path - $pops[$i] if $pops[$i];
	push @path, $names[$ids[$i]];
	my @v = map { $_->[$i] / $scale } @values;
	print join(';', @path[1 .. $#path]), ' ', join(' ', @v), "\n" if grep { $_ } @v;
}
