# diff-heap.pl: simulated heap profiles, as a profiler that samples by bytes writes them.
#
#	diff-heap.pl FG-DIFF FROM TO RUNS COLUMN GROWTH
#
# A heap has functions with blocks of 16 bytes to 1 GiB; a byte in 512 KiB is sampled, and the
# numbers are scaled. The live blocks are the same in all runs but those of the first function,
# which are GROWTH times as many in head. Prints: comparisons; those that name an unchanged
# function; those that name the first one; marginal intervals of 95 %, and those of them that hold
# the true change; intervals that are unbounded.
use strict;
use warnings;
my ($fgdiff, $from, $to, $runs, $column, $growth) = @ARGV;
my $rate = 524288;
sub gauss { sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
# Number of n blocks that are sampled, each with the probability p.
sub sampled {
	my ($n, $p) = @_;
	my $v = $n * $p * (1 - $p);
	if ($v > 50) { my $k = int($n * $p + sqrt($v) * gauss() + 0.5); return $k < 0 ? 0 : $k > $n ? $n : $k }
	if ($n <= 2000) { my $k = 0; rand() < $p and $k++ for 1 .. $n; return $k }
	my ($k, $t, $end) = (-1, 1, exp(-$n * $p));
	do { $k++; $t *= rand() } while $t > $end;
	return $k;
}
my ($wrong, $found, $n, $held, $open) = (0) x 5;
for my $seed ($from .. $to) {
	srand $seed;
	my @f;
	for my $i (0 .. 9) {
		my $size = int(exp(log(16) + rand() * log(2**30 / 16)));
		my $blocks = int(exp(log($rate * 4) + rand() * 6) / $size) || 1;
		push @f, [join('', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 4) . $i, $size, $blocks];
	}
	@{$f[0]}[1, 2] = (4096, 200000) if $growth != 1;
	my (@b, @h);
	for my $side ('b', 'h') {
		for my $r (1 .. $runs) {
			open my $to, '>', "$side$r" or die;
			print $to "# columns: inuse_objects inuse_space 0 0\n# unit: inuse_objects bytes 0 0\n";
			print $to "# period: - $rate bytes 0 0\n# values: estimated sampled 0 0\n";
			for my $i (0 .. 9) {
				my ($name, $size, $blocks) = @{$f[$i]};
				my $p = 1 - exp(-$size / $rate);
				my $k = sampled($i == 0 && $side eq 'h' ? int($blocks * $growth) : $blocks, $p);
				printf $to "main;%s %d %d\n", $name, $k / $p, $k * $size / $p if $k > 0;
			}
			push @{$side eq 'b' ? \@b : \@h}, "$side$r";
		}
	}
	my ($bad, $good) = (0, 0);
	for (`$fgdiff -q --report=tsv --column $column @b -- @h`) {
		my @x = split /\t/;
		next unless $x[0] eq 'self';
		chomp $x[9];
		my $first = $x[9] eq $f[0][0];
		if ($x[6] eq 'real') { $first && $growth != 1 ? $good++ : $bad++ }
		next if $x[6] eq 'small' || $x[1] == 0;
		my $true = $first ? 100 * ($growth - 1) : 0;
		$n++;
		$open++ if $x[13] eq '' || $x[14] eq '';
		$held++ if ($x[13] eq '' || $x[13] <= $true + 1e-6) && ($x[14] eq '' || $true - 1e-6 <= $x[14]);
	}
	$wrong += $bad > 0;
	$found += $good > 0;
}
print join(' ', $to - $from + 1, $wrong, $found, $n, $held, $open), "\n";
