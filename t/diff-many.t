#!/bin/sh
# fg-diff of more than 131,072 functions, whose trees it stores in another order: the results are
# those of any order of the lines.
# tier: full
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'perl is not installed' perl

# Lines of many functions, of which several callers have many, with sources, annotations, lines of
# value 0 and fractions. Argument: factor of some values.
cat >many.pl <<'END'
my ($factor, $order) = @ARGV;
my @line;
for my $i (1 .. 140000) {
	my $v = $i * 7919 % 97 + ($i % 3 ? 1 : $factor);
	push @line, "main;function_$i $v";
	push @line, "main;other;function_$i $v" if $i % 9 == 0;
	push @line, "worker;function_$i;leaf_" . $i % 5 . " $v" if $i % 11 == 0;
	push @line, "worker;run (/srv/a.py:" . $i % 4000 . ")_[p];f$i (/srv/a.py:$i)_[p] $v.25" if $i % 40 == 0;
	push @line, "main;empty_$i 0" if $i % 1000 == 0;
	push @line, "main;copy.$i $v" if $i % 500 == 0;
}
@line = sort @line if $order eq 'sorted';
@line = @line[map { $_ * 48611 % @line } 0 .. $#line] if $order eq 'mixed'; # a prime: each line once
print map { "$_\n" } @line;
END
for order in made sorted mixed; do
	perl many.pl 1 $order >base.$order
	perl many.pl 2 $order >head.$order
done
check 'mixed lines are the same lines' sh -c 'sort base.mixed | cmp - base.sorted'
for output in '' --report --report=json --report=tsv '--report --fail-above 3%' '-n --report=markdown --all-rows'; do
	for order in made sorted mixed; do
		fg-diff $output base.$order head.$order >out.$order 2>said.$order
		sed -i "s/\.$order/.x/g" out.$order said.$order
	done
	check "${output:-stacks}: lines in the order of their numbers" cmp out.made out.sorted
	check "${output:-stacks}: mixed lines" cmp out.mixed out.sorted
	check "${output:-stacks}: messages about mixed lines" cmp said.mixed said.sorted
done
done_testing
