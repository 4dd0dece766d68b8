#!/bin/sh
# fg-diff --growth: which functions grow in a series of profiles, such as dumps of a heap.
# tier: quick
. "$(dirname "$0")/lib.sh"

# The seed makes this the same on every machine: exact claims about 20 functions of each kind.
check 'at most 1 % of the simulated functions that do not leak are called growing' "$UNIT/trend" 1 20

# dumps NAME N EXPRESSION: N heap profiles NAME.00 ...; the expression is the value of `leak` in
# dump t, in KiB, of a heap of about 100 MiB with a cache, a warm-up and garbage
dumps() {
	awk -v name="$1" -v n="$2" "
		function noise(k) { return ((t * 7919 + k * 104729) % 101 - 50) / 50 }
		BEGIN { for (t = 0; t < n; t++) {
			file = sprintf(\"%s.%02d\", name, t)
			v = $3
			print \"# unit: bytes 0\" >file
			printf \"main;serve;leak;xmalloc %d\\n\", v * 1024 >file
			printf \"main;serve;garbage;xmalloc %d\\n\", 9e6 * (1 + .2 * noise(1)) >file
			printf \"main;start;warm;xmalloc %d\\n\", 2e7 * (1 - exp(-t / (n / 9))) >file
			printf \"main;start;cache;xmalloc %d\\n\", (4e7 * (t < n / 3 ? 3 * t / n : 1)) >file
			printf \"main;start;once;xmalloc %d\\n\", (t > n / 2 ? 2e7 : 1e6) >file
			printf \"main;start;steady;xmalloc %d\\n\", 3e7 * (1 + .01 * noise(2)) >file
			close(file)
		} }"
}
# verdicts FILE ...: function, verdict and since of the rising totals of allocating functions
verdicts() {
	fg-diff --growth --report=tsv "$@" | awk -F '\t' '$1 == "total" && $10 != "noise" &&
		$12 ~ /^(cache|leak|once|warm|steady|garbage)$/ { print $12, $10, $11 }' | sort
}
dumps l 20 '5000 + 1000 * t'
verdicts l.?? >got
output 'a leak grows; a cache that is full, a warm-up and a step do not' 'cache ended l.00
leak grows l.00
once step l.10
warm ended l.00' cat got
fg-diff --growth l.?? >text
status 'a leak is exit status 1' 1 fg-diff --growth l.??
check 'the first line names the function, its growth, since when, from and to' \
	grep -Eq '^FAIL: leak grows by 1,000 KiB a profile \(.* KiB to .* KiB\) since l\.00, from 4\.88 MiB to 23\.4 MiB\.$' text
dumps late 20 '5000 + (t > 9 ? 1500 * (t - 9) : 0)'
check 'a later begin is found' sh -c "fg-diff --growth late.?? | grep -q '^FAIL: leak grows by 1.46 MiB a profile .* since late.09,'"
dumps none 20 '5000'
fg-diff --growth none.?? >text
status 'no leak is exit status 0' 0 fg-diff --growth none.??
check 'no leak: the answer has the growth that would have been found' \
	grep -Eq '^NO GROWTH: no function grows to the end; a growth of the profile total by .* a profile would have been found\.$' text
dumps five 5 '20000 + 5000 * t'
check 'five dumps are enough for a large leak' sh -c "fg-diff --growth five.?? | grep -q '^FAIL: leak '"
status 'four dumps are exit status 2' 2 fg-diff --growth l.0[0-3]

# Options and forms
fg-diff --growth --report=json l.?? >json
check 'JSON is valid and has the same answer' perl -MJSON::PP -0777 -ne '
	my $j = decode_json($_); exit !($j->{format} eq "fg-diff growth" && $j->{verdict} eq "FAIL" &&
	$j->{profiles} == 20 && $j->{unit} eq "bytes" && abs($j->{functions}[0]{growth} - 1024000) < 1 &&
	$j->{functions}[0]{interval}[0] > 0 && $j->{reason} =~ /^leak grows/)' json
fg-diff --growth --report=markdown l.?? >markdown
check 'Markdown begins with the answer' grep -q '^\*\*FAIL\*\*: `leak` grows by 1,000 KiB a profile' markdown
check 'Markdown has a row for the leak' grep -q '^| `leak` | total | 4.88 MiB | 23.4 MiB | +1,000 KiB | ' markdown
output 'TSV: each row has the fields of the first' '12' sh -c "fg-diff --growth --report=tsv l.?? | awk -F '\t' '{ print NF }' | sort -u"
output 'TSV: the last row is the answer' 'verdict FAIL' \
	sh -c "fg-diff --growth --report=tsv l.?? | awk -F '\t' 'END { print \$1, \$10 }'"
for f in l.??; do
	fg-filter --drop once $f >"filtered.$f"
	fg-merge $f $f >"merged.$f"
	{
		echo '# end: follows 0'
		cat $f
		awk '{ n += !/^#/; s += /^#/ ? 0 : $NF } END { printf "# end: stacks=%d sum=%d 0\n", n, s }' $f
	} >"ends.$f"
done
check 'filtered dumps have the same answer' sh -c "fg-diff --growth filtered.* | grep -q '^FAIL: leak grows by 1,000 KiB a profile .* since filtered.l.00,'"
check 'merged dumps: the growth is a sum' sh -c "fg-diff --growth merged.* | grep -q '^FAIL: leak grows by 1.95 MiB a profile '"
status 'dumps with a last line' 1 fg-diff --growth ends.*
head -c 100 ends.l.07 >short.07 && mv short.07 ends.l.07
status 'a truncated dump is exit status 2' 2 fg-diff --growth ends.*
printf 'l.%02d\0' 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 >list
fg-diff --growth l.?? >want
fg-diff --growth --files0-from list >got
same '--files0-from reads the list of dumps' want got
fg-diff --growth -o got l.??
same '-o writes the report' want got
status '-n is refused, since shares hide growth' 2 fg-diff --growth -n l.??
status '--series beside --growth is wrong usage' 2 fg-diff --growth --series l.??
status '--fail-above beside --growth is wrong usage' 2 fg-diff --growth --fail-above 3% l.??
status 'standard input is wrong usage' 2 fg-diff --growth - l.??
for f in l.??; do
	awk -v t="${f#l.}" '/^#/ { print "# columns: allocated live 0 0"; print "# unit: bytes bytes 0 0"; next }
		{ v = $NF; $NF = ""; printf "%s%d %d\n", $0, v + t * 1e8, v }' $f >col.$f
done
fg-diff --growth col.* >got
check 'the column live is used, not the sum of all allocations' \
	sh -c "grep -q 'column live' got && grep -q '^FAIL: leak grows by 1,000 KiB ' got"
check '--column chooses another one' sh -c "fg-diff --growth --column allocated col.* | grep -q 'column allocated'"
: >l.04x
fg-diff --growth l.0? l.04x l.1? >got
check 'an empty profile is left out, and counted' grep -q '20 profiles in time order (1 empty, left out)' got
sed '/^#/!s/[0-9]*$/10/' l.19 >l.end
fg-diff --growth l.?? l.end >got 2>said
check 'a last profile from after the end of the program is left out, with a note' sh -c \
	'grep -q "^FAIL: leak grows by 1,000 KiB" got && grep -q "l.end: left out: its total is less than a tenth" said'
for t in 0 1 2 3 4 5 6 7 8 9; do
	printf '# values: exact 0\n# unit: bytes 0\n# label: start=2026-11-23T1%d:00:00Z 0\nmain (/tmp/build-%d/a.py:%d)_[p];leak (/tmp/build-%d/a.py:%d)_[p];malloc_[l] %d\n' \
		$t $t $((1 + t)) $t $((9 + t)) $((100000 + 4096 * t)) >moved.$t
done
fg-diff --growth moved.? >got
check 'a function is one in all dumps, whatever its directory and line' \
	grep -q '^FAIL: leak .*grows by 4 KiB a profile (4 KiB to 4 KiB; 4 KiB an hour) since moved.0' got
# Other programs, with names, files, callers and heaps of their own
cat >leak.pl <<'PERL'
# leak.pl SEED: dumps d.00 to d.10 of a heap of another program, whose leak grows by 4 MiB a dump;
# prints the function that leaks.
use strict;
srand $ARGV[0];
my %used;
sub word { for (;;) { my $w = join '', map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 3; return $w unless $used{$w}++ } }
sub gauss { my $s = 0; $s += rand() - 0.5 for 1 .. 12; $s }
my $path = join '/', '', map { word() } 1 .. 2 + rand 3;
my @files = map { word() . '.py' } 1 .. 4;
sub frame { my $f = word(); return ($f, sprintf '%s (%s/%s:%d)_[p]', $f, $path, $files[rand @files], 1 + rand 900) }
my ($leak, $place) = frame();
my $below = join ';', map { (frame())[1] } 1 .. 1 + rand 3;
my %size = map { join(';', (frame())[1], (frame())[1]) => 2**20 * (2 + rand 30) } 1 .. 8 + rand 8;
my $has = 2**20 * rand 20;
for my $t (0 .. 10) {
	open my $to, '>', sprintf 'd.%02d', $t or die;
	print $to "# unit: bytes 0\n";
	printf $to "main;%s;%s;malloc %d\n", $below, $place, $has + 4 * 2**20 * $t;
	printf $to "main;%s;malloc %d\n", $_, $size{$_} * (1 + 0.02 * gauss()) for sort keys %size;
}
print "$leak\n";
PERL
bad=
for seed in 1 2 3 4 5 6 7 8 9 10; do
	leak=$(perl leak.pl $seed)
	fg-diff -q --growth d.?? >got
	head -1 got | grep -q "^FAIL: $leak .*grows by 4 MiB a profile (4 MiB to 4 MiB) since d.00, from " || bad="$bad $seed"
done
check 'a leak of 4 MiB a dump in 11 dumps is named, with its growth and since when' test -z "$bad" || echo "# seeds:$bad"
fg-diff --report moved.0 moved.9 >got
check 'shares are not proposed for memory that grows' sh -c '! grep -q "(-n)" got'

done_testing
