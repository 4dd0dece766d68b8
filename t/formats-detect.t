#!/bin/sh
# Every file of the corpus: which format fg-collapse takes it for, and that it is folded or
# refused with its reason, from a file and from a pipe, plain and gzip'd. The table has a
# row for each folder or file; the first that fits holds.
# tier: full
. "$(dirname "$0")/formats-lib.sh"
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
pstats/* pstats
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

# Those that are not folded, and words of the reason.
cat >refused <<'EOF'
bpftrace/gen-stats.txt no stacks in the input
callgrind/callgrind.xtree-leak.kcg no sample of event RB; left out: DB (3)
callgrind/speedscope-callgrind.subposition-compression.log a cost that is relative
guess/inferno-unknown-format.txt none of the formats that fg-collapse reads
perf-report/report-fractal.txt use perf report --no-children
perf-report/report-g.txt use perf report --no-children
pstats/cprofile.pstats py-spy record
vsprof/inferno-invalid-depth.csv not a row of a call tree
EOF

# Formats that may both claim a file; the surer one reads it.
cat >pairs <<'EOF'
bcc folded
cpuprofile heapprofile
java-exceptions jstack
perf pprof-raw
EOF
: >claims

# The format of what is on standard input, or of the files named.
told() {
	fg-collapse -v "$@" 2>&1 >/dev/null | sed -n 's/^fg-collapse: .*: format //p' | sort -u
}

cut -f2 "$corpus/INDEX.tsv" | grep / >files
fg-collapse --version >version
while read -r file; do
	at=$corpus/$file
	if without_zstd "$file"; then
		skip "$file" 'built without libzstd'
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
	gzip -c plain >packed.gz
	got="$(told "$at") $(cat plain | told) $(told packed.gz) $(cat packed.gz | told -)"
	echo "$file: $got" >"$tmp/.said"
	if [ "$got" = "$want $want $want $want" ]; then ok "$file is ${want:-none}"; else not_ok "$file is ${want:-none}"; fi
	fg-collapse -v "$at" 2>&1 >/dev/null | sed -n 's/^.*: claimed by //p' | tr -d ,  >claim
	for a in $(cat claim); do
		for b in $(cat claim); do
			echo "$a $b" | LC_ALL=C awk -v f="$file" '$1 < $2 { print $0 "\t" f }' >>claims
		done
	done
	fg-collapse -q "$at" >one 2>said
	got=$?
	cat packed.gz | fg-collapse -q >two 2>/dev/null
	cmp one two >"$tmp/.said" 2>&1 || not_ok "$file: the same from a pipe, packed"
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

# Binary input is not text, whatever its lines look like.
printf '\037\001\n@a[\n  b\n]: 1\n\n\002' >junk
status 'control bytes: no text format claims it' 2 fg-collapse junk
# magic NAME BYTES WORDS: a file of a known kind that is not a profile is named in one line.
magic() {
	printf "$2" >junk
	fg-collapse junk 2>said >/dev/null
	[ "$(wc -l <said)" = 1 ] && grep -qF -- "$3" said
	check "$1 is named, with what to read instead" test $? = 0
}
magic 'a tar archive' "$(printf '%257s' '')ustar" 'looks like a tar archive, which cannot be read; read a file within (tar -xf FILE)'
magic 'a zip archive' 'PK\003\004' 'read a file within (unzip FILE)'
magic 'lz4' '\004"M\030abc' 'read the output of lz4 -dc FILE'
magic 'a core dump' '\177ELF\002' 'a core dump'
magic 'an SQLite database' 'SQLite format 3\000' 'an SQLite database'
magic 'a CTF trace' '\301\037\374\301' 'a CTF trace'
magic 'an event trace of Windows' "$(printf '%72s' '' | tr ' ' a)\002\000\002\300" 'an event trace of Windows'
magic 'a heap dump of Java' 'JAVA PROFILE 1.0.2\000' 'a heap dump of Java'
magic 'old .NET' '\024\000\000\000!FastSerialization.1' 'dotnet-trace'
printf 'hello\n\001\002\n' >junk
fg-collapse junk 2>said >/dev/null
output 'what is unknown gets one line' 'fg-collapse: junk: none of the formats that fg-collapse reads (see fg-collapse -l; name one with -f)' cat said
done_testing
