#!/bin/sh
# The kind of a profile's values: each format writes `# values:`, except those whose files lack it.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q yajl || skip_all 'built without yajl (libyajl-dev)'

# Formats without the line, and why.
cat >unknown <<'EOF'
art times are measured
bpftrace a script decides what is added up
bpftrace-json a script decides what is added up
dtrace a script decides what is added up
folded the file has the line, or nothing tells
perf-sched times are measured
pstats times are measured
systemtap a script decides what is added up
xdebug times are measured
EOF
for directory in "$here"/data/formats/*/; do
	format=$(basename "$directory")
	ls "$directory"*.folded >/dev/null 2>&1 || continue
	if grep -q "^$format " unknown; then
		check "$format: no kind of values: $(sed -n "s/^$format //p" unknown)" \
			sh -c '! grep -q "^# values:" "$@"' - "$directory"*.folded
	else
		check "$format: the kind of the values is written" grep -q '^# values:' "$directory"*.folded
	fi
done

# Compares two profiles with the header lines of a sample.
compare() {
	grep '^#' "$here/data/formats/$1.folded" >header
	printf 'main;f 100\nmain;g 100\n' | cat header - >base
	printf 'main;f 170\nmain;g 100\n' | cat header - >head
	fg-diff --report base head >report
}
for row in jstack/jstack:sampling java-exceptions/an:exact pyroscope/single:sampling vtune/plain:sampling; do
	compare "${row%:*}"
	check "${row%%/*}: fg-diff has a verdict, by ${row#*:}" grep -q "^Noise:.*${row#*:}" report
done
compare pprof/nothing-is
check 'objects without a kind of values: fg-diff has no verdict' grep -q '^CANNOT TELL' report
done_testing
