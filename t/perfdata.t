#!/bin/sh
# fg-collapse reads perf.data: recordings that perf makes here, and those of the corpus.
. "$(dirname "$0")/lib.sh"
corpus=${shared:+$shared/corpus/perf-data}

# counts FILE: event, samples and total of each, as perf script has them.
counts() {
	fg-collapse --list-events "$1" 2>said | awk 'NR > 1 { print $1 "\t" $(NF - ($NF == "default") - 1) "\t" $(NF - ($NF == "default")) }' | sort
}

# The weight of stacks by their depth.
depths() {
	awk '!/^#/ { n = gsub(/;/, ";"); v[n] += $NF } END { for (n in v) print n, v[n] }' | sort -n
}

if [ -d "$corpus" ]; then
	for f in "$corpus"/*.counts.tsv; do
		case $f in *intel_pt*) continue ;; esac # perf script makes events of a trace
		in=${f%.counts.tsv}
		[ -e "$in" ] || in=$in.gz
		sort <"$f" >want
		counts "$in" >got
		same "${in##*/}: the events of perf script" want got
	done
	# Those that perf 6.1 cannot read, and what others count in them.
	output 'packed, as a pipe' "cycles:P	547	942061728" counts "$corpus/linuxperfdata-fibo.compressed2.pipe.data"
	output 'packed, as a file' "cycles:P	8	2201546" counts "$corpus/linuxperfdata-sleep.compressed.data"
	output 'packed in the newer records' "cycles:Pu	7	692634" counts "$corpus/linuxperfdata-sleep.compressed2.data"
	f=$corpus/quipper-perf.data.piped.corrupted.zero_size_sample-3.2
	output 'a record of no size ends nothing' "cycles	227	371273729" counts "$f"
	check 'and is said with its offset' grep -q 'byte 49104: no record begins there' said
	status 'with --strict that is an error' 2 fg-collapse --strict "$f"
	# Without the binaries of those machines: stacks as deep as those of perf script.
	for f in "$corpus"/g.data "$corpus"/pipe.data "$corpus"/multi-event.data; do
		if [ -e "$f.script.txt" ]; then cat "$f.script.txt"; else gzip -dc "$f.script.txt.gz"; fi >text
		fg-collapse --no-inline -q "$f" | depths >got
		fg-collapse -q text | depths >want
		same "${f##*/}: stacks as deep as perf script's" want got
	done
else
	skip 'recordings of other machines' 'the corpus is not here'
fi

done_testing
