#!/bin/sh
# fg-collapse and perf.data of the corpus: events and depths of stacks as perf script has them.
# tier: full
. "$(dirname "$0")/lib.sh"
corpus=$shared/corpus/perf-data
[ -n "$shared" ] && [ -d "$corpus" ] || skip_all 'no ../shared/corpus'

# counts FILE: event, number of samples and total of each, as perf script prints them.
counts() {
	fg-collapse --list-events "$1" 2>said | awk 'NR > 1 { print $1 "\t" $(NF - ($NF == "default") - 1) "\t" $(NF - ($NF == "default")) }' | sort
}

# The sum of the values of all stacks, by depth.
depths() {
	awk '!/^#/ { n = gsub(/;/, ";"); v[n] += $NF } END { for (n in v) print n, v[n] }' | sort -n
}

for f in "$corpus"/*.counts.tsv; do
	case $f in *intel_pt*) continue ;; esac # perf script makes events of a trace
	in=${f%.counts.tsv}
	[ -e "$in" ] || in=$in.gz
	sort <"$f" >want
	counts "$in" >got
	same "${in##*/}: the events of perf script" want got
done
# Files that perf 6.1 cannot read; the counts are from other readers.
output 'compressed records, from a pipe' "cycles:P	547	942061728" counts "$corpus/linuxperfdata-fibo.compressed2.pipe.data"
output 'compressed records, from a file' "cycles:P	8	2201546" counts "$corpus/linuxperfdata-sleep.compressed.data"
output 'compressed records of the newer type' "cycles:Pu	7	692634" counts "$corpus/linuxperfdata-sleep.compressed2.data"
f=$corpus/quipper-perf.data.piped.corrupted.zero_size_sample-3.2
output 'a record of no size ends nothing' "cycles	227	371273729" counts "$f"
check 'a record of no size is reported with its offset' grep -q 'byte 49104: not a record' said
status 'a record of no size is an error with --strict' 2 fg-collapse --strict "$f"
# Without the recorded modules: stacks are as deep as those of perf script.
for f in "$corpus"/g.data "$corpus"/pipe.data "$corpus"/multi-event.data; do
	if [ -e "$f.script.txt" ]; then cat "$f.script.txt"; else gzip -dc "$f.script.txt.gz"; fi >text
	# The default event of a recording is its first, that of text the one with most
	# samples.
	event=$(fg-collapse --list-events text | sed -n 's/ .* default$//p')
	fg-collapse --no-inline -q -e "$event" "$f" | depths >got
	fg-collapse -q -e "$event" text | depths >want
	same "${f##*/}: stacks as deep as perf script's" want got
done
done_testing
