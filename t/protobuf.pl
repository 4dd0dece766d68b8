#!/usr/bin/perl
# protobuf.pl: text to a message of protocol buffers, for tests. A field is its number and
#   2:150        a number            2"text"      a text, with \" and \\ in it
#   2[1 2 300]   packed numbers      2{1:1 2:2}   a message
#   2!0102       eight bytes at most, as hexadecimal digits: fixed
# and -3 is a number too. `raw 0a05` adds bytes as they are.
use strict;
use warnings;

sub varint {
	my ($n) = @_;
	my $s = '';
	$n = unpack 'Q', pack 'q', $n if $n < 0;
	while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 }
	return $s . chr $n;
}

sub tagged { varint($_[0] << 3 | $_[1]) }
sub counted { tagged($_[0], 2) . varint(length $_[1]) . $_[1] }

local $/;
my $in = <STDIN>;

sub message {
	my $out = '';
	while ($in =~ /\G(?:\s|#.*\n)*/gc && $in !~ /\G(?:\}|$)/) {
		if ($in =~ /\Graw ([0-9a-f]+)/gc) { $out .= pack 'H*', $1 }
		elsif ($in =~ /\G(\d+):(-?\d+)/gc) { $out .= tagged($1, 0) . varint($2) }
		elsif ($in =~ /\G(\d+)"((?:[^"\\]|\\.)*)"/gc) { my ($n, $s) = ($1, $2); $out .= counted($n, $s =~ s/\\(.)/$1/gr) }
		elsif ($in =~ /\G(\d+)\[([^]]*)\]/gc) { my $n = $1; $out .= counted($n, join '', map varint($_), split ' ', $2) }
		elsif ($in =~ /\G(\d+)!([0-9a-f]+)/gc) { $out .= tagged($1, length $2 == 16 ? 1 : 5) . pack 'H*', $2 }
		elsif ($in =~ /\G(\d+)\{/gc) { my $n = $1; my $m = message(); $in =~ /\G\s*\}/gc or die 'no }'; $out .= counted($n, $m) }
		else { die 'cannot read: ', substr $in, pos $in, 40 }
	}
	return $out;
}
binmode STDOUT;
print message();
