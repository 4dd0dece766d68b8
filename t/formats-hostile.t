#!/bin/sh
# Truncated, damaged and malicious JSON: no reader crashes, hangs or uses unbounded memory; each
# reports the position of a fault and keeps the samples before it.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q '^JSON profiles: yajl' || skip_all 'built without yajl' libyajl-dev

# A small profile of each format.
seeds() {
	cat >cpuprofile <<'EOF'
{"nodes":[{"id":1,"callFrame":{"functionName":"a","url":"a.js","lineNumber":3},"hitCount":1,"children":[2]},
{"id":2,"callFrame":{"functionName":"b"},"hitCount":2}],"startTime":1,"endTime":9,"samples":[1,2,2],"timeDeltas":[1,2,3]}
EOF
	cat >heapprofile <<'EOF'
{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[{"callFrame":{"functionName":"a"},"selfSize":7,"children":
[{"callFrame":{"functionName":"b"},"selfSize":9,"children":[]}]}]}}
EOF
	cat >chrome-trace <<'EOF'
{"traceEvents":[{"ph":"X","pid":1,"tid":2,"ts":1.5,"dur":5,"name":"a"},{"ph":"B","pid":1,"tid":2,"ts":2,"name":"b"},{"ph":"E","pid":1,"tid":2,"ts":3},
{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"id":"1","ts":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"samples":[1,1]},"timeDeltas":[1,2]}}}],
"samples":[{"ts":"5","tid":2,"pid":1,"sf":"7"}],"stackFrames":{"7":{"name":"g","parent":"8"},"8":{"name":"h"}}}
EOF
	cat >speedscope <<'EOF'
{"shared":{"frames":[{"name":"a","file":"a.c","line":3},{"name":"b"}]},"profiles":[{"type":"sampled","unit":"bytes","name":"x","startValue":0,"samples":[[0,1],[0]],"weights":[4,5.5]},
{"type":"evented","unit":"bytes","name":"y","endValue":9,"events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":4}]}]}
EOF
	cat >stackprof <<'EOF'
{"mode":"wall","interval":10,"missed_samples":0,"raw":[2,5,6,3,1,5,1],"raw_timestamp_deltas":[1,2,3,4],"frames":{"5":{"name":"a","file":"a.rb","line":3},"6":{"name":"b"}}}
EOF
	cat >firefox <<'EOF'
{"meta":{"processType":0,"stackwalk":1},"libs":[{"name":"l","start":0,"end":99,"breakpadId":"0"}],"threads":[{"name":"m","pid":1,"tid":2,"samples":{"schema":{"stack":0,"time":1},"data":[[1,1],[0,2.5],[null,3]]},
"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},"frameTable":{"schema":{"location":0},"data":[[0],[1]]},"stringTable":["0x10","f (a.js:3:4)"]},
{"name":"n","samples":{"stack":[0],"time":[1],"weight":[2]},"stackTable":{"prefix":[null],"frame":[0]},"frameTable":{"func":[0],"address":[5],"line":[1]},"funcTable":{"name":[0],"resource":[0]},"resourceTable":{"lib":[0]},"stringArray":["g"]}]}
EOF
	cat >otlp-json <<'EOF'
{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},"samples":[{"stackIndex":1,"values":["3"],"timestampsUnixNano":["9"],"attributeIndices":[1]}]}]}]}],
"dictionary":{"mappingTable":[{}],"locationTable":[{},{"lines":[{"functionIndex":1,"line":7}]}],"functionTable":[{},{"nameStrindex":3}],"stackTable":[{},{"locationIndices":[1,0]}],"attributeTable":[{},{"keyStrindex":4,"value":{"stringValue":"t"}}],"stringTable":["","samples","count","f","thread.name"]}}
EOF
	cat >ghc-json <<'EOF'
{"rts_arguments":[],"cost_centres":[{"id":1,"module":"M","label":"f","src_loc":"A.hs:3:1"}],"profile":{"id":1,"ticks":3,"alloc":4,"children":[{"id":1,"ticks":1,"alloc":2,"children":[]}]}}
EOF
	cat >bpftrace-json <<'EOF'
{"type":"map","data":{"@":{"\n    a+1\n    b+2\n,c,7":3,"\n    b+2\n,c,7":4}}}
{"type":"hist","data":{"@h":{"\n    a+1\n":[{"min":1,"max":2,"count":5}]}}}
EOF
}
seeds
formats='cpuprofile heapprofile chrome-trace speedscope stackprof firefox otlp-json ghc-json bpftrace-json'

# run FORMAT FILE: appends to ./bad unless the exit status is 0 or 2 in time.
run() {
	limited 60 fg-collapse -q -f "$1" "$2" >got 2>said
	case $? in
	0 | 2) ;;
	*) echo "$1 $2: $?" >>bad ;;
	esac
}

for format in $formats; do
	: >bad
	len=$(wc -c <"$format")
	step=$((len / 40 + 1))
	for n in $(seq 1 $step "$((len - 2))"); do
		head -c "$n" "$format" >cut
		run $format cut
		[ -s said ] || echo "$format cut at $n: nothing is said" >>bad
	done
	: >want
	same "$format: cut off" want bad

	# Every number, every string, then every array is another value; all of it, then each number, twice.
	rm -rf wrong
	mkdir wrong
	perl -e 'local $/; my $s = <STDIN>;
		sub put { open my $f, ">:raw", sprintf "wrong/%02d", $n++ or die; print $f @_ }
		for my $v (qw(null true "" "x" -1 0 1e5 99999999999999999999 4294967295 [] [[]] {} {"a":{}})) {
			put($s =~ s/([:[,])-?[0-9.]+/$1$v/gr);
			put($s =~ s/([:[,])"[^"\n]*"([],}])/$1$v$2/gr);
			put($s =~ s/\[[^][]*\]/$v/gr);
		}
		put("$s$s" =~ tr/\n//dr);
		put($s =~ s/"([a-zA-Z_]*)":([0-9]+)/"$1":$2,"$1":$2/gr);' <"$format"
	unharmed "$format" "$format" wrong/* >bad
	same "$format: other values, keys that are there twice" want bad

	case $format in # its keys have commas
	bpftrace-json) { echo; sed 's/": */" :\n/g' "$format"; } >blanks ;;
	*) { echo; sed 's/[:,]/ & /g' "$format"; } >blanks ;;
	esac
	fg-collapse -q "$format" >plain 2>said
	fg-collapse -q blanks >spaced 2>said
	same "$format: the same with blanks" plain spaced
	{ printf '\357\273\277'; cat "$format"; } >marked
	fg-collapse -q marked >spaced 2>said
	same "$format: a byte order mark changes no stack" plain spaced
done

for format in $formats; do
	: >bad
	perl -e 'print "[" x 300000' >deep
	run $format deep
	perl -e 'print "{\"nodes\":" x 150000, "{\"head\":" x 150000' >deep
	run $format deep
	perl -e 'print "{\"head\":{", "\"children\":[{" x 60000, "\"selfSize\":3,\"ticks\":3"' | sed 's/"head"/"profile"/' >deep
	run $format deep
	: >want
	same "$format: nested deep" want bad
done
perl -e '$own = "\"callFrame\":{\"functionName\":\"\"},\"selfSize\":";
	print "{\"head\":{$own 0,", "\"children\":[{$own 0," x 39999, "\"children\":[{$own 3", "}]" x 40000, "}}"' >deep
fg-collapse -q --no-header deep | sed 's/.*;//' >got
echo '(anonymous) 3' >want
same 'heapprofile: a stack of 40000 frames' want got
perl -e 'print "{\"head\":{", "\"children\":[{" x 60000, "\"selfSize\":3", "}]" x 60000, "}}"' >deep
fg-collapse deep >got 2>said
check 'heapprofile: nested too deep' grep -q 'byte [0-9]*: nested too deep' said

text 'firefox: stacks that are their own prefix, indices of nothing' --no-comm '[unknown] 1
f 3' <<'EOF'
{"meta":{"processType":0,"stackwalk":1},"threads":[{"samples":{"data":[[0,1],[1,2],[9,3],[4294967295,4],[null,5],[2,6],[2,7],[2,8]]},"stackTable":{"data":[[1,0],[0,1],[null,0]]},"frameTable":{"data":[[0],[1]]},"stringTable":["f","g"]}]}
EOF
check 'firefox: a cycle of stacks is reported' grep -q 'in: sample 1: a frame of its stack is missing or malformed; left out' said
check 'firefox: the account of a cycle and of indices' sh -c "fg-collapse -v in 2>&1 | grep -q ': 4 folded, 0 left out, 4 malformed'"
text 'otlp-json: indices of nothing' '' '' <<'EOF'
{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":99},"samples":[{"stackIndex":9,"values":[4]},{"stackIndex":1,"values":[1]},{"stackIndex":1,"values":[-5]}]}]}]}],
"dictionary":{"locationTable":[{"lines":[{"functionIndex":0}]}],"functionTable":[{"nameStrindex":0}],"stackTable":[{},{"locationIndices":[0,7]}],"stringTable":["f"]}}
EOF
check 'otlp-json: indices out of range are reported' grep -q 'in: no stacks in the input: 3 malformed$' said
text 'cpuprofile: numbers beyond 2^64, escapes' '-e hits' 'a:b c d 340000000000000000000
é😀? 2' <<'EOF'
{"nodes":[{"id":18446744073709551616,"callFrame":{"functionName":"a;b\nc\u0000d"},"hitCount":340000000000000000000},
{"id":1,"callFrame":{"functionName":"\u00e9\ud83d\ude00\ud800"},"hitCount":2}],"samples":[]}
EOF
text 'cpuprofile: data before a fault are kept' '' 'a 2' <<'EOF'
{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"samples":[1,1,x],"timeDeltas":[1,1,1]}
EOF
check 'cpuprofile: the fault and its place' grep -q 'in: byte 69: .*: the rest; left out' said
status 'cpuprofile: --strict' 2 fg-collapse --strict in

# 8 MB of samples from a pipe, with little memory; sanitizers need more than this limit.
if [ -z "${ASAN_OPTIONS-}" ] && ! fg-collapse --version | grep -q none; then
	perl -e 'print "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],\"samples\":[1", ",1" x 2000000, "],\"timeDeltas\":[1", ",1" x 2000000, "]}"' >large
	(ulimit -v 300000 && cat large | fg-collapse -q --no-header -e us) >got 2>said
	if grep -q 'out of memory' said || [ -s got ]; then
		echo 'a 2000001' >want
		same 'cpuprofile: two million samples in 300 MB' want got
	else
		skip 'cpuprofile: memory' 'no bound on it here'
	fi
fi
done_testing
