#!/bin/sh
# Keys and columns without which a file cannot be read: a file without one is refused, with the place.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q yajl || skip_all 'built without yajl (libyajl-dev)'
samples=$here/data/formats

# Each needed key of the tables in cmd/fg-collapse, with a sample; the last key of its path is renamed.
cat >needed <<'EOF'
actuator|actuator/two-threads|threads
dhat|dhat/plain|pps
dhat|dhat/plain|ftbl
ghc-json|ghc-json/plain|profile
ghc-json|ghc-json/plain|cost_centres
gprof2dot|gprof2dot/what-memray|functions
gprof2dot|gprof2dot/what-memray|events
heapprofile|heapprofile/node-heap|head
jstack-json|jstack-json/virtual-threads|threadDump.threadContainers
perf-json|perf-json/two-samples|samples
safari|safari/samples-their|recording.sampleStackTraces
speedscope|speedscope/sampled|shared
speedscope|speedscope/sampled|profiles
stackprof|stackprof/plain|frames
EOF
cat "$here"/../cmd/fg-collapse/*/*.c | sed -n 's/.*JSON_NEEDED_[A-Z_]*("\([^"]*\)".*/\1/p' | sort >keys
# Keys that a unit needs, such as a frame: t/formats-keys.t tries these.
for key in cost description id label module name name name name parent; do echo "$key"; done >units
cut -d'|' -f3 needed | sort - units | cmp - keys >different
output 'each needed key of a table has a row here' '' cat different
while IFS='|' read -r format sample key; do
	sed "s/\"${key##*.}\" *:/\"_\":/" "$samples/$sample" >in
	fg-collapse -q -f "$format" in >got 2>said
	output "$format: a file without $key is refused" "2 $key" sh -c \
		"echo $? \$(sed -n 's/^fg-collapse: in: byte [0-9]*: no key \(.*\) in the profile/\1/p' said)"
done <needed

# refused NAME FORMAT: the changed sample ./in is refused, with line or byte.
refused() {
	fg-collapse -q -f "$2" in >got 2>said
	output "$2: $1" 2 echo $?
	check "$2: $1: the place is reported" grep -Eq '^fg-collapse: in:([0-9]+| byte [0-9]+): ' said
}
sed 's/"name": "self"/"name": "other"/' "$samples/pyroscope/data-frame" >in
refused 'a data frame without the field self' pyroscope
sed 's/"tb"/"_"/' "$samples/dhat/plain" >in
refused 'places without their total' dhat
sed 's/"frames"/"_"/' "$samples/speedscope/sampled" >in
refused 'no list of frames' speedscope
sed 's/"callchain"/"_"/' "$samples/perf-json/two-samples" >in
refused 'samples without call chains' perf-json
sed 1d "$samples/rprof/memory-and-lines" >in
refused 'no first line' rprof
head -c 20 "$samples/heap-dump/ids-of-4.hprof" >in
refused 'a truncated header' heap-dump
done_testing
