#!/bin/sh
# tier: soak
# Work is proportional to input: each family of hostile input is made at sizes N / 4 and 2 N, three
# doublings apart. The larger one may use at most 17.5 times the CPU time and the memory of the
# smaller: 2.6 times per doubling. Linear work uses 8 times of both, quadratic work 64 times. The
# distance is for caches: a tree in random order needs 8.7 times the instructions and up to 16 times
# the time. The smallest of several runs counts, so that other processes matter less.
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'perl is not installed' perl
[ -x "$UNIT/cost" ] || skip_all 'the unit programs are not built'

LEAST=40000 # us and KiB of the larger run, below which a ratio is that of the start-up
LEAST_KB=20000

# least FILE CPU KB: FILE gets the minimum of its numbers and these.
least() {
	[ -s "$1" ] && read -r cpu kb <"$1" || cpu=$2 kb=$3
	[ "$2" -lt "$cpu" ] && cpu=$2
	[ "$3" -lt "$kb" ] && kb=$3
	echo "$cpu $kb" >"$1"
}

# measure FILE COMMAND...: returns 1 if the exit status is not 0 to 2. A program of the tests' own
# must have read its input: its status is 0.
measure() {
	to=$1 most=2
	shift
	case $1 in "$UNIT"/*) most=0 ;; esac
	"$UNIT/cost" cost "$@" <list >/dev/null 2>errors
	left=$?
	[ "$left" -le $most ] || { echo "$*: exit status $left"; head -5 errors; return 1; }
	read -r now_cpu now_kb <cost
	least "$to" "$now_cpu" "$now_kb"
}

is_proportional() {
	read -r cpu1 kb1 <small
	read -r cpu2 kb2 <large
	{ [ "$cpu2" -le $LEAST ] || [ $((cpu2 * 10)) -le $((cpu1 * 175)) ]; } &&
	    { [ "$kb2" -le $LEAST_KB ] || [ $((kb2 * 10)) -le $((kb1 * 175)) ]; }
}

# grows NAME N MAKE COMMAND...: MAKE is a shell command that writes an input of size $n; COMMAND
# reads it as the file `in`, and on standard input what MAKE wrote to the file `list`.
grows() {
	name=$1 size=$2 make=$3
	shift 3
	mkdir -p 1 2
	: >1/list && : >2/list
	(cd 1 && n=$((size / 4)) sh -c "$make") >1/in && (cd 2 && n=$((2 * size)) sh -c "$make") >2/in ||
	    { not_ok "$name: the input"; return; }
	rm -f small large
	for try in 1 2 3 4 5 6 7 8 9; do
		(cd 1 && measure ../small "$@") >"$tmp/.said" && (cd 2 && measure ../large "$@") >"$tmp/.said" ||
		    { not_ok "$name"; return; }
		[ "$try" -gt 1 ] && is_proportional && break
	done
	bytes=$(($(wc -c <2/in)))
	echo "# $name: $cpu1 -> $cpu2 us, $kb1 -> $kb2 KiB, of $((bytes >> 10)) KiB"
	echo "$cpu1 -> $cpu2 us, $kb1 -> $kb2 KiB" >"$tmp/.said"
	if is_proportional; then ok "$name"; else not_ok "$name"; fi
}

# All attributes of a perf.data refer to the ids of the first: an attribute ends with the offset
# and size of its ids.
share_ids="perl -e 'local \$/; open F, shift; \$_ = <F>; my (\$at, \$all) = unpack q{x24Q<2}, \$_; my \$each = unpack q{x16Q<}, \$_;
    my \$ids = substr \$_, \$at + \$each - 16, 16; for (my \$i = 0; \$i < \$all; \$i += \$each) { substr(\$_, \$at + \$i + \$each - 16, 16) = \$ids }
    print'"

# data WORDS: a perf.data from the description on standard input, in which $n is $ARGV[0].
data() {
	cat >"$1.pl"
	echo "perl '$here/perfdata/make.pl' \$n <'$tmp/$1.pl'"
}

# Addresses that collide under multiplication by the golden ratio, a common hash: the upper half of
# the product is 0.
grows 'perf.data: addresses without a rule that collide' 30000 "$(data collide <<'END'
use integer;
my ($golden, $inverse) = (0x9e3779b97f4a7c15, 1);
$inverse *= 2 - $golden * $inverse for 1 .. 6;
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => 7 << 6, stack => 8,
	flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user');
comm(100, 'app');
mmap2(100, 0x1000, 0xffffffffffffe000, '/x/app', offset => 0x1000);
for my $i (1 .. $ARGV[0]) {
	my $at = $i * $inverse;
	sample(pid => 100, ip => $at, regs => [0x7000, 0x7000, $at], stack => "\0" x 8, dyn_size => 8);
}
END
)" fg-collapse -q in

grows 'perf.data: attributes that all name one section of ids' 1200 "$(data ids <<'END'
my $n = shift @ARGV;
event("e$_", sample => 'identifier ip tid time period', ids => [$_ > 1 ? 1 : 1 .. 10 * $n]) for 1 .. $n;
comm(100, 'app');
sample(pid => 100, ip => 0x1000, event => 'e1');
END
) >raw; $share_ids raw" fg-collapse -q in

# Folded text: number of lines, names and header lines, and depth.
grows 'folded: names of one length' 150000 "perl -e 'printf qq{main;f%08d 1\n}, \$_ for 1 .. \$ENV{n}'" fg-filter in
grows 'folded: one line of many frames' 300000 "perl -e 'print join(q{;}, map { qq{f\$_} } 1 .. \$ENV{n}), qq{ 1\n}'" fg-filter in
grows 'folded: many header lines' 30000 \
    "perl -e 'printf qq{# label: k%d=v%d 0\n}, \$_, \$_ for 1 .. \$ENV{n}; print qq{a 1\n}'" fg-merge in in
grows 'folded: a label of many values' 30000 \
    "perl -e 'printf qq{# label: k=v%d 0\n}, \$_ for 1 .. \$ENV{n}; print qq{a 1\n}'" fg-merge in in
grows 'folded: header lines only' 100000 "perl -e 'printf qq{# columns: c%d 0\n# unit: u%d 0\n}, \$_, \$_ for 1 .. \$ENV{n}'" fg-filter -q in
grows 'folded: time marks only' 100000 "perl -e 'printf qq{# time: %d 0\n}, \$_ for 1 .. \$ENV{n}'" fg-merge -q in
grows 'folded: long names' 100 "perl -e 'print qq{main;}, q{x} x (20000 * \$ENV{n}), qq{ 1\n}'" fg-render -o out in
grows 'folded: children of one node in any order' 100000 \
    "perl -e 'srand 7; printf qq{main;f%08d;g 1\n}, rand 1e8 for 1 .. \$ENV{n}'" fg-render -o out in
grows 'folded: equal runs of frames below many threads' 10000 \
    "perl -e '\$run = join q{;}, map { qq{f\$_} } 1 .. 30; print qq{t\$_;\$run 1\n} for 1 .. \$ENV{n}'" fg-render -o out in
deep="perl -e 'print join(q{;}, map { qq{f\$_} } 1 .. \$ENV{n}), qq{ 1\n}, join(q{;}, map { qq{f\$_} } 1 .. \$ENV{n} / 2), qq{;g 2\n}'"
for kind in svg tree top flame markdown json pprof speedscope; do
	grows "a deep stack drawn with -T $kind" 100000 "$deep" fg-render -T $kind -o out in
done
grows 'a deep stack in fg-diff' 100000 "$deep" fg-diff in in
for format in text tsv json markdown; do
	grows "fg-diff --report=$format of many functions" 40000 \
	    "perl -e 'srand 7; printf qq{main;f%08d_%d %d\n}, rand 1e8, \$_, 1 + rand 50 for 1 .. \$ENV{n}'" fg-diff -q --report=$format in in
done
grows 'fg-diff of functions of one name in many files' 10000 \
    "perl -e 'printf qq{main;parse (/src/a%d/b%d.py:1)_[p] %d\n}, \$_ % 100, \$_, 1 + \$_ % 50 for 1 .. \$ENV{n}'" fg-diff -q --report in in
grows 'a deep stack in fg-merge' 200000 "$deep" fg-merge in in
grows 'fg-filter --keep a*a*a*b of a long name' 60000 "perl -e 'print q{a} x \$ENV{n}, qq{ 1\n}'" fg-filter --keep 'a*a*a*b' in
for e in '(a|aa)*b' '(a*)*b' '(a+)+b' '((a?){9}){9}b'; do
	grows "fg-filter --keep $e of a long name" 6000 "perl -e 'print q{a} x \$ENV{n}, qq{ 1\n}'" fg-filter --keep "$e" in
done
for e in 's/a*b|c/x/' 's/a*b|a/x/g'; do
	grows "fg-filter --rename $e of long names" 200 \
	    "perl -e 'print q{a} x 4000, qq{\$_ 1\n} for 1 .. \$ENV{n} / 32; print q{a} x (500000 * \$ENV{n}), qq{ 1\n}'" fg-filter --rename "$e" in
done

for kind in generics args lines clones hashes addresses; do
	grows "fg-filter --strip=$kind of brackets without an end" 400000 \
	    "perl -e 'print q{a;}, q{f<g[h(} x \$ENV{n}, qq{ 1\n}'" fg-filter --strip=$kind in
done

# Compressed and nested input.
grows 'gzip of one repeated line' 20 "perl -e 'print qq{a;b 1\n} x (100000 * \$ENV{n})' | gzip -9" fg-filter in
for tool in xz zstd; do
	command -v $tool >/dev/null && fg-filter --version | grep -q "^$tool: yes\|^$tool [0-9]\|$tool" ||
	    { skip "$tool of one repeated line" "no $tool" "$tool"; continue; }
	grows "$tool of one repeated line" 20 "perl -e 'print qq{a;b 1\n} x (100000 * \$ENV{n})' | $tool -q -c" fg-filter in
done
# Each entity is twice as long as the previous one: 2 to the power of n bytes.
grows 'XML entities that refer to each other' 100000 \
    "perl -e 'my \$n = \$ENV{n}; print q(<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY e0 \"x\">), (map { sprintf q(<!ENTITY e%d \"&e%d;&e%d;\">), \$_, \$_ - 1, \$_ - 1 } 1 .. \$n),
	qq(]><trace-query-result><node><row><thread fmt=\"&e\$n;\"/></row></node></trace-query-result>)'" fg-collapse -f xctrace in
grows 'XML elements that are nested' 100000 \
    "perl -e 'print q(<?xml version=\"1.0\"?><trace-query-result>), q(<node>) x \$ENV{n}'" fg-collapse -f xctrace in
grows 'JSON that is nested' 400000 "perl -e 'print q{[} x \$ENV{n}'" fg-collapse -f speedscope in
grows 'JSON objects that are nested' 200000 "perl -e 'print q({\"a\":) x \$ENV{n}'" fg-collapse -f cpuprofile in
# Ranges of JIT code that overlap partly, with a sample in each.
grows 'v8-log: code that overlaps' 60000 \
    "perl -e 'print qq{v8-version,11,3,244,8,,0\nv8-platform,linux,linux\n}; printf qq{code-creation,JS,10,%d,0x%x,%d,f%d app.js:1:1,0x10,*\n}, \$_, 0x100000 + 8 * \$_, 8 * \$ENV{n}, \$_ for 1 .. \$ENV{n};
	printf qq{tick,0x%x,%d,0,0x0,0\n}, 0x100000 + 8 * \$_, 1000 * \$_ for 1 .. \$ENV{n}'" fg-collapse -q in
grows 'perf map: code that overlaps' 100000 "$(data overlap <<'END'
my $n = shift @ARGV;
open my $map, '>', 'perf-100.map' or die;
printf $map "%x %x f%d\n", 0x1000 + 8 * $_, 8 * $n, $_ for 1 .. $n;
close $map;
event('cycles', sample => 'ip tid time period', flags => 'mmap comm task sample_id_all mmap2');
comm(100, 'app');
mmap2(100, 0x1000, 0x10000000, '//anon');
sample(pid => 100, ip => 0x1000 + 8 * $_) for 1 .. 1000;
END
)" fg-collapse -q --maps . in
grows 'perf script: frames of one sample' 200000 \
    "perl -e 'print qq{app 1/1 1.5: 1 cycles:\n}; printf qq{\t%x f%d (/x)\n}, \$_, \$_ for 1 .. \$ENV{n}; print qq{\n}'" fg-collapse -q in
grows 'perf script: samples of many threads' 60000 \
    "perl -e 'printf qq{c%d %d/%d 1.5: 1 cycles:\n\t10 f (/x)\n\n}, \$_, \$_, \$_ for 1 .. \$ENV{n}'" fg-collapse --tid -q in

# Lines whose addresses differ in their last two digits only, as those of one function, take as
# many instructions as other ones: the cache of lines has a place for each.
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null fg-collapse -q -j 1 "$1" 2>&1 >/dev/null |
	    sed -n 's/.*Collected : //p' | sort -n | tail -n 1 # the largest of fg-collapse and its opener
}
if command -v valgrind >/dev/null; then
	for shift in 0 8; do
		perl -e 'srand 5; for my $i (1 .. 2000) { print "app 1/1 1.5: 1 cycles:\n";
			for (1 .. 20) { my $n = int rand 256;
				printf "\t%16x function_%d+0x%x (/x)\n", 0xffffffff81a00000 + ($n << $ARGV[0]), $n, $n }
			print "\n" }' $shift >lines$shift
	done
	last=$(instructions lines0) other=$(instructions lines8)
	echo "$last and $other instructions" >"$tmp/.said"
	check 'perf script: addresses that differ in their last digits' \
	    test "${last:-0}" -gt 0 -a "${last:-0}" -le "$((${other:-0} * 110 / 100))"
else
	skip 'perf script: addresses that differ in their last digits' 'no valgrind' valgrind
fi

# Compressed sections of an ELF file that are the same bytes.
if perl -MCompress::Zlib -e 1 2>/dev/null; then
	grows 'ELF: compressed debug sections that overlap' 200 \
	    "perl -MCompress::Zlib -e 'my \$n = \$ENV{n}; my \$z = pack(q{LLQQ}, 1, 0, 8000 * \$n, 1) . compress(qq{\0} x (8000 * \$n));
	my \$names = qq{\0.debug_a\0.text\0}; my \$at = 120; my \$to = \$at + length(\$z) + length \$names;
	print qq{\x7fELF\2\1\1}, qq{\0} x 9, pack(q{SSLQQQLSSSSSS}, 2, 62, 1, 0x1000, 64, \$to, 0, 64, 56, 1, 64, \$n + 3, 1),
	    pack(q{LLQQQQQQ}, 1, 5, 0, 0x1000, 0x1000, \$to, \$to, 4096), \$z, \$names, qq{\0} x 64,
	    pack(q{LLQQQQLLQQ}, 0, 3, 0, 0, \$at + length \$z, length \$names, 0, 0, 1, 0), pack(q{LLQQQQLLQQ}, 10, 1, 6, 0x1000, \$at, 8, 0, 0, 1, 0),
	    pack(q{LLQQQQLLQQ}, 1, 1, 0x800, 0, \$at, length \$z, 0, 0, 1, 0) x \$n'" "$UNIT/symbol" -i file /proc/self/cwd/in 0x1000
else
	skip 'ELF: compressed debug sections that overlap' 'no Compress::Zlib'
fi

# ELF files whose tables, names or lists of ranges overlap.
for kind in relocations symbols names functions units calls tables table attributes bases; do
	grows "ELF: $kind that overlap" 16000 "perl '$here/elf.pl' $kind \$n" "$UNIT/symbol" -i file /proc/self/cwd/in 0x1000
done
grows 'ELF: stubs that overlap' 40000 "perl '$here/elf.pl' stubs \$n" "$UNIT/symbol" -i file /proc/self/cwd/in 0x1000
for kind in long inlines scopes strings origins lines directories; do
	grows "ELF: $kind, at many addresses" 16000 "perl '$here/elf.pl' $kind \$n list" "$UNIT/symbol" -ils file /proc/self/cwd/in -
done
grows 'ELF: a split file with tables that overlap' 16000 \
    "perl '$here/elf.pl' dwo \$n >split.dwo && perl '$here/elf.pl' split \$n" "$UNIT/symbol" -i file /proc/self/cwd/in 0x1000
for kind in frames states pairs registers go; do
	grows "ELF: call frame information, $kind" 16000 "perl '$here/elf.pl' $kind \$n" "$UNIT/codeframe" /proc/self/cwd/in
done
if command -v xz >/dev/null; then
	grows 'ELF: a compressed symbol table' 16 \
	    "perl '$here/elf.pl' names 10 >elf && perl -e 'print qq{\0} x (20_000_000 * \$ENV{n})' | xz -T1 >bomb &&
	objcopy --strip-all --add-section .gnu_debugdata=bomb elf && cat elf" "$UNIT/symbol" -i file /proc/self/cwd/in 0x1000
fi
grows 'ELF: symbols that overlap, in search of frame sizes' 16000 "perl '$here/elf.pl' symbols \$n" "$UNIT/codeframe" /proc/self/cwd/in

# A location with many inlined functions, repeated many times in one sample.
lines="perl -e 'print q(1{1:1 2:2} ), q(2{1[), q(1 ) x (\$ENV{n} / 2), q(] 2[1]} ), q(4{1:1 ), q(4{1:1 2:3} ) x \$ENV{n}, q(} 5{1:1 2:3} 6\"\" 6\"samples\" 6\"count\" 6\"f\")' |
    perl '$here/protobuf.pl'"
grows 'pprof: a location with many inlined functions' 4000 "$lines" fg-collapse -q in

# Each byte of a name is a further state of the profile's expression for regexec.
grows 'pprof: drop_frames with an expression of many states' 100 \
    "perl -e 'srand 1; my @n = map { join q(), map { rand > 0.5 ? q(a) : q(b) } 1 .. 900 } 1 .. \$ENV{n};
	print q(1{1:1 2:2} 2{1:1 2:1} ), (map { qq(4{1:\$_ 4{1:\$_}} 5{1:\$_ 2:) . (\$_ + 2) . q(} ) } 1 .. @n), q(6\"\" 6\"samples\" 6\"count\" ),
	    (map { qq(6\"\$_\" ) } @n), q(6\"(a|b)*a), q((a|b)) x 600, q(\" 7:), @n + 3' | perl '$here/protobuf.pl'" fg-collapse -q in

# OTLP, as JSON: many samples share one deep stack.
otlp="perl -e 'my \$n = \$ENV{n};
	print q({\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"sampleType\":{\"typeStrindex\":1,\"unitStrindex\":2},\"samples\":[),
	    join(q(,), map { qq({\"stackIndex\":1,\"values\":[\"\$_\"]}) } 1 .. \$n),
	    q(]}]}]}],\"dictionary\":{\"mappingTable\":[{}],\"locationTable\":[{},{\"lines\":[{\"functionIndex\":1,\"line\":7}]}],\"functionTable\":[{},{\"nameStrindex\":3}],\"stackTable\":[{},{\"locationIndices\":[),
	    join(q(,), (1) x \$n), q(]}],\"stringTable\":[\"\",\"samples\",\"count\",\"f\"]}})'"
grows 'OTLP: many samples of one deep stack' 2000 "$otlp" fg-collapse -q in

# OTLP in both encodings: the location of many inlined functions, as above.
otlp="perl -e 'my \$n = \$ENV{n};
	print q({\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"sampleType\":{\"typeStrindex\":1,\"unitStrindex\":2},\"samples\":[{\"stackIndex\":1,\"values\":[\"1\"]}]}]}]}],\"dictionary\":{\"mappingTable\":[{}],\"locationTable\":[{},{\"lines\":[),
	    join(q(,), (q({\"functionIndex\":1,\"line\":7})) x (\$n / 2)), q(]}],\"functionTable\":[{},{\"nameStrindex\":3}],\"stackTable\":[{},{\"locationIndices\":[),
	    join(q(,), (1) x \$n), q(]}],\"stringTable\":[\"\",\"samples\",\"count\",\"f\"]}})'"
grows 'OTLP as JSON: a location with many inlined functions' 8000 "$otlp" fg-collapse -q in
grows 'OTLP: a location with many inlined functions' 32000 \
    "perl -e 'print q(1{2{2{1{1:1 2:2} 2{1:1 4[1]}}}} 2{1{} 2{} 2{), q(3{1:1 2:7} ) x (\$ENV{n} / 2), q(} 3{} 3{1:3} 5\"\" 5\"samples\" 5\"count\" 5\"f\" 7{} 7{1[), q(1 ) x \$ENV{n}, q(]}})' |
	perl '$here/protobuf.pl'" fg-collapse -q in

# Each format of fg-collapse: a file of its tests, again and again, as far as the reader follows.
for f in "$here"/data/formats/*/; do
	format=${f%/} && format=${format##*/}
	file=$(find "$f" -type f ! -name '*.folded' | LC_ALL=C sort | head -n 1)
	grows "$format: a file of its tests, again and again" 2000 \
	    "perl -0777 -e '\$_ = <>; print \$_ x (1 + 1000 * \$ENV{n} / length)' '$file'" fg-collapse -q -f "$format" in
done

done_testing
