#!/bin/sh
# fg-diff on simulated benchmarks: refactorings pass the gate and regressions fail it, also if most
# of the program changed; unchanged functions are not reported.
# tier: quick
. "$(dirname "$0")/lib.sh"

# simulate.pl SHAPE SEED RUNS SAMPLES COMMON OWN: files b1... and h1...; runs vary by COMMON as a
# whole and by OWN in each function.
cat >simulate.pl <<'END'
my ($shape, $seed, $n, $samples, $common, $own) = @ARGV;
srand $seed;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my %b = ('main;init' => .03, 'main;work;parse' => .05, 'main;work;calc' => .30, 'main;work;calc;mul' => .2,
	'main;work;sort' => .12, 'main;work;sort;cmp' => .1, 'main;work' => .05);
$b{"main;work;lib;sym$_"} = .01 for 1 .. 15;
%b = map { ("main;f$_" => .02) } 1 .. 50 if $shape =~ /^(sixty|seventy|all)$/;
%b = ('main;hot' => .85, map { ("main;f$_" => .015) } 1 .. 10) if $shape eq 'hot';
%b = ('main;x' => .1, 'main;y' => .9) if $shape eq 'few';
%b = ('main;body;issue' => .06, 'main;body' => .13, 'main;tail' => .5, 'main' => .31) if $shape eq 'library';
my %h = %b;
if ($shape eq 'extract') { $h{'main;work;parse'} = .03; $h{'main;work;parse_help'} = .02 }
if ($shape eq 'split') { $h{'main;work;parse'} = .02; $h{'main;work;parse;helper'} = .03 }
if ($shape eq 'rename') { $h{"main;work;lib;v2_sym$_"} = delete $h{"main;work;lib;sym$_"} for 1 .. 15 }
if ($shape eq 'inline') { $h{'main;work;calc'} += delete $h{'main;work;calc;mul'} }
if ($shape eq 'wrap') { for (grep /sort/, keys %b) { my $v = delete $h{$_}; (my $k = $_) =~ s/;sort/;wrap;sort/; $h{$k} = $v } }
if ($shape eq 'slow') { $h{'main;work;parse'} *= 2 }
if ($shape eq 'little') { $h{'main;work;fresh'} = .02 }
if ($shape eq 'new') { $h{'main;work;fresh'} = .05 }
if ($shape eq 'swap') { $h{'main;work;parse'} += .04; $h{'main;init'} = 0; $h{'main;work;sort'} -= .01 }
if ($shape eq 'hot') { $h{'main;hot'} *= 1.3 }
if ($shape eq 'sixty') { $h{"main;f$_"} *= 1.5 for 1 .. 30 }
if ($shape eq 'seventy') { $h{"main;f$_"} *= 1.5 for 1 .. 35 }
if ($shape eq 'all') { $_ *= 1.2 for values %h }
if ($shape eq 'few') { $h{'main;x'} *= 9 }
if ($shape eq 'library') { $h{"main;body;issue;regexec;re$_"} = 1.07 / 7 for 1 .. 7 }
for my $side ('b', 'h') {
	for my $r (1 .. $n) {
		my $machine = exp($common * gauss());
		my $p = $side eq 'b' ? \%b : \%h;
		open my $f, '>', "$side$r";
		for (sort keys %$p) {
			my $mean = $samples * $p->{$_} * $machine * exp($own * gauss());
			my $v = int($mean + sqrt($mean) * gauss() + 0.5);
			print $f "$_ $v\n" if $v > 0;
		}
	}
}
END
simulate() { rm -f b? h?; perl simulate.pl "$@"; }

# gates OPTIONS SHAPE...: exit statuses of three simulations of 5 v 5 runs.
gates() {
	shape=$1
	shift
	for seed in 1 2 3; do
		simulate "$shape" $seed 5 3000 0.05 0.02
		fg-diff -q "$@" b? -- h? >/dev/null 2>&1
		printf '%s ' $?
	done
	echo
}
for shape in split rename inline wrap; do
	output "gate: $shape moves cost and passes" '0 0 0 ' gates $shape --fail-above 1%
done
output 'gate: a small function extracted below a caller of nearly everything passes' '0 0 0 ' gates extract --fail-above 1%
# many SHAPE SAMPLES: how many of 40 simulations fail. About 1 in 100 totals does by chance.
many() {
	rejected=0
	for seed in $(seq 1 40); do
		simulate "$1" "$seed" 5 "$2" 0.05 0.02
		fg-diff -q --fail-above 1% b? -- h? >/dev/null 2>&1
		[ $? = 1 ] && rejected=$((rejected + 1))
	done
	echo "$rejected"
}
at_most() { limit=$1; shift; rejections=$("$@"); echo "$rejections of 40"; [ "$rejections" -le "$limit" ]; }
check 'gate: 60 of 150 samples extracted: at most 2 of 40 fail' at_most 2 many extract 3000
check 'gate: 20 of 50 samples extracted: at most 5 of 40 fail' at_most 5 many extract 1000
output 'gate: a new function of 20 samples always fails' 40 many little 1000
output 'gate: a function twice as slow fails' '1 1 1 ' gates slow --fail-above 1%
output 'gate: a new function of 5 % fails' '1 1 1 ' gates new --fail-above 1%
output 'gate: an improvement elsewhere does not excuse a regression' '1 1 1 ' gates swap --fail-above 1%
output 'gate: seven functions of a new library fail' '1 1 1 ' gates library --fail-above 3%
output 'gate: seven functions of a new library fail, as shares' '1 1 1 ' gates library -n --fail-above 3%

# named SLOWER FASTER: the numbers of functions beyond noise.
named() {
	fg-diff -q --report=tsv "$@" b? -- h? | awk -F '\t' '$1 == "self" && $7 == "real" { n[$4 > 0]++ }
		END { print n[1] + 0, n[0] + 0 }'
}
simulate library 4 5 3000 0.05 0.02
output 'new functions do not make unchanged ones faster' '7 0' named
output 'new functions do not make unchanged ones faster, as shares' '7 0' named -n
simulate sixty 1 5 20000 0.003 0.003
output '60 % of the program slower by one factor: no unchanged function is faster' 0 sh -c \
	"fg-diff -q --report=tsv b? -- h? | awk -F '\t' '\$1 == \"self\" && \$7 == \"real\" && \$4 < 0' | wc -l | tr -d ' '"
simulate seventy 1 5 20000 0.003 0.003
output '70 % of the program slower: no function is named' '0 0' named
output '70 % of the program slower: the gate fails for the profile total' 'FAIL: the profile total' sh -c 'fg-diff -q --report --fail-above 3% b? -- h? 2>&1 >/dev/null | head -1 | cut -c1-23'
simulate hot 1 5 20000 0.003 0.003
output 'a function of 85 % that grows by 30 % is named' '1 0' named
output '-n refuses where too little is unchanged' 2 sh -c 'fg-diff -q -n --fail-above 3% b? -- h? >/dev/null 2>why; echo $?'
check '-n: the reason of the refusal' grep -q 'shares cannot be compared' why
simulate few 1 5 20000 0.003 0.003
output 'one of two functions nine times as large: only that one is reported' '1 0' named
simulate all 1 5 2000000 0.0002 0.0001
output 'all functions slower by 20 %: the profile total is real' 'real' \
	sh -c "fg-diff -q --report=tsv b? -- h? | awk -F '\t' '\$1 == \"whole\" { print \$7 }'"

# An interval excludes 0 if and only if the verdict is real.
simulate library 7 3 2000 0.1 0.05
fg-diff -q --report=tsv b? -- h? >tsv
simulate swap 8 5 2000 0.1 0.05
fg-diff -q --report=tsv b? -- h? >>tsv
output 'intervals and verdicts agree' '' awk -F '\t' '($1 == "self" || $1 == "total") && $12 != "" {
	zero = $12 <= 0 && ($13 == "" || $13 >= 0)
	if (($7 == "real") == zero) print }' tsv

# Three runs a side that are completely separate: the profile total is judged by its own scatter.
for n in 168 175 182 198 206 214; do
	printf 'main;a %d\nmain;b %d\n' $((n * 2 / 5)) $((n - n * 2 / 5)) >total.$n
done
status 'three separate runs a side: the gate fails' 1 \
    fg-diff --fail-above 3% total.168 total.175 total.182 -- total.198 total.206 total.214
status 'three runs a side that overlap: the gate does not fail' 0 \
    fg-diff --fail-above 3% total.168 total.182 total.206 -- total.175 total.198 total.214
# One dominant function whose runs differ, and small ones: shares have no scale, nothing changed
awk 'BEGIN {
	n = split("900 1100 700 1300 950 1000 1200 800 900 700", hot)
	for (r = 1; r <= n; r++) {
		file = r <= 5 ? "dom.b." r : "dom.h." r - 5
		print "# unit: samples 0\nmain;hot " hot[r] >file
		for (k = 1; k <= 10; k++)
			print "main;f" k " " 8 + (r * 7 + k * 5) % 6 >file
	}
}'
fg-diff -q --report -n dom.b.? -- dom.h.? >got
status '-n with one dominant function that is noise is exit status 0' 0 fg-diff -q --report -n dom.b.? -- dom.h.?
check '-n: no function is called noise in one place and changed in another' sh -c \
	'grep -q "no function changed beyond noise" got && ! grep -q "is unchanged" got && grep -q "noise .* hot$" got'

# A function with nearly all of the total grows: ten programs with other names and shares. It is
# named, by the gate and by the table; the others are not.
# dominant SEED CHANGE RUNS: runs b.* and h.* of a program whose function hot_SEED has 90 to 99 %
dominant() {
	rm -f b.* h.*
	perl -e 'my ($seed, $change, $runs) = @ARGV;
		my $x = $seed * 7919 + 13;
		sub uniform { $x = ($x * 1103515245 + 12345) % 2147483648; $x / 2147483648 }
		sub normal { my $s = -6; $s += uniform() for 1 .. 12; $s }
		my ($hot, $n, $samples) = (0.9 + 0.09 * uniform(), 5 + int(25 * uniform()), 1500 + 2000 * uniform());
		for my $side (qw(b h)) { for my $run (1 .. $runs) {
			my $speed = exp(0.01 * normal());
			open my $f, ">", "$side.$run" or die;
			print $f "# unit: samples 0\n";
			for my $k (0 .. $n) {
				my $mean = $samples * $speed * ($k ? (1 - $hot) / $n : $hot * ($side eq "h" ? $change : 1));
				my $v = int($mean + sqrt($mean) * normal() + 0.5);
				print $f "main;", ($k ? "f${k}_$seed" : "hot_$seed"), " $v\n" if $v > 0;
			}
		} }' "$@"
}
for seed in 1 2 3 4 5 6 7 8 9 10; do
	dominant $seed 1.3 5
	fg-diff -q --report=markdown --fail-above 3% b.? -- h.? 2>got >stacks
	check "program $seed: the gate names the dominant function that grew by 30 %" \
		grep -q "^\*\*FAIL\*\*: total of .hot_$seed. +" got
	check "program $seed: the headline has it" grep -q "^- .hot_$seed." got
	output "program $seed: the table has only it" "hot_$seed real" sh -c \
		"fg-diff -q --report=tsv b.? -- h.? | awk -F '\t' '\$1 == \"self\" && \$7 == \"real\" { print \$10, \$7 }'"
	dominant $seed 1 5
	check "program $seed without a change: no function is named" sh -c \
		"! fg-diff -q --report=tsv b.? -- h.? | awk -F '\t' '\$1 == \"self\"' | grep -q real"
done

done_testing
