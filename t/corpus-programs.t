#!/bin/sh
# Folded files of the corpus through each program, compared with the output of other tools; exports
# and SVGs read back as their input.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

for f in "$corpus"/folded/*; do
	[ -e "$f.speedscope.folded" ] || continue
	sort "$f.speedscope.folded" >want
	fg-collapse -f folded "$f" 2>/dev/null | sort >got
	same "corpus: ${f##*/}" want got
done
for f in async-profiler-sample1.collapsed firefox-flamegraph.txt; do
	f=$corpus/folded/$f
	perl -ne '/^(.*) (\d+)$/ or die; $s{$1} += $2;
		END { printf "%s %s\n", $_, $s{$_} for sort keys %s }' "$f" >want
	fg-collapse "$f" | sort >one
	same "corpus: ${f##*/}" want one
	fg-collapse "$f" >one
	fg-collapse one >got
	same "corpus: ${f##*/} again" one got
done

# Compared with difffolded.pl, which includes trailing spaces in the stack.
c=$corpus/diff-folded
for o in '' -n; do
	fg-diff -q $o --no-header "$c/gen-before.folded.in" "$c/gen-after.folded.in" | sort >got
	sed 's/  *\([0-9.]* [0-9.]*\)$/ \1/' "$c/gen-after.folded.in.difffolded$o.folded" | sort >want
	same "as difffolded.pl $o" want got
done

for f in async-profiler-sample1.collapsed async-profiler-sample2.collapsed; do
	LC_ALL=C sort "$corpus/folded/$f" >in
	fg-render in | perl "$here/decode.pl" | LC_ALL=C sort >out
	same "$f: the round trip is lossless" in out
done

profile='pprof otlp'
bin=$(fg-render -V)
case $bin in *yajl*) profile="$profile otlp-json speedscope" ;; esac
for f in "$corpus"/*/*.folded "$corpus"/*/*.folded.gz "$corpus"/*/*.folded.in; do
	# The two columns are base and head where no header names them.
	case $f in */diff-folded/*) fg-filter -q --strict --columns base,head "$f" >want 2>/dev/null ;; *) false ;; esac ||
		fg-collapse -q -f folded "$f" >want 2>/dev/null || continue
	for t in $profile; do
		fg-render -q -T $t <want 2>said | fg-collapse -q >got 2>>said
		cmp -s want got || echo "$t ${f##*/}"
	done
done >bad
: >none
same 'all folded files of the corpus: lossless round trips' none bad
# Each input format to each export format.
for folder in "$corpus"/*/; do
	for f in $(ls -Sr "$folder" | grep -v '\.tsv$' | tail -n +3 | head -n 12); do
		fg-collapse -q "$folder$f" >want 2>/dev/null && [ -s want ] && break
		: >want
	done
	[ -s want ] || continue
	echo "${folder#"$corpus"/}" >>converted
	for t in firefox d3 $profile; do
		fg-render -T $t <want >profile 2>said || echo "$t $folder$f"
	done
	for t in $profile; do
		fg-render -q -T $t <want 2>said | fg-collapse -q >got 2>>said
		cmp -s want got || echo "$t ${folder#"$corpus"/}$f"
	done
done >bad
same 'from each format into each' none bad
check 'more than 30 conversions between formats were tried' test "$(wc -l <converted)" -gt 30
for f in medium medium.after large large.after; do
	xz -dc "$shared/bench/$f.folded.xz" | fg-collapse -q >want
	for t in $profile; do
		fg-render -T $t <want | fg-collapse -q >got
		check "$f.folded: lossless through $t" cmp want got
	done
done
done_testing
