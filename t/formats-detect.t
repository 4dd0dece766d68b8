#!/bin/sh
# Every file of the corpus: which format fg-collapse takes it for, or that it refuses it,
# from a file and from a pipe, plain and gzip'd. The table has a row for each folder or
# file; the first that fits holds. `other` is a format that is read elsewhere or not
# yet: it only must not be taken for one of those that are in the table.
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
* other
EOF

# The format of what is on standard input, or of the files named.
told() {
	fg-collapse -v "$@" 2>&1 >/dev/null | sed -n 's/^fg-collapse: .*: format //p' | sort -u
}

cut -f2 "$corpus/INDEX.tsv" | grep / >files
ours=$(awk '$2 != "other" && $2 != "refused" { print $2 }' table | sort -u | grep -vx -e folded -e perf)
while read -r file; do
	at=$corpus/$file
	want=
	while read -r pattern name; do
		case $file in
		$pattern) want=$name && break ;;
		esac
	done <table
	got=$(told "$at")
	case $want in
	other)
		if printf '%s\n' "$ours" | grep -qxF -- "${got:-none}"; then
			echo "taken for $got" >"$tmp/.said"
			not_ok "$file is not $got"
		fi
		continue
		;;
	refused)
		status "$file is refused" 2 fg-collapse "$at"
		continue
		;;
	esac
	gzip -dc "$at" >plain 2>/dev/null || zstd -qdc "$at" >plain 2>/dev/null || cat "$at" >plain
	gzip -c plain >packed.gz
	got="$got $(cat plain | told) $(told packed.gz) $(cat packed.gz | told -)"
	echo "$file: $got" >"$tmp/.said"
	if [ "$got" = "$want $want $want $want" ]; then ok "$file is $want"; else not_ok "$file is $want"; fi
	fg-collapse -q "$at" >one 2>/dev/null
	cat packed.gz | fg-collapse -q >two 2>/dev/null
	cmp one two >"$tmp/.said" 2>&1 || not_ok "$file: the same from a pipe, packed"
done <files
done_testing
