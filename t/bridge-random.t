#!/bin/sh
# 500 generated profiles survive a round trip through pprof, OTLP, OTLP JSON and speedscope
# unchanged.
# tier: full
. "$(dirname "$0")/lib.sh"

# The profiles vary in depth, columns, units, periods, decimals, labels, annotations, source
# lines, modules, and in frames with control characters, quotes, backslashes and invalid UTF-8.
cat >generate.pl <<'EOF'
use strict;
use warnings;
my $state = 1;
# A random generator of our own (Park and Miller 1988), since perl's rand() differs between builds.
sub below { $state = $state * 16807 % 2147483647; return $state % $_[0] }
sub one { return $_[below(scalar @_)] }
my @part = ('a' .. 'h', 'main', 'operator<<', 'std::map<int, char>::at', 'java.util.Map.get',
	'$$Lambda/0x1', '"', '\\', '\\x41', "\t", "\x01", "\x7f", "\xff\xfe", "\xc3\xa9",
	"\xe2\x80\xa8", "\xf0\x9f\x94\xa5", '`', '[', ']', '(', ')', ' ', '  ', '#', '1', '%', '&');
sub frame {
	my $f = join '', map { one(@part) } 1 .. 1 + below(4);
	$f = "lib" . below(3) . ".so`$f" if below(6) == 0;
	$f = one('[libz.so]', '[unknown]', '[k]') if below(20) == 0;
	$f .= ' (' . one('a.c', 'b/c.h', 'x y.js') . ':' . below(999) . ')' if below(6) == 0;
	$f .= one('_[k]', '_[j]', '_[i]', '_[l]', '_[w]') if below(4) == 0;
	return $f;
}
sub value {
	my ($digits) = @_;
	return 0 if below(8) == 0;
	my $v = one(1, 1, 7, 1000, 1000003) * (1 + below(1000));
	return $digits ? $v . '.' . join('', map { below(10) } 2 .. $digits) . (1 + below(9)) : $v;
}
for my $n (0 .. 499) {
	$state = 1000003 * ($n + 1) % 2147483647;
	below(2) for 1 .. 10;
	my @frame = map { frame() } 1 .. 2 + below(30);
	my $columns = one(1, 1, 1, 2, 2, 3, 5);
	my $digits = one(0, 0, 0, 1, 2, 3, 6);
	my $zeros = ' 0' x $columns;
	open my $out, '>:raw', sprintf('%03d.in', $n) or die;
	my @names = $columns == 2 && below(2) ? ('base', 'head') : map { "c$_" } 1 .. $columns;
	print $out "# columns: @names$zeros\n" if $columns > 1;
	my $unit = one(qw(ns us ms s bytes samples cycles objects));
	print $out "# unit: ", join(' ', ($unit) x ($names[0] eq 'base' ? 1 : $columns)), "$zeros\n"
		if below(3) && $names[0] ne 'base';
	print $out "# unit: $unit$zeros\n" if $names[0] eq 'base';
	print $out "# period: ", 1 + below(1000000), " ns$zeros\n" if $columns == 1 && below(3) == 0;
	print $out "# values: ", one(qw(exact sampled estimated)), "$zeros\n" if below(2);
	print $out "# label: host=h", below(9), "$zeros\n" if below(4) == 0;
	for my $line (1 .. 1 + below(60)) {
		print $out join(';', map { one(@frame) } 1 .. 1 + below(one(3, 10, 60)));
		print $out ' ', value($digits) for 1 .. $columns;
		print $out "\n";
	}
	# fg-render rejects a file in which most lines do not look like stacks, so plain stacks are
	# added.
	print $out "main;plain;f$_", ' 1' x $columns, "\n" for 1 .. 70;
	close $out;
}
EOF
perl generate.pl || not_ok 'the profiles are generated'

formats=
features=$(fg-render -V)
formats='pprof otlp'
case $features in *yajl*) formats="$formats otlp-json speedscope" ;; *) skip 'otlp-json, speedscope' 'built without yajl' libyajl-dev ;; esac

: >lost
for in in [0-9][0-9][0-9].in; do
	fg-collapse -q -f folded "$in" >want 2>said || echo "folded: $in" >>lost
	for t in $formats; do
		fg-render -q -T "$t" <want >profile 2>said && fg-collapse -q profile >got 2>said &&
			cmp -s want got || echo "$t: $in" >>lost
	done
done
check 'there are 500 generated profiles' test "$(ls [0-9]*.in | wc -l)" -eq 500
check 'fg-collapse reads each of them' sh -c '! grep -q ^folded lost'
for t in $formats; do
	grep "^$t: " lost | sed 's/^/# does not come back: /'
	check "$t: 500 generated profiles have a lossless round trip" sh -c "! grep -q '^$t: ' lost"
done
done_testing
