#!/bin/sh
# fg-filter gives the same results as an independent model, on thousands of random profiles, also
# with labels and time marks. Large files give the results of pipes, in constant memory if they are
# in order.
# tier: full soak
. "$(dirname "$0")/lib.sh"

seeds=1
! rates || seeds='1 2 3 4 5'
for seed in $seeds; do
	perl "$here/filter-model.pl" "${CASES:-1000}" $seed >wrong 2>&1
	same "${CASES:-1000} random profiles and options, labels and times too, seed $seed" /dev/null wrong
done
# Files that are not small: with few frames, and with more than a small tree has.
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "app;main;function_number_%04d;a_function_of_a_rather_long_name_without_a_number;f%d;leaf_%02d %d\n", i / 20, i % 20 / 7, i % 20, i % 50 + 1 }' >few
sed -n '50001,$p; 1,50000w first' few >second
cat second first >halves
awk 'BEGIN { for (i = 0; i < 70000; i++) printf "app;main;g%05d%s;f%d %d\n", i, ";a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s;t;u;v;w;x;y;z_of_a_long_name_of_a_long_name_of_a_long_name_of_a_long_name", i % 7, i % 50 + 1 }' >many
sed '1000s/ [0-9]*$//' many >damaged
sed '$s/ [0-9]*$//' few >damaged-few
{ cat many; echo 'app;late 1'; } >late
{ printf '# label: host=a 0\n'; cat few; } >labelled
for f in few halves many damaged damaged-few late labelled; do
	[ "$(wc -c <$f)" -gt 8388608 ] || echo "$f is small"
	for o in '--drop f3' '--min 20' '--root x' '--where label(host)=a' '--rename s/g3/g4/'; do
		fg-filter -v $o $f >got 2>said
		fg-filter -v $o <$f >want 2>said2
		sed "s/^fg-filter: $f:/fg-filter: stdin:/" said >said1
		cmp -s got want && cmp -s said1 said2 || echo "$o $f"
	done
done >wrong
same 'large files in order, out of order and damaged give the same as pipes' /dev/null wrong
if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
	for f in few halves; do
		strace -qq -e trace=read -o trace fg-filter --drop f3 $f >got
		awk -v f=$f -v size="$(wc -c <$f)" '$NF > 2000 { n += $NF }
			END { if (n > 1.1 * size) print f ": " n " of " size " bytes" }' trace
	done >wrong
	same 'files of a small tree are read once' /dev/null wrong
else
	skip 'files of a small tree are read once' 'no strace, or it may not trace' strace
fi
if [ -x /usr/bin/time ]; then
	head -n 1000 many >first
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1 # of freed memory, otherwise 256
	export ASAN_OPTIONS
	for o in '--drop f3' '--min 20' '--root x'; do
		/usr/bin/time -f %M fg-filter $o first 2>kb >got
		/usr/bin/time -f %M fg-filter $o many 2>>kb >got
		[ "$(tail -1 kb)" -lt $(($(head -1 kb) + 16000)) ] || echo "$o:" "$(tr '\n' ' ' <kb)" KB
	done >wrong
	same 'a large file in order is filtered in little memory' /dev/null wrong
	# Names that share little: above 72 MB.
	awk 'BEGIN { x = sprintf("%01000d", 0); for (i = 0; i < 140000; i++) printf "%06d%s;f%d %d\n", i, x, i % 7, i % 50 + 1 }' >long
	for o in '--drop f3' '--rename s/f3/g3/'; do
		/usr/bin/time -f %M fg-filter $o long 2>kb >got
		[ "$(cat kb)" -lt 110000 ] || echo "$o: $(cat kb) KB"
		fg-filter $o <long | cmp -s - got || echo "$o"
		{ cat long; echo 'app 1'; echo '1 1'; } >late
		fg-filter $o late >got
		fg-filter $o <late | cmp -s - got || echo "$o late"
	done >wrong
	same 'a larger one is a stream, or is read again' /dev/null wrong
	rm -f long late got
else
	skip 'constant memory' 'there is no /usr/bin/time' time
fi
done_testing
