#!/usr/bin/perl
# nettrace.pl [plain] [blocks] [universal]: writes a recording of .NET's EventPipe for tests: two threads, three
# samples, two methods in the rundown; with compressed event headers, or with `plain` ones;
# `blocks` is version 6, `universal` has the events of collect-linux.
use strict;
use warnings;

my $plain = grep $_ eq 'plain', @ARGV;
my $sampler = grep($_ eq 'universal', @ARGV) ? 'Universal.Events' : 'Microsoft-DotNETCore-SampleProfiler';
my $blocks = grep $_ eq 'blocks', @ARGV;
my %kind = (Trace => 1, EventBlock => 2, MetadataBlock => 3, SPBlock => 4, StackBlock => 5, Thread => 6);
my $out = "Nettrace" . ($blocks ? pack 'L<L<L<', 0, 6, 0 : pack('l<', 20) . '!FastSerialization.1');

sub varint {
	my ($n) = @_;
	my $s = '';
	while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 }
	return $s . chr $n;
}
sub utf16 { join('', map { pack 'v', ord } split //, $_[0]) . "\0\0" }
sub string { varint(length $_[0]) . $_[0] }
sub object {
	my ($type, $content) = @_;
	return $out .= pack('L<', length($content) | $kind{$type} << 24) . $content if $blocks;
	$out .= "\5\5\1" . pack('l<l<l<', 4, 4, length $type) . "$type\6";
	if ($type eq 'Trace') {
		$out .= $content;
	} else {
		$out .= pack 'l<', length $content;
		$out .= "\0" while length($out) % 4;
		$out .= $content;
	}
	$out .= "\6";
}
my $last = 0; # time of the event before in its block
sub since { my $n = $_[0] - $last; $last = $_[0]; return $n }
sub event {
	my ($id, $thread, $stack, $time, $payload) = @_;
	return chr(1 | 4 | 8 | 128) . varint($id) . varint($thread) . varint($stack) . varint(since($time)) .
	    varint(length $payload) . $payload unless $plain;
	my $s = pack('l<l<Q<Q<l<l<Q<', $id, 0, $thread, $thread, 0, $stack, $time) . "\0" x ($blocks ? 4 : 32) .
	    pack('l<', length $payload) . $payload;
	$s = pack('l<', length $s) . $s;
	$s .= "\0" while length($s) % 4 && !$blocks;
	return $s;
}
sub block { $last = 0; return pack('s<s<Q<Q<', 20, $plain ? 0 : 1, 0, 0) . join '', @_ }
sub definition {
	my ($id, $provider, $number) = @_;
	my $row = varint($id) . string($provider) . varint($number) . string('') . pack('v', 0);
	return pack('v', length $row) . $row if $blocks;
	return event(0, 0, 0, 0, pack('l<', $id) . utf16($provider) . pack('l<', $number) . utf16('') . pack('Q<l<l<l<', 0, 1, 4, 0));
}
sub method {
	my ($start, $size, $class, $name) = @_;
	return pack('Q<Q<Q<L<L<L<', 1, 1, $start, $size, 0, 0) . utf16($class) . utf16($name) . utf16('void ()') . pack 's<', 0;
}

# Threads have indices in version 6: 1 and 2 stand for 7 and 8.
my @thread = $blocks ? (1, 2) : (7, 8);
sub thread { my $row = varint($_[0]) . "\1" . string($_[2]) . "\2" . varint(42) . "\3" . varint($_[1]); pack('v', length $row) . $row }
my @pairs = (ProcessId => '42', ExpectedCPUSamplingRate => '1000000');
object('Trace', "\0" x 16 . pack('Q<Q<l<', 1000, 1000000000, 8) .
	($blocks ? pack('l<', @pairs / 2) . join '', map { string($_) } @pairs : pack 'l<l<l<', 42, 4, 1000000));
object('Thread', thread(1, 7, 'main') . thread(2, 8, 'pool')) if $blocks;
object('MetadataBlock', ($blocks ? sub { pack('v', 0) . join '', @_ } : \&block)->(definition(1, $sampler, 0),
	definition(2, 'Microsoft-Windows-DotNETRuntimeRundown', 144)));
object('StackBlock', pack('l<l<', 1, 2) . pack('l<Q<Q<', 16, 0x2010, 0x1010) . pack('l<Q<', 8, 0x1020));
object('EventBlock', block(event(1, $thread[0], 1, 1010, pack 'l<', 2), event(1, $thread[0], 1, 1020, pack 'l<', 2), event(1, $thread[1], 2, 1030, pack 'l<', 1)));
object('SPBlock', "\0" x ($blocks ? 16 : 12));
object('StackBlock', pack('l<l<', 1, 1) . pack('l<Q<', 8, 0x9999));
object('EventBlock', block(event(1, $thread[1], 1, 1040, pack 'l<', 2)));
object('EventBlock', block(event(2, 7, 0, 1050, method(0x1000, 0x100, 'App.Program', 'Main')),
	event(2, 7, 0, 1051, method(0x9000, 0x1000, '', '')), event(2, 7, 0, 1051, method(0x2000, 0x20, 'App.Caf' . "\x{e9}", "Brew"))));
print $out . ($blocks ? "\0" x 4 : "\1");
