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
	'hprof' => sub { my ($last) = $_[0] =~ /.*CPU SAMPLES BEGIN(.*)CPU SAMPLES END/s; my @n = $last =~ /^ +\d+ +[\d.]+% /mg; scalar @n },
);

# Lines in which any word is valid, by format: attributes have names that programs choose.
my %any = ('otlp-json' => qr/"key"|^  "thread\.name"/);

sub callees { # stacks without their root frames, sorted
	return join '', sort map { /^#/ ? () : "$_\n" } map { s/^[^;]*(?=[; ][^;]*)//r } split /\n/, $_[0];
}

sub others { # the note of events that are not in the output
	return $_[0] =~ /; left out: (.*)/ ? $1 : '';
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

my $lines = shift; # of each sample; 0: all
my %listed;
for my $sample (@ARGV) {
	next if $sample =~ /\.folded$|\/options$/;
	my ($format, $name) = $sample =~ m{formats/([^/]+)/(.*)};
	open my $f, '<:raw', $sample or die;
	my $s = do { local $/; <$f> };
	my $options = "-f $format";
	if (open my $o, '<', $sample =~ s{[^/]*$}{options}r) { $options .= ' ' . <$o> =~ s/\n//r }
	my ($status, $out, $total, $unit, $said, @account) = run($sample, $options);
	next if $said =~ /was built without/;
	print @account == 3 && $account[0] > 0 && $status == 0 ? 'ok' : 'not ok', " $format: $name has an account\n";
	my $units = $units{$format};
	my @found = !$units ? () : ref $units eq 'CODE' ? (1) x (eval { $units->($s) } // 0) : $s =~ /$units/g;
	if ($units && !$@) { # JSON that perl cannot read is not counted
		my $sum = $account[0] + $account[1] + $account[2];
		print @found == $sum ? 'ok' : 'not ok', " $format: the account of $name is that of its units\n";
		print "# another program counts ", scalar @found, ", fg-collapse $sum\n" if @found != $sum;
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
			my $reported = $status1 == 2 || $said1 =~ /; left out$|inconsistent|unknown nodes|unknown callers/m ||
				($account1[2] // 0) > $account[2] || others($said1) ne others($said);
			next if $reported || $out1 eq $out || ($garbled && $out1 =~ /~/);
			next if $garbled && $total1 == $total && callees($out1) eq callees($out); # a thread without its name
			# A deleted line cannot be seen otherwise.
			next if !$garbled && ($total1 <= $total || $unit1 ne $unit);
			$listed{$format} .= "# $format: $name:" . ($i + 1) . ($garbled ? ' garbled: ' : ' deleted: ') . $line[$i] =~ s/\n//r . "\n";
		}
	}
}
print %listed ? 'not ok' : 'ok', " no line is lost in silence\n", map { $listed{$_} } sort keys %listed;
