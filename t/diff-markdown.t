#!/bin/sh
# fg-diff --report=markdown: the text of a pull request comment.
# tier: quick
. "$(dirname "$0")/lib.sh"

# A library call in a new function of the program: three runs a side.
cat >simulate.pl <<'END'
my ($side, $name) = @ARGV;
srand $side + 1;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my %v = ('app;main;parse;body' => 300, 'app;main;parse;body;issue' => 60, 'app;main;init' => 500,
	'app;main;strlen_[l]' => 400, 'app;main;read_[l];sys_read_[k]' => 300);
if ($side) {
	$v{'app;main;parse;body;issue;regexec_[l];search_[l]'} = 400;
	$v{'app;main;parse;body;issue;regexec_[l];search_[l];match_[i]'} = 500;
	$v{'app;main;parse;body;issue;regexec_[l];search_[l];merge_[l]'} = 300;
}
for my $r (1 .. 3) {
	open my $f, '>', "$name$r";
	for (sort keys %v) { printf $f "%s %d\n", $_, $v{$_} + sqrt($v{$_}) * gauss() + 0.5 }
}
END
perl simulate.pl 0 b
perl simulate.pl 1 h
fg-diff --report=markdown --fail-above 3% b? -- h? 2>comment >/dev/null
output 'the verdict is first, and names the own function' '**FAIL**: total of `issue`' sh -c 'head -1 comment | cut -d+ -f1 | sed "s/ $//"'
sed '/^<details>/q' comment | grep '^- ' >lines
output 'markdown: one line per chain of callers and callees' 1 sh -c 'wc -l <lines | tr -d " "'
check 'markdown: the line has new callees, base, head and interval' grep -Eq \
	'^- `issue` now calls `regexec`: [0-9.]+ → [0-9,.]+ \(\+[0-9.]+ %; \+[0-9]+ to \+[0-9]+ %\), \+[0-9.]+ % of base.s total$' lines
check 'at most 1,500 characters before the details' test "$(sed '/^<details>/q' comment | wc -m)" -le 1500
check 'markdown: each <details> has an end' grep -q '^</details>$' comment
output 'markdown: one line per function' 1 grep -c '`issue`' lines
perl -pe 's/issue/"n" x 3000/e; s/regexec/"`@" x 500/e' b1 >b1.long
for r in 1 2 3; do
	for s in b h; do
		perl -pe 's/;(issue|regexec|search|merge|match|init|parse|body)(?=[;_ ])/";" . $1 . "x" x 500/ge' $s$r >long.$s$r
	done
done
fg-diff --report=markdown --fail-above 1% long.b? -- long.h? 2>comment >/dev/null
check 'markdown: long names keep the size limit' test "$(sed '/^<details>/q' comment | wc -m)" -le 1500
# Nine functions that grow: five lines, and the sum of the others.
for r in 1 2 3; do
	for i in 1 2 3 4 5 6 7 8 9; do echo "app;same$i 20000"; echo "app;f$i $((1000 + r))"; done >many.b$r
	sed -E 's/(f[0-9]) 10/\1 50/' many.b$r >many.h$r
done
fg-diff --report=markdown --fail-above 1% many.b? -- many.h? 2>comment >/dev/null
output 'markdown: functions without a line are counted, with their sum and its part of base' \
	'5
- 4 more functions, together +16,000, +8.46 % of base'\''s total' sh -c 'sed "/^<details>/q" comment | grep "^- " | grep -c "^- .f"; sed "/^<details>/q" comment | grep "^- [0-9]"'
output 'markdown and fg-render have one percentage of a change' 'yes' \
	sh -c 'p=$(sed -n "/^- .f/{s/.*), +\([0-9.]*\) % of base.*/\1/p;q;}" comment)
	fg-diff --mark-noise many.b? -- many.h? | fg-render -T markdown | grep -q "[(]+$p %" && echo yes || echo "$p"'
output 'markdown: no line if nothing changed' '**PASS**' sh -c 'fg-diff --report=markdown --fail-above 50% b1 b2 b3 -- b1 b3 b2 2>&1 >/dev/null | cut -d: -f1 | head -1'
check 'markdown: one run a side: recommends files instead of their sum' sh -c \
	'fg-diff --report=markdown --fail-above 3% b1 h1 2>&1 >/dev/null | head -1 | grep -q "give the files, not their sum" ||
	fg-diff --report=markdown --fail-above 3% b1 b2 2>&1 >/dev/null | head -1 | grep -q "give the files, not their sum"'
done_testing
