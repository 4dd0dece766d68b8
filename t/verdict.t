#!/bin/sh
# Equal verdicts: fg-diff's report and gate, its noise column, fg-render's text and the viewer's
# summary name the same functions, for random pairs of profiles.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Lines of FILE SEED RUN FACTOR on standard input: a profile of 4000 samples of 25 functions with up
# to four callers each. A random fifth of the functions has FACTOR times the cost, or one FACTOR-th.
# Values scatter around their means.
cat >profiles.pl <<'END'
while (<STDIN>) {
	my ($file, $seed, $run, $factor) = split;
	my $samples = 4000;
	open my $out, '>', $file or die "$file: $!";
	srand $seed;
	my @share = map { rand() ** 3 + 0.01 } 1 .. 25;
	my @changed = map { rand() < 0.2 ? (rand() < 0.5 ? $factor : 1 / $factor) : 1 } 1 .. 25;
	my @callers = map { [map { 'c' . int rand 6 } 0 .. int rand 4] } 1 .. 25;
	my $sum = 0;
	$sum += $_ for @share;
	srand $seed * 1000 + $run;
	my $machine = 1 + 0.1 * (rand() - 0.5);
	for my $i (0 .. 24) {
		my $mean = $samples * $share[$i] / $sum * $changed[$i] * $machine;
		my $v = $mean;
		$v += sqrt($mean) * (rand() - 0.5) for 1 .. 12;
		my $n = @{$callers[$i]};
		for my $k (0 .. $n - 1) {
			my $part = int($v / $n + rand);
			# Some functions have compiler clones (.part.N), some have varying lines.
			my $name = $i % 7 == 3 ? "f$i.part.$k" : $i % 7 == 5 ? "f$i (a.c:" . ($run + $k) . ')' : "f$i";
			print $out "main;$callers[$i][$k];$name $part\n" if $part > 0;
		}
	}
}
END

# Functions that a report calls beyond noise, with the direction.
named_report() { awk -F '\t' '$1 == "self" && $7 == "real" { print $10, ($4 > 0 ? "+" : "-") }' "$1" | sort; }
# Functions in fg-render's sentences, with the direction; few enough for all to be listed.
named_markdown() {
	perl -ne 'next unless /^- (Slower|Faster): /; my $d = $1 eq "Slower" ? "+" : "-";
		while (/`([^`]*)` (?:\+|\xe2\x88\x92)/g) { my $n = $1; $n =~ s/\.part\.\d+$//; print "$n $d\n" }' "$1" | sort
}
# Functions with a stack that the noise column leaves unmarked.
named_column() {
	perl -ne 'next if /^#/; my ($stack, $b, $h, $noise) = /^(.*) (\S+) (\S+) (\S+)$/ or next;
		next if $noise || $b == $h; $stack =~ s/.*;//; $stack =~ s/ \(.*//; $stack =~ s/\.part\.\d+$//;
		$d{$stack} = 1; END { print "$_\n" for sort keys %d }' "$1"
}
same_names() { cmp -s "$1" "$2" || { good=0; echo "# pair $seed: $3"; diff "$1" "$2" | sed 's/^/# /'; }; }
# fg-render's sentences name the largest of fg-diff's functions, and no others.
subset() { [ -z "$(comm -13 "$1" "$2")" ] || { good=0; echo "# pair $seed: $3: $(comm -13 "$1" "$2" | head -3)"; }; }

# The pair of a seed: the factor of its changes, and its runs.
pair() {
	case $(($1 % 3)) in
	0) factor=1 runs=1 ;;
	1) factor=6 runs=1 ;;
	2) factor=2.5 runs='1 2 3' ;;
	esac
}
for seed in $(seq 1 60); do
	pair $seed
	for r in $runs; do
		echo "b$seed.$r $seed $r 1"
		echo "h$seed.$r $seed 10$r $factor"
	done
done | perl profiles.pl
good=1 named=0 compared=0
for seed in $(seq 1 60); do
	pair $seed
	base='' head=''
	for r in $runs; do
		base="$base b$seed.$r" head="$head h$seed.$r"
	done
	fg-diff -q --report=tsv $base -- $head >tsv
	fg-diff -q --mark-noise $base -- $head >marked
	named_report tsv >want
	cut -d' ' -f1 want | sort >names
	named_column marked >column
	same_names names column 'the noise column and the report'
	fg-render -T markdown marked >text
	named_markdown text >got
	subset want got 'text from the noise column'
	[ -s want ] && [ ! -s got ] && { good=0; echo "# pair $seed: text from the column names nothing"; }
	if [ "$runs" = 1 ]; then
		fg-diff -q $base $head | fg-render -T markdown >plain
		sed 1d text >text1
		sed 1d plain >plain1
		same_names text1 plain1 'text with and without a noise column'
	else
		fg-diff -q $base -- $head | fg-render -T markdown >plain
		grep -q '^- Largest .*not tested' plain && ! grep -q '^- \(Slower\|Faster\)' plain ||
			{ good=0; echo "# pair $seed: several runs without a noise column have a verdict"; }
	fi
	fg-diff --fail-above self:0% $base -- $head >/dev/null 2>gate
	failed=$?
	grep -q ' +$' want && slower=1 || slower=0
	# The gate passes if the cost only moved, and it reports that.
	[ $failed = $slower ] || grep -q moved gate || { good=0; echo "# pair $seed: the gate exits $failed"; }
	compared=$((compared + 1))
	named=$((named + $(wc -l <want)))
done
[ $good = 1 ] && [ $named -ge 60 ] && ok "report, gate, noise column and text agree over $compared pairs ($named changes)" ||
	not_ok "report, gate, noise column and text agree over $compared pairs ($named changes)"

# The viewer's sentences equal those of the text.
fg-render marked >svg
perl -MMIME::Base64 -0777 -ne 'print decode_base64($1) if /data-of="summary">([A-Za-z0-9+\/=\s]+)/' svg |
	gzip -dc 2>gzip.err >sentences
if [ -s sentences ]; then
	verdicts() { grep -oE 'Slower|Faster|(is (slower|faster) )?beyond noise|changed within noise'; }
	output "the viewer's summary has the sentences of -T markdown" "$(verdicts <text)" \
		sh -c "grep -oE 'Slower|Faster|(is (slower|faster) )?beyond noise|changed within noise' sentences"
else
	not_ok "the viewer's summary has the sentences of -T markdown"
	head -c 200 gzip.err
fi

# Random halves of one profile: no change.
alarms='' pairs=100
perl -e 'for my $seed (1 .. shift) {
	srand $seed;
	open my $base, ">", "b$seed" or die;
	open my $head, ">", "h$seed" or die;
	for my $i (1 .. 60) {
		my ($n, $b) = (int(9000 / $i), 0); $b += rand() < 0.5 for 1 .. $n;
		print $base "main;f$i $b\n"; print $head "main;f$i ", $n - $b, "\n" } }' $pairs
for seed in $(seq 1 $pairs); do
	b=b$seed h=h$seed
	fg-diff -q --mark-noise $b $h >marked
	fg-diff -q $b $h >plain
	fg-diff -q --report=tsv $b $h | named_report /dev/stdin >r
	for f in marked plain; do fg-render -T markdown $f; done | named_markdown /dev/stdin >t
	[ -s r ] || [ -s t ] && alarms="$alarms $seed"
done
[ "$(echo $alarms | wc -w)" -le 1 ] && ok "random halves of a profile name a function in at most 1 % of $pairs, in every output" ||
	not_ok "random halves of a profile name a function in at most 1 % of $pairs, in every output:$alarms"
done_testing
