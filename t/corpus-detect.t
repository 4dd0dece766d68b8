#!/bin/sh
# Each file of the corpus: the detected format, and that it is folded, or rejected with a reason;
# from a file and from a pipe, plain and compressed with gzip. The table has a row for each
# directory or file; the first matching row applies.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"
cat >table <<'EOF'
bcc/offcputime-9.txt folded
bcc/wakeuptime-23.txt folded
bcc/* bcc
bpftrace/*.json bpftrace-json
bpftrace/* bpftrace
cachegrind/* cachegrind
cpuprofile/* cpuprofile
callgrind/* callgrind
chrome-trace/* chrome-trace
dhat/* dhat
heaptrack/* heaptrack
massif/* massif
dtrace/* dtrace
eu-stack/* eu-stack
faulthandler/* faulthandler
firefox/* firefox
folded/speedscope-simple-with-invalids.txt folded
folded/* folded
recursive/* folded
diff-folded/* folded
gdb/* gdb
ghc-json/* ghc-json
go-dump/* go
ghcprof/* ghc
heapprofile/* heapprofile
ibmjava/* javacore
instruments/* instruments
jfr-text/* jfr-text
jfr-binary/* jfr
jstack/* jstack
macos-sample/* sample
perf-data/* perf.data
perf-report/* perf-report
perf-script/* perf
pmcstat/* pmcstat
pprof/* pprof
pprof-legacy/*.cpu gperftools
pprof-legacy/*.heap heap
pprof-legacy/* pprof-legacy
gperftools-cpu/* gperftools
gperftools-heap/* heap
jemalloc-heap/* heap
pstats/*.txt pstats
pstats/* cprofile
py-spy-dump/* py-spy
speedscope/* speedscope
stackprof/* stackprof
trace-event/* chrome-trace
tracemalloc/* tracemalloc
vsprof/* vsprof
vtune/* vtune
xctrace/* xctrace
xdebug-trace/* xdebug
guess/* refused
EOF

# Rejected files, and words of the reason.
cat >refused <<'EOF'
bpftrace/gen-stats.txt no stacks in the input
callgrind/callgrind.xtree-leak.kcg no samples of event RB; left out: DB (3)
callgrind/speedscope-callgrind.subposition-compression.log a relative cost
guess/inferno-unknown-format.txt unknown format
perf-report/report-fractal.txt use perf report --no-children
perf-report/report-g.txt use perf report --no-children
vsprof/inferno-invalid-depth.csv not a row of a call tree
EOF

# Formats that may both detect a file; the one with the higher confidence reads it.
cat >pairs <<'EOF'
austin folded
bcc folded
cpuprofile heapprofile
java-exceptions jstack
perf pprof-raw
EOF
: >claims

# The format that fg-collapse -v printed on standard error.
told() {
	sed -n 's/^fg-collapse: .*: format //p' "$1" | sort -u
}

# Each file, uncompressed by name and as gzip from a pipe, has the same format and the same stacks.
cut -f2 "$corpus/INDEX.tsv" | grep / >files
while read -r file; do
	at=$corpus/$file
	if without_zstd "$file"; then
		skip "$file" 'built without libzstd' libzstd-dev
		continue
	fi
	want='no row of the table'
	while read -r pattern name; do
		case $file in
		$pattern) want=$name && break ;;
		esac
	done <table
	case $want in
	refused) want= ;;
	esac
	gzip -dc "$at" >plain 2>/dev/null || zstd -qdc "$at" >plain 2>/dev/null || cat "$at" >plain
	gzip -1nc plain >packed.gz
	fg-collapse -v plain >one 2>said
	got=$?
	for a in $(sed -n 's/^.*: several formats match: //p' said | tr -d ,); do
		for b in $(sed -n 's/^.*: several formats match: //p' said | tr -d ,); do
			echo "$a $b" | LC_ALL=C awk -v f="$file" '$1 < $2 { print $0 "\t" f }' >>claims
		done
	done
	cat packed.gz | fg-collapse -v >two 2>said2
	{ told said; told said2; } >"$tmp/.said"
	if [ "$(told said)" = "$want" ] && [ "$(told said2)" = "$want" ]; then ok "$file is ${want:-none}"; else not_ok "$file is ${want:-none}"; fi
	cmp one two >"$tmp/.said" 2>&1 || not_ok "$file: a compressed pipe gives the same"
	reason=$(grep -F "$file " refused | cut -d ' ' -f 2-)
	if [ -z "$reason" ]; then
		grep -q '^[^#].* [0-9.]*$' one && [ $got = 0 ] && continue
		cp said "$tmp/.said"
		grep -q 'built without' said || not_ok "$file is folded"
	elif [ $got != 2 ] || ! grep -qF -- "$reason" said; then
		cp said "$tmp/.said"
		not_ok "$file is refused: $reason"
	fi
done <files
grep -vFf pairs claims >"$tmp/.said"
if [ -s "$tmp/.said" ]; then not_ok 'no file is claimed by two formats but of known pairs'; else ok 'no file is claimed by two formats but of known pairs'; fi
cut -f1 claims | LC_ALL=C sort | uniq -c | sed 's/^/# both claim:/'

at=$corpus/perf-data/quipper-perf.data.group_desc-4.14
cat "$at" "$at" >in
fg-collapse -q "$at" >want 2>said
fg-collapse -q in >got 2>said
same 'perf.data: the first of two recordings is read' want got
check 'perf.data: the offset of the second is reported' grep -q \
	"in: byte $(wc -c <"$at"): a second recording follows the first; give each as a file of its own; left out" said
done_testing
