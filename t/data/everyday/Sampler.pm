# Samples a Perl program by SIGPROF, as folded stacks in the file $OUT: perl -MSampler PROGRAM ARG...
package Sampler;
use strict;
use warnings;
use Time::HiRes qw(setitimer ITIMER_PROF);

my %counts;
$SIG{PROF} = sub {
	my ($stack, $i) = ('', 0);
	while (my @frame = caller($i++)) {
		$stack = ";$frame[3]$stack" if $frame[3] !~ /^\(eval\)$|^Sampler::/;
	}
	$counts{"main$stack"}++;
};
setitimer(ITIMER_PROF, .001, .001);

END {
	setitimer(ITIMER_PROF, 0);
	open my $out, '>', $ENV{OUT} or die;
	print $out "$_ $counts{$_}\n" for sort keys %counts;
}
1;
