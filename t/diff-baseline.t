#!/bin/sh
# fg-diff --baseline: earlier runs give the noise, so fewer runs a side are needed.
# tier: quick
. "$(dirname "$0")/lib.sh"

# simulate.pl SEED RUNS FIRST-SEED CHANGE PREFIX: runs of 40 functions with little noise.
cat >simulate.pl <<'END'
my ($seed, $runs, $change, $prefix) = @ARGV;
srand $seed;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
for my $r (1 .. $runs) {
	my $machine = exp(0.03 * gauss());
	open my $f, '>', sprintf "%s%02d", $prefix, $r;
	for my $i (0 .. 39) {
		my $mean = ($i == 0 ? 20000 : 80000 / 39) * $machine * exp(0.005 * gauss()) * ($i == 0 ? 1 + $change : 1);
		printf $f "main;f%d %d\n", $i, $mean + sqrt($mean) * gauss();
	}
}
END
mkdir history
perl simulate.pl 1 24 0 history/2026-
perl simulate.pl 2 3 0 b
perl simulate.pl 3 3 0.1 h
verdict() { fg-diff --report=tsv "$@" | awk -F '\t' '$1 == "self" && $10 == "f0" { print $7 }'; }
output 'three quiet runs a side do not show 10 % of a function of 20 %' noise verdict b?? -- h??
output '--baseline with 20 runs: a change of 10 % is real' real verdict --baseline history b?? -- h??
output '--baseline: the report has the number of earlier runs' 1 sh -c \
	'fg-diff --report --baseline history b?? -- h?? | grep -c "by 20 earlier ones (--baseline)"'
output '--baseline-size takes the last by name' 1 sh -c \
	'fg-diff --report --baseline history --baseline-size 5 b?? -- h?? | grep -c "by 5 earlier ones"'
status 'a gate fails' 1 fg-diff -q --baseline history --fail-above 1% b?? -- h??
status 'no change passes' 0 fg-diff -q --baseline history --fail-above 3% b?? -- b?? b??
status 'a threshold below what can be detected is exit status 2' 2 \
	sh -c 'fg-diff -q --baseline history --fail-above 0.001% b?? -- b?? b?? 2>why'
check 'a threshold that cannot be detected: the runs needed are reported' grep -Eq 'record [0-9]+ runs a side|more than 1000 runs' why
mkdir one
cp b01 one
fg-diff --report --baseline one b?? -- h?? >/dev/null 2>why
check '--baseline with one run is refused' grep -q '^fg-diff: one: 1 earlier run; at least two are needed' why
status 'a baseline that is not there' 2 fg-diff --report --baseline nowhere b?? -- h??
status '--baseline without a report' 2 fg-diff --baseline history b?? -- h??
printf '# unit: bytes 0\nmain 5\n' | tee one/x >one/y
printf '# unit: ns 0\nmain;a 500\n' >ns
status 'a baseline in another unit' 2 fg-diff --report --baseline one ns ns

# A regression in the middle of main's history does not hide another one.
mkdir steps
perl simulate.pl 4 10 0 steps/1-
perl simulate.pl 5 10 0.3 steps/2-
perl simulate.pl 6 3 0.3 c
perl simulate.pl 7 3 0.43 d
output 'a step in the history does not hide a regression' real verdict --baseline steps c?? -- d??

# No function is reported where nothing changed.
alarms=0
for seed in 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	perl simulate.pl $seed 3 0 p
	perl simulate.pl 9$seed 3 0 q
	fg-diff -q --report=tsv --baseline history p?? -- q?? | awk -F '\t' '$7 == "real" { n++ } END { exit n > 0 }' || alarms=$((alarms + 1))
done
[ $alarms -le 1 ] && ok "no function is named in $((20 - alarms)) of 20 comparisons without a change" ||
	not_ok "no function is named in $((20 - alarms)) of 20 comparisons without a change"
done_testing
