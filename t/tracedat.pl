#!/usr/bin/perl
# tracedat.pl VERSION [big] [32] [zlib]: a recording of trace-cmd for tests: two CPUs, events with
# kernel and user stacks, an event without one, and a stack whose event was not enabled. VERSION
# is 6 or 7.
use strict;
use warnings;
use Compress::Zlib ();

my ($version, @options) = @ARGV;
my %is = map { $_ => 1 } @options;
my $end = $is{big} ? '>' : '<';
my ($u16, $u32, $u64) = ("S$end", "L$end", "Q$end");
my $long = $is{32} ? $u32 : $u64;
my $word = $is{32} ? 4 : 8;
my $page = 512;

sub sized { pack($_[0], length $_[1]) . $_[1] }
sub record { # type and length, time since the last record, data
	my ($type, $delta, $data) = @_;
	return pack($u32, $is{big} ? $type << 27 | $delta : $delta << 5 | $type) . $data;
}
sub common { pack("$u16 C C $u32", $_[0], 0, $_[2] // 0, $_[1]) }
sub short { my ($delta, $data) = @_; record(length($data) / 4, $delta, $data) }
sub long { # with its length before the data
	my ($delta, $data) = @_;
	return record(0, $delta, pack($u32, 4 + length $data) . $data);
}
sub addresses { join '', map { pack $long, $_ } @_ }
sub stack { my ($pid, @a) = @_; common(4, $pid) . pack($u32, scalar @a) . "\0" x 4 . addresses(@a) }
sub user { my ($pid, $tgid, @a) = @_; common(5, $pid) . pack($u32, $tgid) . "\0" x 4 . addresses(@a) }
sub page {
	my ($time, $flags, $records) = @_;
	my $s = pack("$u64 $long", $time, length($records) | $flags) . $records;
	return $s . "\0" x ($page - length $s);
}

my $format = <<'END';
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

END
my $headers = "header_page\0" . sized($u64, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n") .
    "header_event\0" . sized($u64, "# compressed entry header\n");
my $ftrace = pack($u32, 2) .
    sized($u64, "name: kernel_stack\nID: 4\n$format\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n" .
    "\tfield:unsigned long caller[];\toffset:16;\tsize:0;\tsigned:0;\n") .
    sized($u64, "name: user_stack\nID: 5\n$format\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n" .
    "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n");
my $events = pack($u32, 1) . "sched\0" . pack($u32, 2) .
    sized($u64, "name: sched_switch\nID: 300\n$format") . sized($u64, "name: sched_wakeup\nID: 301\n$format");
my $symbols = sized($u32, "80001000 T schedule\n80002000 t do_syscall\n80003000 T vfs_read\t[ext4]\n" .
    "80004000 t trace_event_raw_event_sched_switch\n80005000 D data\n");
my $printk = sized($u32, '');
my $tasks = sized($u64, "42 worker one\n7 bash\n");

my @switch = (0x80001010, 0x80002020);
my $cpu0 = page(1000, 0, short(0, common(300, 42)) . long(5, stack(42, @switch)) .
	record(30, 1, pack $u32, 1) . # 2^27 ns later
	short(0, common(301, 7)) . short(1, stack(7, 0x80003004, 0x80002020))) .
    page(200_000_000, 0, short(0, common(300, 42)) . # without a stack
	short(0, common(300, 42)) . short(1, stack(42, @switch)) . record(29, 1, pack $u32, 4) .
	short(1, user(42, 40, 0x1000, 0x2000, $is{32} ? 0xffffffff : ~0, 0)) .
	record(31, 500, pack $u32, 2) . # a time: 2 * 2^27 + 500
	short(0, common(300, 9)) . short(0, stack(9, 0x10, 0x80002020)) . record(29, 0, ''));
my $cpu1 = page(900, 1 << 31, short(0, user(42, 40, 0x1000)) . # its event is lost
	short(0, stack(0, 0x80004001, @switch)) . # the event is not enabled
	short(0, common(300, 42)) . short(0, stack(7, 0x80003004))); # of another task: alone
my @cpu = ($cpu0, $cpu1);

my $out = "\027\010\104tracing$version\0" . pack("C C $u32", $is{big} ? 1 : 0, $word, $page);
if ($version == 6) {
	$out .= $headers . $ftrace . $events . $symbols . $printk . $tasks . pack($u32, 2);
	$out .= "options  \0" . pack("$u16 $u32", 5, 4) . 'test' . pack($u16, 0);
	$out .= "flyrecord\0";
	my $at = length($out) + 32;
	for (@cpu) { $out .= pack("$u64 $u64", $at, length); $at += length }
	$out .= join '', @cpu;
} else {
	$out .= $is{zlib} ? "zlib\0" . "1.2\0" : "none\0\0";
	my $first = length $out; # the offset of the options
	$out .= pack $u64, 0;
	my $options = '';
	my $section = sub {
		my ($kind, $text) = @_;
		my $at = length $out;
		my $packed = $is{zlib} && $kind != 0 && $kind != 3;
		if ($packed) {
			my $z = Compress::Zlib::compress($text);
			$text = pack("$u32 $u32", length $z, length $text) . $z;
		}
		$out .= pack("$u16 $u16 $u32 $u64", $kind, $is{zlib} && $kind ? 1 : 0, 0, length $text) . $text;
		$options .= pack("$u16 $u32 $u64", $kind, 8, $at) if $kind && $kind != 3;
		return $at;
	};
	$section->(16, $headers);
	$section->(17, $ftrace);
	$section->(18, $events);
	$section->(19, $symbols);
	$section->(21, $tasks);
	my @area = map {
		my $z = Compress::Zlib::compress($_);
		$is{zlib} ? pack("$u32 $u32 $u32", 1, length $z, length) . $z : $_;
	} @cpu;
	my $data = join '', @area;
	my $next = length($out) + 16 + length($options) + 14 + 16 + length $data;
	substr($out, $first, 8) = pack $u64, length $out;
	$section->(0, $options . pack("$u16 $u32 $u64", 0, 8, $next));
	my $at = $section->(3, $data);
	my $buffer = pack($u64, $at) . "\0local\0" . pack("$u32 $u32", $page, 2);
	$at += 16;
	for (0, 1) {
		$buffer .= pack("$u32 $u64 $u64", $_, $at, length $area[$_]);
		$at += length $area[$_];
	}
	$section->(0, pack("$u16 $u32", 3, length $buffer) . $buffer . pack("$u16 $u32 $u64", 0, 8, 0));
}
binmode STDOUT;
print $out;
