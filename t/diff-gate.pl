# diff-gate.pl: simulated programs for fg-diff's gate. Each has random functions and shares; head
# has one planted regression, improvement or move.
#
#	diff-gate.pl FG-DIFF FROM TO KINDS [exact]	run the seeds FROM to TO, in the current directory
#
# Prints for each kind: kind, comparisons, FAIL, CANNOT TELL, PASS, and FAIL by the profile total
# only. With exact, values have no noise, and the seeds of wrong answers are printed.
use strict;
use warnings;

my ($fgdiff, $from, $to, $kinds, $exact) = @ARGV;
my @regressions = qw(grow new slower beside renamed-too removed-too);
my @improvements = qw(faster cheaper helper removed);
my @moves = qw(rename wrap inline split caller under part hoist);
my @kinds = $kinds eq 'regressions' ? @regressions : $kinds eq 'others' ? (@improvements, @moves) : split /,/, $kinds;
my %regression = map { $_ => 1 } @regressions;
my %count;

sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
sub pick { $_[rand @_] }
my %used;
sub word {
	for (;;) {
		my $w = join '', map { pick(qw(ba do ke li mu no ra si tu ve wo za)) } 1 .. 3;
		return $w unless $used{$w}++;
	}
}

# A program: stacks of functions with shares.
sub program {
	my %p;
	my @paths = ('app;main');
	for (1 .. 12 + rand 24) {
		my $path = pick(@paths) . ';' . word();
		$path = pick(@paths) . ';' . word() while ($path =~ tr/;//) > 6;
		push @paths, $path;
	}
	shift @paths;
	$p{$_} = exp(1.2 * gauss()) for grep { rand() < 0.8 } @paths;
	my $sum = 0;
	$sum += $_ for values %p;
	$_ /= $sum for values %p;
	return %p;
}
sub leaf { (split /;/, $_[0])[-1] }
sub parent { (my $s = $_[0]) =~ s/;[^;]*$//; $s }
sub total { my ($p, $path) = @_; my $t = 0; for (keys %$p) { $t += $p->{$_} if $_ eq $path || index($_, "$path;") == 0 } $t }
# Moves all stacks below one path to another.
sub move { my ($p, $old, $new) = @_; for (keys %$p) { next unless $_ eq $old || index($_, "$old;") == 0; my $v = delete $p->{$_}; $p->{$new . substr $_, length $old} += $v } }

# Changes head; returns false if the program has no place for that.
sub plant {
	my ($kind, $h) = @_;
	my @deep = sort grep { tr/;// >= 2 } keys %$h;
	my @large = grep { $h->{$_} >= 0.05 } @deep;
	return 0 unless @large;
	my $f = pick(@large);
	my $share = $h->{$f};
	my $more = 0.05 + 0.25 * rand();
	my $new = word();
	if ($kind eq 'grow') { $h->{$f} += $more }
	elsif ($kind eq 'new') { $h->{"$f;$new"} = $more }
	elsif ($kind eq 'slower') { delete $h->{$f}; move($h, $f, parent($f) . ";$new"); $h->{parent($f) . ";$new"} = $share + $more }
	elsif ($kind eq 'beside') {
		my @other = grep { $_ ne $f && index($_, "$f;") && index($f, "$_;") } @large;
		return 0 unless @other;
		my $g = pick(@other);
		$more = $h->{$g} * 0.9 if $h->{$g} * 0.9 < $more;
		return 0 if $more < 0.045;
		$h->{$f} += $more;
		$h->{$g} -= $more;
	} elsif ($kind eq 'renamed-too') {
		my @other = grep { index($_, "$f;") && index($f, "$_;") && $_ ne $f } @deep;
		return 0 unless @other;
		my $g = pick(@other);
		move($h, $g, parent($g) . ";$new");
		$h->{$f} += $more;
	} elsif ($kind eq 'removed-too') {
		my @other = grep { $_ ne $f && index($f, "$_;") && parent($_) ne parent($f) && index($_, parent($f) . ';') } @deep;
		return 0 unless @other;
		delete $h->{pick(@other)};
		$h->{$f} += $more;
	} elsif ($kind eq 'faster') { $h->{$f} *= rand() }
	elsif ($kind eq 'cheaper') { move($h, $f, parent($f) . ";$new"); $h->{parent($f) . ";$new"} *= 0.3 + 0.6 * rand() }
	elsif ($kind eq 'helper') { $h->{$f} = $share * 0.4; $h->{"$f;$new"} = $share * (0.2 + 0.35 * rand()) }
	elsif ($kind eq 'removed') { delete $h->{$f} }
	elsif ($kind eq 'rename') { move($h, $f, parent($f) . ";$new") }
	elsif ($kind eq 'wrap') { move($h, $f, parent($f) . ";$new;" . leaf($f)) }
	elsif ($kind eq 'inline') {
		return 0 if parent($f) !~ /;.*;/;
		delete $h->{$f};
		$h->{parent($f)} += $share;
	} elsif ($kind eq 'split') { $h->{$f} = $share * 0.4; $h->{"$f;$new"} = $share * 0.6 }
	elsif ($kind eq 'caller') { move($h, $f, "app;main;$new;" . leaf($f)) }
	elsif ($kind eq 'under') {
		my @other = grep { index($_, "$f;") && $_ ne $f && index($f, "$_;") } @deep;
		return 0 unless @other;
		move($h, $f, pick(@other) . ';' . leaf($f));
	} elsif ($kind eq 'part') { $h->{$f} = $share / 2; $h->{"$f;" . leaf($f) . pick('.cold', '.part.0', '.constprop.0')} = $share / 2 }
	elsif ($kind eq 'hoist') {
		return 0 if parent($f) !~ /;.*;.*;/;
		move($h, $f, parent(parent($f)) . ';' . leaf($f));
	} else { die "$kind: unknown" }
	return 1;
}

my @common = (0.01, 0.03, 0.08, 0.15);
for my $kind (@kinds) {
	for my $seed ($from .. $to) {
		srand $seed * 1000 + length($kind) * 31 + ord($kind);
		my (%b, %h);
		do { %used = (); %b = program(); %h = %b } until plant($kind, \%h);
		my ($samples, $common, $own) = (exp(7 + 3 * rand()), pick(@common), pick(0, 0.02, 0.05));
		my $runs = $exact ? 1 : pick(3, 5, 10);
		for my $side ('b', 'h') {
			my $p = $side eq 'b' ? \%b : \%h;
			for my $r (1 .. $runs) {
				my $machine = exp($common * gauss());
				open my $f, '>', "$side$r" or die;
				print $f $exact ? "# unit: Ir 0\n" : "# unit: samples 0\n# period: 1000000 ns 0\n";
				for (sort keys %$p) {
					my $mu = $p->{$_} * $samples * ($exact ? 100 : $machine * exp($own * gauss()));
					my $n = int($mu + ($exact ? 0 : sqrt($mu) * gauss()) + 0.5);
					print $f "$_ $n\n" if $n > 0;
				}
			}
		}
		my @b = map { "b$_" } 1 .. $runs;
		my @h = map { "h$_" } 1 .. $runs;
		my $answer = `$fgdiff --fail-above 3% @b -- @h 2>&1 >/dev/null | head -1`;
		my $word = $answer =~ /^(FAIL|PASS|CANNOT TELL)/ ? $1 : 'other';
		$count{$kind}{$word}++;
		$count{$kind}{whole}++ if $answer =~ /^FAIL: the profile total/;
		print "$kind $seed $answer" if $exact && ($word eq 'FAIL') != exists $regression{$kind} || $ENV{SHOW} && $word eq 'FAIL' && !$regression{$kind};
	}
}
printf "%-12s %6s %6s %6s %6s %6s\n", qw(kind n FAIL C.TELL PASS whole) unless $exact;
my @sum = (0) x 5;
for my $kind (@kinds) {
	last if $exact;
	my %n = (FAIL => 0, PASS => 0, 'CANNOT TELL' => 0, whole => 0, %{$count{$kind}});
	my @n = ($to - $from + 1, @n{'FAIL', 'CANNOT TELL', 'PASS', 'whole'});
	printf "%-12s %6d %6d %6d %6d %6d\n", $kind, @n;
	$sum[$_] += $n[$_] for 0 .. 4;
}
printf "%-12s %6d %6d %6d %6d %6d\n", 'all', @sum unless $exact;
