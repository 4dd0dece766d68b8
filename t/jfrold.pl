#!/usr/bin/perl
# jfrold.pl [CHUNKS]: writes a flight recording of version 0.9, the format of JDK 7 and 8, with one
# event of each type that fg-collapse reads: sample, allocation, wait.
use strict;
use warnings;

sub u8 { pack 'C*', @_ }
sub i32 { pack 'N*', @_ }
sub i64 { pack 'Q>*', @_ }
sub text { my $s = shift; pack('n', length $s) . $s }
sub wide { my $s = shift; i32(length $s) . pack 'n*', unpack 'C*', $s }
sub list { i32(scalar @_) . join '', @_ }
sub record { my ($type, $body) = @_; i32(8 + length $body, $type) . $body }

# Data types: 2 u1, 4 u2, 5 i32, 6 u4, 8 u8, 0 boolean, 11 UTF-8, 12 UTF-16, 13 array, 15 structures.
sub field { my ($name, $type, $content, $structure, $element) = @_; text($name) . text("the $name") . text('') . u8(0, $type) . i32($content // 0, $structure // 0, $element // 0) }
sub structure { list(@_) }
sub event { my ($id, $path, $start, $thread, $stack, $structure) = @_; i32($id) . text($path) . text('') . text($path) . u8($start, $thread, $stack, 1) . i32($structure, 0) }
sub content { my ($id, $name, $type, $structure) = @_; i32($id) . text($name) . text('') . u8($type) . i32($structure) }

sub chunk {
	my $another = i32(4107) . text('Another') . text('') . text('http://x') . list(text('related')) .
	    list(structure(field('message', 12))) . list(event(4100, 'java/error_throw', 0, 1, 1, 0)) . list();
	my $vm = i32(1) . text('HotSpot JVM') . text('') . text('') . list() . list(
		structure(field('name', 11)), # 0 Thread
		structure(field('truncated', 0), field('frames', 15, 0, 7)), # 1 StackTrace
		structure(field('loaderClass', 8, 10), field('name', 8, 33), field('modifiers', 3)), # 2 Class
		structure(field('class', 8, 10), field('name', 8, 33), field('signature', 8, 33), field('hidden', 0)), # 3 Method
		structure(field('utf8', 11)), # 4 UTFConstant
		structure(field('name', 11)), # 5 ThreadState
		structure(field('desc', 11)), # 6 FrameType
		structure(field('method', 8, 32), field('line', 5), field('type', 2, 35)), # 7 a frame
		structure(field('sampledThread', 6, 7), field('stackTrace', 8, 9), field('state', 4, 34)), # 8
		structure(field('class', 8, 10), field('more', 13, 0, 0, 4), field('allocationSize', 8, 1)), # 9
		structure(field('klass', 8, 10), field('note', 12), field('inner', 14, 0, 5)), # 10
	    ) . list(event(51, 'vm/prof/execution_sample', 0, 0, 0, 8), event(37, 'java/object_alloc_outside_TLAB', 0, 1, 1, 9),
		event(7, 'java/monitor_enter', 1, 1, 1, 10)) .
	    list(content(7, 'Thread', 6, 0), content(9, 'StackTrace', 8, 1), content(10, 'Class', 8, 2), content(32, 'Method', 8, 3),
		content(33, 'UTFConstant', 8, 4), content(34, 'ThreadState', 4, 5), content(35, 'FrameType', 2, 6));
	my $metadata = record(0, list($another, $vm) . i64(1524063405000, 1524063415000, 1000, 1000000, 0) . text('en_US') . i32(0));
	my $frame = sub { i64($_[0]) . i32($_[1]) . u8($_[2]) };
	my $constants = record(1, i64(9000, 0) .
	    i32(7) . list(i32(12) . text('worker 1')) .
	    i32(9) . list(i64(500) . u8(0) . list($frame->(202, 12, 1), $frame->(201, 5, 0)), i64(501) . u8(1) . list($frame->(203, 9, 1), $frame->(201, 6, 0))) .
	    i32(10) . list(i64(300) . i64(0, 401) . pack('n', 1)) .
	    i32(32) . list(i64(201, 300, 402, 404) . u8(0), i64(202, 300, 403, 404) . u8(0), i64(203, 300, 403, 404) . u8(1)) .
	    i32(33) . list(map { i64($_->[0]) . text($_->[1]) } [401, 'app/Shop'], [402, 'main'], [403, 'sell'], [404, '()V']) .
	    i32(34) . list(pack('n', 3) . text('STATE_SLEEPING'), pack('n', 4) . text('STATE_RUNNABLE')) .
	    i32(35) . list(u8(0) . text('Interpreted'), u8(1) . text('JIT compiled')));
	my $events = record(51, i64(1000) . i32(12) . i64(500) . pack('n', 4)) .
	    record(51, i64(501000) . i32(12) . i64(501) . pack('n', 3)) .
	    record(37, i64(2000) . i32(12) . i64(500) . i64(300) . list(pack('n', 1), pack('n', 2)) . i64(4096)) .
	    record(7, i64(252000, 2000) . i32(12) . i64(501) . i64(300) . wide('note') . text('inner')) .
	    record(4100, i64(3000) . i32(12) . i64(500) . wide('no'));
	my $data = $events . $constants;
	return "FLR\0" . pack('n2', 0, 9) . i64(16 + length $data) . $data . $metadata;
}

binmode STDOUT;
print chunk() for 1 .. $ARGV[0] // 1;
