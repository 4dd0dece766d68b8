#!/bin/sh
# OpenTelemetry profiles: one profile as protocol buffers in each version of the format, written by
# t/protobuf.pl, and as JSON with the same content.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"


for version in 1.10 1.9 1.8 1.5; do
	cp "$here/data/otlp-$version.pb" $version
done
for version in 1.10 1.9 1.8 1.5; do
	perl "$here/protobuf.pl" <$version >in
	output "$version is detected" otlp sh -c "fg-collapse -v in 2>&1 >/dev/null | sed -n 's/.*: format //p'"
	folded "$version" '' '# unit: ns 0
# period: 10000000 ns 0
# values: sampled 0
worker_1;main;[libx.so.1]_[l] 10000000
worker_1;main;outer_[l];inner_[i] 30000000'
	folded "$version: lines, modules" '--no-annotate --srcline --module --addrs --pid' 'worker_1-77;app`main (a.c:12);libx.so.1`outer (a.c:40);libx.so.1`inner (a.c:7) 30000000
worker_1-?;app`main (a.c:12);[libx.so.1 <3000>] 10000000'
	cp got lines.$version
	gzip -c in | fg-collapse -q --no-annotate --srcline --module --addrs --pid >got
	same "$version: compressed, from a pipe" lines.$version got
done
cat >json <<'END'
{"resourceProfiles":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeProfiles":[{"profiles":[
{"sampleType":{"typeStrindex":1,"unitStrindex":2},"periodType":{"typeStrindex":1,"unitStrindex":2},"period":"10000000",
"samples":[{"stackIndex":1,"attributeIndices":[1,2],"values":["30000000"]},{"stackIndex":2,"attributeIndices":[1],"linkIndex":1,"values":["10000000"]}]}]}]}],
"dictionary":{"mappingTable":[{},{"filenameStrindex":3},{"filenameStrindex":4}],
"locationTable":[{},{"mappingIndex":1,"address":"4096","lines":[{"functionIndex":1,"line":"12"}]},
{"mappingIndex":2,"address":"8192","lines":[{"functionIndex":3,"line":"7"},{"functionIndex":2,"line":"40"}]},{"mappingIndex":2,"address":"12288"}],
"functionTable":[{},{"nameStrindex":5,"filenameStrindex":8},{"nameStrindex":6,"filenameStrindex":8},{"nameStrindex":7,"filenameStrindex":8}],
"stringTable":["","cpu","nanoseconds","/srv/app","/lib/libx.so.1","main","outer","inner","a.c","thread.name","process.pid"],
"stackTable":[{},{"locationIndices":[2,1]},{"locationIndices":[3,1]}],
"attributeTable":[{},{"keyStrindex":9,"value":{"stringValue":"worker 1"}},{"keyStrindex":10,"value":{"intValue":"77"}}]}}
END
if fg-collapse -V | grep -q 'yajl$'; then
	sed 's/"attributeIndices":\[1\]/"attributeIndices":[3,1]/; s/"attributeIndices":\[1,2\]/"attributeIndices":[1,2,4,3]/
	    s/}}\]}}$/}},{"keyStrindex":11,"value":{"stringValue":"eu"}},{"keyStrindex":12,"value":{"stringValue":"a;b"}}]}}/
	    s/"process.pid"\]/"process.pid","zone","request"]/' json >in
	output 'attributes common to all samples are labels of the profile' '# label: zone=eu 0' \
	    sh -c 'fg-collapse -q in | grep label'
	# The sanitizers check the comparison of its key with those of other labels.
	sed 's/}}\]}}$/}},{"keyStrindex":0,"value":{"stringValue":"x"}}]}}/
	    s/"attributeIndices":\[/&5,/g' in >keyless
	output 'an attribute without a key' 0 sh -c 'fg-collapse -q keyless >got; echo $?'
	folded 'an attribute of samples as root frame' '--no-header --no-annotate --group-by request' \
	    'request=[unknown];worker_1;main;[libx.so.1] 10000000
request=a%3Bb;worker_1;main;outer;inner 30000000'
	folded 'an attribute of the resource as root frame' '--no-header --no-annotate --group-by service.name' \
	    'service.name=shop;worker_1;main;[libx.so.1] 10000000
service.name=shop;worker_1;main;outer;inner 30000000'
	perl "$here/protobuf.pl" <1.10 >in
	fg-collapse -q in >want
	fg-collapse -q json >got
	same 'OTLP as JSON: stacks and period are those of the binary form' want got
else
	skip JSON 'built without yajl' libyajl-dev
fi

# Several messages, each with its dictionary, as a collector's file exporter writes them:
# length-delimited, or one per line.
perl "$here/protobuf.pl" <1.10 >one
perl "$here/protobuf.pl" <1.5 >two
perl -e 'for (@ARGV) { local $/; open my $f, "<:raw", $_ or die; my $m = <$f>; print pack("N", length $m), $m }' one two one >in
output 'length-delimited messages are detected' otlp sh -c "fg-collapse -v in 2>&1 >/dev/null | sed -n 's/.*: format //p'"
folded 'add up' --no-header 'worker_1;main;[libx.so.1]_[l] 30000000
worker_1;main;outer_[l];inner_[i] 90000000'
head -c $(($(wc -c <in) - 30)) in >cut.short
mv cut.short in
folded 'the last one cut off' --no-header 'worker_1;main;[libx.so.1]_[l] 20000000
worker_1;main;outer_[l];inner_[i] 60000000'
check 'a truncated last message is reported with its offset' grep -q 'in: byte [1-9][0-9]*: ' said
if fg-collapse -V | grep -q 'yajl$'; then
	tr -d '\n' <json >line
	{ cat line; echo; sed 's/"worker 1"/"worker 2"/' line; echo; } >in
	folded 'messages of JSON, a line each' --no-header 'worker_1;main;[libx.so.1]_[l] 10000000
worker_1;main;outer_[l];inner_[i] 30000000
worker_2;main;[libx.so.1]_[l] 10000000
worker_2;main;outer_[l];inner_[i] 30000000'
fi

# Ambiguous between versions 1.9 and 1.10: a sample's only list may be values or attributes.
list() {
	perl "$here/protobuf.pl" <<END >in
1{ 2{ 2{ 1{1:1 2:1} $1 } } }
2{ 1{} 2{} 2{3{1:1}} 3{} 3{1:2} 5"" 5"samples" 5"main" 7{} 7{1[1]} 6{} 6{1:1 2{1"x"}} }
END
}
list '2{1:1 2[5]}'
folded 'values without times' --no-header 'main 5'
list '2{1:1 2[1] 5"1234567812345678"}'
folded 'attributes, since there are two times: each counts 1' --no-header 'main 2'
list '2{1:1 2[7] 5"12345678"}'
folded 'values, since there is no such attribute' --no-header 'main 7'

# Dictionary first; damage; indexes out of range.
awk 'BEGIN { RS = "" } { at = index($0, "\n2{ 1{}"); print substr($0, at + 1); print substr($0, 1, at) }' 1.10 | perl "$here/protobuf.pl" >in
folded 'the dictionary first' --no-header 'worker_1;main;[libx.so.1]_[l] 10000000
worker_1;main;outer_[l];inner_[i] 30000000'
sed 's/2{1:2 2\[1\] 3:1/2{1:99 2[1] 3:1/' 1.10 | perl "$here/protobuf.pl" >in
folded 'a stack that is not there' --no-header 'worker_1;main;outer_[l];inner_[i] 30000000'
check 'an index out of range is reported' grep -q 'in: sample 2: a frame of its stack is missing or malformed; left out' said

# A profile by fg-render, whose samples have several times: each sample is one unit.
cat >in <<'EOF'
{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":3},"attributeIndices":[1],"samples":[
{"stackIndex":1,"values":["3","2"],"timestampsUnixNano":["0","5"]},
{"stackIndex":1,"values":["6"],"timestampsUnixNano":["9"]},
{"stackIndex":1,"values":["7","-1","-2"],"timestampsUnixNano":["0","5","6"]},
{"stackIndex":2,"values":["4","5"],"timestampsUnixNano":["0","5"]}]}]}]}],
"dictionary":{"locationTable":[{},{"lines":[{"functionIndex":1}]}],"functionTable":[{},{"systemNameStrindex":2}],
"stackTable":[{},{"locationIndices":[1]},{"locationIndices":[9,1]}],
"attributeTable":[{},{"keyStrindex":1,"value":{"stringValue":"fg-render 1 0\u000a"}}],
"stringTable":["","fg.folded","main","samples"]}}
EOF
folded 'restored stacks: those with a negative value or a missing frame are left out' --no-header 'main 11'
output 'restored stacks: a malformed one is one unit, however many times it has' '2 folded, 0 left out, 2 malformed' \
	sh -c "fg-collapse -v in 2>&1 >/dev/null | sed -n 's/^fg-collapse: in: \([0-9]* folded.*\)/\1/p'"
output 'restored stacks: the value of a malformed one is that of all its times' 9 \
	sh -c "fg-collapse in 2>&1 >/dev/null | sed -n 's/.*value of their stacks: //p'"
cp in whole
sed 's/"7","-1","-2"/"7","1","2"/' whole >in
output 'a malformed sample of the second input has its number there' 'in: sample 4' \
	sh -c "fg-collapse whole in 2>&1 >/dev/null | grep -o 'in: sample [0-9]*'"
perl "$here/protobuf.pl" <1.10 >whole
cp whole in
damaged 'truncated and changed at every second byte' otlp 2
done_testing
