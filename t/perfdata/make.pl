#!/usr/bin/perl
# make.pl [WORD...] <DESCRIPTION >perf.data: files that no perf at hand writes.
#
# In: a description in Perl, calls of the functions below in the order of the records.
#
#	file(order => 'big', pipe => 1);	little, a file and 64 bits without it
#	event('cycles', sample => 'ip tid time period callchain');
#	comm(100, 'app');
#	mmap2(100, 0x400000, 0x1000, '/x/app');
#	sample(pid => 100, chain => ['kernel', 0xffffffff81000010, 'user', 0x400010]);
#	feature('HOSTNAME', string('box'));
#
# Out: the bytes. Names and layouts are those of linux/perf_event.h and of
# tools/perf/Documentation/perf.data-file-format.txt. Everything has a sound default that
# the description can replace by a lie: each record takes misc, size (the header's) and
# raw(BYTES) puts bytes of any kind between records. Times that are not given go up by
# 1000 ns a record. @ARGV holds the words.
use strict;
use warnings;
no warnings 'portable'; # addresses have 64 bits

our @data;
my (%file, @events, %features, @build_ids, $time, $zstd_begun);

sub file { %file = (%file, @_) }

# Numbers in the file's byte order; strings with a terminating 0, padded to 8 bytes.
sub big { ($file{order} // '') eq 'big' }
sub u8 { pack 'C*', @_ }
sub u16 { pack big() ? 'S>*' : 'S<*', @_ }
sub u32 { pack big() ? 'L>*' : 'L<*', @_ }
sub u64 { pack big() ? 'Q>*' : 'Q<*', @_ }
sub zeros { "\0" x shift }
sub padded { my ($s, $to) = @_; $s . "\0" x (-length($s) % ($to // 8)) }
sub cstring { padded("$_[0]\0") }

# perf_header_string: a length, then as many bytes, a multiple of 64.
sub string { my $s = padded("$_[0]\0", 64); u32(length $s) . $s }

my @sample_bits = qw(ip tid time addr read callchain id cpu period stream_id raw branch_stack
	regs_user stack_user weight data_src identifier transaction regs_intr phys_addr aux
	cgroup data_page_size code_page_size weight_struct);
my @read_bits = qw(enabled running id group lost);
my @branch_bits = qw(user kernel hv any any_call any_return ind_call abort_tx in_tx no_tx cond
	call_stack ind_jump call no_flags no_cycles type_save hw_index priv_save counters);
my @flag_bits = qw(disabled inherit pinned exclusive exclude_user exclude_kernel exclude_hv
	exclude_idle mmap comm freq inherit_stat enable_on_exec task watermark precise1 precise2
	mmap_data sample_id_all exclude_host exclude_guest exclude_callchain_kernel
	exclude_callchain_user mmap2 comm_exec use_clockid context_switch write_backward
	namespaces ksymbol bpf_event aux_output cgroup text_poke build_id inherit_thread
	remove_on_exec sigtrap defer_callchain defer_output);

# A set of bits from their names, or the number itself.
sub bits {
	my ($names, @table) = @_;
	return $names if $names =~ /^\d+$/;
	my %bit = map { $table[$_] => 1 << $_ } 0 .. $#table;
	my $set = 0;
	$set |= $bit{$_} // die "no bit $_\n" for split ' ', $names;
	return $set;
}

# event(NAME, sample => 'ip tid', type, config, period or freq, read, flags, branch, regs (a
# mask), regs_intr, stack (bytes), ids => [...], size of the attribute).
my %known = (cycles => [0, 0], instructions => [0, 1], 'cpu-clock' => [1, 0], 'task-clock' => [1, 1],
	'page-faults' => [1, 2], 'context-switches' => [1, 3], 'offcpu-time' => [1, 10]);

sub event {
	my ($name, %e) = @_;
	my $plain = $name =~ s/:[a-zA-Z]+$//r;
	$e{name} = $name;
	$e{type} //= ($known{$plain} // [4, 0])->[0];
	$e{config} //= ($known{$plain} // [4, 0])->[1];
	$e{sample} = bits($e{sample} // 'ip tid time period callchain', @sample_bits);
	$e{read} = bits($e{read} // 0, @read_bits);
	$e{branch} = bits($e{branch} // 0, @branch_bits);
	$e{flags} = bits($e{flags} // 'mmap comm task sample_id_all mmap2 comm_exec', @flag_bits);
	$e{flags} |= bits('freq', @flag_bits) if defined $e{freq};
	$e{ids} //= [101 + @events];
	push @events, \%e;
}

sub attr {
	my ($e) = @_;
	# In a big-endian file bit fields begin at the highest bit of a byte: the byte order stays,
	# bits are reversed.
	my $flags = big() ? pack('B64', unpack 'b64', pack 'Q<', $e->{flags}) : u64($e->{flags});
	my $size = $e->{size} // 128;
	my $all = u32($e->{type}, $e->{said_size} // $size) .
	    u64($e->{config}, $e->{freq} // $e->{period} // 1000, $e->{sample}, $e->{read}) . $flags .
	    u32(0, 0) . u64(0, 0, $e->{branch}, $e->{regs} // 0) . u32($e->{stack} // 0, 0) .
	    u64($e->{regs_intr} // 0) . u32(0) . u16(127, 0) . u32(0, 0) . u64(0, 0);
	return substr $all . zeros($size), 0, $size;
}

sub which_event { my $name = shift; defined $name ? (grep { $_->{name} eq $name } @events)[0] : $events[0] }

# The trailer of sample_id_all, by the event's sample_type.
sub trailer {
	my ($e, $r) = @_;
	return '' unless $e && $e->{flags} & bits('sample_id_all', @flag_bits);
	my $has = sub { $e->{sample} & bits($_[0], @sample_bits) };
	my $id = $r->{id} // $e->{ids}[0];
	return ($has->('tid') ? u32($r->{pid} // 0, $r->{tid} // $r->{pid} // 0) : '') .
	    ($has->('time') ? u64($r->{time}) : '') . ($has->('id') ? u64($id) : '') .
	    ($has->('stream_id') ? u64($id) : '') . ($has->('cpu') ? u32($r->{cpu} // 0, 0) : '') .
	    ($has->('identifier') ? u64($id) : '');
}

sub raw { push @data, @_ }

# record(TYPE, MISC, BODY, size => lie, misc => more bits): any record, without a trailer.
sub record {
	my ($type, $misc, $body, %r) = @_;
	raw(u32($type) . u16($misc | ($r{misc} // 0), $r{size} // 8 + length $body) . $body);
}

# kernel(TYPE, MISC, BODY, %r): a record of the kernel, with the trailer and a time.
sub kernel {
	my ($type, $misc, $body, %r) = @_;
	$time = $r{time} //= ($time // 1_000_000_000) + 1000;
	record($type, $misc, $body . trailer(which_event($r{event}), \%r), %r);
}

my %cpumode = (kernel => 1, user => 2, hv => 3, guest_kernel => 4, guest_user => 5);
# The number of the deferred context and the layout of its record are those of the patch that
# became commit c69993ecdd4d: "PERF_CONTEXT_USER_DEFERRED = (__u64)-640", the cookie behind it in
# the chain of the sample; record 22 is { u64 cookie, nr, ips[nr]; struct sample_id }, where
# ips[0] is PERF_CONTEXT_USER, which nr counts. (-4096 would be below PERF_CONTEXT_MAX, -4095,
# and so no context.)
my %context = (hv => -32, kernel => -128, user => -512, deferred => -640, guest => -2048,
	guest_kernel => -2176, guest_user => -2560);
sub chain { map { $context{$_} // $_ } @{$_[0]} }
sub prot_exec { u32(5, 2) } # PROT_READ|PROT_EXEC, MAP_PRIVATE

sub comm { my ($pid, $name, %r) = @_; kernel(3, 0, u32($pid, $r{tid} // $pid) . cstring($name), pid => $pid, %r) }

sub mmap {
	my ($pid, $at, $len, $name, %r) = @_;
	kernel(1, $r{mode} // 2, u32($pid, $r{tid} // $pid) . u64($at, $len, $r{offset} // 0) . cstring($name),
	    pid => $pid, %r);
}

# build_id => hexadecimal: in place of the device and inode, with bit 14 of misc.
sub mmap2 {
	my ($pid, $at, $len, $name, %r) = @_;
	my $file = u32(8, 1) . u64(4242, 0);
	if (defined $r{build_id}) {
		my $id = pack 'H*', $r{build_id};
		$file = u8($r{build_id_size} // length $id, 0) . u16(0) . substr $id . zeros(20), 0, 20;
		$r{misc} = ($r{misc} // 0) | 1 << 14;
	}
	kernel(10, $r{mode} // 2, u32($pid, $r{tid} // $pid) . u64($at, $len, $r{offset} // 0) . $file .
	    ($r{prot} // prot_exec()) . cstring($name), pid => $pid, %r);
}

# app(PID, NAME...): a process app with a module /x/NAME for each name. The modules have no
# symbols, so a frame reads [NAME]; f('NAME') is an address in the module.
my %module_at;
sub app {
	my ($pid, @names) = @_;
	comm($pid, 'app');
	for my $name (@names) {
		my $next = 0x400000 + 0x100000 * keys %module_at;
		$module_at{$name} //= $next;
		mmap2($pid, $module_at{$name}, 0x10000, "/x/$name");
	}
}
sub f { ($module_at{$_[0]} // die "no module $_[0]\n") + ($_[1] // 0x10) }

# The kernel's mapping as perf writes it: [kernel.kallsyms] covers these addresses.
sub kernel_map { mmap(-1, 0xffffffff81000000, 0x1000000, '[kernel.kallsyms]_text', tid => 0, mode => 1, offset => 0xffffffff81000000) }
sub k { 0xffffffff81000000 + ($_[0] // 0x10) }

# fork_(CHILD, PARENT) of processes, or with tid and ptid of threads.
sub task {
	my ($type, $pid, $ppid, %r) = @_;
	my $now = $r{time} //= ($time // 1_000_000_000) + 1000;
	kernel($type, 0, u32($pid, $ppid, $r{tid} // $pid, $r{ptid} // $ppid) . u64($now), pid => $pid, %r);
}
sub fork_ { task(7, @_) }
sub exit_ { task(4, @_) }

sub lost { my ($n, %r) = @_; kernel(2, 0, u64($r{id} // $events[0]{ids}[0], $n), %r) }
sub lost_samples { my ($n, %r) = @_; kernel(13, 0, u64($n), %r) }
sub throttle { my (%r) = @_; kernel(5, 0, u64($time // 0, $events[0]{ids}[0], 0), %r) }
sub unthrottle { my (%r) = @_; kernel(6, 0, u64($time // 0, $events[0]{ids}[0], 0), %r) }
sub read_ { my ($pid, %r) = @_; kernel(8, 0, u32($pid, $r{tid} // $pid) . counts(which_event($r{event}), $r{values} // [[1, 101]]), pid => $pid, %r) }
sub aux { my ($offset, $size, %r) = @_; kernel(11, 0, u64($offset, $size, $r{flags} // 0), %r) }
sub itrace_start { my ($pid, %r) = @_; kernel(12, 0, u32($pid, $r{tid} // $pid), pid => $pid, %r) }
sub switch_ { my ($out, %r) = @_; kernel(14, $out ? 1 << 13 : 0, '', %r) }
sub switch_cpu_wide { my ($out, $pid, $tid, %r) = @_; kernel(15, $out ? 1 << 13 : 0, u32($pid, $tid), %r) }
sub namespaces { my ($pid, @ids) = @_; kernel(16, 0, u32($pid, $pid) . u64(scalar @ids) . join('', map { u64(3, $_) } @ids), pid => $pid) }
sub ksymbol { my ($at, $len, $name, %r) = @_; kernel(17, 0, u64($at) . u32($len) . u16($r{type} // 1, $r{flags} // 0) . cstring($name), %r) }
sub bpf_event { my ($type, $id, %r) = @_; kernel(18, 0, u16($type, 0) . u32($id) . zeros(8), %r) }
sub cgroup { my ($id, $path, %r) = @_; kernel(19, 0, u64($id) . cstring($path), %r) }
sub text_poke { my ($at, $old, $new, %r) = @_; kernel(20, 1, u64($at) . u16(length $old, length $new) . padded($old . $new . zeros(4)), %r) }
sub aux_output_hw_id { kernel(21, 0, u64(0)) }
sub deferred { my ($pid, $cookie, @ips) = @_; my %r = ref $ips[-1] ? %{pop @ips} : (); @ips = chain(\@ips); kernel(22, 2, u64($cookie, $r{nr} // scalar(@ips), @ips), pid => $pid, %r) }

# Records of perf itself have no trailer.
sub finished_round { record(68, 0, '', @_) }
sub finished_init { record(82, 0, '', @_) }
sub header_attr { my ($e, %r) = @_; record(64, 0, attr($e) . u64(@{$e->{ids}}), %r) }
sub event_type { my ($id, $name) = @_; record(65, 0, u64($id) . substr $name . zeros(64), 0, 64) }
sub tracing_data { my ($bytes, %r) = @_; record(66, 0, u32($r{said} // length padded($bytes)), %r); raw(padded($bytes)) }
# Tracing data (tools/perf/util/trace-event-info.c) with the format texts of tracepoints:
# tracing(sched => [TEXT...]).
sub tracing {
	my %formats = @_;
	my $text = sub { u64(length $_[0]) . $_[0] };
	return "\x17\x08\x44tracing0.6\0" . u8(big(), 8) . u32(4096) . "header_page\0" . $text->("page\n") .
	    "header_event\0" . $text->("event\n") . u32(1) . $text->("name: function\n") . u32(scalar keys %formats) .
	    join('', map { my $f = $formats{$_}; "$_\0" . u32(scalar @$f) . join '', map { $text->($_) } @$f } sort keys %formats) .
	    u32(0, 0) . u64(0);
}
# tracepoint('sched_switch', 316, 'char prev_comm[16]' => 8, ...): its format text; the fields follow
# common_flags at the offset given behind each, and the next one ends a field.
sub tracepoint {
	my ($name, $id, @fields) = @_;
	my $text = "name: $name\nID: $id\nformat:\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\n";
	my %size = (char => 16, pid_t => 4, int => 4, long => 8, u64 => 8);
	while (my ($field, $at) = splice @fields, 0, 2) {
		my ($type) = $field =~ /^(\w+)/;
		$text .= "\tfield:$field;\toffset:$at;\tsize:$size{$type};\tsigned:" . ($type ne 'u64' && $type ne 'char' || 0) . ";\n";
	}
	return "$text\nprint fmt: \"%s\", __print_flags(REC->prev_state, \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, " .
	    "{ 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" })\n";
}
sub id_index { my (@e) = @_; record(69, 0, u64(scalar @e) . join('', map { u64(@$_) } @e)) }
sub auxtrace_info { record(70, 0, u32(1, 0) . u64(@_)) }
sub auxtrace { my ($bytes, %r) = @_; record(71, 0, u64($r{said} // length $bytes, 0, 0) . u32(0, -1, 0, 0), %r); raw($bytes) }
sub auxtrace_error { record(72, 0, u32(1, 0, 0, 1, 1, 0) . u64(0) . padded("trouble\0", 64)) }
sub thread_map { record(73, 0, u64(scalar @_) . join('', map { u64($_) . substr "task$_" . zeros(16), 0, 16 } @_)) }
sub cpu_map { record(74, 0, u16(0, scalar @_) . padded(u16(@_))) }
sub event_update { my ($what, $id, $bytes) = @_; record(78, 0, u64($what, $id) . $bytes) }
sub time_conv { record(79, 0, u64(@_)) }
sub header_feature { my ($n, $bytes, %r) = @_; record(80, 0, u64($n) . padded($bytes, $r{pad} // 8), %r) }
sub build_id_record { my ($pid, $name, $hex, %r) = @_; record(67, $r{mode} // 2, build_id_body(@_), %r) }

# The values of PERF_SAMPLE_READ and of PERF_RECORD_READ: [VALUE, ID, LOST] each.
sub counts {
	my ($e, $values) = @_;
	my %has = map { $_ => $e->{read} & bits($_, @read_bits) } @read_bits;
	my $times = ($has{enabled} ? u64(5000) : '') . ($has{running} ? u64(5000) : '');
	my @each = map { u64($_->[0]) . ($has{id} ? u64($_->[1]) : '') . ($has{lost} ? u64($_->[2] // 0) : '') } @$values;
	return u64(scalar @each) . $times . join '', @each if $has{group};
	return $each[0] if !$times;
	return substr($each[0], 0, 8) . $times . substr $each[0], 8;
}

# sample(pid, tid, time, cpu, period, mode, event => NAME, chain => [...]; ip, the chain's first
# address without it; read, raw, branches => [[FROM, TO]...], regs => [...], abi, stack => BYTES,
# dyn_size, and each other field by its name). Without read the event counts up by the periods.
sub sample {
	my (%s) = @_;
	my $e = which_event($s{event});
	my @chain = chain($s{chain} // []);
	my ($first) = grep { $_ >= 0 && $_ < 2**64 - 4096 } @chain;
	$s{ip} //= $first // 0;
	$s{mode} //= (grep { !/\d/ } @{$s{chain} // []})[0] // 'user';
	$s{mode} = 'user' if $s{mode} eq 'deferred';
	$time = $s{time} //= ($time // 1_000_000_000) + 1000;
	$s{$_} //= $s{id} // $e->{ids}[0] for qw(identifier id stream_id);
	$e->{count} += $s{period} // $e->{period} // 1;
	my $nr = sub { my ($of, $n) = @_; $s{"nr_$of"} // $n };
	my %write = (
		identifier => sub { u64($s{identifier}) },
		ip => sub { u64($s{ip}) },
		tid => sub { u32($s{pid} // 0, $s{tid} // $s{pid} // 0) },
		time => sub { u64($s{time}) },
		(map { my $f = $_; $f => sub { u64($s{$f} // 0) } } qw(addr id stream_id weight data_src transaction phys_addr cgroup data_page_size code_page_size)),
		cpu => sub { u32($s{cpu} // 0, 0) },
		period => sub { u64($s{period} // $e->{period} // 1) },
		read => sub { counts($e, $s{read} // [[$e->{count}, $s{id}]]) },
		callchain => sub { u64($nr->('chain', scalar @chain), @chain) },
		# The size is 32 bits, so that it and the bytes end at a multiple of 8.
		raw => sub { my $raw = $s{raw} // ''; $raw .= zeros((4 - length $raw) % 8); u32($nr->('raw', length $raw)) . $raw },
		branch_stack => sub {
			my @b = @{$s{branches} // []};
			u64($nr->('branches', scalar @b)) . ($e->{branch} & 1 << 17 ? u64(-1) : '') .
			    u64(map { ($_->[0], $_->[1], $_->[2] // 0) } @b) . ($e->{branch} & 1 << 19 ? u64((0) x @b) : '');
		},
		regs_user => sub { my @r = @{$s{regs} // []}; u64($s{abi} // (@r ? 2 : 0), @r) },
		stack_user => sub {
			my $stack = padded($s{stack} // '');
			u64($nr->('stack', length $stack)) . $stack . (length $stack ? u64($s{dyn_size} // length $stack) : '');
		},
		regs_intr => sub { my @r = @{$s{regs_intr} // []}; u64(@r ? 2 : 0, @r) },
		aux => sub { my $aux = padded($s{aux} // ''); u64($nr->('aux', length $aux)) . $aux },
	);
	$write{weight_struct} = $write{weight};
	my $body = '';
	for my $field (qw(identifier ip tid time addr id stream_id cpu period read callchain raw branch_stack
		regs_user stack_user weight weight_struct data_src transaction regs_intr phys_addr cgroup
		data_page_size code_page_size aux)) {
		$body .= $write{$field}->() if $e->{sample} & bits($field, @sample_bits);
	}
	record(9, ($cpumode{$s{mode}} // 0), $body . ($s{tail} // ''), %s);
}

# records { ... }: the bytes of the records that the block creates, without adding them to the
# file.
sub records(&) { my ($make) = @_; local @data = (); $make->(); join '', @data }

# compressed(BYTES...): a record COMPRESSED (81), or with type => 83 COMPRESSED2, with these bytes
# as raw blocks of the one zstd stream that runs through the file (RFC 8878, 3.1.1). repeat => N: a
# run of N equal bytes in four (a block of RLE) as well, blocks => how many of them.
sub compressed {
	my ($bytes, %r) = @_;
	my $z = $zstd_begun++ ? '' : pack 'L<CC', 0xfd2fb528, 0, 0x70; # a window of 16 MB
	$z .= substr(pack('L<', length($1) << 3), 0, 3) . $1 while $bytes =~ /\G(.{1,32768})/gs;
	$z .= (substr(pack('L<', $r{repeat} << 3 | 2), 0, 3) . "\0") x ($r{blocks} // 1) if $r{repeat};
	return record(81, 0, $z, %r) if ($r{type} // 81) == 81;
	my $true = length $z;
	$z = padded($z);
	record(83, 0, u64($r{data_size} // $true) . $z, %r);
}

my %feature = (TRACING_DATA => 1, BUILD_ID => 2, HOSTNAME => 3, OSRELEASE => 4, VERSION => 5, ARCH => 6,
	NRCPUS => 7, CPUDESC => 8, CPUID => 9, TOTAL_MEM => 10, CMDLINE => 11, EVENT_DESC => 12,
	CPU_TOPOLOGY => 13, NUMA_TOPOLOGY => 14, BRANCH_STACK => 15, PMU_MAPPINGS => 16, GROUP_DESC => 17,
	AUXTRACE => 18, STAT => 19, CACHE => 20, SAMPLE_TIME => 21, MEM_TOPOLOGY => 22, CLOCKID => 23,
	DIR_FORMAT => 24, BPF_PROG_INFO => 25, BPF_BTF => 26, COMPRESSED => 27, CPU_PMU_CAPS => 28,
	CLOCK_DATA => 29, HYBRID_TOPOLOGY => 30, PMU_CAPS => 31);

# feature(NAME or number, BYTES, at => a section of its own choice, size => likewise)
sub feature { my ($name, $bytes, %r) = @_; $features{$feature{$name} // $name} = {bytes => $bytes, %r} }
sub strings { u32(scalar @_) . join '', map { string($_) } @_ }

sub event_desc {
	my @e = @_ ? @_ : @events;
	return u32(scalar @e, $e[0]{size} // 128) .
	    join '', map { attr($_) . u32(scalar @{$_->{ids}}) . string($_->{name}) . u64(@{$_->{ids}}) } @e;
}

# group_desc([NAME, LEADER, MEMBERS]...)
sub group_desc { u32(scalar @_) . join '', map { string($_->[0]) . u32(@$_[1, 2]) } @_ }

# build_id(PID, FILE, HEX, mode => cpumode, bytes: written into the record as its length, event:
# the record's whole text)
sub build_id_body {
	my ($pid, $name, $hex, %r) = @_;
	my $id = substr pack('H*', $hex) . zeros(24), 0, 24;
	substr($id, 20, 1) = u8($r{bytes}) if defined $r{bytes};
	return u32($pid) . $id . padded("$name\0", 64);
}

sub build_id {
	my ($pid, $name, $hex, %r) = @_;
	return push @build_ids, $r{event} if defined $r{event};
	my $body = build_id_body(@_);
	push @build_ids, u32(0) . u16(($r{mode} // 2) | (defined $r{bytes} ? 1 << 15 : 0), $r{size} // 8 + length $body) . $body;
}

# The header of a file and its sections, in perf's own order: ids, attributes, data, features.
sub whole_file {
	my $size = 104;
	my ($ids, $attrs) = ('', '');
	for my $e (@events) {
		my @at = ($size + length $ids, 8 * @{$e->{ids}});
		@at = @{$e->{ids_section}} if $e->{ids_section};
		$ids .= u64(@{$e->{ids}});
		$attrs .= attr($e) . u64(@at);
	}
	my $data = join '', @data;
	my $attrs_at = $size + length $ids;
	my $data_at = $attrs_at + length $attrs;
	my @present = sort { $a <=> $b } keys %features;
	my $at = $data_at + length($data) + 16 * @present;
	my ($table, $sections, $mask) = ('', '', 0);
	my @words = (0) x 4;
	for my $n (@present) {
		my $f = $features{$n};
		$words[$n / 64] |= 1 << $n % 64;
		$table .= u64($f->{at} // $at + length $sections, $f->{size} // length $f->{bytes});
		$sections .= $f->{bytes};
	}
	# The bitmap consists of longs of the recording machine.
	my $bitmap = ($file{bits} // 64) == 64 ? u64(@words) : u32(map { ($_ & 0xffffffff, $_ >> 32) } @words);
	my %h = (attrs_at => $attrs_at, attrs_size => length $attrs, data_at => $data_at, data_size => length $data,
		size => $size, attr_size => ($events[0]{size} // 128) + 16, %{$file{header} // {}});
	my $magic = $file{magic} // (big() ? '2ELIFREP' : 'PERFILE2');
	return $magic . u64(@h{qw(size attr_size attrs_at attrs_size data_at data_size)}, 0, 0) . $bitmap .
	    $ids . $attrs . $data . $table . $sections;
}

# In pipe mode, records before the data replace the sections.
sub whole_pipe {
	my $data = join '', @data;
	@data = ();
	header_attr($_) for @events;
	header_feature($_, $features{$_}{bytes}, %{$features{$_}}) for sort { $a <=> $b } keys %features;
	my $head = join '', @data;
	return (big() ? '2ELIFREP' : 'PERFILE2') . u64(16) . $head . $data;
}

my $description = do { local $/; <STDIN> };
eval "package main; no strict; $description; 1" or die "make.pl: $@";
feature('BUILD_ID', join '', @build_ids) if @build_ids && !$features{2};
feature('EVENT_DESC', event_desc()) unless $features{12} || defined $file{desc};
binmode STDOUT;
print $file{pipe} ? whole_pipe() : whole_file();
