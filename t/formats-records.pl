#!/usr/bin/perl
# formats-records.pl SAMPLE...: writes TAP about samples of binary formats and of JSON. Each record,
# field, key and item of an input, deleted or garbled, is reported, or changes nothing but its own
# unit.
use strict; use warnings;

# A change of an input: what it is, 'deleted' or 'garbled', and the changed bytes.
sub deleted { my ($what, $s, $at, $len) = @_; return [$what, 'deleted', substr($s, 0, $at) . substr $s, $at + $len] }
sub garbled { my ($what, $s, $at, $len) = @_; return [$what, 'garbled', substr($s, 0, $at) . "\xff" x $len . substr $s, $at + $len] }

sub varint { my ($n, $s) = ($_[0], ''); while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }

# Fields of a message: number, wire type, bytes of the value, bytes of the field; undef if it is none.
sub fields {
	my ($s, $at, @f) = ($_[0], 0);
	my $number = sub { my ($n, $shift) = (0, 0); while ($at < length $s && $shift < 64) { my $c = ord substr $s, $at++, 1; $n |= ($c & 127) << $shift; $shift += 7; return $n if $c < 128 } return undef };
	while ($at < length $s) {
		my $begin = $at;
		my $key = $number->() // return undef;
		my $wire = $key & 7;
		my $from = $at;
		if ($wire == 0) { $number->() // return undef }
		elsif ($wire == 1 || $wire == 5) { $at += $wire == 1 ? 8 : 4 }
		elsif ($wire == 2) { my $n = $number->() // return undef; $from = $at; $at += $n }
		else { return undef }
		return undef if $at > length $s || $key >> 3 == 0;
		push @f, [$key >> 3, $wire, substr($s, $from, $at - $from), substr $s, $begin, $at - $begin];
	}
	return \@f;
}

# Changes of a message and of those in it; wrap: makes the input of the changed message.
sub messages {
	my ($s, $path, $wrap) = @_;
	my $f = fields($s) // return;
	my @changes;
	for my $i (0 .. $#$f) {
		my ($number, $wire, $value, $all) = @{$f->[$i]};
		my $before = join '', map { $$_[3] } @$f[0 .. $i - 1];
		my $after = join '', map { $$_[3] } @$f[$i + 1 .. $#$f];
		my $name = "$path.$number" . (1 < grep({ $$_[0] == $number } @$f) ? '[' . scalar(grep { $$_[0] == $number } @$f[0 .. $i - 1]) . ']' : '');
		push @changes, [$name, 'deleted', $wrap->($before . $after)];
		my $bad = $wire == 0 ? varint($number << 3) . "\xff\xff\xff\xff\x07" :
			$wire == 2 ? varint($number << 3 | 2) . varint(length $value) . "\xff" x length $value : undef;
		push @changes, [$name, 'garbled', $wrap->($before . $bad . $after)] if defined $bad;
		my $below = $wire == 2 && length $value && $value !~ /^[\x20-\x7e]+$/ ? fields($value) : undef;
		push @changes, messages($value, $name, sub { $wrap->($before . varint($number << 3 | 2) . varint(length $_[0]) . $_[0] . $after) }) if $below;
	}
	return @changes;
}

sub unzip { my $s = shift; return $s if $s !~ /^\x1f\x8b/; require Compress::Zlib; return Compress::Zlib::memGunzip($s) }

# Changes of a document of JSON: each key and item deleted, each value of another kind.
sub documents {
	my ($s) = @_;
	my @changes;
	my $value;
	my $blank = sub { $s =~ /\G\s+/gc };
	my $each = sub { # the members of an object or array
		my ($path, $close) = @_;
		my (@span, $i);
		for ($blank->(); $s !~ /\G\Q$close\E/gc; $i++) {
			my $begin = pos $s;
			my $name = $i // 0;
			if ($close eq '}') { $s =~ /\G"((?:[^"\\]|\\.)*)"\s*:/gc or die 'no key'; $name = $1; $blank->() }
			my $from = pos $s;
			$value->("$path." . $name);
			push @span, ["$path." . $name, $begin, $from, pos $s];
			$blank->();
			$s =~ /\G,/gc;
			$blank->();
		}
		for my $k (0 .. $#span) {
			my ($name, $begin, $from, $end) = @{$span[$k]};
			my ($cut, $stop) = $k < $#span ? ($begin, $span[$k + 1][1]) : $k > 0 ? ($span[$k - 1][3], $end) : ($begin, $end);
			push @changes, [$name, 'deleted', substr($s, 0, $cut) . substr $s, $stop];
			my $is = substr $s, $from, 1;
			next if $is =~ /[tfn]/; # true, false, null
			my $bad = $is eq '"' ? '{}' : '"~~"'; # a value of another type
			push @changes, [$name, 'garbled', substr($s, 0, $from) . $bad . substr $s, $end];
		}
	};
	$value = sub {
		my ($path) = @_;
		if ($s =~ /\G\{/gc) { $each->($path, '}') }
		elsif ($s =~ /\G\[/gc) { $each->($path, ']') }
		else { $s =~ /\G(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)/gc or die 'no value at ' . pos $s }
	};
	pos($s) = 0;
	for ($blank->(); pos($s) < length $s; $blank->()) { my $at = pos $s; $value->(''); die 'no JSON' if pos $s == $at }
	return @changes;
}

sub perfdata {
	my ($s) = @_;
	my $e = $s =~ /^PERFILE2/ ? '<' : '>';
	my ($head, $at, $len) = unpack "x8 Q$e x24 Q$e Q$e", $s;
	my $pipe = $head == 16;
	($at, $len) = ($head, length($s) - $head) if $pipe;
	my (@changes, %n);
	for (my $end = $at + $len; $at + 8 <= $end;) {
		my ($type, $size) = unpack "L$e x2 S$e", substr $s, $at, 8;
		return @changes if !$size;
		my $name = "record $type\[" . $n{$type}++ . ']';
		my $c = deleted($name, $s, $at, $size);
		substr $c->[2], 48, 8, pack "Q$e", $len - $size if !$pipe;
		push @changes, $c, garbled($name, $s, $at + 8, $size - 8);
		$at += $size;
	}
	return @changes;
}

sub flight {
	my ($s) = @_;
	my (@changes, %n);
	return flight8($s) if (unpack 'x4 n', $s) == 0;
	for (my $chunk = 0; $chunk < length $s;) {
		my ($size, $pool, $meta) = unpack 'Q> Q> Q>', substr $s, $chunk + 8, 24;
		my $packed = 1 & unpack 'N', substr $s, $chunk + 64, 4;
		my $at = $chunk + 68;
		my $number = sub { my ($width) = @_;
			if (!$packed) { $at += $width; return unpack $width == 4 ? 'N' : 'Q>', substr $s, $at - $width, $width }
			for (my ($v, $k) = (0, 0);; $k++) { my $c = ord substr $s, $at++, 1; return $v | $c << 56 if $k == 8; $v |= ($c & 127) << 7 * $k; return $v if $c < 128 } };
		while ($at < $chunk + $size) {
			my $from = $at;
			my $len = $number->(4) || last;
			my $begin = $at;
			my $type = $number->(8);
			my $name = "event $type\[" . $n{$type}++ . ']';
			push @changes, garbled($name, $s, $begin, $from + $len - $begin);
			if ($type > 1) {
				my $c = deleted($name, $s, $from, $len);
				substr $c->[2], $chunk + 8, 24, pack 'Q> Q> Q>', $size - $len, map { $chunk + $_ > $from ? $_ - $len : $_ } $pool, $meta;
				push @changes, $c;
			}
			$at = $from + $len;
		}
		$chunk += $size;
	}
	return @changes;
}

sub flight8 { # of JDK 8: events, and the offset of the metadata after them
	my ($s) = @_;
	my (@changes, %n);
	my $meta = unpack 'x8 Q>', $s;
	for (my $at = 16; $at + 8 <= $meta;) {
		my ($len, $type) = unpack 'NN', substr $s, $at, 8;
		last if !$len;
		my $name = "event $type\[" . $n{$type}++ . ']';
		push @changes, garbled($name, $s, $at + 8, $len - 8);
		my $c = deleted($name, $s, $at, $len);
		substr $c->[2], 8, 8, pack 'Q>', $meta - $len;
		push @changes, $c;
		$at += $len;
	}
	return @changes;
}

sub methods { # of Android's runtime, not streamed
	my ($s) = @_;
	my (@changes, $i);
	my $slow = index $s, 'SLOW';
	my ($version, $at, $size) = unpack 'x4 S< S< x8 S<', substr $s, $slow;
	return if $version > 0xf0;
	$size = 9 + ($version > 1 ? $version == 2 ? 1 : 5 : 0) if $version < 3;
	for ($at += $slow; $at + $size <= length $s; $at += $size, $i++) {
		push @changes, deleted('record ' . ($i // 0), $s, $at, $size), garbled('record ' . ($i // 0), $s, $at, $size);
	}
	return @changes;
}

sub pages { # of memray: the document of JSON in the page
	my ($s) = @_;
	my ($before, $document, $after) = $s =~ /(.*(?:packed_data|data) = )(.*?\})(;\n.*)/s or return;
	return map { [$$_[0], $$_[1], $before . $$_[2] . $after] } documents($document);
}

sub functions { # of cProfile's file, by Python
	my ($s) = @_;
	open my $f, '>:raw', 'marshalled' or die;
	print $f $s;
	close $f;
	open my $python, '-|', 'python3', '-c', <<'PYTHON' or return;
import marshal
table = marshal.load(open('marshalled', 'rb'))
def give(what, how, t):
    print(what, how, marshal.dumps(t).hex())
for f in table:
    give('function ' + f[2], 'deleted', {g: v for g, v in table.items() if g != f})
    for c in table[f][4]:
        callers = {d: v for d, v in table[f][4].items() if d != c}
        give('caller ' + c[2] + ' of ' + f[2], 'deleted', {g: v[:4] + (callers,) if g == f else v for g, v in table.items()})
    for i in range(4):
        give('number %d of ' % i + f[2], 'garbled', {g: v[:i] + ('~',) + v[i + 1:] if g == f else v for g, v in table.items()})
PYTHON
	return map { /^(.*) (\w+) ([0-9a-f]+)$/ ? [$1, $2, pack 'H*', $3] : () } <$python>;
}

sub kernel_stacks { # of trace-cmd without compression: events in pages of 512 bytes
	my ($s) = @_;
	my (@changes, $i);
	my $areas = index $s, "flyrecord\0";
	my $big = ord substr $s, 12, 1;
	return if $areas < 0;
	my ($long, $u32) = $big ? ('Q>', 'L>') : ('Q<', 'L<');
	my $word = ord substr $s, 13, 1;
	for my $area (0, 1) {
		my ($first, $len) = unpack "$long$long", substr $s, $areas + 10 + 16 * $area, 16;
		for (my $page = $first; $page < $first + $len; $page += 512) {
			my $size = unpack $word == 8 ? $long : $u32, substr $s, $page + 8, $word;
			my $end = $page + 8 + $word + ($size & 0xfffff);
			for (my $at = $page + 8 + $word; $at + 4 <= $end; $i++) {
				my $head = unpack $u32, substr $s, $at, 4;
				my $type = $big ? $head >> 27 : $head & 31;
				my $n = $type == 0 || $type == 29 ? unpack $u32, substr $s, $at + 4, 4 : $type > 29 ? 4 : 4 * $type;
				my $all = $type == 30 || $type == 31 ? 8 : 4 + $n || last;
				my $name = 'event ' . ($i // 0);
				my $c = deleted($name, $s, $at, $all);
				substr $c->[2], $page + 512 - $all, 0, "\0" x $all;
				substr $c->[2], $page + 8, $word, pack $word == 8 ? $long : $u32, $size - $all;
				push @changes, $c, garbled($name, $s, $at + ($type == 0 ? 8 : 4), $all - ($type == 0 ? 8 : 4)) if $type < 29;
				$at += $all;
			}
		}
	}
	return @changes;
}

sub pipes { # EventPipe
	my ($s) = @_;
	my (@changes, $i);
	if (unpack('x8 L<', $s) == 0) { # version 6
		for (my $at = 20; $at + 4 <= length $s; $i++) {
			my $x = unpack 'L<', substr $s, $at, 4;
			my ($kind, $len) = ($x >> 24, $x & 0xffffff);
			last if $kind == 0;
			push @changes, deleted("block " . ($i // 0) . " of kind $kind", $s, $at, 4 + $len), garbled("block " . ($i // 0) . " of kind $kind", $s, $at + 4, $len);
			$at += 4 + $len;
		}
		return @changes;
	}
	while ($s =~ /\x05\x05\x01.{8}(.{4})/gs) {
		my $begin = $-[0];
		my $name = substr $s, $+[0], unpack 'L<', $1;
		my $at = $+[0] + length($name) + 1;
		next if $name !~ /Block$/;
		my $len = unpack 'L<', substr $s, $at, 4;
		$at += 4;
		$at++ while $at % 4;
		push @changes, garbled("$name " . ($i++ // 0), $s, $at, $len);
	}
	return @changes;
}

sub heapdump {
	my ($s) = @_;
	my (@changes, %n);
	for (my $at = 13 + index $s, "\0"; $at + 9 <= length $s;) {
		my ($tag, $len) = unpack 'C x4 N', substr $s, $at, 9;
		my $name = "record $tag\[" . $n{$tag}++ . ']';
		push @changes, deleted($name, $s, $at, 9 + $len);
		push @changes, garbled($name, $s, $at + 9, $len) if $len;
		$at += 9 + $len;
	}
	return @changes;
}

sub sized { # messages, each after its size, behind a head
	my ($s, $head, $template) = @_;
	my (@changes, $i);
	my $width = length pack $template, 0;
	for (my $at = $head; my $len = unpack $template, substr $s, $at, $width; $at += $width + $len, $i++) {
		my ($before, $after) = (substr($s, 0, $at), substr $s, $at + $width + $len);
		my $name = 'message ' . ($i // 0);
		push @changes, deleted($name, $s, $at, $width + $len), garbled($name, $s, $at + $width, $len),
			messages(substr($s, $at + $width, $len), $name, sub { $before . pack($template, length $_[0]) . $_[0] . $after });
	}
	return @changes;
}

sub mojo {
	my ($s) = @_;
	my (@changes, %n);
	my $at = 4;
	my $number = sub { my $c = ord substr $s, $at++, 1; while ($c & 128) { $c = ord substr $s, $at++, 1 } };
	my $string = sub { $at = 1 + index $s, "\0", $at };
	while ($at < length $s) {
		my $from = $at;
		my $op = ord substr $s, $at++, 1;
		if ($op == 1) { $string->(); $string->() }
		elsif ($op == 2) { $number->(); $number->(); $string->() }
		elsif ($op == 3) { $number->() for 1 .. 7 }
		elsif ($op == 6) { $string->() }
		elsif ($op == 11) { $number->(); $string->() }
		elsif ($op == 5 || $op == 9 || $op == 10 || $op == 12) { $number->() }
		my $name = "event $op\[" . $n{$op}++ . ']';
		push @changes, deleted($name, $s, $from, $at - $from), garbled($name, $s, $from, $at - $from);
	}
	return @changes;
}

sub clicks {
	my ($s) = @_;
	my ($t) = grep { my @w = unpack "$_ $_ $_", $s; $w[0] == 0 && $w[1] == 3 && $w[2] == 0 } 'L<', 'L>', 'Q<', 'Q>' or return;
	my $width = length pack $t, 0;
	my (@changes, $i);
	for (my $at = 5 * $width;; $i++) {
		my ($count, $depth) = unpack "$t$t", substr $s, $at, 2 * $width;
		my $len = (2 + $depth) * $width;
		push @changes, deleted('record ' . ($i // 0), $s, $at, $len), garbled('record ' . ($i // 0), $s, $at, $len);
		return @changes if $count == 0;
		$at += $len;
	}
}

my %changes = (
	'pprof' => sub { messages(unzip($_[0]), '', sub { $_[0] }) },
	'otlp' => sub { $_[0] =~ /^\0/ ? sized($_[0], 0, 'N') : messages($_[0], '', sub { $_[0] }) },
	'perfetto' => sub { messages($_[0], '', sub { $_[0] }) },
	'simpleperf' => sub { sized($_[0], 12, 'L<') },
	'perf.data' => \&perfdata,
	'jfr' => \&flight,
	'art' => \&methods,
	'trace.dat' => \&kernel_stacks,
	'memray' => \&pages,
	'cprofile' => \&functions,
	'nettrace' => \&pipes,
	'heap-dump' => \&heapdump,
	'mojo' => \&mojo,
	'gperftools' => \&clicks,
);

# Keys of JSON that each object must have: without them, it is reported. Other objects have another
# meaning without a key.
my %required = (
	'chrome-trace' => qr/^(?:\.traceEvents)?\.\d+\.(?:ph|ts|dur)$/,
	'speedscope' => qr/\.events\.\d+\.(?:type|frame|at)$/,
);
# Samples of protocol buffers and of streams, by name: another field that is absent has its default,
# and a table has no count of its rows.
my %deletable = (
	'pprof' => qr/^\.2\[\d+\]$/,
	'otlp' => qr/(?:^|\d)\.1\.2\.2\.2\[\d+\]$/,
	'perfetto' => qr/^\.1\[\d+\]\.(?:66|135)$/,
	'mojo' => qr/^event 2/,
	'nettrace' => qr/^$/,
);
# Values of JSON of which each type is valid; strings that programs choose.
my %any = ('pprof' => qr/^\.6\[/, 'chrome-trace' => qr/^(?:\.traceEvents)?\.\d+\.(?:pid|tid|id|args.*)$/);

sub run {
	my ($file, $options) = @_;
	my $out = `fg-collapse -v $options '$file' 2>messages`;
	my $status = $? >> 8;
	open my $f, '<', 'messages' or die;
	my $said = do { local $/; <$f> };
	die $said if $status != 0 && $status != 2;
	my @account = $said =~ /: (\d+) folded, (\d+) left out, (\d+) malformed/;
	my ($unit) = $out =~ /^# unit: (\S+)/m;
	my %stack;
	for (grep { !/^#/ } split /\n/, $out) { my ($stack, $value) = /^(.*) (\d[\d.]*)$/ or next; $stack{$stack} += $value }
	return {status => $status, stack => \%stack, unit => $unit // '', said => $said, account => \@account};
}

sub units { my $sum = 0; $sum += $_ for @{$_[0]{account}}; return $sum }

# What an input has lost in silence; empty for nothing.
sub silent {
	my ($before, $after, $how) = @_;
	return '' if $after->{status} != 0;
	return '' if ($after->{account}[2] // 0) > ($before->{account}[2] // 0);
	my $notes = sub { join "\n", grep { !/: format |folded, / } split /\n/, $_[0]{said} };
	return '' if $notes->($after) ne $notes->($before);
	my (%lost, %gained);
	for my $s (keys %{{%{$before->{stack}}, %{$after->{stack}}}}) {
		my $more = ($after->{stack}{$s} // 0) - ($before->{stack}{$s} // 0);
		$gained{$s} = $more if $more > 0;
		$lost{$s} = -$more if $more < 0;
	}
	return '' if !%lost && !%gained;
	my $depth = sub { my %n; for my $s (keys %{$_[0]}) { $n{$s =~ tr/;//} += $_[0]{$s} } return join ' ', map { "$_:$n{$_}" } sort { $a <=> $b } keys %n };
	return '' if $depth->(\%lost) eq $depth->(\%gained); # other names
	my $rootless = sub { my %n; for my $s (keys %{$_[0]}) { $n{$_[1] ? $s =~ s/^[^;]*;//r : $s} += $_[0]{$s} } return join "\n", map { "$_ $n{$_}" } sort keys %n };
	return '' if $rootless->(\%lost, 1) eq $rootless->(\%gained, 0); # no name of the thread
	return '' if !%lost && !grep { !$before->{stack}{$_} } keys %gained; # another number
	return 'another event' if $after->{unit} ne $before->{unit};
	if (!%gained) {
		return '' if $how eq 'deleted' && units($after) >= units($before) - 1;
		return 'lost ' . join ', ', map { "$_ $lost{$_}" } sort keys %lost;
	}
	return 'lost ' . join(', ', map { "$_ $lost{$_}" } sort keys %lost) . ' gained ' . join ', ', map { "$_ $gained{$_}" } sort keys %gained;
}

for my $sample (@ARGV) {
	next if $sample =~ /\.folded$|\/options$/;
	my ($format, $name) = $sample =~ m{formats/([^/]+)/(.*)};
	open my $f, '<:raw', $sample or die;
	my $s = do { local $/; <$f> };
	my $changes = $changes{$format} // ($s =~ /^\s*[\[{]/ && $s !~ /[\0-\10]/ ? \&documents : undef) // next;
	my @changes = eval { $changes->($s) } or next; # not JSON, compressed, or of another version
	my $options = "-f $format";
	my $before = run($sample, $options);
	die "$sample: $before->{said}" if $before->{status} != 0;
	my ($n, @faults) = (0);
	for (@changes) {
		my ($what, $how, $bytes) = @$_;
		next if ($changes == \&documents || $changes == \&pages) && $how eq 'deleted' && (!$required{$format} || $what !~ $required{$format});
		next if $how eq 'garbled' && $any{$format} && $what =~ $any{$format};
		next if $how eq 'deleted' && $deletable{$format} && $what !~ $deletable{$format};
		$n++;
		open my $g, '>:raw', 'changed' or die;
		print $g $bytes;
		close $g;
		my $silent = silent($before, run('changed', $options), $how);
		push @faults, "# $what $how: $silent\n" if $silent ne '';
	}
	print @faults ? 'not ok' : 'ok', " $format: of $n changes of $name none loses stacks in silence\n", @faults;
}
