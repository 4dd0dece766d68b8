#!/bin/sh
# Each sample of t/data/formats: detected format and expected output, from a file, compressed
# through a pipe, and with DOS line ends; no crash if truncated.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Formats whose library this build lacks.
without=$(fg-collapse --version | sed -n 's/^\(JSON\|XML\|zstd\|pprof\).*: not built in.*/\1/p')
is_without() {
	case $1/$without in
	*/*JSON*) case $1 in bpftrace-json | ghc-json | cpuprofile | heapprofile | otlp-json | chrome-trace | firefox | speedscope | stackprof | dhat | gprof2dot) return 0 ;; esac ;;
	esac
	case $1/$without in
	*/*XML*) [ "$1" = xctrace ] && return 0 ;;
	esac
	case $1/$without in
	*/*zstd*) [ "$1" = heaptrack ] && return 0 ;;
	esac
	case $1/$without in
	*/*pprof*) case $1 in pprof | otlp) return 0 ;; esac ;;
	esac
	return 1
}

for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) continue ;; esac
	name=${sample#"$here"/data/formats/}
	format=${name%%/*}
	if is_without "$format"; then
		skip "$name" 'built without its library'
		continue
	fi
	options=$(cat "$here/data/formats/$format/options" 2>/dev/null)
	: >"$tmp/.said"
	fg-collapse -v $options "$sample" >got 2>said
	grep -q ": format $format\$" said || cat said >>"$tmp/.said"
	diff -u "$sample.folded" got >>"$tmp/.said"
	if head -c 4 "$sample" | grep -aq '^(.\{0,1\}/'; then cat "$sample"; else gzip -nc "$sample"; fi | fg-collapse -q $options >piped 2>>"$tmp/.said"
	cmp got piped >>"$tmp/.said" 2>&1
	# Text with DOS line ends has the same stacks.
	if ! grep -aq "$(printf '[\1-\10\16-\37\177-\377\r]')" "$sample" && [ "$(tr -d '\0' <"$sample" | wc -c)" = "$(wc -c <"$sample")" ]; then
		sed 's/$/\r/' "$sample" | fg-collapse -q $options >dos 2>said
		cmp got dos >>"$tmp/.said" 2>&1 || cat said >>"$tmp/.said"
	fi
	size=$(wc -c <"$sample")
	for part in 3 2; do
		head -c $((size * (part - 1) / part)) "$sample" | fg-collapse -q $options >cut 2>said
		got=$?
		[ $got = 0 ] || [ $got = 2 ] || { echo "truncated: exit status $got" && cat said; } >>"$tmp/.said"
	done
	if [ -s "$tmp/.said" ]; then not_ok "$name"; else ok "$name"; fi
done
done_testing
