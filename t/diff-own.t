#!/bin/sh
# fg-diff names functions of the program's own code: those of scripts before interpreters, those of
# the repository before others. Each program has other names.
# tier: quick
. "$(dirname "$0")/lib.sh"

# script.pl SEED: five runs a side of a script; one function calls a regular expression instead of
# a search in a string.
cat >script.pl <<'PERL'
use strict;
srand shift;
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my %used;
sub word { for (;;) { my $w = join '', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 3; return $w unless $used{$w}++ } }
my ($main, $caller, $f, $g, $h) = map { word() } 1 .. 5;
my ($interpreter, $suffix, $regex, $find) = @{[['python3', '.py', 'sre_ucs1_match', 'fastsearch'], ['ruby', '.rb', 'onig_search', 'rb_memsearch'],
	['php', '.php', 'php_pcre_match_impl', 'php_memnstr'], ['perl', '.pl', 'S_regmatch', 'Perl_fbm_instr']]->[rand 4]};
sub frame { my ($name, $line) = @_; "$name (/srv/$main/$main$suffix:$line)_[p]" }
my $head = join ';', $interpreter, '_start', "${interpreter}_main", "${interpreter}_eval";
my $in = join ';', $head, frame($main, 1), "${interpreter}_eval", frame($caller, 9);
my $more = 350 + int rand 200;
for my $side ('b', 'h') {
	my %of = ("$head;gc_collect" => 60, "$in;" . frame($f, 20) => 30, "$in;" . frame($g, 40) . ";${interpreter}_eval" => 300,
		"$in;" . frame($h, 60) . ";malloc_[l]" => 200);
	$of{"$in;" . frame($f, 20) . ';' . ($side eq 'b' ? "$find;memchr_[l]" : "$regex;${regex}_inner")} = $side eq 'b' ? 120 : $more;
	for my $r (1 .. 5) {
		my $machine = exp(0.02 * gauss());
		open my $file, '>', "$side$r";
		print $file "# unit: samples 0\n# period: 1003009 ns 0\n";
		for (sort keys %of) {
			my $mu = $of{$_} * $machine;
			printf $file "%s %d\n", $_, $mu + sqrt($mu) * gauss() + 0.5;
		}
	}
}
open my $names, '>', 'names';
print $names "$f\n";
PERL

bad='' head='' rows=''
for seed in 1 2 3 4 5 6 7 8 9 10; do
	perl script.pl $seed
	f=$(cat names)
	fg-diff --fail-above 3% b? -- h? 2>r >/dev/null
	head -1 r | grep -q "^FAIL: total of $f +[0-9.]* % of base's total\( (+[0-9.]* % beyond what all share)\)*, 3 % allowed; its change is +[0-9.]* % (+[0-9]* to +[0-9]* %)\.$" || bad="$bad $seed"
	fg-diff --report=markdown --fail-above 3% b? -- h? 2>m >/dev/null
	sed -n 3p m | grep -q "^- \`$f\`: .* of base.s total, in: the regular expression engine (" || head="$head $seed"
	sed -n '/^Self/,/^Total/p' r | grep -q '_eval\|malloc\|memchr' && rows="$rows $seed"
done
check 'the first line names the function of a script, its change and its interval' test -z "$bad" || { echo "# seeds:$bad"; head -1 r; }
check 'the headline names the engine in which a script function grew' test -z "$head" || echo "# seeds:$head"
check 'rows are functions of scripts, with the cost of native callees' test -z "$rows" || echo "# seeds:$rows"
perl script.pl 3
fg-diff -q --report=tsv b? -- h? >r
fg-diff -q --report=tsv --all-rows b? -- h? >a
check '--all-rows has the native functions' grep -q 'malloc' a
fg-diff -q --report --all-rows b? -- h? >a2
check '--all-rows: the first line has the function of a script' grep -q "^CHANGED: .*, most of all $(cat names)[,.]" a2
total() { awk -F '\t' '$1 == "self" { b += $3; h += $4 } END { printf "%.1f %.1f", b, h }' "$1"; }
check 'the rows of scripts have the same sum as all rows' test "$(total r)" = "$(total a)"
fg-diff -q --mark-noise --fail-above 3% b? -- h? >d 2>/dev/null
check 'the stacks keep native frames' grep -q ';malloc_\[l\] ' d

# Own code of a repository.
printf '%s\n' '# unit: Ir 0' 'app;main (/w/src/main.c:3);vec_push (/w/vendored/vec.c:9) 300' \
	'app;main (/w/src/main.c:3);other (/w/src/b.c:1) 300' >b
sed 's/9) 300/9) 400/' b >h
printf 'src/main.c\0src/b.c\0' >list
fg-diff --report=markdown b h >m 2>&1
check 'the functions of a program are its own' grep -q '^- `vec_push`: ' m
fg-diff --report=markdown --own-files list b h >m 2>&1
check '--own-files: the headline is the nearest function of the repository' grep -q '^- `main`' m
output '--own-files: the first line has that function, and where it grew' 'CHANGED: 1 function changed, most of all main, in: vec_push.' \
	sh -c 'fg-diff --report --own-files list b h | head -1'
printf '%s\n' '# unit: Ir 0' 'app;main;load;memcpy_[l] 300' 'app;main;store;memcpy_[l] 300' >b
sed 's/load;memcpy_.l. 300/load;memcpy_[l] 200/' b >h
output 'a library does not lead where a function of the program became faster' \
	'CHANGED: 1 function changed, most of all load, in: memcpy.' sh -c 'fg-diff --report b h | head -1'
printf '# unit: Ir 0\nmemcpy_[l] 300\n' >b
printf '# unit: Ir 0\nmemcpy_[l] 200\n' >h
output 'a library leads where no function of the program calls it' \
	'CHANGED: 1 function changed, most of all memcpy.' sh -c 'fg-diff --report b h | head -1'
status '--own-files: a list that does not exist' 2 fg-diff --own-files nothing b h
done_testing
