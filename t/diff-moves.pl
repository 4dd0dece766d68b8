# diff-moves.pl: recordings of compiled programs of which head has an improvement or a move.
#
#	diff-moves.pl FG-DIFF FROM TO record|callgrind
#
# Each seed is a program of its own, in the current directory: functions below a few callers, in
# two variants. record: three recordings a side in turn, of about 0.2 s each; callgrind: one exact
# profile a side. Prints for each kind of change: programs, FAIL, CANNOT TELL, PASS, and FAIL by
# the profile total only; and each failure with its seed.
use strict;
use warnings;

my ($fgdiff, $from, $to, $how) = @ARGV;
my @kinds = qw(rename wrap under caller faster cheaper split inline);
my (%n, %used);

sub word {
	for (;;) {
		my $w = join '', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 3;
		return $w unless $used{$w}++;
	}
}
my $body = 'for (long i = 0; i < n; i++) sink += i % 7;';

# The source: main runs one variant, by its first argument, as often as the second one.
sub source {
	my $kind = shift;
	my $keep = '__attribute__((noinline)) static void ';
	my ($f, $new, @caller) = map { word() } 1 .. 5;
	my (%work, $text, %calls);
	for my $c (@caller) {
		for (1 .. 2 + rand 3) { my $w = word(); $work{$w} = 200 + int rand 800; push @{$calls{$c}}, $w }
	}
	my $cost = 600 + int rand 1500;
	my $less = int($cost * (0.3 + 0.5 * rand()));
	$text = "static volatile long sink;\n";
	$text .= "$keep$_(long n) { $body }\n" for sort(keys %work), $f;
	my $called = "$f($cost);";
	my $changed = $called;
	if ($kind eq 'rename') { $text .= "$keep$new(long n) { $body }\n"; $changed = "$new($cost);" }
	elsif ($kind eq 'wrap') { $text .= "$keep$new(long n) { $f(n); sink++; }\n"; $changed = "$new($cost);" }
	elsif ($kind eq 'faster') { $changed = "$f($less);" }
	elsif ($kind eq 'cheaper') { $text .= "$keep$new(long n) { $body }\n"; $changed = "$new($less);" }
	elsif ($kind eq 'split') {
		my $part = int($cost * 0.4);
		$text .= "$keep$new(long n) { $body }\n" . "$keep${f}_head(long n) { $body $new(" . ($cost - $part) . "); }\n";
		$changed = "${f}_head($part);";
	} elsif ($kind eq 'inline') { $changed = "{ long n = $cost; $body }" }
	elsif ($kind eq 'caller') { $text .= "$keep$new(long n) { $f(n); sink++; }\n" }
	for my $c (0 .. $#caller) {
		my $own = join ' ', map { "$_($work{$_});" } @{$calls{$caller[$c]}};
		my $at = $c == 0 ? "if (head) { " . ($kind =~ /^(under|caller)$/ ? '' : $changed) . " } else { $called }"
			: $c == 1 && $kind eq 'under' ? "if (head) { $called }" : '';
		$text .= "__attribute__((noinline)) static void $caller[$c](int head) { $own $at sink++; }\n";
	}
	my $main = join ' ', map { "$_(head);" } @caller;
	$main .= " if (head) $new($cost);" if $kind eq 'caller';
	$text .= "int atoi(const char *);\nint main(int argc, char **argv) { int head = argv[argc - 2][0] == 'h'; "
		. "for (int n = atoi(argv[argc - 1]); n > 0; n--) { $main } return 0; }\n";
	return $text;
}

for my $seed ($from .. $to) {
	srand $seed;
	%used = ();
	my $kind = $kinds[$seed % @kinds];
	open my $c, '>', 'p.c' or die;
	print $c source($kind);
	close $c;
	system(($ENV{CC} || 'cc') . ' -g -O1 -fno-optimize-sibling-calls -fno-ipa-icf -fno-ipa-cp -o p p.c') == 0 or die "seed $seed";
	my (@b, @h);
	for my $run (1 .. ($how eq 'record' ? 3 : 1)) {
		for my $side ($run % 2 ? qw(b h) : qw(h b)) {
			if ($how eq 'record') {
				system("fg-record -q -F 1997 -o $side$run -- ./p $side 15000 >/dev/null 2>&1");
			} else {
				system("valgrind -q --tool=callgrind --callgrind-out-file=c.out ./p $side 20 >/dev/null 2>&1; fg-collapse -q c.out >$side$run");
			}
			push @{$side eq 'b' ? \@b : \@h}, "$side$run";
		}
	}
	my $answer = `$fgdiff --fail-above 3% @b -- @h 2>&1 >/dev/null | grep -E '^(FAIL|PASS|CANNOT TELL)' | head -1`;
	my ($word) = $answer =~ /^(FAIL|PASS|CANNOT TELL)/;
	$n{$kind}{$word || 'other'}++;
	$n{$kind}{all}++;
	next unless ($word || '') eq 'FAIL';
	$n{$kind}{total}++ if $answer =~ /^FAIL: the profile total/;
	print "$kind $seed: $answer";
}
printf "%-10s %6s %6s %6s %6s %6s\n", qw(kind n FAIL C.TELL PASS total);
my @sum = (0) x 5;
for my $kind (sort keys %n) {
	my @n = map { $n{$kind}{$_} || 0 } 'all', 'FAIL', 'CANNOT TELL', 'PASS', 'total';
	printf "%-10s %6d %6d %6d %6d %6d\n", $kind, @n;
	$sum[$_] += $n[$_] for 0 .. 4;
}
printf "%-10s %6d %6d %6d %6d %6d\n", 'all', @sum;
