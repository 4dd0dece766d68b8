#!/bin/sh
# Multithreaded programs: the same bytes with any number of threads, and messages that stay
# complete lines. `make check-threads` runs this with the thread sanitizer.
# tier: quick
. "$(dirname "$0")/lib.sh"

# More than four parts of perf script, with malformed lines.
awk 'BEGIN { for (i = 0; i < 25000; i++) {
	printf "app%d 1/%d %d.5: %d cycles:\n\t%x f%d (/x)\n\t%x g%d (/x.so)\n\t20 main (/x)\n\n", i % 3, i % 5, i / 100, i % 7 + 1, i, i % 100, 7 * i, i % 1000
	if (i % 5000 == 4999) print "what is this"
} }' >perf
awk 'BEGIN { for (i = 0; i < 15000; i++) printf "app;main;f%d %d\n", i, i % 5 + 1 }' >folded
gzip -c <perf >perf.gz
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE <perf; } >perf.utf16
fg-collapse -q -j 1 perf perf perf perf >want 2>want.said
fg-collapse -q -j 4 perf perf.gz perf.utf16 perf >got 2>said
same 'fg-collapse -j 4: files, compressed, UTF-16' want got
sed -i 's/perf[.a-z0-9]*:/perf:/' said
same 'fg-collapse -j 4: malformed lines' want.said said
cat perf | fg-collapse -j 3 perf.gz - perf perf >got 2>/dev/null
same 'fg-collapse -j 3: a pipe among them' want got
fg-collapse -j 1 --from 10 --to 200 --pid perf folded >want 2>want.said
fg-collapse -j 4 --from 10 --to 200 --pid perf folded >got 2>said
same 'fg-collapse -j 4 with a range' want got
same 'fg-collapse -j 4 with a range: messages' want.said said
status 'fg-collapse -j 4 --strict' 2 fg-collapse -j 4 --strict perf

# A pipe's writer has a processor for itself. A sanitizer has threads of its own, and looks for leaks
# by ptrace(2), as strace does.
threads() { # the number that fg-collapse starts
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=clone,clone3 -o trace fg-collapse -q "$@" >/dev/null 2>&1
	grep -c 'clone.*= [0-9]' trace
}
many="perf perf perf perf perf perf perf perf" # 10 MB: of a pipe one thread reads the first 4
cpus=$(nproc --all)
if [ "$cpus" -gt 1 ] && [ "$cpus" -le 16 ] && command -v strace >/dev/null &&
	strace -qq -o trace true 2>/dev/null; then
	check 'fg-collapse of a file: a thread per processor' test "$(threads perf)" = "$(threads -j $cpus perf)"
	fewer=$(cat $many | threads -j $((cpus - 1)))
	check 'fg-collapse of a pipe: one thread less' test "$(cat $many | threads)" = "$fewer"
	check 'fg-collapse of a pipe: -j decides' test "$(cat $many | threads -j $cpus)" -gt "$fewer"
else
	skip 'the number of threads' 'one processor or above 16, no strace, or it may not trace' strace
fi

# fg-diff reads its files in parallel, if they have 1 MB.
for i in 1 2 3 4 5 6 7 8; do
	awk -v n=$i 'BEGIN { srand(n); for (i = 0; i < 15000; i++) printf "app;main;f%d %d\n", i, 1000 + rand() * 100; print "bad" n }' >run$i
done
diff_runs() {
	fg-diff --report run1 run2 run3 run4 -- run5 run6 run7 run8
}
diff_runs >want 2>said
check 'fg-diff of eight files' test -s want
check 'malformed lines are reported' test -s said
check 'whole lines in its messages' test -z "$(grep -v '^fg-diff: .*[a-z0-9?]$' said)"
for try in 1 2 3; do
	diff_runs >got 2>/dev/null
	cmp -s want got || echo "$try"
done >unlike
same 'fg-diff: equal output each time' /dev/null unlike
fg-diff missing run1 none -- gone run2 nowhere >got 2>said
check 'missing files on both sides: exit 2' test $? = 2
check 'missing files on both sides: one message' test "$(wc -l <said)" = 1
printf 'app;main;f 1\n' >small
if strace -o calls true 2>/dev/null; then
	for files in 'small small' 'small small -- small small' '--series small small small small small small'; do
		ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=clone,clone3 -o calls fg-diff -q $files >/dev/null 2>said
		check "fg-diff $files: no thread" test ! -s calls
	done
else
	skip 'fg-diff starts no thread for small files' 'no strace, or it may not trace' strace
fi
done_testing
