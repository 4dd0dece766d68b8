# diff-series.pl: profiles in time order of programs with one large function.
#
#	diff-series.pl FG-DIFF FROM TO LARGE SHAPE [pareto]
#
# 168 profiles of 3,000 samples; LARGE is the share of the largest function; the others are equal,
# or with pareto each a little smaller than the one before. SHAPE: quiet; step, a function of 5 %
# that grows by half in profile 100; return, the same until profile 140; drift, to 1.6 times in all
# profiles; walk, values of it that are like those before, by a tenth (correlation .9); hot,
# hot-return and hot-drift, the same of the large function, by a fifth. Prints the answers: number,
# answer, and whether its first line has the function.
use strict;
use warnings;
my ($fgdiff, $from, $to, $large, $shape, $sizes) = @ARGV;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my %n;
for my $seed ($from .. $to) {
	srand $seed;
	my %used;
	my $word = sub { for (;;) { my $w = join '', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 3; return $w unless $used{$w}++ } };
	my ($f, $big) = ($word->(), $word->());
	my %share = ($f => 0.05, $big => $large);
	my @rest = map { $word->() } 1 .. 38;
	my %size = map { ($rest[$_] => $sizes ? 1 / ($_ + 2) : 1) } 0 .. $#rest;
	my $sum = 0;
	$sum += $_ for values %size;
	$share{$_} = (0.95 - $large) * $size{$_} / $sum for @rest;
	my (@files, $walk);
	for my $t (0 .. 167) {
		my %now = %share;
		$now{$f} *= 1.5 if $t >= 100 && ($shape eq 'step' || $shape eq 'return' && $t < 140);
		$now{$f} *= 1 + 0.6 * $t / 167 if $shape eq 'drift';
		if ($shape eq 'walk') {
			$walk = defined $walk ? 0.9 * $walk + sqrt(1 - 0.9 ** 2) * gauss() : gauss();
			$now{$f} *= exp(0.1 * $walk);
		}
		$now{$big} *= 1.2 if $t >= 100 && ($shape eq 'hot' || $shape eq 'hot-return' && $t < 140);
		$now{$big} *= 1 + 0.2 * $t / 167 if $shape eq 'hot-drift';
		my $name = sprintf 'p%03d', $t;
		push @files, $name;
		open my $to, '>', $name or die;
		print $to "# unit: samples 0\n";
		for (sort keys %now) {
			my $mu = $now{$_} * 3000;
			my $v = int($mu + sqrt($mu) * gauss() + 0.5);
			print $to "main;$_ $v\n" if $v > 0;
		}
	}
	my $answer = `$fgdiff --series --report @files 2>&1 | head -1`;
	my $right = index($answer, $shape =~ /^hot/ ? $big : $f) >= 0 ? ' by the function' : '';
	$answer =~ s/:.*//s;
	$n{"$answer$right"}++;
}
print join(', ', map { "$n{$_} $_" } sort keys %n), "\n";
