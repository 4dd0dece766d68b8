#!/usr/bin/perl
# formats-keys.pl SAMPLE...: writes TAP about the keys of samples. Each key of an input is renamed,
# all of its occurrences and each of some alone: the output stays, or a message or an exit status
# reports it, or the key is in the table of optional keys.
use strict; use warnings;

my $most = 4; # occurrences of a key that are tried alone

# Keys that a profile need not have, by format. names: the profile without it has the same total,
# with other names, threads or units.
my %names = (
	'bcc' => 'target waker',
	'bpftrace-json' => '@',
	'chrome-trace' => 'Call_stack args cat id name pid tid', # of metadata and of samples
	'cpuprofile' => 'lineNumber url children parent', # a tree without (root) may have several roots
	'dhat' => 'mode',
	'firefox' => 'lib libs name resource resourceTable', # modules and threads
	'ghc-json' => 'tick_interval',
	'gprof2dot' => 'costs unit',
	'heapprofile' => 'samples size', # for the interval
	'otlp-json' => 'attributeIndices attributeTable attributes filenameStrindex functionIndex key
		keyStrindex line lines locationIndices locationsStartIndex mappingIndex
		mappingTable name nameStrindex period periodType resource stackIndex stringValue
		systemNameStrindex type unitStrindex value', # 0 and "" are not written
	'perf-json' => 'comm dso symbol',
	'pprof-raw' => 'Period',
	'pyroscope' => 'metadata sampleRate unit units',
	'safari' => 'line url',
	'speedscope' => 'name unit', # of threads
	'stackprof' => 'name', # some frames have none
	'xctrace' => 'fmt name', # of threads; a frame may have an address only
);
# other: the profile without it has another event, or other values.
my %other = (
	'chrome-trace' => 'samples timeDeltas', # of V8's profile: the spans are the profile, or samples
	'cpuprofile' => 'endTime samples timeDeltas timestamps', # hits, or samples
	'firefox' => 'weight', # 1
	'memray' => 'high_water_mark_by_snapshot', # a page of leaks has none
	'otlp-json' => 'profile profiles resourceProfiles samples scopeProfiles timestampsUnixNano
		type typeStrindex values', # empty lists are not written
	'safari' => 'sampleDurations', # the time until the next sample
	'speedscope' => 'unit', # another event
);

sub run {
	my ($file, $options) = @_;
	my $out = `fg-collapse -v $options '$file' 2>messages`;
	my $status = $? >> 8;
	open my $f, '<', 'messages' or die;
	my $said = do { local $/; <$f> } // '';
	my ($malformed) = $said =~ /(\d+) malformed/;
	my $total = 0;
	my ($stacks) = $out =~ s/^# .*\n//mgr;
	/(\d[\d.]*)$/ and $total += $1 for split /\n/, $stacks;
	return ($status, $out, $total, $malformed // 0, $said);
}

sub notes { # but those of the format, the numbers of units and events
	return join "\n", grep { !/: format |folded, |samples? of |frames? (is|are) an? unsym/ } split /\n/, $_[0] =~ s/: \S+: /: /gr;
}

# Keys of a text, with the places of their occurrences.
sub keys_of {
	my ($s, $format) = @_;
	my $key = $s =~ /^\s*[\[{]/ || $format eq 'memray' ? qr/"()([^"\\]+)"(?=\s*:)/ :
		$s =~ /^<\?xml/ ? qr/(<|\s)([\w-]+)(?==")|<()([\w-]+)/ : qr/^[ \t]*()([A-Za-z_][\w.-]*)[ \t]*(?=[:=])/m;
	my %at;
	while ($s =~ /$key/g) {
		my $i = defined $2 ? 2 : 4;
		push @{$at{substr $s, $-[$i], $+[$i] - $-[$i]}}, $-[$i];
	}
	return \%at;
}

my (%listed, %tried, %used);
for my $sample (grep { !/\.folded$|\/options$|\/svg\// } @ARGV) {
	my ($format, $name) = $sample =~ m{formats/([^/]+)/(.*)};
	open my $f, '<:raw', $sample or die;
	my $s = do { local $/; <$f> };
	next if $s =~ /[\0-\10\16-\32\34-\37]/;
	my $options = "-f $format";
	if (open my $o, '<', $sample =~ s{[^/]*$}{options}r) { $options .= ' ' . <$o> =~ s/\n//r }
	my ($status, $out, $total, $malformed, $said) = run($sample, $options);
	next if $status != 0; # built without what it needs
	my $keys = keys_of($s, $format);
	for my $key (sort keys %$keys) {
		my @at = @{$keys->{$key}};
		my $step = int(@at / $most) + 1;
		my @alone = @at > 1 ? map { [$at[$_]] } grep { $_ % $step == 0 } 0 .. $#at : ();
		$tried{$format}++;
		for my $some (\@at, @alone) {
			my $changed = $s;
			substr($changed, $_, length $key) = "zz$key" for reverse @$some;
			open my $g, '>:raw', 'changed' or die;
			print $g $changed;
			close $g;
			my ($status1, $out1, $total1, $malformed1, $said1) = run('changed', $options);
			next if $status1 == 2 || ($status1 == 0 && ($out1 eq $out || $malformed1 > $malformed || notes($said1) ne notes($said)));
			my $kind = abs($total1 - $total) < 1e-9 * $total ? 'names' : 'other';
			my ($optional) = grep { $_ eq $key =~ tr/ /_/r } split ' ', ($kind eq 'names' ? \%names : \%other)->{$format} // '';
			$used{"$kind $format $optional"} = 1 if $optional && $status1 == 0;
			next if $optional && $status1 == 0;
			$listed{$format} .= "# $name: $key" . (@$some > 1 || @at == 1 ? '' : ', one of ' . @at) . ": $kind\n";
		}
	}
}
for my $format (sort keys %tried) {
	my $silent = $listed{$format} // '';
	print $silent eq '' ? 'ok' : 'not ok', " $format: no key is missed in silence, but those of the table\n", $silent;
}
my @idle;
for (['names', \%names], ['other', \%other]) {
	my ($kind, $table) = @$_;
	for my $format (grep { $tried{$_} } sort keys %$table) {
		push @idle, grep { !$used{$_} } map { "$kind $format $_" } split ' ', $table->{$format};
	}
}
print @idle ? 'not ok' : 'ok', " each optional key is in a sample\n", map { "# $_\n" } @idle;
