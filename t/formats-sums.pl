#!/usr/bin/perl
# formats-sums.pl LINES SAMPLE...: writes TAP about the accounts of samples. Other programs count the
# units of an input; each of up to LINES of its lines (0: of all), garbled or deleted, lowers the
# total or is reported.
use strict; use warnings;

# Units of an input, by format: a pattern of lines, or a function of the complete text.
my %units = (
	'folded' => qr/^(?!#)(?!\s*$)/m,
	'gdb' => qr/^#0 /m,
	'eu-stack' => qr/^TID \d/m,
	'jstack' => qr/^(?:"[^\n]*"[ ][^\n]*|#\d+ ")/m,
	'javacore' => qr/^3XMTHREADINFO      "/m,
	'faulthandler' => qr/^(?:Current thread|Thread) 0x/m,
	'systemtap' => qr/^\s*\d+$/m,
	'dtrace' => qr/ \d+$/m,
	'lldb' => qr/^[* ] thread #/m,
	'austin' => qr/^P/m,
	'coredumpctl' => qr/Stack trace of thread \d/,
	'crash' => qr/^PID: /m,
	'ftrace' => qr/^ *\S.*\] .*: (?!<(?:user )?stack trace>)/m,
	'ftrace-hist' => qr/^\{ /m,
	'page-owner' => qr/^(?:nr_base_pages:|Page allocated)/m,
	'phpspy' => qr/^0 /m,
	'rprof' => qr/" $/m,
	'importtime' => qr/^import time: +\d/m,
	'lsan' => qr/ leak of /,
	'memcheck' => qr/^==\d+== +at /m,
	'jstack-json' => qr/"tid"/,
	'actuator' => qr/"threadName"/,
	'perf-json' => qr/"callchain"/,
	'pyinstrument' => qr/\], [\d.]+\]/,
	'v8-log' => qr/^tick,/m,
	'perf' => qr/^ *\S[^\n]*? \d+\.\d{6}: +(?:\d+ +)?[\w:-]+:/m,
	'bcc' => sub { my $s = $_[0] =~ s{.*outstanding allocations:}{}sr; () = $s =~ m{^\s+\d+$|^\s*\d+ bytes in }mg },
	'bpftrace' => qr/\]: \d+$/m,
	'bpftrace-json' => sub { () = $_[0] =~ /\\n"?[^"]*": \d+/g },
	'sysrq' => qr/Call Trace:/,
	'procstack' => qr/^-+ tid# |^\d+: /m,
	'pmcstat' => qr/^\s*\d[\d.]+%  \[\d+\]\s+\S+ @ /m,
	'ljp' => qr/^\d+ \d+  /m,
	'wcp' => qr/\(\d+ samples\)/,
	'pprof-raw' => qr/^ +\d[\d ]*: (?!0x)\d/m,
	'pprof-legacy' => qr/^\d+ (?:\d+ )?@/m,
	'jfr-text' => qr/^jdk\.\w+ \{/m,
	'simpleperf-text' => qr/^sample:$/m,
	'cachegrind' => qr/^fn=/m,
	'gprof' => qr/^ +\d+\.\d+ +\d+\.\d+ +\d+\.\d+ /m,
	'tracemalloc' => qr/: size=|memory blocks?: |^#\d+: /m,
	'py-spy' => qr/^Thread /m,
	'go' => qr/^goroutine \d/m,
	'java-exceptions' => qr/^(?!\s|Caused)\S.*\n(?=\tat )|^Caused by: /m,
	'vsprof' => qr/^[1-9]\d*,"/m,
	'xctrace' => qr/<row>/,
	'heap' => qr/^ +\d+: +\d+ \[ *\d+: +\d+\] @ 0x/m,
	'sample' => sub { my ($tree) = $_[0] =~ /Call graph:\n(.*?)\n\n/s; my @d = map { /^([ +!:|]*)(\d+) / ? [length $1, $2] : () } split /\n/, $tree;
		my $n = 0; for my $i (0 .. $#d) { my $sum = 0; for my $k ($i + 1 .. $#d) { last if $d[$k][0] <= $d[$i][0]; $sum += $d[$k][1] if $d[$k][0] == $d[$i][0] + 2 } $n++ if $d[$i][1] > $sum } $n },
	'cpuprofile' => sub { my $j = json($_[0]); my $s = $j->{samples}; $s && @$s ? scalar @$s : scalar grep { ($_->{hitCount} // 0) > 0 } @{$j->{nodes} // []} },
	'heapprofile' => sub { my $j = json($_[0]); my $n = 0; my @w = ($j->{head}); while (my $x = shift @w) { $n++ if ($x->{selfSize} // 0) > 0; push @w, @{$x->{children} // []} } $n },
	'speedscope' => sub { my $n = 0; for my $p (@{json($_[0])->{profiles}}) { $n += @{$p->{samples} // die} } $n },
	'stackprof' => sub { my @r = @{json($_[0])->{raw} // []}; my $n = 0; while (@r) { splice @r, 0, shift @r; $n += shift @r } $n },
	'kernel-stack' => qr/ (?:entry_SYSCALL_64_after_hwframe|ret_from_fork_asm)\+|>\] 0xf{16}|^(?:==> )?\/proc\//m,
	'perf-sched' => sub { my (%out, $n); for (split /\n/, $_[0]) { my ($prev, $next) = /prev_pid=(\d+) .*next_pid=(\d+)/ or next;
		$n++ if delete $out{$next}; $out{$prev} = 1 if $prev } $n },
	'safari' => sub { 2 * @{json($_[0])->{recording}{sampleStackTraces}} },
	'otlp' => sub { profiles($_[0]) },
	'perf.data' => sub { records($_[0]) },
	'pprof' => sub { scalar grep { $$_[0] == 2 } fields($_[0]) },
	'perfetto' => sub { my $n = 0; my @w = fields($_[0]); while (my $p = shift @w) { next if $$p[0] != 1;
		for my $f (fields($$p[1])) { require Compress::Zlib; push @w, fields(Compress::Zlib::uncompress($$f[1])) if $$f[0] == 50; $n += packet($f) } } $n },
	'heap-dump' => sub { objects($_[0]) },
	'jfr' => sub { chunks($_[0]) },
	'trace.dat' => sub { traced($_[0]) },
	'nettrace' => sub { events($_[0]) },
	'mojo' => sub { stacks($_[0]) },
	'hprof' => sub { my ($last) = $_[0] =~ /.*CPU SAMPLES BEGIN(.*)CPU SAMPLES END/s; my @n = $last =~ /^ +\d+ +[\d.]+% /mg; scalar @n },
);

# Totals of the event that fg-collapse chooses, by format: a function of the complete text.
my %totals = (
	'callgrind' => sub { costs($_[0]) },
	'massif' => sub { my @t = split /^heap_tree=/m, $_[0]; my ($t) = ((grep { /^peak/ } @t), reverse grep { /^detailed/ } @t); $t =~ /^n\d+: (\d+)/m ? $1 : undef },
	'ghc' => sub { my $n = 0; $n += $_ for $_[0] =~ /^ *\S+ +\S+ +\S+ +\d+ +\d+ +([\d.]+) /mg; 10 * $n },
	'ghc-json' => sub { my $n = 0; $n += $_ for $_[0] =~ /"ticks": (\d+)/g; $n },
	'pstats' => sub { my $n = 0; $n += $_ for $_[0] =~ /^ *[\d\/]+ +([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+ /mg; 1000 * $n },
	'perf-report' => sub { my $n = 0; my $count = $_[0] =~ /Overhead +Samples /; /^ +(\d+\.\d+)% +(\d+)? / and $n += $count ? $2 : $1 for split /\n/, $_[0]; $n },
	'simpleperf' => sub { my ($s, $n, $at) = ($_[0], 0, 12); while (my $len = unpack 'L<', substr $s, $at, 4) {
		for (map { $$_[1] } grep { $$_[0] == 1 } fields(substr $s, $at + 4, $len)) { my %f = map { @$_ } fields($_); $n += $f{4} if !$f{5} }
		$at += 4 + $len } $n },
	'xdebug' => sub { my @t = $_[0] =~ /^\d*\t\d*\t[01]?\t([\d.]+)/mg; 1e6 * ($t[-1] - $t[0]) },
	'dhat' => sub { my $n = 0; $n += $_->{tb} // 0 for @{json($_[0])->{pps}}; $n },
	'gprof2dot' => sub { my $n = 0; $n += $_ for grep { /^\d/ && $_ > 0 } map { $_->{cost}[0] // () } @{json($_[0])->{events}}; $n },
	'heaptrack' => sub { () = $_[0] =~ /^\+ /mg },
	'vtune' => sub { my $n = 0; /^ *(?:"[^"]*"|[^,"]*),([\d.]+),/ and $n += $1 for split /\n/, $_[0]; $_[0] =~ /CPU Time/ ? 1000 * $n : $n },
	'pyroscope' => sub { my $t = json($_[0]); ref $t eq 'HASH' && $t->{flamegraph} ? $t->{flamegraph}{rightTicks} // $t->{flamegraph}{total} :
		ref $t eq 'HASH' && $t->{flamebearer} ? $t->{rightTicks} // $t->{flamebearer}{numTicks} :
		$_[0] =~ /valueRight", "values": \[(\d+)/ || $_[0] =~ /\[\[[^\]]*\], \[(\d+)/ ? $1 : undef },
	'svg' => sub { $_[0] =~ /head (\d+) / || $_[0] =~ /<title>all \(([\d,]+) / ? $1 =~ s/,//gr : undef },
	'memray' => sub { $_[0] =~ /"value": (\d+)\};/ ? $1 : eval { my ($j) = $_[0] =~ /packed_data = (.*?);\n/s; $j = json($j);
		my ($peak, $at, $n) = (sort { $b <=> $a } @{$j->{high_water_mark_by_snapshot}})[0]; my @s = @{$j->{high_water_mark_by_snapshot}};
		$at = (grep { $s[$_] == $peak } 0 .. $#s)[0]; $_->[0] <= $at && (!defined $_->[1] || $_->[1] > $at) and $n += $_->[4] for @{$j->{intervals}}; $n } },
	'gperftools' => sub { clicks($_[0]) },
	'instruments' => sub { weights($_[0]) },
	'art' => sub { spent($_[0]) },
	'chrome-trace' => sub { covered($_[0]) },
	'cprofile' => sub { my $s = `python3 -c 'import pstats, sys; print(round(pstats.Stats(sys.argv[1]).total_tt * 1e9))' $_[1] 2>/dev/null`; $s =~ /(\d+)/ ? $1 : undef },
	'firefox' => sub { my ($j, $n) = (json($_[0]), 0); for my $t (@{$j->{threads}}) { my ($s, $w) = @{$t->{samples}}{'stack', 'weight'};
		$n += $w ? $w->[$_] : 1 for grep { defined $s->[$_] } 0 .. $#$s } $n },
	'otlp-json' => sub { my $n = 0; $n += first_type($_) for documents($_[0]); $n },
);

# Lines in which any word is valid, by format: attributes have names that programs choose.
my %any = ('otlp-json' => qr/"key"|^  "thread\.name"/);

# What nobody can notice of a deleted line: its effect, by format and kind of line. These formats
# have lines that are a unit each: the total is less by that unit; and lines of frames: a stack is
# that of its other frames.
my %have = (
	'unit' => {map { $_ => 1 } qw(
		austin callgrind chrome-trace dtrace folded ghc-json hprof importtime instruments
		javacore jstack jstack-json kernel-stack ljp massif otlp-json perf perf-report
		pmcstat pprof-raw pyinstrument rprof v8-log vsprof vtune wcp xdebug)},
	'frame' => {map { $_ => 1 } qw(
		actuator bcc bpftrace callgrind chrome-trace coredumpctl crash dtrace eu-stack
		faulthandler ftrace ftrace-hist gdb ghc hprof instruments java-exceptions javacore
		jfr-text jstack kernel-stack ljp lldb lsan massif memcheck page-owner perf
		perf-json perf-report perf-sched phpspy pmcstat procstack py-spy sample sysrq
		systemtap tracemalloc vtune wcp)},
);
# Other effects. join: the stacks before and after the line are one. row: the line has a frame of other
# stacks and a value of its own. part: the line has a part of the value of a stack. names: the same
# total with other names, modules or numbers of frames. left out: the line has a thread without a stack.
my %gone = (
	'bcc' => {names => qr/^    (?:waker:|-- )/},
	'bpftrace' => {names => qr/^,| entry_SYSCALL/},
	'callgrind' => {names => qr/^(?:cob?|fn)=/, row => qr/^c?fn=/, part => qr/^[-+*0-9]/},
	'chrome-trace' => {row => qr/"ph": ?"X"/, part => qr/"ph": ?"[EX]"/, names => qr/"thread_name"/},
	'dtrace' => {join => qr/^ +\d+$/},
	'ftrace' => {names => qr/<user stack trace>/, 'left out' => qr/sched_waking:/},
	'go' => {names => qr/^main\.main\(\)/},
	'heaptrack' => {names => qr/^s /},
	'hprof' => {names => qr/^\t/},
	'instruments' => {row => qr/%/},
	'java-exceptions' => {join => qr/^Caused by: /, names => qr/^\t\.\.\. \d+ more/},
	'javacore' => {names => qr/^4XESTACKTRACE/},
	'jstack' => {part => qr/^   java\.lang\.Thread\.State: /, 'left out' => qr/^".* os_prio=0 cpu=/},
	'kernel-stack' => {join => qr/ entry_SYSCALL|^==> /},
	'massif' => {names => qr/^ n1: /},
	'otlp-json' => {names => qr/"mappingTable"/, part => qr/^\{"resourceProfiles"|"stackIndex"/},
	'page-owner' => {part => qr/^\d+ times, /},
	'perf-report' => {names => qr/--\d+\.\d+%--|^\d+ \w+;/, row => qr/--\d+\.\d+%--/},
	'procstack' => {row => qr/^\d+: /, join => qr/^---/, 'left out' => qr/^---/, part => qr/^0x/},
	'py-spy' => {join => qr/^Thread /, part => qr/^    \S+ \(/},
	'speedscope' => {part => qr/"type": "O".*"type": "C"/},
	'sysrq' => {part => qr/\]  \S+\+0x/},
	'v8-log' => {names => qr/^shared-library,|^code-creation,/},
	'vsprof' => {row => qr/^\d+,"/},
	'xdebug' => {row => qr/^\d+\t\d+\t1\t/},
);

sub fields { # of a protocol buffer: number and value
	my ($s, $at, @f) = ($_[0], 0);
	my $varint = sub { my ($n, $shift) = (0, 0); while (1) { my $c = ord substr $s, $at++, 1; $n |= ($c & 127) << $shift; $shift += 7; return $n if $c < 128 || $shift > 63 } };
	while ($at < length $s) {
		my $key = $varint->();
		my $wire = $key & 7;
		my $value = $wire == 0 ? $varint->() : do { my $n = $wire == 1 ? 8 : $wire == 5 ? 4 : $wire == 2 ? $varint->() : return @f; $at += $n; substr $s, $at - $n, $n };
		push @f, [$key >> 3, $value];
	}
	return @f;
}

sub documents { # of JSON, one after the other
	require JSON::PP;
	return JSON::PP->new->incr_parse($_[0]);
}

sub first_type { # the sum of the first type of OTLP's samples
	my ($j) = @_;
	my ($sum, $name);
	for my $p (map { $_->{profile} ? {%$_, %{$_->{profile}}} : $_ } map { @{$_->{profiles}} } map { @{$_->{scopeProfiles}} } @{$j->{resourceProfiles}}) {
		my @strings = @{$p->{stringTable} // $j->{dictionary}{stringTable}};
		my ($type) = ref $p->{sampleType} eq 'ARRAY' ? @{$p->{sampleType}} : $p->{sampleType};
		$type = $strings[$type->{typeStrindex} // $type->{type}];
		next if ($name //= $type) ne $type;
		for (@{$p->{samples} // $p->{sample}}) {
			my $v = $_->{values} // $_->{value};
			$sum += !$v ? @{$_->{timestampsUnixNano}} : $v->[0];
		}
	}
	return $sum;
}

sub profiles { # of OTLP as protocol buffers, also of several messages: samples, or their times
	my $n = 0;
	my $below = sub { my $number = shift; map { $$_[1] } grep { $$_[0] == $number } map { fields($_) } @_ };
	my ($s, @messages) = @_;
	push @messages, substr $s, 0, unpack('N', substr $s, 0, 4, ''), '' while $s =~ /^\0/;
	for my $sample ($below->(2, $below->(2, $below->(2, $below->(1, $s, @messages))))) {
		my $times = length(join '', $below->(5, $sample)) / 8;
		$n += $times > 1 ? $times : 1;
	}
	return $n;
}

sub records { # samples of perf.data
	my ($s, $n) = @_;
	my $e = $s =~ /^PERFILE2/ ? '<' : '>';
	my ($head, $at, $len) = (unpack "x8 Q$e x24 Q$e Q$e", $s);
	($at, $len) = ($head, length($s) - $head) if $head == 16 || $len == 0;
	for (my $end = $at + $len; $at + 8 <= $end;) {
		my ($type, $misc, $size) = unpack "L$e S$e S$e", substr $s, $at, 8;
		return undef if $type == 81; # compressed by zstd
		$n += $type == 9;
		$at += $size || last;
	}
	return $n;
}

sub objects { # classes and objects of a heap dump
	my ($s, $n) = @_;
	my $at = 1 + index $s, "\0";
	my $id = unpack 'N', substr $s, $at, 4;
	my %head = (0xff, $id, 1, 2 * $id, 2, $id + 8, 3, $id + 8, 4, $id + 4, 5, $id, 6, $id + 4, 7, $id, 8, $id + 8);
	my %size = (2, $id, 4, 1, 5, 2, 6, 4, 7, 8, 8, 1, 9, 2, 10, 4, 11, 8);
	my $number = sub { my ($bytes) = @_; $at += $bytes; return unpack $bytes == 2 ? 'n' : $bytes == 4 ? 'N' : 'C', substr $s, $at - $bytes, $bytes };
	for ($at += 12; $at + 9 <= length $s;) {
		my ($tag, $time, $len) = unpack 'CNN', substr $s, $at, 9;
		my $end = ($at += 9) + $len;
		while (($tag == 12 || $tag == 28) && $at < $end) {
			my $kind = $number->(1);
			if ($head{$kind}) { $at += $head{$kind}; next }
			$n++;
			$at += $id + 4;
			if ($kind == 0x20) {
				$at += 6 * $id + 4;
				for (1 .. $number->(2)) { $at += 2; $at += $size{$number->(1)} }
				for (1 .. $number->(2)) { $at += $id; $at += $size{$number->(1)} }
				$at += (1 + $id) * $number->(2);
			} elsif ($kind == 0x21) { $at += $id; $at += $number->(4) }
			elsif ($kind == 0x22) { my $k = $number->(4); $at += $id + $k * $id }
			else { my $k = $number->(4); $at += $k * $size{$number->(1)} }
		}
		$at = $end;
	}
	return $n;
}

sub chunks { # events of a flight recording, without its settings and metadata
	my ($s, $n) = @_;
	while ($s =~ /FLR\0/g) {
		my $begin = $-[0];
		my ($major, $size) = unpack 'x4 n x2 Q>', substr $s, $begin;
		if ($major == 0) { # JDK 8
			for (my $at = 16; $at + 8 <= length $s;) { my ($len, $type) = unpack 'NN', substr $s, $at, 8; last if !$len; $n += $type > 1; $at += $len }
			return $n;
		}
		my ($at, $end) = ($begin + 68, $begin + $size);
		my $packed = 1 & unpack 'N', substr $s, $begin + 64, 4;
		my $number = sub { my ($width) = @_;
			if (!$packed) { $at += $width; return unpack $width == 4 ? 'N' : 'Q>', substr $s, $at - $width, $width }
			for (my ($v, $k) = (0, 0);; $k++) { my $c = ord substr $s, $at++, 1; return $v | $c << 56 if $k == 8; $v |= ($c & 127) << 7 * $k; return $v if $c < 128 } };
		while ($at < $end) {
			my $from = $at;
			my $len = $number->(4) || last;
			my $type = $number->(8);
			$n += $type > 1 && index(substr($s, $at, $from + $len - $at), 'period') < 0 && $from + $len - $at > ($packed ? 1 : 8);
			$at = $from + $len;
		}
		pos $s = $end;
	}
	return $n;
}

sub events { # of EventPipe, with the four bytes of a sample, or of the types Universal.Events
	my ($s, $n) = @_;
	my $six = unpack('x8 L<', $s) == 0;
	my %universal = map { ord, 1 } $s =~ /(.)\x10Universal\.Events/gs;
	my @block;
	if ($six) {
		for (my $at = 20; $at + 4 <= length $s;) { my $x = unpack 'L<', substr $s, $at, 4; push @block, substr $s, $at + 4, $x & 0xffffff if $x >> 24 == 2; $at += 4 + ($x & 0xffffff) }
	} else {
		while ($s =~ /EventBlock\x06/g) { my $at = $+[0]; my $len = unpack 'L<', substr $s, $at, 4; $at += 4; $at++ while $at % 4; push @block, substr $s, $at, $len }
	}
	for my $b (@block) {
		my ($head, $packed) = unpack 'S<S<', $b;
		my ($at, $last) = ($head, 0);
		my $varint = sub { my $shift = 0; my $v = 0; while (1) { my $c = ord substr $b, $at++, 1; $v |= ($c & 127) << $shift; $shift += 7; return $v if $c < 128 } };
		while ($at < length $b) {
			if (!($packed & 1)) {
				my $size = unpack 'L<', substr $b, $at, 4;
				my $payload = unpack 'L<', substr $b, $at + ($six ? 48 : 76), 4;
				$n += $payload == 4;
				$at += 4 + $size;
				$at++ while !$six && $at % 4;
				next;
			}
			my $flags = ord substr $b, $at++, 1;
			my $type = $varint->() if $flags & 1;
			if ($flags & 2) { $varint->(); $varint->(); $varint->() }
			$varint->() if $flags & 4;
			$varint->() if $flags & 8;
			$varint->();
			if ($flags & 16 && $six) { $varint->() } elsif ($flags & 16) { $at += 16 }
			$at += 16 if $flags & 32 && !$six;
			$last = $varint->() if $flags & 128;
			$n += %universal ? $universal{$type} // 0 : $last == 4;
			$at += $last;
		}
	}
	return $n;
}

sub stacks { # of Austin's binary samples
	my ($s, $n, $at) = ($_[0], 0, 4);
	my $number = sub { my $c = ord substr $s, $at++, 1; while ($c & 128) { $c = ord substr $s, $at++, 1 } };
	my $string = sub { $at = 1 + index $s, "\0", $at };
	while ($at < length $s) {
		my $op = ord substr $s, $at++, 1;
		if ($op == 1) { $string->(); $string->() }
		elsif ($op == 2) { $n++; $number->(); $number->(); $string->() }
		elsif ($op == 3) { $number->() for 1 .. 7 }
		elsif ($op == 6) { $string->() }
		elsif ($op == 11) { $number->(); $string->() }
		elsif ($op == 5 || $op == 9 || $op == 10 || $op == 12) { $number->() }
	}
	return $n;
}

sub packet { # samples in a packet of a Perfetto trace
	my ($number, $value) = @{$_[0]};
	return 1 if $number == 66;
	# A stack sample may have weights of other counters, too.
	return 1 + length join '', map { $$_[1] } grep { $$_[0] == 14 } fields($value) if $number == 135;
	return scalar grep { $$_[0] == 1 } fields($value) if $number == 54;
	return 0 if $number != 37;
	# Each of a heap has three values.
	return 3 * (() = map { grep { $$_[0] == 2 } fields($$_[1]) } grep { $$_[0] == 5 } fields($value));
}

sub traced { # kernel stacks of trace-cmd, event 4 in its pages of 512 bytes
	my ($s, $n) = @_;
	my $big = ord substr $s, 12, 1;
	my ($long, $u32) = $big ? ('Q>', 'L>') : ('Q<', 'L<');
	my @area = ();
	if ((my $at = index $s, "flyrecord\0") > 0) {
		push @area, map { substr $s, $$_[0], $$_[1] } map { [unpack "$long$long", substr $s, $at + 10 + 16 * $_, 16] } 0, 1;
	} else {
		require Compress::Zlib;
		while ($s =~ /\x78\x9c/g) { my $u = Compress::Zlib::uncompress(substr $s, $-[0]); push @area, $u if defined $u && length($u) % 512 == 0 }
	}
	for my $page (map { unpack '(a512)*', $_ } @area) {
		my $word = ord(substr $s, 13, 1);
		my $end = 8 + $word + (0xfffff & unpack $word == 8 ? $long : $u32, substr $page, 8, $word);
		for (my $at = 8 + $word; $at + 4 <= $end;) {
			my $head = unpack $u32, substr $page, $at, 4;
			my $type = $big ? $head >> 27 : $head & 31;
			my $len = $type == 0 || $type == 29 ? unpack $u32, substr $page, $at + 4, 4 : $type > 29 ? 4 : 4 * $type;
			my $data = $at + ($type == 0 ? 8 : 4);
			$n += $type < 29 && 4 == unpack $big ? 'n' : 'v', substr $page, $data, 2;
			$at += 4 + $len || last;
		}
	}
	return $n;
}

sub clicks { # CPU time of gperftools' profiles, in ns
	my ($s, $n) = @_;
	my ($t) = grep { my @w = unpack "$_ $_ $_", $s; $w[0] == 0 && $w[1] == 3 && $w[2] == 0 } 'L<', 'L>', 'Q<', 'Q>' or return undef;
	my $width = length pack $t, 0;
	for (my $at = 0; $at >= 0; $at = index $s, pack("$t$t$t", 0, 3, 0), $at) {
		my $period = unpack $t, substr $s, $at + 3 * $width, $width;
		for ($at += 5 * $width;;) {
			my ($count, $depth, $pc) = unpack "$t$t$t", substr $s, $at, 3 * $width;
			$at += (2 + $depth) * $width;
			last if $count == 0;
			$n += $count * $period * 1000;
		}
	}
	return $n;
}

sub weights { # of Instruments' own columns, in ms or bytes
	my ($n, $self) = (0);
	for (split /\n/, $_[0]) {
		my @c = split /\t|(?<=%),|,(?=,)|,(?=\d+,)/;
		$self //= do { my ($i) = grep { $c[$_] =~ /Self/ } 0 .. $#c; $i // -1 };
		return 1024 * $1 if $self == -1 && /^ *([\d.]+) KB/;
		$n += $1 * (($2 // '') eq 's' ? 1000 : 1) if /^\d.*%[\t,] *([\d.]+) ?(m?s)?[\t,]/;
	}
	return $n;
}

sub spent { # time from the entry of threads' first methods to their exit, in us
	my ($s) = $_[0] =~ /(SLOW.*)/s;
	my ($version, $at) = unpack 'x4 S<S<', $s;
	my $size = $version > 0xf0 ? 14 : unpack 'S<', substr $s, 16, 2;
	my ($n, %depth, %since) = (0);
	while ($at + 3 <= length $s) {
		my ($thread, $action) = unpack 'S<L<', substr($s, $at, 6) . "\0" x 4;
		if ($thread == 0 && $version > 0xf0) {
			my ($what, $len) = unpack 'x2 CS<', substr $s, $at, 7;
			last if $what == 3;
			$at += $what == 1 ? 5 + $len : 7 + unpack 'S<', substr $s, $at + 5, 2;
			next;
		}
		my $time = unpack 'L<', substr $s, $at + $size - 4, 4;
		$at += $size;
		if (($action & 3) == 0) { $since{$thread} = $time if !$depth{$thread}++ }
		elsif ($depth{$thread}) { $n += $time - $since{$thread} if --$depth{$thread} == 0 }
	}
	return $n;
}

sub covered { # time that spans cover, of each thread or ID, in us
	my $j = json($_[0]);
	my (%spans, %open, $n);
	for (ref $j eq 'HASH' ? @{$j->{traceEvents}} : @$j) {
		my $of = join ' ', $_->{pid} // 0, defined $_->{id} ? ($_->{cat} // '', $_->{id}) : $_->{tid} // 0;
		return undef if $_->{ph} eq 'P';
		push @{$spans{$of}}, [$_->{ts}, $_->{ts} + $_->{dur}] if $_->{ph} eq 'X';
		push @{$open{$of}}, $_->{ts} if $_->{ph} =~ /^[bB]$/;
		push @{$spans{$of}}, [pop @{$open{$of}}, $_->{ts}] if $_->{ph} =~ /^[eE]$/;
	}
	for (values %spans) {
		my $end = 0;
		for (sort { $$a[0] <=> $$b[0] } @$_) {
			my $from = $$_[0] > $end ? $$_[0] : $end;
			$n += $$_[1] - $from if $$_[1] > $from;
			$end = $$_[1] if $$_[1] > $end;
		}
	}
	return $n;
}

sub costs { # of callgrind's functions, without those of calls; ns for Xdebug's 10 ns
	my ($n, @events, $positions, $call) = (0);
	my $factor = $_[0] =~ /Time_\(10ns\)/ ? 10 : 1;
	my ($first) = $_[0] =~ /^events:\s*(\S+)/m;
	for (split /\r?\n/, $_[0]) {
		@events = split ' ', $1 if /^events:(.*)/;
		$positions = split ' ', $1 if /^positions:(.*)/;
		if (/^calls=/) { $call = 1; next }
		next if !/^[-+*\d]/;
		my @word = split;
		splice @word, 0, $positions // 1;
		my ($i) = grep { $events[$_] eq $first } 0 .. $#events;
		my $v = $word[$i] // 0;
		$n += $factor * ($v =~ /^0x/ ? hex $v : $v) if !$call;
		$call = 0;
	}
	return $n;
}

sub callees { # stacks without their root frames, sorted
	return join '', sort map { /^#/ ? () : "$_\n" } map { s/^[^;]*(?=[; ][^;]*)//r } split /\n/, $_[0];
}

sub others { # the note of events that are not in the output
	return $_[0] =~ /; left out: (.*)/ ? $1 : '';
}

sub notes { # but those of the format, the numbers of units and other events
	return join "\n", grep { !/: format |folded, |samples? of / } split /\n/, $_[0];
}

sub json {
	return eval { require JSON::PP; JSON::PP->new->decode($_[0]) } // die "not JSON: $@";
}

sub run {
	my ($file, $options) = @_;
	my $out = `fg-collapse -v $options '$file' 2>messages`;
	my $status = $? >> 8;
	open my $f, '<', 'messages' or die;
	my $said = do { local $/; <$f> };
	my @account = $said =~ /: (\d+) folded, (\d+) left out, (\d+) malformed/;
	my $total = 0;
	my ($unit) = $out =~ /^# unit: (\S+)/m;
	$out =~ s/^# .*\n//mg;
	/(\d[\d.]*)$/ and $total += $1 for split /\n/, $out;
	return ($status, $out, $total, $unit // '', $said, @account);
}

sub values_of { # stacks of an output
	my %n;
	for (split /\n/, $_[0]) { /^(.*?) (\d[\d.]*)(?: |$)/ and $n{$1} = $2 }
	return \%n;
}

sub is_part { # a stack is another one without one frame
	my @short = split /;/, $_[0];
	my @long = split /;/, $_[1];
	my $i = 0;
	for (@long) { $i++ if $i < @short && $_ eq $short[$i] }
	return $i == @short && @long == @short + 1;
}

# True if a stack of an output has become one without one of its frames, other than the root.
sub holes {
	my ($before, $after) = (values_of($_[0]), values_of($_[1]));
	for my $s (grep { ($before->{$_} // 0) < $after->{$_} && /;/ } keys %$after) {
		return 1 if grep { ($after->{$_} // 0) < $before->{$_} && is_part($s, $_) && s/^[^;]*;//r ne $s } keys %$before;
	}
	return 0;
}

# The effect of a deleted line on the stacks, and on n units.
sub effect {
	my ($before, $after, $n) = (values_of($_[0]), values_of($_[1]), $_[2]);
	my (%lost, %gained);
	for my $s (keys %{{%$before, %$after}}) {
		my $more = ($after->{$s} // 0) - ($before->{$s} // 0);
		$gained{$s} = $more if $more > 1e-9;
		$lost{$s} = -$more if $more < -1e-9;
	}
	return $n ? 'left out' : '' if !%lost && !%gained;
	my ($less, $more) = (0, 0);
	$less += $_ for values %lost;
	$more += $_ for values %gained;
	my $equal = abs($less - $more) < 1e-9 * $less;
	return keys %lost == 1 && $n == 1 ? 'unit' : 'part' if !%gained;
	return 'join' if $n == 1 && keys %lost == 2 && keys %gained == 1 && !$equal && !is_part(keys %gained, (keys %lost)[0]) &&
		!is_part(keys %gained, (keys %lost)[1]);
	my $other = grep { my $s = $_; !grep { is_part($s, $_) } keys %lost } keys %gained;
	return !$equal || $n ? 'row' : $other ? 'names' : 'frame';
}

my $lines = shift; # of each sample; 0: all
my (%listed, %counted, %seen);
for my $sample (@ARGV) {
	next if $sample =~ /\.folded$|\/options$/;
	my ($format, $name) = $sample =~ m{formats/([^/]+)/(.*)};
	open my $f, '<:raw', $sample or die;
	my $s = do { local $/; <$f> };
	my $options = "-f $format";
	if (open my $o, '<', $sample =~ s{[^/]*$}{options}r) { $options .= ' ' . <$o> =~ s/\n//r }
	my ($status, $out, $total, $unit, $said, @account) = run($sample, $options);
	next if $said =~ /was built without/ || ($format eq 'cprofile' && !`python3 -V 2>/dev/null`);
	$seen{$format} = 1;
	print @account == 3 && $account[0] > 0 && $status == 0 ? 'ok' : 'not ok', " $format: $name has an account\n";
	my $units = $units{$format};
	my $found = ref $units eq 'CODE' ? eval { $units->($s) } : $units ? () = $s =~ /$units/g : undef;
	if (defined $found) { # not JSON that perl cannot read
		my $sum = $account[0] + $account[1] + $account[2];
		print $found == $sum ? 'ok' : 'not ok', " $format: the account of $name is that of its units\n";
		$counted{$format} = 1;
		print "# another program counts $found, fg-collapse $sum\n" if $found != $sum;
	}
	if (my $sum = $totals{$format} && eval { $totals{$format}->($s, $sample) }) {
		print abs($total - $sum) < 1e-6 * $sum ? 'ok' : 'not ok', " $format: the total of $name is that of its values\n";
		print "# another program adds up $sum, fg-collapse $total\n" if abs($total - $sum) >= 1e-6 * $sum;
		$counted{$format} = 1;
	}
	next if $s =~ /[\0-\10\16-\32\34-\37]/;
	my @line = split /^/, $s;
	my $step = $lines ? int(@line / $lines) + 1 : 1;
	for (my $i = 0; $i < @line; $i += $step) {
		next if $line[$i] =~ /^\s*$/ || ($any{$format} && $line[$i] =~ $any{$format});
		for my $garbled (1, 0) {
			my @changed = @line;
			if ($garbled) { $changed[$i] =~ s/[A-Za-z0-9]/~/g } else { $changed[$i] = '' }
			open my $g, '>:raw', 'changed' or die;
			print $g @changed;
			close $g;
			my ($status1, $out1, $total1, $unit1, $said1, @account1) = run('changed', $options);
			my $reported = $status1 == 2 || $said1 =~ /; left out$|inconsistent/m ||
				($account1[2] // 0) > $account[2] || others($said1) ne others($said) ||
				(!$garbled && notes($said1) ne notes($said));
			if ($garbled && holes($out, $out1) && $format !~ /^(?:callgrind|cachegrind|chrome-trace)$/) {
				$listed{$format} .= "# $format: $name:" . ($i + 1) . " garbled, a stack lacks its frame: $line[$i]";
				next;
			}
			next if $reported || $out1 eq $out || ($garbled && $out1 =~ /~/);
			next if $garbled && $total1 == $total && callees($out1) eq callees($out); # a thread without its name
			my $effect = '';
			if (!$garbled) {
				my $units1 = $account1[0] + $account1[1] + $account1[2];
				$effect = effect($out, $out1, $account[0] + $account[1] + $account[2] - $units1);
				next if $effect eq '' || $unit1 ne $unit || ($have{$effect} // {})->{$format};
				next if grep { $line[$i] =~ $_ } ($gone{$format} // {})->{$effect} // ();
			}
			$listed{$format} .= "# $format: $name:" . ($i + 1) . ($garbled ? ' garbled: ' : " deleted, $effect: ") . $line[$i] =~ s/\n//r . "\n";
		}
	}
}
for my $format (sort keys %seen) {
	print $counted{$format} ? 'ok' : 'not ok', " $format: another program has counted or added up its units\n";
}
print %listed ? 'not ok' : 'ok', " no line is lost in silence\n", map { $listed{$_} } sort keys %listed;
