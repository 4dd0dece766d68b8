# fg-filter against an independent model: random profiles and options, read in three ways (a file
# in canonical order, the same file in random order, a pipe). Every third case has several files
# with labels and time marks. The model stores stacks as lists of frames, without a tree. Usage:
# perl filter-model.pl CASES SEED; prints each difference with the command that shows it.
use strict;
use warnings;

our $wrong = 0;

my ($cases, $seed) = @ARGV;
srand $seed;
my @names = qw(main a b ab ba x.y lib`a lib`b two`x [libc.so] f_[k] g_[k] h_[i] j_[j] a_[l] aa);
my @patterns = ('a', 'b', '^a$', '^b', 'x', 'main', 'f|g', '[hj]', 'lib', '.', 'nothing', '_', 'a$');

sub pick { $_[rand @_] }

sub bare { my $n = shift; $n =~ s/_\[[kjilwp]\]//g; $n }
sub matches { my ($re, $n) = @_; $n =~ /$re/ || bare($n) =~ /$re/ }
sub module {
	my $n = bare(shift);
	return $1 if $n =~ /^([^`]+)`/;
	return $1 if $n =~ /^\[(.+)\]$/;
	return undef;
}
sub kernel { $_[0] =~ /_\[k\]/ }

# Canonical order: frame by frame, bytewise, a prefix first.
sub order {
	my ($x, $y) = @_;
	for my $i (0 .. $#$x) {
		return 1 if $i > $#$y;
		my $c = $x->[$i] cmp $y->[$i];
		return $c if $c;
	}
	return @$x <=> @$y;
}

# Labels: some values have bytes that are encoded in files; some are a prefix of another.
my %values = (host => ['web1', 'web10', 'a b', 'x=y;z'], version => ['4.2', '4.3', '50%,'], 'k y' => ['', 'v']);
our $by_label = 0; # expressions may have label tests
our $labels;       # those of the current file: key to list of values; empty list: '*'

sub has_label { my ($k, $v) = @_; scalar grep { $_ eq $v } @{$labels->{$k} // []} }
sub encoded { my $x = shift; $x =~ s/([ ;=,%])/sprintf '%%%02X', ord $1/ge; $x }

sub labels {
	my %l;
	for my $k (sort keys %values) {
		my @v = grep { rand() < .4 } @{$values{$k}};
		$l{$k} = \@v if @v;
		$l{$k} = [] if rand() < .1;
	}
	return \%l;
}

# The label lines of a file: one or several, in which equal keys add up.
sub label_lines {
	my $l = shift;
	my @words;
	for my $k (sort keys %$l) {
		my @v = @{$l->{$k}};
		push @words, encoded($k) . '=' . (@v ? join ',', map { encoded($_) } @v : '*');
	}
	return '' unless @words;
	return rand() < .5 ? "# label: @words 0\n" : join '', map { "# label: $_ 0\n" } @words;
}

# An expression: its text, and a function of a stack.
sub expression {
	my $depth = shift;
	if ($by_label && rand() < .3) {
		my $k = pick(sort keys %values);
		my $v = pick(@{$values{$k}});
		my ($kt, $vt) = map { /^[a-z0-9]+$/ && rand() < .5 ? $_ : pick("/$_/", "\"$_\"", "'$_'") } $k, $v;
		return ("label:$kt=$vt", sub { has_label($k, $v) });
	}
	my $kind = $depth > 3 ? int rand 5 : int rand 9;
	if ($kind == 0) {
		my @p = map { pick(@patterns) } 0 .. rand 3;
		my @op = map { pick('>', '>>') } 1 .. $#p;
		my $text = quote($p[0]);
		$text .= " $op[$_ - 1] " . quote($p[$_]) for 1 .. $#p;
		return ($text, sub { my $s = shift; chain($s, \@p, \@op) });
	}
	if ($kind == 1) {
		my $p = pick(@patterns);
		return ("leaf " . quote($p), sub { matches($p, $_[0][-1]) });
	}
	if ($kind == 2) {
		my $p = pick(@patterns);
		return ("root " . quote($p), sub { matches($p, $_[0][0]) });
	}
	if ($kind == 3) {
		my ($op, $n) = (pick('<', '<=', '>', '>=', '=', '!='), int rand 6);
		return ("depth $op $n", sub {
			my $d = @{$_[0]};
			$op eq '<' ? $d < $n : $op eq '<=' ? $d <= $n : $op eq '>' ? $d > $n
				: $op eq '>=' ? $d >= $n : $op eq '=' ? $d == $n : $d != $n;
		});
	}
	if ($kind == 4) {
		my $p = pick(@patterns);
		return ("module " . quote($p), sub {
			for my $f (@{$_[0]}) { my $m = module($f); return 1 if defined $m && matches($p, $m) }
			0;
		});
	}
	if ($kind == 5) {
		my ($t, $f) = expression($depth + 1);
		return (pick("not ($t)", "!($t)"), sub { !$f->($_[0]) });
	}
	my ($t, $f) = expression($depth + 1);
	my ($u, $g) = expression($depth + 1);
	# `and` binds closer than `or`; the brackets make that explicit, so the model needs no
	# parser
	return $kind < 7 ? ("($t) and ($u)", sub { $f->($_[0]) && $g->($_[0]) })
		: ("($t) or ($u)", sub { $f->($_[0]) || $g->($_[0]) });
}

sub quote {
	my $p = shift;
	return pick("/$p/", "\"$p\"", "'$p'") if $p =~ /[^a-z^\$._\[\]]/ || rand() < .5;
	return $p;
}

# Some frames f0 < f1 < ... match the patterns, neighbours where the operator is >.
sub chain {
	my ($s, $p, $op) = @_;
	my @ends = grep { matches($p->[0], $s->[$_]) } 0 .. $#$s;
	for my $k (1 .. $#$p) {
		my %next;
		for my $e (@ends) {
			for my $i ($e + 1 .. ($op->[$k - 1] eq '>' ? $e + 1 : $#$s)) {
				$next{$i} = 1 if $i <= $#$s && matches($p->[$k], $s->[$i]);
			}
		}
		@ends = keys %next;
	}
	return @ends > 0;
}

# Steps: arguments, and a function from a list of [stack, value] to another.
sub keep { my $f = shift; sub { grep { $f->($_->[0]) } @_ } }
sub change { my $f = shift; sub { map { my @s = $f->(@{$_->[0]}); @s ? [[@s], $_->[1]] : () } @_ } }
sub total { my $n = 0; $n += $_->[1] for @_; $n }

sub step {
	my $p = pick(@patterns);
	my $n = 1 + int rand 12;
	my @steps = (
		sub { my ($t, $f) = expression(0); (['--where', $t], keep($f)) },
		sub { my ($t, $f) = expression(0); (['--where', $t], keep($f)) },
		sub { my ($t, $f) = expression(0); (['--where', $t], keep($f)) },
		sub { (['--focus', $p], keep(sub { grep { matches($p, $_) } @{$_[0]} })) },
		sub { (['--drop', $p], keep(sub { !grep { matches($p, $_) } @{$_[0]} })) },
		sub { (['--module', $p], keep(sub { grep { my $m = module($_); defined $m && matches($p, $m) } @{$_[0]} })) },
		sub { (['--kernel=drop'], keep(sub { !grep { kernel($_) } @{$_[0]} })) },
		sub { (['--kernel=merge'], change(sub { grep { !kernel($_) } @_ })) },
		sub { (['--hide', $p], change(sub { grep { !matches($p, $_) } @_ })) },
		sub { (['--only', $p], change(sub { grep { matches($p, $_) } @_ })) },
		sub { (['--root', 'top'], change(sub { ('top', @_) })) },
		sub { (['--max-depth', $n], change(sub { @_ > $n ? @_[0 .. $n - 1] : @_ })) },
		sub { (['--reverse'], change(sub { reverse @_ })) },
		sub { (['--no-annotations'], change(sub { map { bare($_) } @_ })) },
		sub { (['--rename', 's/a/c/g'], change(sub { map { my $x = $_; $x =~ s/a/c/g; $x } @_ })) },
		sub { (['--rename', 's/^m/zz/'], change(sub { map { my $x = $_; $x =~ s/^m/zz/; $x } @_ })) },
		sub { (['--rename', 's/^.*b$//'], change(sub {
			grep { length } map { my $x = $_; if ($x !~ s/^.*b$//) { my $y = bare($x); if ($y ne $x && $y =~ /b$/) { $x = '' } } $x } @_ })) },
		sub { (['--root-at', $p], change(sub { while (@_ && !matches($p, $_[0])) { shift } @_ })) },
		sub { (['--collapse-recursion'], change(sub { my @o; for (@_) { push @o, $_ unless @o && $o[-1] eq $_ } @o })) },
		sub { (['--collapse-modules'], change(sub {
			my @o;
			my $first = 1;
			for (@_) {
				my $m = module($_);
				if (!defined $m && /_\[i\]/) { $first = 0; next if @o; $m = '[unknown]' }
				$m = '[kernel]' if !defined $m && kernel($_);
				$m = '[jit]' if !defined $m && /_\[j\]/;
				$m = $first ? $_ : '[unknown]' unless defined $m;
				$first = 0;
				push @o, $m unless @o && $o[-1] eq $m;
			}
			@o })) },
		sub { (['--min', $n], sub { grep { $_->[1] >= $n } @_ }) },
		sub { (["--min", "$n%"], sub { my $all = total(@_); grep { $_->[1] * 100 >= $n * $all } @_ }) },
		sub { (['--top', $n], sub {
			my @s = sort { $b->[1] <=> $a->[1] || order($a->[0], $b->[0]) } @_;
			splice @s, $n if @s > $n;
			@s }) },
		sub { (['--min-total', pick($n, "$n%")], undef) },
	);
	my ($args, $f) = pick(@steps)->();
	if (!defined $f) {
		my ($least, $percent) = $args->[1] =~ /^(\d+)(%?)$/;
		$f = sub {
			my (%total, $all);
			$all = total(@_);
			for my $s (@_) {
				my %seen;
				$total{$_} += $s->[1] for grep { !$seen{$_}++ } @{$s->[0]};
			}
			change(sub { grep { $percent ? $total{$_} * 100 >= $least * $all : $total{$_} >= $least } @_ })->(@_);
		};
	}
	return ($args, $f);
}

sub merge {
	my %sum;
	for (@_) {
		my $key = join ';', @{$_->[0]};
		$sum{$key}[0] = $_->[0];
		$sum{$key}[1] += $_->[1];
	}
	return sort { order($a->[0], $b->[0]) } values %sum;
}

sub text { join '', map { join(';', @{$_->[0]}) . " $_->[1]\n" } @_ }

sub spew { my ($file, $text) = @_; open my $f, '>', $file or die; print $f $text; close $f or die }

sub shell { join ' ', map { my $x = $_; $x =~ s/'/'\\''/g; "'$x'" } @_ }

sub shuffled { join '', sort { rand() <=> .5 } map { "$_\n" } split /\n/, shift }

sub profile {
	my $few = 1 + int rand @names;
	return merge(map { [[map { $names[rand $few] } 0 .. rand 6], 1 + int rand 20] } 0 .. rand 25);
}

# Checks that fg-filter with these options prints $want, for each way to read the input.
sub compare {
	my ($case, $options, $input, $want, @hows) = @_;
	for my $how (@hows) {
		my $command = "fg-filter $options $how";
		my $got = `$command 2>&1`;
		next if $got eq $want && $? == 0;
		print "case $case of seed $seed: $command\n", $input, "expected:\n$want", "got:\n$got\n";
		exit 1 if ++$wrong > 3;
	}
}

# One file without labels.
sub one_file {
	my $case = shift;
	my @profile = profile();
	my (@args, @want);
	@want = @profile;
	for (0 .. rand 3) {
		my ($args, $f) = step();
		push @args, @$args;
		@want = merge($f->(@want));
	}
	spew('sorted', text(@profile));
	spew('shuffled', shuffled(text(@profile)));
	compare($case, shell(@args), text(@profile), text(@want), 'sorted', 'shuffled', '<sorted');
}

# Files with labels and time marks; --focus-label, --from and --to.
sub several_files {
	my $case = shift;
	my $timed = rand() < .5;
	my ($from, $to) = map { rand() < .5 ? int rand 5000 : undef } 1, 2;
	my @args = ('--no-labels');
	push @args, '--from', pick($from . 'ms', $from / 1000) if $timed && defined $from;
	push @args, '--to', pick($to . 'ms', $to / 1000 . 's') if $timed && defined $to;
	my @wanted;
	if (rand() < .3) {
		for (0 .. rand 2) {
			my $k = pick(sort keys %values);
			push @wanted, [rand() < .5 ? '!' : '', $k, pick(@{$values{$k}})];
			push @args, pick('--focus-label', '--label'), $wanted[-1][0] . $wanted[-1][1] . '=' . $wanted[-1][2];
		}
	}
	my ($input, @files, @parts) = ('');
	for my $n (0 .. rand 4) {
		$labels = labels();
		my $header = label_lines($labels);
		my ($sorted, $shuffled, @stacks, $time) = ($header, $header);
		for (0 .. ($timed ? rand 4 : 0)) {
			my @step = profile();
			$time = ($time // 0) + int rand 2500;
			my $mark = $timed ? '# time: ' . ($time / 1000) . " s 0\n" : '';
			$sorted .= $mark . text(@step);
			$shuffled .= $mark . shuffled(text(@step));
			next if $timed && (defined $from && $time < $from || defined $to && $time >= $to);
			push @stacks, @step;
		}
		spew("file$n", $sorted);
		spew("mixed$n", $shuffled);
		push @files, $n;
		$input .= "file$n:\n$sorted";
		next if grep { !has_label(@$_[1, 2]) == !$_->[0] } @wanted;
		push @parts, [$labels, merge(@stacks)];
	}
	my (@want, $merged);
	for (0 .. rand 3) {
		local $by_label = !$merged;
		my ($args, $f) = step();
		push @args, @$args;
		if (!$merged && $args->[0] =~ /^--(min|top|min-total)$/) { # needs the stacks of all files
			@want = merge(map { @$_[1 .. $#$_] } @parts);
			$merged = 1;
		}
		if ($merged) {
			@want = merge($f->(@want));
			next;
		}
		for my $part (@parts) {
			$labels = $part->[0];
			@$part = ($labels, $f->(@$part[1 .. $#$part]));
		}
	}
	@want = merge(map { @$_[1 .. $#$_] } @parts) unless $merged;
	compare($case, shell(@args), $input, text(@want), join(' ', map { "file$_" } @files),
		join(' ', map { "mixed$_" } reverse @files), @files == 1 ? '<file0' : ());
}

for my $case (1 .. $cases) {
	$case % 3 ? one_file($case) : several_files($case);
}
