#!/bin/sh
# Equal verdicts: fg-diff's report and gate, its noise column, fg-render's text and colours and the
# viewer's summary name the same functions, for random pairs of profiles.
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

# Reads the outputs for the pairs of "SEED RUNS STATUS-OF-THE-GATE" on standard input: tsv.SEED,
# marked.SEED, text.SEED, plain.SEED and gate.SEED. Prints each contradiction, or with -n only the
# seeds whose outputs name a function; last, how many functions the reports name.
cat >compare.pl <<'END'
my $only = @ARGV && $ARGV[0] eq '-n';
my $all = 0;
sub content { open my $f, '<', $_[0] or die "$_[0]: $!"; return <$f> }
# Functions that a report calls beyond noise, with the direction.
sub report {
	map { my @field = split /\t/; $field[0] eq 'self' && $field[6] eq 'real' ?
		($field[9] =~ s/\n//r . ($field[3] > 0 ? ' +' : ' -')) : () } @_;
}
# Functions in fg-render's sentences, with the direction; few enough for all to be listed.
sub sentences {
	map { my $d = /^- Slower: / ? '+' : /^- Faster: / ? '-' : '';
		$d ? map { s/\.part\.\d+$//r . " $d" } /`([^`]*)` (?:\+|\xe2\x88\x92)/g : () } @_;
}
# Functions with a stack that the noise column leaves unmarked.
sub column {
	map { my ($stack, $b, $h, $noise) = /^(?!#)(.*) (\S+) (\S+) (\S+)$/;
		!defined $stack || $noise || $b == $h ? () :
			$stack =~ s/.*;//r =~ s/ \(.*//r =~ s/\.part\.\d+$//r } @_;
}
sub set { my %s = map { ($_, 1) } @_; return join ', ', sort keys %s }
while (<STDIN>) {
	my ($seed, $runs, $failed) = split;
	my @want = report(content("tsv.$seed"));
	my @text = content("text.$seed");
	my @got = sentences(@text);
	my @plain = content("plain.$seed");
	if ($only) {
		print "$seed\n" if @want || @got || sentences(@plain);
		next;
	}
	$all += @want;
	my $differs = sub { print "pair $seed: @_\n" };
	my ($names, $column) = (set(map { s/ .$//r } @want), set(column(content("marked.$seed"))));
	$differs->("the report names $names, the noise column $column") if $names ne $column;
	# fg-render's sentences name the largest of fg-diff's functions, and no others.
	my %want = map { ($_, 1) } @want;
	my @others = grep { !$want{$_} } @got;
	$differs->("the text from the noise column names @others") if @others;
	$differs->('the text from the noise column names nothing') if @want && !@got;
	shift @plain, shift @text if $runs == 1;
	$differs->('text with and without a noise column') if $runs == 1 && "@text" ne "@plain";
	$differs->('several runs without a noise column have a verdict')
		if $runs > 1 && (!grep(/^- Largest .*not tested/, @plain) || grep(/^- (Slower|Faster)/, @plain));
	# The gate passes if the cost only moved, and it reports that.
	my $slower = grep(/ \+$/, @want) ? 1 : 0;
	$differs->("the gate exits $failed") if $failed != $slower && !grep /moved/, content("gate.$seed");
}
print "$all\n" unless $only;
END

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
for seed in $(seq 1 60); do
	pair $seed
	base='' head='' n=0
	for r in $runs; do
		base="$base b$seed.$r" head="$head h$seed.$r" n=$((n + 1))
	done
	fg-diff -q --report=tsv $base -- $head >tsv.$seed
	fg-diff -q --mark-noise $base -- $head >marked.$seed
	fg-render -T markdown marked.$seed >text.$seed
	fg-diff -q $base -- $head >plain
	fg-render -T markdown plain >plain.$seed
	if [ "$n" = 1 ] && [ "$seed" -le 30 ]; then
		fg-render marked.$seed >marked.svg
		fg-render plain >plain.svg
		# the header is the input's, for stacks that the viewer saves
		for f in plain marked; do grep -vE '^"(judged|header)":' $f.svg >$f; done
		cmp -s plain marked || echo $seed >>differ
		grep -q '<path class="d[0-3]" stroke="#[0-9a-f]*" d=' plain.svg && echo $seed >>coloured # not a swatch
		grep -q '^self.*	real	' tsv.$seed && echo $seed >>changed
	fi
	fg-diff --fail-above self:0% $base -- $head >/dev/null 2>gate.$seed
	echo "$seed $n $?"
done | perl compare.pl >compared
named=$(tail -n 1 compared)
sed '$d' compared >"$tmp/.said"
what="report, gate, noise column and text agree over 60 pairs ($named changes)"
if [ ! -s "$tmp/.said" ] && [ "$named" -ge 60 ]; then ok "$what"; else not_ok "$what"; fi

check 'fg-render writes the same picture with and without a noise column' test ! -e differ
check 'some pairs have a change' test "$(wc -l <changed)" -ge 8
same 'frames have a colour only where a function changed beyond noise' changed coloured

# One function is significantly faster; most others are slower by less than noise.
perl -e 'print "# columns: base head noise\nm;fast 9000 100 0\n"; print "m;s$_ 1000 1400 1\n" for 1 .. 30' |
	fg-render -T flame --width 200 >out
check 'a frame is not slower if only a faster function is beyond noise' sh -c \
	'grep -q "▼ fast" out && ! grep -q "▲ all\|▲ m" out'

# The viewer's sentences equal those of the text.
fg-render marked.60 >svg
perl "$here/decode.pl" summary <svg >sentences 2>decode.err
if [ -s sentences ]; then
	verdicts() { grep -oE 'Slower|Faster|(is (slower|faster) )?beyond noise|changed within noise'; }
	output "the viewer's summary has the sentences of -T markdown" "$(verdicts <text.60)" \
		sh -c "grep -oE 'Slower|Faster|(is (slower|faster) )?beyond noise|changed within noise' sentences"
else
	not_ok "the viewer's summary has the sentences of -T markdown"
	head -c 200 decode.err
fi

# Random halves of one profile: no change.
pairs=100
perl -e 'for my $seed (1 .. shift) {
	srand $seed;
	open my $base, ">", "b$seed" or die;
	open my $head, ">", "h$seed" or die;
	for my $i (1 .. 60) {
		my ($n, $b) = (int(9000 / $i), 0); $b += rand() < 0.5 for 1 .. $n;
		print $base "main;f$i $b\n"; print $head "main;f$i ", $n - $b, "\n" } }' $pairs
for seed in $(seq 1 $pairs); do
	fg-diff -q --report=tsv b$seed h$seed >tsv.$seed
	fg-diff -q --mark-noise b$seed h$seed | fg-render -T markdown >text.$seed
	fg-diff -q b$seed h$seed | fg-render -T markdown >plain.$seed
	echo "$seed 1 0"
done | perl compare.pl -n >alarms
what="random halves of a profile name a function in at most 1 % of $pairs, in every output"
if [ "$(wc -l <alarms)" -le 1 ]; then ok "$what"; else not_ok "$what: $(tr '\n' ' ' <alarms)"; fi
done_testing
