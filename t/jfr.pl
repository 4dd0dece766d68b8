#!/usr/bin/perl
# jfr.pl [fixed] [chunks]: writes a flight recording in async-profiler's format for tests:
# ExecutionSample (its period setting is 10 ms), WallClockSample with sample counts, and
# allocations; two threads; names in each encoding of strings.
use strict;
use warnings;

my $fixed = ($ARGV[0] // '') eq 'fixed' ? shift : '';
my $chunks = shift // 1;

sub varint {
	my ($n) = @_;
	my $s = '';
	for (1 .. 8) {
		return $s . chr $n if $n < 128;
		$s .= chr($n & 127 | 128);
		$n >>= 7;
	}
	return $s . chr $n;
}
sub int_ { $fixed ? pack 'N', $_[0] : varint($_[0]) }
sub long_ { $fixed ? pack 'Q>', $_[0] : varint($_[0]) }
sub utf8 { "\3" . int_(length $_[0]) . $_[0] }
sub latin1 { "\5" . int_(length $_[0]) . $_[0] }
sub chars { "\4" . int_(length $_[0]) . join '', map { $fixed ? pack 'n', ord : varint(ord) } split //, $_[0] }

# An event after its length, a varint that includes itself.
sub event {
	my ($type, $body) = @_;
	$body = long_($type) . $body;
	my $n = length($body) + ($fixed ? 4 : 1);
	$n++ while length($body) + length(int_($n)) > $n;
	return int_($n) . $body;
}

my @strings;
my %string;
sub string { $string{$_[0]} //= do { push @strings, $_[0]; $#strings } }
sub element {
	my ($name, $attributes, @children) = @_;
	my @a = @$attributes;
	return join '', int_(string($name)), int_(@a / 2), (map int_(string($_)), @a), int_(scalar @children), @children;
}
sub field {
	my ($name, $class, %more) = @_;
	return element('field', [name => $name, class => $class, %more]);
}
my %pool = (constantPool => 'true');
sub class {
	my ($id, $name, @fields) = @_;
	return element('class', [id => $id, name => $name], @fields);
}
my $tree = element('root', [], element('metadata', [],
	class(4, 'boolean'), class(5, 'char'), class(9, 'int'), class(10, 'long'), class(11, 'byte'), class(20, 'java.lang.String'),
	class(21, 'java.lang.Class', field('loader', 10), field('name', 31, %pool)),
	class(22, 'java.lang.Thread', field('osName', 20), field('osThreadId', 10), field('javaName', 20), field('javaThreadId', 10), field('virtual', 4)),
	class(25, 'jdk.types.ThreadState', field('name', 20)),
	class(26, 'jdk.types.StackTrace', field('truncated', 4), field('frames', 28, dimension => 1)),
	class(28, 'jdk.types.StackFrame', field('method', 29, %pool), field('lineNumber', 9), field('type', 30, %pool)),
	class(29, 'jdk.types.Method', field('type', 21, %pool), field('name', 31, %pool), field('hidden', 4)),
	class(30, 'jdk.types.FrameType', field('description', 20)),
	class(31, 'jdk.types.Symbol', field('string', 20)),
	class(101, 'jdk.ExecutionSample', field('startTime', 10), field('sampledThread', 22, %pool), field('stackTrace', 26, %pool), field('state', 25, %pool)),
	class(102, 'profiler.WallClockSample', field('startTime', 10), field('sampledThread', 22, %pool), field('stackTrace', 26, %pool), field('state', 25, %pool), field('samples', 9)),
	class(103, 'jdk.ObjectAllocationInNewTLAB', field('startTime', 10), field('eventThread', 22, %pool), field('stackTrace', 26, %pool), field('allocationSize', 10), field('tlabSize', 10)),
	class(104, 'jdk.JavaMonitorEnter', field('startTime', 10), field('duration', 10), field('eventThread', 22, %pool), field('stackTrace', 26, %pool)),
	class(106, 'jdk.CPUTimeSample', field('startTime', 10), field('stackTrace', 26, %pool), field('eventThread', 22, %pool), field('failed', 4), field('samplingPeriod', 10), field('biased', 4)),
	class(107, 'jdk.CPUTimeSamplesLost', field('startTime', 10), field('lostSamples', 9), field('eventThread', 22, %pool)),
	class(108, 'jdk.MethodTrace', field('startTime', 10), field('duration', 10), field('eventThread', 22, %pool), field('stackTrace', 26, %pool), field('method', 29, %pool)),
	class(105, 'jdk.ActiveSetting', field('startTime', 10), field('id', 10), field('name', 20), field('value', 20))),
	element('region', [gmtOffset => 0]));

sub frames { "\0" . int_(@_ / 3) . join '', map { long_($_[3 * $_]) . int_($_[3 * $_ + 1]) . long_($_[3 * $_ + 2]) } 0 .. @_ / 3 - 1 }
my @pools = (
	[20, [1, utf8('from the pool')]],
	[30, [1, utf8('Interpreted')], [2, latin1('JIT compiled')], [3, utf8('Native')], [4, utf8('Kernel')]],
	[25, [1, utf8('STATE_RUNNABLE')], [2, utf8('STATE_SLEEPING')]],
	[31, [1, utf8('app/Shop')], [2, latin1('sell')], [3, chars('main')], [4, utf8('read(int, char*)')], [5, utf8('vfs_read')], [6, "\1"], [7, "\2" . long_(1)]],
	[21, [1, long_(0) . long_(1)], [2, long_(0) . long_(6)]],
	[29, [1, long_(1) . long_(2) . "\0"], [2, long_(1) . long_(3) . "\0"], [3, long_(2) . long_(4) . "\0"], [4, long_(2) . long_(5) . "\0"],
		[5, long_(1) . long_(7) . "\1"]],
	[22, [7, utf8('java-os') . long_(77) . utf8('worker 1') . long_(12) . "\0"], [8, utf8('GC Thread#0') . long_(78) . "\0" . long_(0) . "\0"],
		[9, utf8('') . long_(0) . utf8('') . long_(26) . "\1"]],
	[26, [1, frames(1, 12, 2, 5, 0, 1, 2, 5, 1)], [2, frames(4, 0, 4, 3, 0, 3, 2, 6, 1)], [3, frames(2, 5, 1)]],
);
my $constants = long_(0) . long_(0) . long_(0) . "\1" . int_(scalar @pools);
for my $p (@pools) {
	my ($class, @values) = @$p;
	$constants .= long_($class) . int_(scalar @values) . join '', map { long_($_->[0]) . $_->[1] } @values;
}

binmode STDOUT;
for my $chunk (1 .. $chunks) {
	# A second is 1000 ticks.
	my $events = join '',
	    event(105, long_(0) . long_(101) . utf8('period') . utf8('10 ms')),
	    event(103, long_(1000) . long_(7) . long_(1) . long_(24) . long_(5000)),
	    event(101, long_(1000) . long_(7) . long_(1) . long_(1)),
	    event(101, long_(1500) . long_(8) . long_(2) . long_(2)),
	    event(101, long_(2000) . long_(7) . long_(1) . long_(1)),
	    event(102, long_(2000) . long_(7) . long_(3) . long_(2) . int_(20)),
	    event(104, long_(2000) . long_(250) . long_(7) . long_(3)),
	    event(106, long_(2000) . long_(1) . long_(9) . "\0" . long_(5000000) . "\0"),
	    event(106, long_(2001) . long_(3) . long_(7) . "\0" . long_(5000000) . "\0"),
	    event(106, long_(2002) . long_(0) . long_(7) . "\1" . long_(5000000) . "\0"),
	    event(107, long_(2003) . int_(4) . long_(7)),
	    event(108, long_(1000) . long_(500) . long_(7) . long_(3) . long_(1)),
	    event(200, long_(1));
	my $body = $events . event(1, $constants) .
	    event(0, long_(0) . long_(0) . long_(1) . int_(scalar @strings) . join('', map utf8($_), @strings) . $tree);
	print "FLR\0", pack('nnQ>Q>Q>Q>Q>Q>Q>', 2, 1, 68 + length $body, 0, 0, 1_000_000_000_000 * $chunk, 4_000_000_000, 1000, 1000),
	    pack('CCCC', 0, 0, 0, $fixed ? 0 : 1), $body;
}
