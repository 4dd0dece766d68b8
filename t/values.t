#!/bin/sh
# The header line `# values:` and periods of heap profiles: written by readers, kept by filters,
# and what fg-diff and fg-render conclude from both.
# tier: quick
. "${0%/*}/lib.sh"

# has NAME PATTERN COMMAND...: its output has a line that matches; lacks: it has none.
has() {
	name=$1 pattern=$2
	shift 2
	"$@" >"$tmp/.out" 2>&1
	check "$name" grep -q -e "$pattern" "$tmp/.out"
}
lacks() {
	name=$1 pattern=$2
	shift 2
	"$@" >"$tmp/.out" 2>&1
	check "$name" sh -c '[ -s "$2" ] && ! grep -e "$1" "$2"' - "$pattern" "$tmp/.out"
}
data=$here/data/formats
# values FILE [OPTION...]: period and kind of values that fg-collapse writes.
values() {
	file=$1
	shift
	found=$(fg-collapse -q "$@" "$file" | sed -nE 's/^# (period|values): (.*) 0$/\2/p')
	echo ${found:-none}
}
while IFS='|' read -r format file want options; do
	output "values of $format" "$want" values "$data/$file" $options
done <<'END'
heaptrack|heaptrack/plain|exact
massif|massif/plain|exact
DHAT|dhat/plain|exact
callgrind|callgrind/plain|exact
times in callgrind's format are measured|callgrind/calls-with-two-numbers-memory-that|none
memleak|bcc/memleak|exact
tracemalloc|tracemalloc/tracemalloc|exact
GHC's allocations|ghc/upper-p|exact|-e bytes
GHC's ticks|ghc/upper-p|1000 us sampled|-e ticks
perf script|perf/header|250000 cycles sampled
pprof of CPU time|pprof/the|10000000 ns sampled
gperftools, each allocation|heap/gperftools|exact
gperftools, sampled|heap/gperftools-sampled|524288 bytes sampled
gperftools, objects of sampled bytes|heap/gperftools-sampled|estimated|-e inuse_objects
V8's sampled heap|heapprofile/node-heap|524288 bytes sampled
JFR's allocations|jfr/a|5000 bytes sampled|-e ObjectAllocationInNewTLAB
JFR's locks are measured|jfr/a|none|-e JavaMonitorEnter
gprof|gprof/plain|estimated
END
printf 'heap_v2/8192\n  t*: 3: 300 [0: 0]\n@ 0x1 0x2\n  t*: 3: 300 [0: 0]\n' >jemalloc
output 'values of jemalloc' '8192 bytes sampled' values jemalloc

# Filters: the weakest stays.
for kind in exact sampled estimated -; do
	printf '# unit: bytes 0\n# values: %s 0\nm;a 3\nm;b 5\n' $kind >"in.$kind"
done
printf '# unit: bytes 0\nm;a 3\nm;b 5\n' >in.none
kind() { # COMMAND...: the last line of values, which counts
	"$@" | sed -n 's/^# values: \(.*\) 0$/\1/p' | tail -n 1
}
output 'a filter keeps the kind of values' exact kind fg-filter in.exact
output 'a filter in time order keeps it' exact kind fg-filter --time-order in.exact
output 'a sum of exact values is exact' exact kind fg-merge in.exact in.exact
for way in fg-merge 'fg-merge --sorted' fg-collapse 'fg-filter --time-order'; do
	output "$way: exact and sampled are sampled" sampled kind $way in.exact in.sampled
	output "$way: sampled and estimated are estimated" estimated kind $way in.estimated in.sampled
	for unknown in in.none in.-; do
		check "$way: exact and ${unknown#in.} are unknown" \
			[ "$(kind $way in.exact $unknown | tr -d -)" = '' ]
		check "$way: ${unknown#in.} and exact are unknown" \
			[ "$(kind $way $unknown in.exact | tr -d -)" = '' ]
	done
done
output 'joined files of different kinds have the weaker' sampled kind sh -c 'cat in.exact in.sampled | fg-merge'
output 'a mean is an estimate' estimated kind fg-merge --mean in.exact in.exact
output 'a scaled value is an estimate' estimated kind fg-merge --weight in.exact=2 in.exact
output 'many files in batches: exact' exact kind sh -c 'ulimit -n 40; fg-merge --sorted $(yes in.exact | head -n 90)'
printf '# unit: bytes 0\n# values: exactly 0\nm;a 3\n' >odd
fg-merge odd >got 2>said
check 'another word is a comment, with a note' grep -q 'odd:2: the values header does not fit' said
printf '# columns: a b 0 0\n# values: exact sampled 0 0\nm 1 2\n' >two
output 'a word for each column' 'exact sampled 0' kind fg-filter two
output 'a picked column has its own' sampled kind fg-filter --column b two
for format in pprof speedscope otlp; do
	output "$format and back: the kind is kept" exact kind sh -c "fg-render -T $format in.exact | fg-collapse -q"
done

# Verdicts. A heap of one large function that grew, exact, sampled or unknown.
heap() { # KIND PERIOD BYTES
	printf '# unit: bytes 0\n'
	[ -z "$2" ] || printf '# period: %s bytes 0\n' "$2"
	[ "$1" = none ] || printf '# values: %s 0\n' "$1"
	printf '%s\n' 'm;other 900001' "m;cache $3" 'm;f 72704'
}
for kind in exact sampled none; do
	heap $kind '' 11110842 >"base.$kind"
	heap $kind '' 55554210 >"head.$kind"
done
heap sampled 524288 2100000 >base.rate
heap sampled 524288 4200000 >head.rate
heap sampled 512 2100000 >base.fine
heap sampled 512 10500000 >head.fine
answer() { fg-diff --report "$@" | sed -n '1s/[:;,(].*//p'; }
output 'exact bytes that grew have changed' CHANGED answer base.exact head.exact
output 'exact bytes that are equal have not changed' 'NO CHANGE' answer base.exact base.exact
output 'a single exact byte more is a fact' CHANGED sh -c '
	sed "s/72704/72705/" base.exact >one; fg-diff --report base.exact one | sed "s/:.*//;q"'
for kind in none sampled; do
	output "bytes of unknown weight ($kind) have no verdict" 'CANNOT TELL' answer base.$kind head.$kind
	lacks "bytes of unknown weight ($kind): never beyond noise" 'beyond noise\|may be noise' \
		fg-diff --report base.$kind head.$kind
done
has 'no verdict: the reason' 'may be exact or sampled' fg-diff --report base.none head.none
check 'no verdict: the row has its size' sh -c 'fg-diff --report=tsv base.none head.none | grep -q "^self.11110842.55554210.*unknown.*cache"'
status 'no verdict: a gate cannot pass' 2 fg-diff -q --fail-above 5% base.none head.none
output '--noise none makes them exact' CHANGED answer --noise none base.none head.none
output '--period makes them samples' CHANGED answer --period 512 base.none head.none
output 'growth from 4 samples to 8 may be noise' 'CANNOT TELL' answer base.rate head.rate
output 'growth from 4,000 samples to 20,000 is beyond noise' CHANGED answer base.fine head.fine
output 'exact against unknown is unknown' 'CANNOT TELL' answer base.exact head.none
output 'runs of unknown kind show their noise' CHANGED answer base.none base.none -- head.none head.none
fg-diff --mark-noise base.none head.none >got 2>said
output '--mark-noise: no column without verdicts' '# columns: base head 0 0' head -n 1 got
check '--mark-noise: no column, with a note' grep -q 'no noise column' said
lacks 'memory that grew: shares are not proposed' '(-n)' fg-diff --report base.fine head.fine
has 'samples that grew: shares are proposed' '(-n)' sh -c '
	for f in base head; do sed "1s/bytes/samples/;2,3d" $f.rate >s.$f; done; fg-diff --report s.base s.head'

# fg-render asks the same.
text() { fg-diff -q "$@" | fg-render -T markdown; }
has 'fg-render: exact bytes grew' 'Grew: `cache` .42.4 MiB' text base.exact head.exact
has 'fg-render: no verdict, but sizes' 'Largest increases, not tested: `cache` .42.4 MiB' text base.none head.none
lacks 'fg-render: no verdict is never noise' 'noise' text base.none head.none
has 'fg-render: sampled bytes within noise' 'Nothing grew beyond noise' text base.rate head.rate
has 'fg-render: sampled bytes beyond noise' 'Grew: `cache`' text base.fine head.fine
done_testing
