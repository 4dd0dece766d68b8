#!/bin/sh
# fg-diff's gate: a regression fails, and improvements, renames and moves do not. Each rule is
# tested on ten programs with other functions and shares; the seeds make them the same each time.
# tier: quick
. "$(dirname "$0")/lib.sh"

gate=$here/diff-gate.pl

# Exact values: the output lists wrong answers.
for kind in grow new slower beside renamed-too removed-too; do
	output "exact values: $kind fails" '' perl "$gate" fg-diff 1 10 $kind exact
done
for kind in faster cheaper helper removed rename wrap inline split caller under part hoist; do
	output "exact values: $kind does not fail" '' perl "$gate" fg-diff 1 10 $kind exact
done

# programs.pl KIND SEED: five runs a side, of a machine whose speed varies.
cat >programs.pl <<'PERL'
use strict;
my ($kind, $seed) = @ARGV;
srand $seed;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my %used;
sub word { for (;;) { my $w = join '', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 3; return $w unless $used{$w}++ } }
my ($root, $p, $f, $g, $x, $y, $new, $old) = map { word() } 1 .. 8;
my (%b, %h, $cv);
$cv = 0.02;
if ($kind eq 'beside') {
	$cv = 0.01;
	%b = ("$root;main;$p;$f" => 400, "$root;main;$p;$g" => 400, "$root;main;$x" => 900, "$root;main;$y" => 500 + int rand 300);
	%h = (%b, "$root;main;$p;$f" => 600, "$root;main;$p;$g" => 200);
} elsif ($kind eq 'moved') {
	$cv = 0.05 * (1 + $seed % 4);
	%b = ("$root;main;$p;$old;$f" => 400, "$root;main;$p;$old;$g" => 500, "$root;main;$p;$x" => 500, "$root;main;$p;$y" => 500);
	%h = %b;
	$h{"$root;main;$new;$f"} = delete $h{"$root;main;$p;$old;$f"};
} elsif ($kind eq 'hot') {
	$cv = 0.01;
	%b = ("$root;main;$f" => 9800, map { ("$root;main;" . word() => 10) } 1 .. 20);
	%h = (%b, "$root;main;$f" => 9800 * 1.3);
} elsif ($kind eq 'rebuilt') {
	my @at = map { 4096 + 64 * int rand 9000 } 1 .. 8;
	my @path = ("$root;$root+0x%x", map { "$root;$root+0x%x;$root+0x%x" } 1 .. 7);
	for my $side (0, 1) {
		for my $i (0 .. 7) {
			my @frames = $i == 0 ? ($at[0]) : ($at[0], $at[$i]);
			($side ? \%h : \%b)->{sprintf $path[$i], map { $_ + 64 * $side } @frames} = 100 + 150 * $i;
		}
	}
} elsif ($kind eq 'cheaper' || $kind eq 'costlier') {
	%b = ("$root;main;$f;$old" => 240, "$root;main;$g" => 400, "$root;main;$x" => 100);
	%h = %b;
	delete $h{"$root;main;$f;$old"};
	$h{"$root;main;$f;$new"} = $kind eq 'cheaper' ? 120 + 10 * $seed : 360 + 10 * $seed;
}
for my $side ('b', 'h') {
	my $of = $side eq 'b' ? \%b : \%h;
	for my $r (1 .. 5) {
		my $machine = exp($cv * gauss());
		open my $file, '>', "$side$r";
		print $file "# unit: samples 0\n# period: 1003009 ns 0\n";
		print $file "# label: build-id=$root:", $side eq 'b' ? 'aaaa' : 'bbbb', " 0\n" if $kind eq 'rebuilt';
		for (sort keys %$of) {
			my $mu = $of->{$_} * $machine;
			printf $file "%s %d\n", $_, $mu + sqrt($mu) * gauss() + 0.5;
		}
	}
}
open my $names, '>', 'names';
print $names "$f\n";
PERL

# all KIND NAME TEST...: TEST holds for programs 1 to 10; it has the first line of the answer as $1
# and the changed function as $2.
all() {
	kind=$1 name=$2 bad=
	shift 2
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		perl programs.pl "$kind" $seed
		answer=$(fg-diff --fail-above 3% b? -- h? 2>&1 >/dev/null | head -1)
		"$@" "$answer" "$(cat names)" || bad="$bad $seed"
	done
	check "$name" test -z "$bad" || echo "# seeds:$bad: $answer"
}
fails_by() { case $1 in "FAIL: total of $2 +"*) ;; *) false ;; esac; }
does_not_fail() { case $1 in PASS:* | CANNOT*) ;; *) false ;; esac; }
all beside 'a function that grows beside one that shrinks as much fails, and is named' fails_by
all moved 'cost below a new caller does not fail on a machine with other speeds' does_not_fail
all cheaper 'a callee that is replaced by a cheaper one does not fail' does_not_fail
all costlier 'a callee that is replaced by a costlier one fails, by its caller' fails_by
all rebuilt 'a program without symbols that was rebuilt does not fail' does_not_fail
all hot 'a function with 98 % that grows is named' fails_by

# The limit that a comparison can judge.
perl programs.pl beside 3
fg-diff --fail-above 0.5% b? -- b1 b2 b3 b4 b5 >/dev/null 2>r
check 'the limit that can be judged is stated' grep -q '^[0-9]* % can be judged here; [0-9]* runs a side would judge 0.5 %$' r
status '--fail-above=auto fails above that limit' 1 fg-diff -q --fail-above=auto b? -- h?
fg-diff --fail-above=auto --require-power b? -- b1 b2 b3 b4 b5 >/dev/null 2>r
check '--fail-above=auto passes with power' grep -q '^PASS: nothing grew by more than [0-9]* %' r
status '--fail-above=self:auto is not a limit' 2 fg-diff --fail-above self:auto b1 h1

# The order of a side's files does not change a report.
for format in json tsv; do
	fg-diff -q --report=$format b1 b2 b3 b4 b5 -- h1 h2 h3 h4 h5 >one
	fg-diff -q --report=$format b4 b2 b5 b1 b3 -- h5 h3 h1 h2 h4 >other
	check "$format: any order of the files of a side gives the same bytes" cmp -s one other
done
done_testing
