#!/bin/sh
# fg-diff's hint at renamed functions: the same callers, callees and cost. Other pairs of a removed
# and a new function are not called renamed. Each program has other names and costs.
# tier: quick
. "$(dirname "$0")/lib.sh"

# rename.pl KIND SEED: files b and h of a program; prints the function that is gone and the new one.
cat >rename.pl <<'PERL'
use strict;
my ($kind, $seed) = @ARGV;
srand $seed;
my @syllable = qw(ba do ke li mu no ra si tu ve wo za);
my %used;
sub word { for (;;) { my $w = join '', map { $syllable[rand @syllable] } 1 .. 2 + rand 2; return $w unless $used{$w}++ } }
my ($caller, $other, $callee, $third, $old, $new, $second) = map { word() } 1 .. 7;
my %b = map { $_->[0] => $_->[1] } map { ["main;" . word() . ";" . word(), 2000 + int rand 2000] } 1 .. 12;
$b{"main;$_"} = 500 + int rand 500 for $caller, $other;
$b{"main;$caller;$callee"} = $b{"main;$other;$third"} = 400; # both sides have the callees
my %h = %b;
my ($self, $below) = (1500 + int rand 1500, 6000 + int rand 1000);
my ($cost, $at, $calls) = (1, $caller, $callee);
$at = $other if $kind eq 'caller';
$calls = $third if $kind eq 'callee';
$cost = 2 if $kind eq 'cost';
$b{"main;$caller;$old"} = $self;
$b{"main;$caller;$old;$callee"} = $below;
my $leaf = $kind =~ /^leaf/;
$h{"main;$at;$new"} = int($cost * $self);
$h{"main;$at;$new;$calls"} = int($cost * $below);
if ($leaf) { # without callees; 3 % dearer, and of a similar name or of another one
	delete @b{"main;$caller;$old;$callee", "main;$caller;$old"};
	delete @h{"main;$at;$new;$calls", "main;$at;$new"};
	$new = $kind eq 'leaf-like' ? "${old}_fast" : 'xy' . reverse $new;
	$b{"main;$caller;$old"} = $self;
	$h{"main;$caller;$new"} = int(1.03 * $self);
}
if ($kind eq 'two') {
	$h{"main;$caller;$second"} = $self + 10;
	$h{"main;$caller;$second;$callee"} = $below - 10;
}
for (['b', \%b], ['h', \%h]) {
	open my $to, '>', $_->[0];
	my $side = $_->[1];
	print $to "# unit: Ir 0\n", map { "$_ $side->{$_}\n" } sort keys %$side;
}
print "$old $new\n";
PERL

renamed='' worse='' headline=''
for seed in 1 2 3 4 5 6 7 8 9 10; do
	read -r old new <<END
$(perl rename.pl same $seed)
END
	fg-diff -q --report b h 2>&1 | grep -q "^Perhaps $old, now $new (same callers, similar cost)" || renamed="$renamed $seed"
	fg-diff -q --fail-above 1% b h >d 2>&1 || worse="$worse $seed"
	fg-diff -q --report b h 2>&1 | head -1 | grep -qx 'NO CHANGE: no function changed, and 1 was perhaps renamed.' ||
		headline="$headline $seed"
done
check 'a function of the same callers, callees and cost is called renamed' test -z "$renamed"
check 'a renamed function does not fail' test -z "$worse"
check 'NO CHANGE: a function with another name and the same cost' test -z "$headline"
renamed='' headline=''
for seed in 1 2 3 4 5 6 7 8 9 10; do
	read -r old new <<END
$(perl rename.pl leaf-like $seed)
END
	fg-diff -q --report b h >r 2>&1
	grep -q "^Perhaps $old, now $new (same callers, similar cost)" r || renamed="$renamed $seed"
	head -1 r | grep -qx "CHANGED: 1 function changed, most of all $new." || headline="$headline $seed"
done
check 'a function without callees, of a similar name, is called renamed' test -z "$renamed"
check 'a renamed function that costs more is one change, by its new name' test -z "$headline"
for kind in caller callee cost two leaf-other; do
	bad=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		perl rename.pl $kind $seed >pair
		fg-diff -q --report b h >r 2>&1
		grep -q '^Perhaps' r && bad="$bad $seed"
	done
	case $kind in
	caller) name='another caller' ;;
	callee) name='another callee' ;;
	cost) name='twice the cost' ;;
	two) name='two candidates' ;;
	leaf-other) name='no callee, and another name,' ;;
	esac
	check "a new function with $name is not called renamed" test -z "$bad"
done
done_testing
