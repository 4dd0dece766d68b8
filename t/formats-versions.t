#!/bin/sh
# Versions of file formats: for each row of versions.def, a file of a newer version gives one line, and
# is read or refused as the row says.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q yajl || skip_all 'built without yajl (libyajl-dev)'
command -v perl >/dev/null || skip_all 'no perl'
samples=$here/data/formats

# Each row: its ID, a sample, the change for a newer file, and the newer version.
cat >newer <<'EOF'
ART|art/wall|s/SLOW\x03/SLOW\x04/|4
CALLGRIND|callgrind/plain|s/^version: 1/version: 2/m|2
DHAT|dhat/plain|s/"dhatFileVersion":2/"dhatFileVersion":3/|3
FIREFOX|firefox.70|s/Version":70/Version":71/|71
FLAMEBEARER|pyroscope/single|s/"version": 1/"version": 2/|2
GECKO|gecko.36|s/"version":36/"version":37/|37
GPERFTOOLS|gperftools/and-two-of-them-words-q|s/^(.{16})\x00/$1\x02/s|2
GPROF2DOT|gprof2dot/what-memray|s/"version":0/"version":1/|1
HEAPDUMP|heap-dump/ids-of-4.hprof|s/PROFILE 1.0.2/PROFILE 1.0.3/|3
HEAPTRACK|heaptrack/what-is-inlined-stands|s/^v (\w+) \d/v $1 4/m|4
HPROF|hprof/cpu-samples|s/PROFILE 1.0.1/PROFILE 1.0.2/|2
JFR|jfr/a|s/FLR\x00\x00\x02\x00./FLR\x00\x00\x02\x00\x02/s|2.2
JSTACK|jstack-json/virtual-threads|s/"threadDump": \{/"threadDump": {"formatVersion": "3",/|3
MACSAMPLE|sample/plain|s/^----/Report Version:  8\n----/m|8
MOJO|mojo/samples|s/MOJ\x04/MOJ\x05/|5
NETTRACE|nettrace/version-6|s/^(.{12})\x06/$1\x07/s|7
PERFJSON|perf-json/two-samples|s/("linux-perf-json-version": *)1/${1}2/|2
SAFARI|safari/samples-their|s/"version": 1/"version": 2/|2
SIMPLEPERF|simpleperf/the-first|s/PERF\x01/PERF\x02/|2
STACKPROF|stackprof/plain|s/"version":1.2/"version":1.3/|1.3
TRACEDAT|trace.dat/version-7-zlib|s/tracing7/tracing8/|8
XDEBUG|xdebug/the-order-of|s/File format: 4/File format: 5/|5
EOF
cat >firefox.70 <<'EOF'
{"meta":{"preprocessedProfileVersion":70,"version":34},"libs":[],
"shared":{"stackTable":{"frame":[0,1],"prefixOffset":[0,1],"length":2},"frameTable":{"address":[-1,-1],"func":[0,1],"length":2},
"funcTable":{"name":[0,1],"resource":[-1,-1]},"resourceTable":{},"stringArray":["main","work"]},
"threads":[{"name":"T","pid":"1","tid":2,"samples":{"weight":null,"stack":[1,1],"time":[0,1]}}]}
EOF
cat >gecko.36 <<'EOF'
{"meta":{"version":36,"processType":0,"stackwalk":1},"threads":[{"samples":{"data":[[0,1],[1,2]]},
"stackTable":{"data":[[null,0],[0,1]]},"frameTable":{"data":[[0],[1]]},"stringTable":["f","g"]}]}
EOF
LC_ALL=C awk -f "$here/../share/registers.awk" -v want=rows -v sep='|' "$here/../cmd/fg-collapse/versions.def" >rows
output 'each row has a file of a newer version here' '' sh -c "cut -d'|' -f2 rows >ids; cut -d'|' -f1 newer | cmp - ids"

# try ID WHAT NEWEST NEWER ADVICE: the row of `newer` with that ID.
try() {
	IFS='|' read -r _ sample change version <<-END
		$(grep "^$1|" newer)
	END
	[ -e "$sample" ] || sample=$samples/$sample
	cp "$sample" in
	fg-collapse -q in >want 2>said || { skip "$1" 'built without what it needs'; return; }
	check "$1: no line about the version that was tested" sh -c '! grep -q "tested up to" said'
	perl -0777 -pe "$change" "$sample" >in
	fg-collapse -q in >got 2>said
	was=$?
	output "$1: one line about a newer version" "fg-collapse: in: $2 version $version; tested up to $3$5" grep 'tested up to' said
	if [ "$4" = REFUSE ]; then
		output "$1: a newer version is refused" 2 echo $was
	else
		same "$1: a newer version is read" want got
	fi
}
while IFS='|' read -r _ id what major minor newer advice; do
	[ "$minor" = 0 ] || major=$major.$minor
	try "$id" "$what" "$major" "$newer" "$advice"
done <rows
done_testing
