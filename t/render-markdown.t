#!/bin/sh
# fg-render -T markdown: the summary, which the viewer shows too.
# tier: quick
. "$(dirname "$0")/lib.sh"

cat >in <<'END'
# unit: samples 0
app;main;fib;fib;fib 30
app;main;parse (a.c:3);lex_[i] 40
app;main;parse (a.c:9);read_[l];sys_read_[k] 20
app;other;sys_read_[k] 10
END
output 'a profile' '100 samples: 8 functions, 12 frames, 5 levels.
- Own code by total: `main` 90.0 % ± 5.9, `parse` 60.0 % ± 9.6, `lex` 40.0 % ± 9.6, `fib` 30.0 % ± 9.0, `other` 10.0 % ± 5.9.
- Most self time: `lex` 40.0 % ± 9.6, `fib` 30.0 % ± 9.0, `sys_read` 30.0 % ± 9.0 (for `parse`).
- The widest path leads to `main` 90.0 %; below it are `parse` 40.0 % and `fib` 30.0 %.
- `lex` is called by `parse` 40.0 %.
- `fib` is called by `main` 30.0 %.
- Recursive: `fib` (3 deep, 30.0 %).
- Of the time 70.0 % is in programs, 30.0 % in the kernel; 40.0 % in inlined functions.
- Heaviest stacks: 40.0 % `app;main;parse;lex`.
- 30.0 % `app;main;fib;fib;fib`.
- 20.0 % `app;main;parse;read;sys_read`.
- 10.0 % `app;other;sys_read`.' \
	fg-render -T markdown in
printf 'app;f 3\n_start 1\n' >entry
check 'a stack of entry functions only has its leaf' sh -c \
	'fg-render -T markdown entry | grep -qF -e "- 25.0 % \`_start\`."'
printf '# columns: base head 0 0\n# unit: ms 0 0\n# period: 1 ms 0 0\n%s\n' 'm;same 1000 1000' 'm;slow 100 400' \
	'm;gone 50 0' 'm;more 100 150' >two
output 'a differential of one run a side names the changes beyond noise' \
	'base 1.25 s → head 1.55 s (+24.00 %): 5 functions, 5 frames, 2 levels.
- Slower: `slow` +300 ms (+24.00 % of base'"'"'s total, between +2 and +59 %, called by `m`).
- Faster: `gone` −50 ms (gone, −4.00 % of base'"'"'s total, called by `m`).
- 1 other function changed within noise, together by +50 ms; the change of the total may be noise, too (−66 to +356 %).' fg-render -T markdown two
awk '{ print } NR == 1 { print "# compared: runs=3,3 0 0" }' two >several
output 'a differential of several runs without a noise column has sizes and no verdict' \
	'base 1.25 s → head 1.55 s (+24.00 %): 5 functions, 5 frames, 2 levels.
- Largest increases, not tested: `slow` +300 ms (+24.00 % of base'"'"'s total, called by `m`); 1 other by +50 ms (+4.00 %).
- Largest decreases, not tested: `gone` −50 ms (gone, −4.00 % of base'"'"'s total, called by `m`).
- Base and head are means of several runs, which hides noise: write the differential with fg-diff --mark-noise to get a verdict.' \
	fg-render -T markdown several
printf '# columns: base head noise 0 0 0\n%s\n' 'm;up 100 150 1' 'm;really 100 190 0' >noise
output 'noise' 'base 200 samples → head 340 samples (+70.00 %): 3 functions, 3 frames, 2 levels.
- Slower: `really` +90 samples (+45.00 % of base'"'"'s total, called by `m`).
- Nothing became faster beyond noise.
- 1 other function changed within noise, together by +50 samples.' fg-render -T markdown noise
printf '# columns: base head noise 0 0 0\n%s\n' 'm;lookup 590 1778 0' 'm;legacy 251 0 0' 'm;validate 0 216 0' 'm;a 10 40 0' \
	'm;b 10 30 0' 'm;c 10 20 0' 'm;d 10 18 0' 'm;e 10 17 0' 'm;calm 1109 1119 1' >proven
output 'each change with a verdict is named or counted, and the figures add up to that of the total' \
	'base 2,000 samples → head 3,238 samples (+61.90 %): 10 functions, 10 frames, 2 levels.
- Slower: `lookup` +1,188 samples (+59.40 % of base'"'"'s total, called by `m`), `validate` +216 samples (new, +10.80 %, called by `m`), `a` +30 samples (+1.50 %, called by `m`), `b` +20 samples (+1.00 %, called by `m`), `c` +10 samples (+0.50 %, called by `m`); 2 others by +15 samples (+0.75 %).
- Faster: `legacy` −251 samples (gone, −12.55 % of base'"'"'s total, called by `m`).
- 1 other function changed within noise, together by +10 samples.' fg-render -T markdown proven
check 'a change has one percentage in all outputs' sh -c \
	'fg-render proven | grep -q ">+1,188.samples....+59.40.%..*lookup<"'
output 'markdown of stacks that have only names' '3 samples: 1 function, 1 frame, 1 level.
- Most self time: `a` 100.0 %.
- The widest path leads to `a` 100.0 %.
- The profile does not distinguish programs, libraries and the kernel.
- Heaviest stacks: 100.0 % `a`.' sh -c 'echo a 3 | fg-render -T markdown'

# The leaf of off-CPU time is always the scheduler's, so the summary names the waiting function.
output 'wall-clock time: summary of all three columns' \
	'2.01 ms (cpu 500 µs, waiting 105 µs, blocked 1.41 ms): 19 functions, 23 frames, 8 levels.
- Own code by total: `main` 94.5 %, `lock` 44.9 %, `inline_wait` 44.9 %, `compute` 29.8 %, `nap` 19.9 %.
- Most self or waiting time: `inline_wait` 44.9 %, `compute` 29.8 %, `nap` 19.9 %, `thread` 3.0 %, `kthread` 2.5 %.
- Waits 44.7 % for locks or conditions (in `inline_wait`), 19.9 % for timers (in `nap`, woken by `interrupt`), 5.2 % for a CPU (mostly in `compute`), 3.0 % for reasons that the stacks do not show (in `thread`).
- The widest path leads to `main` 94.5 %; below it are `lock` 44.9 % and `compute` 29.8 %.
- `inline_wait` is called by `lock` 44.9 %.
- `compute` is called by `main` 29.8 %.
- Of the time 24.8 % is in programs, 75.2 % off the CPU.
- Heaviest stacks: 44.9 % `app;main;lock;inline_wait;futex;futex_wait;sys_futex;schedule`.
- 25.8 % `app;main;compute`.
- 19.9 % `app;main;nap;usleep;sys_nanosleep;schedule;timer;interrupt`.
- 4.0 % `app;main;compute;irq;schedule`.
- 3.0 % `app;thread;sys_exit;schedule`.' fg-render -T markdown "$here/data/viewer-wall.folded"
fg-filter --column blocked "$here/data/viewer-wall.folded" | sed '/^# columns/d' >off
fg-render -T markdown off >out
check 'only scheduler stacks: summary of off-CPU time' grep -q \
	'^- Longest waiting: `inline_wait` 63.8 %, `nap` 28.4 %, `thread` 4.3 %, `kthread` 3.5 %\.$' out
printf '%s 40\n' 'app;main;work' 'app;main;read_[l];sys_read_[k];schedule_[k]' | fg-render -T markdown >out
check 'on the CPU the scheduler is a function as any other' grep -q \
	'self time: `schedule` 50.0 % .*`work` 50.0 %' out

# A planted hot spot, or regression, is in the first three lines, in ten of ten profiles.
cat >plant.pl <<'END'
my ($seed, $columns) = @ARGV;
srand $seed;
my %v;
for (1 .. 3000) {
	my $stack = join ';', 'app', map { 'f' . int rand 400 } 0 .. int rand 20;
	my $v = 1 + int rand 100;
	# The second measurement differs by noise.
	$v{$stack} = $columns == 1 ? $v : $v . ' ' . int($v + (rand() - 0.5) * 2 * sqrt $v);
}
my @stacks = sort keys %v;
for (0 .. 9) { # in some places, of the same function
	my $stack = $stacks[rand @stacks] . ';planted';
	my $v = 1500;
	$v{$stack} = $columns == 1 ? $v : 20 + int(rand 5) . ' ' . $v;
}
print "# columns: base head 0 0\n" if $columns == 2;
print "$_ $v{$_}\n" for keys %v;
END
for seed in 1 2 3 4 5 6 7 8 9 10; do
	for columns in 1 2; do
		perl plant.pl $seed $columns | fg-render -T markdown | head -3 >out
		check "planted in $columns columns, $seed" grep -q '`planted`' out
	done
done

# For any profile size and any names, the text has at most 4 kB and no active markup.
awk 'BEGIN { long = "namespace_of_some_length::"; while (length(long) < 400) long = long long
	for (i = 0; i < 20000; i++) print long i % 7 ";" long i % 9 ";" long i " " (i < 20 ? 1000000 : 1) }' >large
fg-render -T markdown large >out
check 'at most 4 kB' test "$(wc -c <out)" -le 4096 -a "$(wc -c <out)" -ge 500
# Control characters come after the first lines, which decide whether input is folded.
awk 'BEGIN { for (i = 0; i < 20000; i++) print "plain_" i % 7 ";f_" i % 9 " 0" }' >hostile
cat >>hostile <<'END'
[click](https://example.org);@everyone;<img src=x onerror=alert(1)>;`code`;``two``;#1 fix;$x$ 3000
END
printf 'esc\033[31m;bell\007;\342\200\256rtl;\377bad;%0500d;tab\there;`;` `; lead;%s 9000\n' 7 '**bold**' >>hostile
fg-render -T markdown hostile >out
check 'hostile names are named' grep -q 'bold' out
check 'no control characters' test "$(tr -d '\n\040-\176\200-\377' <out | wc -c)" = 0
check 'no bidirectional control characters' test "$(grep -c "$(printf '\342\200\256')" out)" = 0
check 'markdown is UTF-8' iconv -f UTF-8 -t UTF-8 out
check 'no name has more than 200 bytes' awk '{ n = split($0, part, /`+/); for (i = 2; i <= n; i += 2)
	if (length(part[i]) > 200) exit 1 }' out
# The text without its code spans (CommonMark 6.1: delimited by runs of backticks of equal length).
perl -ne 's/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)//g; print' out >rest
check 'every name is in a code span' test "$(grep -c '[][<>@`$*]' rest)" = 0
printf '# columns: <b> @you 0 0\n# unit: [x](y) 0 0\na 1 2\n' | fg-render --colors differential -T markdown >out
check 'header values are escaped' grep -q '^\\<b\\> 1 \\\[x\\\](y)' out
check 'header values do not mention users' grep -q '\\@you' out
sort -r in | fg-render -T markdown - >1
fg-render -T markdown in >2
same 'any order of lines gives the same text' 2 1
done_testing
