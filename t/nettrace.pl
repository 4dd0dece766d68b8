#!/usr/bin/perl
# nettrace.pl [plain] [blocks] [universal]: writes a recording of .NET's EventPipe for tests: two threads, three
# samples, two methods in the rundown; with compressed event headers, or with `plain` ones;
# `blocks` is version 6. `universal`, of version 6 alone, is a recording of all processes by dotnet-trace
# collect-linux: two processes with other code at the same address, kernel, JIT code, waits; with `own`, mappings
# name their process; `missing` has a symbol, a stack and a thread that nothing defines.
use strict;
use warnings;
no warnings qw(portable); # numbers of 64 bits

my $plain = grep $_ eq 'plain', @ARGV;
my $universal = grep $_ eq 'universal', @ARGV;
my $own = grep $_ eq 'own', @ARGV;
my $missing = grep $_ eq 'missing', @ARGV;
my $blocks = $universal || grep $_ eq 'blocks', @ARGV;
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
if ($universal) {
	universal();
	print $out . "\0" x 4;
	exit;
}
my @pairs = (ProcessId => '42', ExpectedCPUSamplingRate => '1000000');
object('Trace', "\0" x 16 . pack('Q<Q<l<', 1000, 1000000000, 8) .
	($blocks ? pack('l<', @pairs / 2) . join '', map { string($_) } @pairs : pack 'l<l<l<', 42, 4, 1000000));
object('Thread', thread(1, 7, 'main') . thread(2, 8, 'pool')) if $blocks;
object('MetadataBlock', ($blocks ? sub { pack('v', 0) . join '', @_ } : \&block)->(definition(1, 'Microsoft-DotNETCore-SampleProfiler', 0),
	definition(2, 'Microsoft-Windows-DotNETRuntimeRundown', 144)));
object('StackBlock', pack('l<l<', 1, 2) . pack('l<Q<Q<', 16, 0x2010, 0x1010) . pack('l<Q<', 8, 0x1020));
object('EventBlock', block(event(1, $thread[0], 1, 1010, pack 'l<', 2), event(1, $thread[0], 1, 1020, pack 'l<', 2), event(1, $thread[1], 2, 1030, pack 'l<', 1)));
object('SPBlock', "\0" x ($blocks ? 16 : 12));
object('StackBlock', pack('l<l<', 1, 1) . pack('l<Q<', 8, 0x9999));
object('EventBlock', block(event(1, $thread[1], 1, 1040, pack 'l<', 2)));
object('EventBlock', block(event(2, 7, 0, 1050, method(0x1000, 0x100, 'App.Program', 'Main')),
	event(2, 7, 0, 1051, method(0x9000, 0x1000, '', '')), event(2, 7, 0, 1051, method(0x2000, 0x20, 'App.Caf' . "\x{e9}", "Brew"))));
print $out . ($blocks ? "\0" x 4 : "\1");

sub universal {
	my $short = sub { pack('v', length $_[0]) . $_[0] };
	my $define = sub {
		my ($id, $provider, $number, $name, @fields) = @_;
		my $row = varint($id) . string($provider) . varint($number) . string($name) . pack('v', scalar @fields) .
		    join('', map { pack('v', length(string $_) + 1) . string($_) . "\x15" } @fields) . pack 'v', 0;
		pack('v', length $row) . $row;
	};
	my $task = sub { my ($index, $pid, $tid) = @_; my $row = varint($index) . "\2" . varint($pid) . "\3" . varint($tid); pack('v', length $row) . $row };
	my $record = sub { # with a processor and labels, as record-trace writes them
		my ($id, $thread, $stack, $time, @payload) = @_;
		my $payload = join '', @payload;
		chr(0xdf) . varint($id) . varint(0) . varint(0) . varint(3) . varint($thread) . varint($stack) . varint(since($time)) .
		    varint(1) . varint(length $payload) . $payload;
	};
	my $mapping = sub { my ($id, $pid, $start, $end, $file) = @_;
		varint($id) . ($own ? varint($pid) : '') . varint($start) . varint($end) . varint(0) . $short->($file) . varint(0) . $short->('{}') . $short->('') };
	my $symbol = sub { my ($mapping, $start, $end, $name) = @_; varint(0) . varint($mapping) . varint($start) . varint($end) . $short->($name) };
	my $kernel = 0xffffffff81000000;
	object('Trace', "\0" x 16 . pack('Q<Q<l<l<', 5000, 10000000, 8, 2) . join '', map { string($_) } HardwareThreadCount => 2, ExpectedCPUSamplingRate => 1001001);
	object('MetadataBlock', pack('v', 0) . $define->(1, 'Universal.Events', 1, 'cswitch', 'Value') . $define->(2, 'Universal.Events', 2, 'cpu', 'Value') .
		$define->(3, 'Universal.Events', 3, 'page_fault_user', 'Value') . $define->(4, 'Universal.System', 0, 'ExistingProcess', 'NamespaceId', 'Name', 'NamespaceName') .
		$define->(5, 'Universal.System', 1, 'ProcessCreate', 'NamespaceId', 'Name', 'NamespaceName') . $define->(6, 'Universal.System', 2, 'ProcessExit') .
		$define->(7, 'Universal.System', 3, 'ProcessMapping', 'Id', $own ? 'ProcessId' : (), qw(StartAddress EndAddress FileOffset FileName MetadataId)) .
		$define->(8, 'Universal.System', 4, 'ProcessSymbol', qw(Id MappingId StartAddress EndAddress Name)));
	# Index 1 stands for shop/7 until the sequence point, then for db.
	object('SPBlock', pack 'Q<L<L<', 5000, 1, 0);
	object('StackBlock', pack('L<L<', 1, 3) . pack('L<Q<*', 32, $kernel + 0x10, 0x2010, 0x1100, 0x7000) . pack('L<Q<*', 16, 0x2010, 0x1100) . pack('L<Q<*', 16, 0x9010, 0x1050));
	object('Thread', $task->(0, 0, 0) . $task->(1, 42, 42) . $task->(2, 42, 47) . $task->(3, 50, 50) . $task->(4, 42, 0) . $task->(5, 50, 0));
	my ($shop, $db) = $own ? (5, 4) : (4, 5);
	object('EventBlock', block($record->(4, 4, 0, 5000, varint(42), $short->('shop'), $short->('Unknown')), $record->(5, 5, 0, 5000, varint(1), $short->('db'), $short->('')),
		$record->(7, $shop, 0, 5001, $mapping->(1, 42, 0x1000, 0x1fff, '/app/libshop.so')), $record->(8, $shop, 0, 5001, $symbol->(1, 0x1000, 0x10ff, 'sell')),
		$record->(7, $shop, 0, 5001, $mapping->(2, 42, 0x2000, 0x2fff, '/memfd:doublemapper (deleted)')),
		$record->(8, $shop, 0, 5001, $symbol->(2, 0x2000, 0x20ff, 'void [Shop] Shop.Till::Add(int32)[Optimized]')),
		$record->(7, $shop, 0, 5001, $mapping->(3, 42, $kernel, $kernel + 0xffff, 'vmlinux')), $record->(8, $shop, 0, 5001, $symbol->(3, $kernel, $kernel + 0xff, 'clear_page')),
		$record->(7, $db, 0, 5001, $mapping->(4, 50, 0x1000, 0x1fff, '/usr/bin/db')), $record->(8, $db, 0, 5001, $symbol->(4, 0x1000, 0x1fff, 'query')),
		$record->(1, 1, 2, 6000, varint(250)), $record->(2, 1, 1, 7000, varint(1)), $record->(2, 2, 2, 8000, varint(2)), $record->(2, 3, 3, 9000, varint(1)),
		$record->(3, 3, 3, 9500, varint(1)), $record->(6, 4, 0, 9900), $missing ? ($record->(8, 4, 0, 9900, $symbol->(99, 0x5000, 0x50ff, 'lost')), $record->(2, 9, 2, 9900, varint(1)),
			$record->(2, 1, 77, 9900, varint(1)), $record->(2, 1, 2, 9900)) : ()));
	object('SPBlock', pack 'Q<L<L<', 10000, 1, 0);
	object('StackBlock', pack('L<L<', 1, 1) . pack('L<Q<*', 8, 0x1100));
	object('Thread', $task->(1, 50, 51));
	object('EventBlock', block($record->(2, 1, 1, 11000, varint(1)), $missing ? $record->(2, 2, 1, 11000, varint(1)) : ()));
}
