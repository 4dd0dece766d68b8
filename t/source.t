#!/bin/sh
# Compressed input: every program reads gzip, zstd and xz, detected by their magic numbers, from
# files and pipes; damage is reported, and the data before it are used.
# tier: quick
. "$(dirname "$0")/lib.sh"

# The compressions supported by this build and this machine; gzip is always.
packers=gzip
for p in zstd xz; do
	if ! command -v $p >/dev/null; then
		skip "$p" "there is no $p" "$p"
	elif fg-merge --version | grep -q "not built in.*$(echo $p | sed 's/xz/lzma/')"; then
		printf 'a 1\n' | $p -c >one
		fg-merge one >out 2>got
		check "built without its library: $p is refused" test $? = 2 -a ! -s out
		check 'built without its library: the message names the library' grep -Eq "^fg-merge: one: $p data: this program was built without lib(zstd|lzma)$" got
	else
		packers="$packers $p"
	fi
done

awk 'BEGIN { for (i = 0; i < 20000; i++) printf "app;main;function_%d %d\n", i * 7919 % 20000, i % 97 + 1 }' >a.folded
awk 'BEGIN { for (i = 0; i < 100; i++) printf "app;main;other_%d %d\n", i, i + 1 }' >b.folded
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "app 1/1 %d.5: 7 cycles:\n\t%x f%d (/x)\n\t20 main (/x)\n\n", i, i, i % 100 }' >perf

# Every program: a file, a pipe, two members, and two files with different compressions
programs() {
	for p in $packers; do
		$p -c <a.folded >a.$p
		$p -c <b.folded >b.$p
		$p -c <perf >perf.$p
	done
	fg-collapse perf >want.collapse
	fg-merge a.folded b.folded >want.merge
	fg-filter --root-at main a.folded >want.filter
	fg-render --title t -T top a.folded >want.render
	fg-diff a.folded b.folded | grep -v '^# sides' >want.diff # they have the files' names
	for p in $packers; do
		fg-collapse perf.$p >got; same "fg-collapse $p" want.collapse got
		fg-collapse <perf.$p >got; same "fg-collapse $p as stdin" want.collapse got
		cat perf.$p | fg-collapse -j 3 - >got; same "fg-collapse $p from a pipe" want.collapse got
		fg-merge a.$p b.gzip >got; same "fg-merge $p and gzip" want.merge got
		cat b.$p | fg-merge a.folded - >got; same "fg-merge $p from a pipe" want.merge got
		cat a.$p b.$p >both
		fg-merge both >got; same "fg-merge, two members of $p" want.merge got
		cat a.$p b.gzip | fg-merge >got; same "fg-merge, $p and gzip in one" want.merge got
		{ cat a.$p; head -c 1024 /dev/zero; cat b.$p; head -c 512 /dev/zero; } >both
		fg-merge both >got 2>said; same "fg-merge, zeros between and after $p" want.merge got
		check 'compressed input: no message' test ! -s said
		fg-filter --root-at main a.$p >got; same "fg-filter $p" want.filter got
		cat a.$p | fg-filter --root-at main >got; same "fg-filter $p from a pipe" want.filter got
		fg-render --title t -T top a.$p >got; same "fg-render $p" want.render got
		fg-render --title t -T top - <a.$p >got; same "fg-render $p as stdin" want.render got
		fg-diff a.$p b.$p | grep -v '^# sides' >got; same "fg-diff $p" want.diff got
		cat b.$p | fg-diff a.$p - | grep -v '^# sides' >got; same "fg-diff $p from a pipe" want.diff got
	done
}
programs
: | gzip -c >nothing
status 'a compressed file of nothing is exit status 2' 2 fg-merge nothing
fg-merge nothing a.gzip >got
fg-merge a.folded >want
same 'a compressed file of nothing beside others' want got
printf '\377\376' >utf16
iconv -f UTF-8 -t UTF-16LE <b.folded >>utf16
fg-collapse b.folded >want
gzip -c <utf16 | fg-collapse >got
same 'UTF-16, compressed' want got

printf 'c;x 3\nd;y 4\n' >c.folded
fg-merge a.folded >sorted
fg-merge --prefix=app=b.folded >sorted2
# Damage: a partial sum would be wrong, so folded input ends with exit status 2; from other
# profiles the complete samples before the damage are used.
perl -e 'for (1 .. 20000) { print "prog 1/1 $_.5: 7 cycles:\n\t10 f", int(rand 1000), " (/x)\n\t20 main (/x)\n\n" }' >script
for p in $packers; do
	$p -q -c <sorted >sorted.$p
	size=$(wc -c <sorted.$p)
	head -c $((size / 2)) sorted.$p >half
	for program in fg-merge 'fg-merge -m' fg-filter 'fg-filter --time-order' fg-collapse fg-render 'fg-diff b.folded' \
		'fg-merge b.folded'; do
		echo untouched >out
		$program -o out half 2>said
		st=$?
		echo "${program%% *}: half: byte $((size / 2)): the $p data are truncated" >want
		[ $st = 2 ] && [ "$(cat out)" = untouched ] && grep -qxF "$(cat want)" said || echo "$program: exit $st: $(cat said)"
	done >wrong
	same "truncated $p is an error with its offset, and -o stays untouched" /dev/null wrong
	cat half | fg-collapse >got 2>said
	check "truncated $p from a pipe is an error, too" test $? = 2 -a ! -s got
	fg-merge -m half sorted2 >got 2>said
	check "a stream ends with truncated $p" test $? = 2 -a -s got
	fg-merge -m sorted sorted2 >want
	head -n "$(wc -l <got)" want >head
	same "before the first sum that would be short: $p" head got
	cp sorted.$p bad
	printf 'XXXXXXXX' | dd of=bad bs=1 seek=$((size * 3 / 4)) conv=notrunc 2>/dev/null
	status "damaged $p is an error" 2 sh -c 'fg-merge bad b.folded >got 2>said'
	check "the message has the place in damaged $p" grep -Eq "^fg-merge: bad: byte [0-9]+: the $p data are damaged: ." said
	check "nothing of damaged $p is written" test ! -s got
	{ cat b.$p; echo 'app;more 1'; } >more
	status "something else after $p is an error" 2 sh -c 'fg-merge more >got 2>said'
	printf 'fg-merge: more: byte %d: data that are not %s follow the compressed data\n' "$(wc -c <b.$p)" $p >want
	same "other data after $p: the message" want said
	cp b.$p good
	fg-merge --skip-damaged=list half good bad more c.folded >got 2>said
	check "--skip-damaged: $p" test $? = 0
	fg-merge b.folded c.folded >want
	same "--skip-damaged skips $p files" want got
	output "--skip-damaged lists damaged $p files" 'half bad more ' sh -c 'tr "\0" " " <list; echo'
	check "--skip-damaged counts damaged $p files" grep -q '^fg-merge: 3 of 5 files were skipped$' said
	suffix=$p
	case $p in gzip) suffix=gz ;; zstd) suffix=zst ;; esac
	: >empty.$suffix
	status "an empty file whose name promises $p is truncated" 2 fg-merge b.folded empty.$suffix
	$p -q -c <script >script.$p
	head -c $(($(wc -c <script.$p) - 40)) script.$p >half
	fg-collapse half >got 2>said
	check "truncated $p of perf script: exit 0" test $? = 0
	echo "fg-collapse: half: byte $(wc -c <half): the $p data are truncated; the rest is skipped" >want
	same "truncated $p of perf script is reported" want said
	awk '!/^# / { print $1 }' got | grep -vxE 'prog;main;f[0-9]+' >wrong
	same "truncated $p of perf script: no name is cut" /dev/null wrong
	status "truncated $p of perf script: --strict" 2 fg-collapse --strict half
	for n in 1 2 3 5 8 12; do
		head -c $n a.$p >short
		fg-merge -q short >out 2>said
		got=$?
		[ $got = 2 ] && [ ! -s out ] && [ -s said ] || echo "$n bytes: exit $got"
	done >wrong
	same "$p: all short prefixes are errors" /dev/null wrong
done
{ cat perf; printf 'app 1/1 99999.5: 7 cycles:\n\t10 last (/x)\n\t20 main (/x)\n\n'; } >perf2
gzip -1 -c <perf2 >perf2.gz
size=$(wc -c <perf2.gz)
head -c $((size - 20)) perf2.gz >half
for j in 1 4; do
	fg-collapse -q --no-header -j $j half 2>/dev/null >got$j
	check "perf script cut off, -j $j: the stacks before the cut" grep -q '^app;main;f' got$j
	check "perf script cut off, -j $j: no part of a stack" test -z "$(cut -d' ' -f1 got$j | grep -vx 'app;main;f[0-9]*')"
done
same 'truncated input: equal output with any number of threads' got1 got4

# The unit program of the module
source=$UNIT/source
if [ ! -x "$source" ]; then
	skip 'base/source' 'the unit programs are not built'
	done_testing
fi
size=$(wc -c <a.folded)
output 'a file' "plain 1 $size" "$source" info a.folded
output 'a pipe' 'plain 0' sh -c "cat a.folded | '$source' info -"
output 'a file as stdin, from where it stands' "plain 1 $((size - 6))" sh -c "{ dd bs=6 count=1 of=/dev/null 2>/dev/null; '$source' info -; } <a.folded"
output 'stdin as a file, from its offset' "$(head -c 14 a.folded | tail -c 8)" \
	sh -c "{ dd bs=1 count=2 of=/dev/null 2>/dev/null; '$source' pread 4 -; echo; } <a.folded"
output 'a read beyond the end of a file has no bytes' '' "$source" pread 1000000000 a.folded
output 'a file of /proc, whose size is 0, is read as plain text' 'plain 0' "$source" info /proc/self/status
for p in $packers; do
	output "$p" "$p 0" "$source" info a.$p
	output "peek at $p" "65536 app;main 0
1 $(tail -c +1001 a.folded | head -c 8) 1000" "$source" peek a.$p
done
for f in a.folded a.gzip; do
	"$source" small $f >got
	same "$f in small pieces" a.folded got
	cat $f | "$source" small - >got
	same "$f in small pieces from a pipe" a.folded got
	for n in 0 10 100000 $((size - 1)) $size 999999999999; do
		"$source" skip $n $f >got
		tail -c +$((n + 1)) a.folded >want
		same "$f without its first $n bytes" want got
	done
	"$source" whole $f >got
	same "$f held in memory" a.folded got
	cat $f | "$source" whole - >got
	same "$f held in memory from a pipe" a.folded got
	"$source" whole $f $size >got
	same "$f just within the bound" a.folded got
	"$source" whole $f $((size - 1)) >got 2>said
	check "$f above the bound: exit 2" test $? = 2 -a ! -s got
	check 'above --max-size: the message names the option' grep -Eq "^source: $f: too large to hold in memory: over $((size - 1)) bytes.* \(see --max-size\)$" said
	cat $f | "$source" whole - 100000 >got 2>said
	check "$f above the bound, from a pipe: exit 2" test $? = 2 -a ! -s got
done
"$source" whole /dev/null >got
same 'an empty file that is held in memory is empty' /dev/null got
"$source" whole half >got 2>said
check 'truncated data held in memory are reported' grep -q 'are truncated' said
for size in x -1 0 1Q 1M2 ''; do
	status "--max-size '$size'" 2 fg-collapse --max-size "$size" a.folded
done
check '--max-size 20G is a valid limit' fg-collapse --max-size 20G a.folded
check '--max-size 1k: text has no bound' fg-collapse --max-size 1k a.folded
# A progress line on a terminal, erased at the end.
if script -qec true /dev/null </dev/null >.said 2>&1; then
	awk 'BEGIN { for (i = 0; i < 400000; i++) print "main;f" i ";g" i % 7, 1 }' >long
	script -qefc "sh '$here/programs/slowly' long said | fg-merge -o merged" said </dev/null >/dev/null
	check 'a progress line, wiped at the end' \
		grep -q "$(printf 'fg-merge: stdin: [0-9]* MB\r\033\[K$')" said
	script -qec 'sh -c "{ head -c 5000000 long; sleep 1.5; tail -c +5000001 long; } | fg-merge -q -o merged"' \
		/dev/null </dev/null >said
	check 'no progress line with -q' test ! -s said
else
	skip 'a progress line' "script(1) makes no terminal: $(head -1 .said)" bsdutils
fi
output 'at least 1 GiB may be held' 1073741824 "$source" bound 10
output '1000 times the compressed size' 2000000000 "$source" bound 2000000
output 'at most 8 GiB' 8589934592 "$source" bound 1000000000000
done_testing
