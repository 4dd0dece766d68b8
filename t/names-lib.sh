# Sourced by the tests of names, after lib.sh: compares recordings of one program by two profilers.

# agree NAME [OUTSIDE]: compares ./got with ./other: names with over 95 % of the weight agree, and
# over 90 % of the 100 heaviest. Frames that match the regular expression OUTSIDE are of code that
# the other profiler cannot see; their weight is their caller's.
agree() {
	OUTSIDE=${2:-'^$'} \
	perl -e '
		use strict; use warnings;
		my (%self, %total, %other, $all, %outside, $moved);
		my $read = sub { open my $f, "<", $_[0] or die; map { /^([^#].*) (\S+)$/ ? [$2, split /;/, $1] : () } <$f> };
		$other{$_} = 1 for map { @$_[1 .. $#$_] } $read->("other");
		for ($read->("got")) {
			my ($n, @all) = @$_;
			my @f = grep { !/$ENV{OUTSIDE}/ } @all;
			$outside{$_} = 1 for grep { /$ENV{OUTSIDE}/ } @all;
			$moved += $n if $all[-1] =~ /$ENV{OUTSIDE}/;
			next if !@f;
			my %once = map { $_ => 1 } @f;
			$self{$f[-1]} += $n;
			$total{$_} += $n for keys %once;
			$all += $n;
		}
		my @heavy = sort { $total{$b} <=> $total{$a} || $a cmp $b } keys %total;
		@heavy = @heavy[0 .. 99] if @heavy > 100;
		my ($weight, $names) = (0, 0);
		$weight += $self{$_} for grep { $other{$_} } keys %self;
		$names += $other{$_} // 0 for @heavy;
		printf "%.1f%% of weight, %d of %d names", 100 * $weight / $all, $names, scalar @heavy;
		printf "; outside %d names with %.1f%% of weight", scalar keys %outside, 100 * $moved / $all if %outside;
		print "\n";
		print "missing: $_\n" for grep { !$other{$_} } @heavy;
		exit !($weight > .95 * $all && $names > .9 * @heavy && @heavy >= 50);
	' >"$tmp/.said" && ok "$1: $(head -n 1 "$tmp/.said")" || not_ok "$1"
	: >"$tmp/.said"
}

# both NAME OTHER [OUTSIDE]: compares ./one and ./two in both directions; OUTSIDE is for ./two.
both() {
	cp one got
	cp two other
	agree "$1 and $2"
	cp two got
	cp one other
	agree "$2 and $1" "${3:-}"
}
