#!/bin/sh
# fg-render -T pprof, otlp, otlp-json, speedscope, firefox, d3: the exported profiles, and their
# round trip through fg-collapse.
# tier: quick
. "$(dirname "$0")/lib.sh"

profile='pprof otlp'
bin=$(fg-render -V)
case $bin in *yajl*) profile="$profile otlp-json speedscope" ;; *) skip 'otlp-json, speedscope' 'built without yajl' libyajl-dev ;; esac

# back NAME FILE: FILE survives a round trip through each profile format unchanged
back() {
	fg-collapse -q -f folded "$2" >want || not_ok "$1: is folded"
	for t in $profile; do
		fg-render -T $t <want >profile && fg-collapse -q profile >got
		same "$1 through $t" want got
	done
}

printf 'main;f 3\nmain;f;g 4\nmain 1\n' >plain
printf '%s\n' '# unit: ns 0' '# period: 1003009 ns 0' 'app;main (a.c:3)_[l];f (a.c:9)_[i];g_[i] 12' \
	'app;main (a.c:3)_[l];f (a.c:9)_[i] 7' 'app;libc.so.6`memcpy_[l] 5' 'app;[libz.so]_[l] 4' \
	'app;do_syscall_64_[k];[unknown]_[k] 3' 'app;Interpreter_[j];waker_[w] 2' 'inlined_[i] 1' >marked
printf 'a;b .5\na;c 1.000000001\na 3\n' >decimals
printf 'a;b 0\na;c 1\n' >zero
printf '# columns: cpu waiting blocked 0 0 0\n# unit: us us us 0 0 0\na;b 1 0 2\na 0 3.5 0\nb 1 1 1\n' >columns
printf '# columns: base head 0 0\n# unit: ms 0 0\nm;a 10.5 20\nm;b 5 0\nm;c 0 7\n' >diff
printf '# columns: base head noise 0 0 0\nm;a 10 20 1\nm;b 5 0 5\nm;c 0 7 0\n' >noise
printf 'a\\b;c"d;e\\x41 1\na\377\376b;\303\251;\342\200\256x 2\n[];[unknown];`x 3\n  y ; z 4\n' >bytes
printf 'a 9007199254740992\nb 0\n' >large
perl -e 'for my $c (1 .. 255) { print "a", chr $c, "b;", chr $c, " 1\n" if $c != 10 }' >all-bytes
perl -e 'print "# columns: ", join(" ", map "c$_", 1 .. 16), " 0" x 16, "\n# unit: ",
	join(" ", map { $_ % 2 ? "ns" : "bytes" } 1 .. 16), " 0" x 16, "\n";
	print "main;f", (map " $_.5", 1 .. 16), "\nmain", " 0" x 16, "\n"' >sixteen
perl -e 'print join(";", map "f$_", 1 .. 20000), " 1\n", join(";", map "f$_", 1 .. 10000), " 2\n"' >deep
perl -e 'print "a;", "x" x 1000000, " 3\n"' >long
perl -e 'for (1 .. 100) { print "in_[i];" x $_, "in_[i] 1\n", "out;", "in_[i];" x $_, "out 2\n" }' >inlined
printf ';;a 3\n;a 1\n `x;[];[]_[k] 2\n#;a 3\n;# b 2\n' >odd
for f in plain marked decimals zero columns diff noise bytes large all-bytes sixteen deep long inlined odd; do
	back "$f" $f
done
printf '# columns: a b 0 0\n# unit: ns ns 0 0\n' >headers
for t in $profile firefox d3; do
	status "$t: nothing" 2 fg-render -T $t /dev/null
	status "$t: only headers" 2 fg-render -T $t headers
	[ ! -c /dev/full ] || status "$t: a full disk" 2 sh -c "fg-render -T $t plain >/dev/full 2>said"
done
for f in bytes all-bytes sixteen deep inlined odd; do
	for t in firefox d3; do
		status "$t: $f" 0 fg-render -T $t -o profile $f
		! command -v node >/dev/null ||
			check "$t: $f is JSON" node -e 'const parse = JSON.parse; parse(require("fs").readFileSync("profile", "utf8"))'
	done
done
printf '# period: mixed 0\na 1\n# unit: bytes 0\nb 2\n' >mixed
back 'a mixed period' mixed

# fails NAME MESSAGE FORMAT: the export of ./in as FORMAT is an error
fails() {
	case " $profile " in *" $3 "*) ;; *) return ;; esac
	status "$1" 2 sh -c "fg-render -T $3 -o out in 2>said"
	check "$1: the error names the column" grep -q "column $2" said
	check "$1: leaves no file" test ! -e out
}
printf '# columns: x many 0 0\na 1 9007199254740993\n' >in
fails '2^53 in speedscope' 'many: .* 2^53' speedscope
printf 'a 9223372036854775807\nb 1\n' >in
for t in pprof otlp otlp-json; do
	fails "2^63 in $t" 'samples: .* 2^63' $t
done
printf 'a 9223372036854775807.5\n' >in
for t in pprof otlp otlp-json; do
	fails "2^63 with decimals in $t" 'samples: .* 2^63' $t
done
printf 'a 9223372036854775806\nb 1\n' >large
for t in $profile; do
	[ $t = speedscope ] && continue
	fg-render -T $t large | fg-collapse -q >got
	same "$t: values up to 2^63" large got
done

case $profile in *pprof*)
	printf '# unit: ms 0\na;b 3\n' | fg-render -T pprof | gzip -dc >profile
	check 'pprof: the note is not a comment (field 13), which pprof would print' perl -e 'local $/; open my $f, "<:raw", "profile" or die;
		$_ = <$f>;
		my ($at, $fields, $bad) = (0, 0, 0);
		my $varint = sub { my ($n, $shift, $b) = (0, 0); do { $b = ord substr $_, $at++, 1; $n |= ($b & 127) << $shift; $shift += 7 } while $b > 127; $n };
		while ($at < length) { my $tag = $varint->(); my $n = $varint->(); $at += $n if ($tag & 7) == 2; $fields++; $bad++ if $tag >> 3 == 13 }
		exit($bad || $fields < 5)'
	fg-render -T pprof noise | gzip -dc >profile
	check 'pprof: a noise column is a sample type of its own' perl -e 'local $/; open my $f, "<:raw", "profile" or die;
		exit(<$f> !~ /\x32\x05noise/)' ;; # a string of the table
esac

# OpenTelemetry profiles have timestamps: since 1970 with a label start, otherwise since the start
# of the recording.
for label in '' '# label: start=2026-11-23T10:00:00Z 0
'; do
	printf '# unit: ms 0\n%s# time: 0.25 s 0\na;b 3.5\na;c 1\n# time: 0.5 s 0\na;b 5.25\na;c 4\n# time: 2 s 0\na;c 1\n' "$label" >marks
	for t in otlp otlp-json; do
		case " $profile " in *" $t "*) ;; *) continue ;; esac
		fg-render -T $t marks | fg-collapse -q --time-order >got
		same "$t: time marks are restored${label:+ with a date}" marks got
		fg-render -T $t marks | fg-collapse -q | grep -v '^#' >got
		printf 'a;b 8.75\na;c 6\n' >want
		same "$t: without --time-order the values are added up${label:+, with a date}" want got
	done
done
case $profile in *otlp-json*)
	fg-render -T otlp-json marks >profile
	check 'otlp-json: times since 1970' grep -q '"timestampsUnixNano":\["1795428000250000000","1795428000500000000"\]' profile ;;
esac
printf '# columns: base head 0 0\n# time: 1 s 0 0\na 1 2\nb 0 3\n# time: 3 s 0 0\na 4 0.5\n' >marks
for t in otlp otlp-json; do
	case " $profile " in *" $t "*) ;; *) continue ;; esac
	fg-render -T $t marks | fg-collapse -q --time-order |
	    awk '/^# time/ { at = $3 } !/^#/ { b[at " " $1] += $2; h[at " " $1] += $3 } END { for (i in b) print i, b[i], h[i] }' | sort >got
	printf '1 a 1 2\n1 b 0 3\n3 a 4 0.5\n' >want
	same "$t: time marks of two columns are restored" want got
done
for t in pprof speedscope d3; do
	case " $profile d3 " in *" $t "*) ;; *) continue ;; esac
	fg-render -T $t marks 2>said >profile
	check "$t: time marks are lost, which is reported once" sh -c "[ \"\$(cat said)\" = 'fg-render: -T $t has no time marks: those of the input are lost' ]"
done

printf '# unit: samples 0\na;b 3\na;c 4\n' >plainly
case $profile in *speedscope*)
	fg-render -T firefox plainly >profile
	output 'firefox: the distance of samples is not an event' 'samples' \
	    sh -c "fg-collapse -q --list-events profile | awk 'NR > 1 { print \$1 }'" ;;
esac

# Aliases of units are recognized, and survive a round trip.
for u in usec µs microsecond; do
	printf '# unit: %s 0\na;b 3\n' $u >alias
	back "unit $u" alias
	case $profile in *speedscope*)
		fg-render -T speedscope alias >profile
		check "speedscope: unit $u is microseconds" grep -q '"unit":"microseconds"' profile ;;
	esac
	case $profile in *otlp-json*)
		fg-render -T otlp-json alias >profile
		check "otlp-json: unit $u is microseconds" grep -q '"microseconds"' profile ;;
	esac
	fg-render -T firefox alias >profile
	check "firefox: unit $u is a time" grep -q '"weightType":"tracing-ms"' profile
done
for u in KiB=kilobytes kB=kilobytes MB=megabytes GiB=gigabytes B=bytes; do
	printf '# unit: %s 0\na;b 3\n' ${u%=*} >alias
	back "unit ${u%=*}" alias
	case $profile in *otlp-json*)
		fg-render -T otlp-json alias >profile
		check "otlp-json: unit ${u%=*} is ${u#*=}" grep -q "\"${u#*=}\"" profile ;;
	esac
done

# fg-collapse's options have the same effect on an exported profile as on the folded stacks.
for t in $profile; do
	fg-render -T $t marked >profile
	for o in --no-annotate --skip-after=f --no-header --recursive --list-events; do
		fg-collapse -q $o marked >want
		fg-collapse -q $o profile >got
		same "$t: $o" want got
	done
	fg-collapse -q profile >once
	fg-collapse -q profile profile >twice
	fg-merge once once >want
	same "$t: two add up" want twice
	head -c 200 profile >cut
	fg-collapse -q cut >got 2>said
	check "$t: a truncated profile is reported, or an error" test -s said
	fg-render -T $t marked >again
	same "$t: the same bytes each time" profile again
	fg-render -T $t --flamechart plain >profile
	fg-collapse -q profile >got
	fg-collapse -q plain >want
	same "$t: a flame chart" want got
done

if command -v go >/dev/null && [ "${profile#pprof}" != "$profile" ]; then
	GOFLAGS=-mod=mod HOME=$tmp
	export GOFLAGS HOME
	fg-render -T pprof marked >profile
	go tool pprof -top -nodecount=100 -nodefraction=0 profile 2>/dev/null |
		sed -n 's/^Showing nodes accounting for \([0-9]*\)ns.*/\1/p' >got
	echo 34 >want
	same 'go tool pprof: the total is that of the input' want got
	printf 'main;f;g;f 3\nmain;f 2\nmain;g;f;g 20000\nmain 5\n' >recursive
	for f in marked recursive plain; do
		unit=$(sed -n 's/^# unit: \([a-z]*\).*/\1/p' $f)
		fg-render -T top $f | awk 'NR > 1 { sub(/.*`/, "", $7); gsub(",", ""); print $7, $1, $4 }' | sort >want
		fg-render -T pprof $f >profile
		go tool pprof -top -nodecount=1000 -nodefraction=0 -unit ${unit:-count} profile 2>/dev/null |
			awk 'seen { print $6, $1 + 0, $4 + 0 } $1 == "flat" { seen = 1 }' | sort >got
		same "go tool pprof: self and total of each function of $f" want got
	done
	fg-render -T pprof marked >profile
	go tool pprof -raw profile 2>/dev/null >raw
	check 'go tool pprof: file and line' grep -q ' main a.c:3 ' raw
	check 'go tool pprof: an inlined frame is a line of its caller' \
		perl -0ne 'exit !/: 0x0 (M=\d+ )?g :0 .*\n +f a.c:9 .*\n +main a.c:3/' raw
	check 'go tool pprof: a mapping' grep -q 'libc.so.6' raw
	printf 'libc.so.6`start_[l];shop`main 3\n' | fg-render -T pprof >profile
	go tool pprof -top profile 2>/dev/null | sed -n 1p >got
	echo 'File: shop' >want
	same 'go tool pprof: the program is the first mapping' want got
	check 'go tool pprof: the period' grep -q 'Period: 1003009' raw
	fg-render -T pprof diff >profile
	go tool pprof -top profile 2>/dev/null | awk '$6 ~ /^[abc]$/ { print $6, $1 }' | sort >got
	printf 'a 9.50ms\nb -5ms\nc 7ms\n' >want
	same 'go tool pprof: a difference' want got
	go tool pprof -top profile 2>/dev/null | sed -n '/^Type/,$p' >want
	for k in 2 3; do
		{ echo '# unit: ms 0'; awk -v k=$k '!/^#/ { print $1, $k }' diff; } | fg-render -T pprof >side.$k
	done
	go tool pprof -top -diff_base side.2 side.3 2>/dev/null | sed -n '/^Type/,$p' >got
	same 'go tool pprof: the same as -diff_base of two' want got
	fg-render -T pprof columns >profile
	go tool pprof -sample_index=waiting -top profile 2>/dev/null | awk '$6 ~ /^[ab]$/ && $1 { print $6, $1 }' |
		sort >got
	printf 'a 3.50us\nb 1us\n' >want
	same 'go tool pprof: a column' want got
else
	skip 'go tool pprof' 'Go is not installed' golang-go
fi

# OpenTelemetry's messages read without fg's note, as other programs read them.
printf '%s\n' '# columns: cpu space 0 0' '# unit: us bytes 0 0' 'app;main (a.c:3)_[l];f (a.c:9)_[i];g_[i] 12 1' \
	'app;libc.so.6`memcpy_[l] 5 0' 'app;do_syscall_64_[k] 3.5 0' >two
printf '%s\n' '# unit: ns 0' 'shop;app;do_syscall_64_[k] 3500' 'shop;app;libc.so.6`memcpy_[l] 5000' \
	'shop;app;main (a.c:3);f (a.c:9)_[i];g_[i] 12000' >want.cpu
printf '%s\n' '# unit: bytes 0' 'shop;app;main (a.c:3);f (a.c:9)_[i];g_[i] 1' >want.space
for t in otlp otlp-json; do
	case " $profile " in *" $t "*) ;; *) continue ;; esac
	fg-render -T $t --resource service.name=x --resource process.executable.name=old \
		--resource process.executable.name=shop two >profile
	fg-collapse -q profile >got
	fg-collapse -q two >want
	same "$t: a resource attribute does not become a frame" want got
	sed 's/fg\.folded/no.folded/' profile >other
	for e in cpu space; do
		fg-collapse -q -e $e --srcline --module other >got
		same "$t: read as $e by other tools" want.$e got
	done
	fg-render -T $t marked | sed 's/fg\.folded/no.folded/' | fg-collapse -q | sed -n 2p >got
	echo '# period: 1003009 ns 0' >want
	same "$t: the period, for others" want got
	cat profile profile >twice
	fg-collapse -q twice >got
	fg-merge two two >want
	same "$t: two messages" want got
done
status '--resource without a value' 2 fg-render -T otlp --resource a plain
status '--resource without a key' 2 fg-render -T otlp --resource =a plain
status '--resource of a picture' 2 fg-render --resource a=b plain
if command -v node >/dev/null; then
	cat >otlp.js <<'END2'
const { dictionary: d, resourceProfiles: [r] } = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
const within = (i, table) => { if (!(i > 0 && i < d[table].length)) throw new Error(`${table} ${i}`) };
const empty = e => e === '' || Object.keys(e).length === 0;
for (const [key, table] of Object.entries(d))
	if (!empty(table[0])) throw new Error(key);
for (const l of d.locationTable.slice(1)) {
	if (l.mappingIndex !== undefined) within(l.mappingIndex, 'mappingTable');
	for (const i of l.attributeIndices ?? []) within(i, 'attributeTable');
	for (const { functionIndex } of l.lines) within(functionIndex, 'functionTable');
}
for (const f of d.functionTable.slice(1)) within(f.nameStrindex, 'stringTable');
for (const { locationIndices } of d.stackTable.slice(1)) for (const i of locationIndices) within(i, 'locationTable');
for (const p of r.scopeProfiles[0].profiles) {
	for (const i of p.attributeIndices) within(i, 'attributeTable');
	for (const s of p.samples) within(s.stackIndex, 'stackTable');
}
for (const a of r.resource.attributes) console.log(`${a.key}=${a.value.stringValue}`);
for (const p of r.scopeProfiles[0].profiles)
	console.log(d.stringTable[p.sampleType.typeStrindex], d.stringTable[p.sampleType.unitStrindex],
		p.samples.map(s => s.values[0]).join(' '));
END2
	printf '%s\n' 'service.name=shop "1"' 'cpu nanoseconds 3500 5000 12000' 'space bytes 0 0 1' >want
	fg-render -T otlp-json --resource 'service.name=shop "1"' two >profile
	node otlp.js profile >got
	same 'otlp-json: tables, attributes, types' want got
	fg-render -T otlp-json --resource a=b --flamechart bytes >profile
	check 'otlp-json: names of any bytes' node otlp.js profile
else
	skip 'otlp-json: tables' 'node is not installed' nodejs
fi
if command -v protoc >/dev/null; then
	fg-render -T otlp two | protoc --decode_raw >raw
	# A sample has its stack, then its values; a profile its attributes; an empty element begins a table.
	check 'protoc: fields of 1.10' perl -0ne \
		'exit !/^1 \{\n  2 \{\n    1 \{\n      1: "fg-render"\n    \}\n    2 \{\n      1 \{\n        1: \d+\n        2: \d+\n      \}\n      2 \{\n        1: 1\n        4: "\\254\\033"\n/ || !/\n      11: "\\001"\n    \}\n/ || !/\n2 \{\n  1: ""\n  1 \{\n    4: \d+\n/' raw
else
	skip 'protoc: fields of 1.10' 'protoc is not installed' protobuf-compiler
fi

printf '%s' '{"name":"root","value":27,"delta":11.5,
"children":[{"name":"m","value":27,"delta":11.5,
"children":[{"name":"a","value":20,"delta":9.5},
{"name":"b","value":0,"delta":-5},
{"name":"c","value":7,"delta":7}]}]}
' >want
fg-render -T d3 diff >got
same 'd3: a difference' want got
printf '%s' '{"name":"root","value":8,
"children":[{"name":"main","value":8,
"children":[{"name":"f","value":7,
"children":[{"name":"g","value":4}]}]}]}
' >want
fg-render -T d3 plain >got
same '-T d3 nests the frames of each stack' want got

printf 'b 2\na 1\nb 3\n' >timed
printf '%s\n' '# columns: cpu wall 0 0' '# unit: us us 0 0' '# time: 0 s 0 0' 'b;x 2 1' 'a 1 0' '# time: 0.010 s 0 0' \
	'b;x 3 4' '# time: 0.030 s 0 0' 'b 1 1' >order
if command -v node >/dev/null; then
	cat >sums.js <<'END'
const d = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
/* What version 49 has, and what is read by the steps from it to later ones. */
const columns = {
	frameTable: ['address', 'inlineDepth', 'category', 'subcategory', 'func', 'nativeSymbol', 'innerWindowID',
		'implementation', 'line', 'column'],
	funcTable: ['name', 'isJS', 'relevantForJS', 'resource', 'fileName', 'lineNumber', 'columnNumber'],
	stackTable: ['prefix', 'frame', 'category', 'subcategory'],
	samples: ['stack', 'time', 'weight'],
	markers: ['category', 'data', 'endTime', 'name', 'phase', 'startTime'],
	resourceTable: ['lib', 'name', 'host', 'type'],
	nativeSymbols: ['address', 'functionSize', 'libIndex', 'name']
};
if (!Array.isArray(d.meta.markerSchema) || !Array.isArray(d.libs) || d.meta.preprocessedProfileVersion !== 49)
	throw new Error('meta, libs');
for (const t of d.threads) {
	for (let i = 1; i < t.samples.length; i++)
		if (!(t.samples.time[i] >= t.samples.time[i - 1])) throw new Error('times go back');
	for (const [table, keys] of Object.entries(columns))
		if (keys.some(key => !Array.isArray(t[table][key]))) throw new Error(`${table}: not all of ${keys}`);
	for (const table of ['frameTable', 'funcTable', 'stackTable', 'samples', 'markers', 'resourceTable', 'nativeSymbols'])
		for (const [key, list] of Object.entries(t[table]))
			if (Array.isArray(list) && list.length !== t[table].length) throw new Error(`${table}.${key}`);
	const stack = i => {
		const names = [];
		for (let at = t.samples.stack[i]; at !== null; at = t.stackTable.prefix[at])
			names.unshift(t.stringArray[t.funcTable.name[t.frameTable.func[t.stackTable.frame[at]]]]);
		return names.join(';');
	};
	for (let i = 0; i < t.samples.length; i++)
		console.log(`${stack(i)} ${t.samples.weight[i]} ${t.samples.weightType}`);
}
END
	fg-render -T firefox plain >profile
	node sums.js profile | sort >got
	printf 'main 1 samples\nmain;f 3 samples\nmain;f;g 4 samples\n' >want
	same 'firefox: stacks and weights' want got
	fg-render -T firefox marked >profile
	node sums.js profile | grep '^app;main;f;g ' >got
	echo 'app;main;f;g 0.000012 tracing-ms' >want
	same 'firefox: times are in ms' want got
	fg-render -T firefox bytes >profile
	check 'firefox: names of any bytes' node sums.js profile
	fg-render -T firefox columns >profile
	node sums.js profile >got
	check 'firefox: threads of each column' test "$(wc -l <got)" = 9
	cat >times.js <<'END'
const d = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
console.log('interval', d.meta.interval);
for (const t of d.threads)
	console.log(t.processName, t.name, ...t.samples.time.map((at, i) =>
		`${at}:${t.stringArray[t.funcTable.name[t.frameTable.func[t.stackTable.frame[t.samples.stack[i]]]]]}=${t.samples.weight[i]}`));
END
	printf '%s\n' 'interval 10' 'cpu a 0:a=0.001' 'cpu b 0:x=0.002 10:x=0.003 30:b=0.001' \
		'wall a 0:a=0' 'wall b 0:x=0.001 10:x=0.004 30:b=0.001' >want
	fg-render -T firefox order >profile
	node times.js profile >got
	same 'firefox: input with time marks has its times' want got
	fg-render -T firefox --column wall order >profile
	{ echo 'interval 10'; sed -n 's/^wall //p' want | sed 's/^/us /'; } >want.wall
	node times.js profile >got
	same 'firefox: one column of it' want.wall got
	printf '%s\n' 'interval 1' 'samples a 1:a=1' 'samples b 0:b=2 2:b=3' >want
	fg-render -T firefox --flamechart timed >profile
	node times.js profile >got
	same 'firefox: a flame chart keeps its order' want got
	node sums.js profile | sort >got
	printf 'a 1 samples\nb 2 samples\nb 3 samples\n' >want
	same 'firefox: and has all tables' want got
	fg-render -T firefox order order >profile
	check 'firefox: times of several files' node sums.js profile
else
	skip 'firefox' 'node is not installed' nodejs
fi

case $profile in *speedscope*)
	fg-render -T speedscope --flamechart timed | tr -d '\n' | sed 's/.*"samples":\(.*\),"weights":\(.*\),"endValue.*/\1 \2/' >got
	echo >>got
	echo '[[1],[2],[1]] [2,1,3]' >want
	same 'speedscope: a flame chart keeps its order' want got
	fg-render -T speedscope --column cpu order | tr -d '\n' | sed 's/.*"samples":\(.*\),"weights":\(.*\),"endValue.*/\1 \2/' >got
	echo >>got
	echo '[[1,2],[3],[1,2],[1]] [2,1,3,1]' >want
	same 'speedscope: input with time marks keeps its order' want got
	for o in '' --flamechart '--base b' --reverse; do
		fg-render -T speedscope $o order | fg-collapse -q >got
		sed '/^# time/d' order | fg-render -T speedscope $o | fg-collapse -q >want
		same "speedscope: lossless round trip $o" want got
	done
	printf 'a 1 2\nb 3 4\n' | fg-render -T speedscope | fg-collapse -q | sed -n 1p >got
	echo '# columns: base head 0 0' >want
	same 'speedscope: pairs are base and head' want got ;;
esac

# Decimals in pprof and OTLP: a person reads rounded values; the note has the rests.
printf '# columns: base head 0 0\na;b 10.25 0.1\na;c 0.5 3\nb 0.25 0\n' >diff-rests
printf '# columns: x y z 0 0 0\n# unit: us KiB ns 0 0 0\na;b 1.00001 0.5 0.5\na;c 2.5 1.5 3\nd 0 0 1.75\n' >rests
perl -e 'print "main;f", $_ % 30, ";g$_ 0.3\n" for 1 .. 300' >thirds
for f in diff-rests rests thirds; do
	back "$f" $f
done
printf 'a;b 1050.9\na;c 0.1\n' >decimals
printf '# time: 1 s 0\na;b 0.3\n# time: 2 s 0\na;b 0.3\na;c 0.5\n# time: 3 s 0\na;b 0.6\n' >timed-decimals
for t in $profile; do
	case $t in otlp*) ;; *) continue ;; esac
	fg-render -T "$t" decimals | tr '\0-\37' '\n' >strings
	check "$t: decimals of samples are rounded, without a power of ten in the unit" \
	    sh -c 'grep -q "fg.folded" strings && ! grep -q "10^" strings'
	fg-render -T "$t" timed-decimals >profile
	fg-collapse -q --time-order profile >got
	same "$t: decimals with times are exact" timed-decimals got
done
case $profile in *pprof*)
	printf 'a;b 1050.9\na;c 0.1\n' | fg-render -T pprof | gzip -dc | tr '\0-\37' '\n' >strings
	check 'pprof: decimals of samples are rounded, without a power of ten in the unit' \
	    sh -c 'grep -q "count" strings && ! grep -q "10^" strings'
	# A note that does not fit the samples, as if another program had changed them.
	printf 'a 1.3\nb 2.1\nc 3\n' | fg-render -T pprof | gzip -dc >profile
	for rests in ' x.3 0.1 0' ' 0 0 0 0.1' ' 0.3   0.1' ' -9 0.1  0'; do
		sed "s/ 0\.3 0\.1 0/$rests/" profile >other
		check "pprof: the rests can be replaced by$rests" sh -c '! cmp -s profile other'
		fg-collapse other 2>said | cut -d ' ' -f 1 >got
		printf '%s\n' a b c >want
		same "pprof: all stacks are read with rests$rests" want got
		status "pprof: rests$rests with --strict" 2 fg-collapse --strict other
		check "pprof: rests$rests are reported" grep -q 'other: the decimals in .* do not match' said
	done ;;
esac
if command -v go >/dev/null && [ "${profile#pprof}" != "$profile" ]; then
	# The total of each frame is exact to less than 1: ten values of 0.3 are 3.
	fg-render -T pprof thirds >profile
	go tool pprof -top -cum -nodecount=1000 -nodefraction=0 profile 2>/dev/null |
	    awk '$6 == "main" { print $6, $4 } $6 ~ /^f/ { if ($4 < 2.01 || $4 > 3.99) print $6, $4; n++ } END { print n }' >got
	printf 'main 90\n30\n' >want
	same 'go tool pprof: totals of rounded values' want got
	for u in '' '# unit: us 0'; do
		printf "$u\na;b 1.00001\na;c 4.6\n" | fg-render -T pprof >profile
		go tool pprof -top profile 2>/dev/null | awk '$6 ~ /^[bc]$/ { print $6, $1 }' | sort
	done >got
	printf 'b 1\nc 5\nb 1us\nc 4.60us\n' >want
	same 'go tool pprof: decimals are rounded to the finest unit that it knows' want got
fi

# Each row of the manual's table of tools.
sed -n '/^Export, import and round trip/,/^\.El/s/^\.It \([^E].*\)/\1/p' "$here/../man/fg-render.1" | sed 's/ Ta /|/g' >table
check 'the table has all that -T writes for other tools' sh -c 'fg-render --help | tr -d "\n" |
	sed "s/.*for other tools \([a-z0-9, -]* or [a-z0-9]*\).*/\1/; s/ or / /" | tr -s ", " "\n\n" | sort >all
	cut -d "|" -f 2 table | grep -v -e "^no$" -e "^(not needed)$" | sort | cmp - all'
fg-collapse -q marked >want
while IFS='|' read -r tool to from back; do
	case $to in
	no) continue ;;
	'(not needed)') cp want profile ;;
	pprof | otlp) case $profile in *pprof*) fg-render -T $to want >profile ;; *) continue ;; esac ;;
	*) fg-render -T $to want >profile ;;
	esac
	case $from in
	no)
		status "$tool: not read" 2 fg-collapse profile
		continue ;;
	pprof | otlp | folded) ;;
	*) case $profile in *speedscope*) ;; *) continue ;; esac ;;
	esac
	fg-collapse -q -f "$from" profile >got
	case $back in
	lossless) same "$tool: the round trip is lossless" want got ;;
	'names, weights')
		# Modules and the period are lost; the thread name is a frame.
		cat >lost <<'END'
# unit: ms 0
app;app;Interpreter_[j];waker_[w] 0.000002
app;app;[libz.so]_[l] 0.000004
app;app;do_syscall_64_[k];[unknown]_[k] 0.000003
app;app;main (a.c:3)_[l];f (a.c:9)_[i] 0.000007
app;app;main (a.c:3)_[l];f (a.c:9)_[i];g_[i] 0.000012
app;app;memcpy_[l] 0.000005
inlined;inlined_[i] 0.000001
END
		fg-collapse -q --srcline -f "$from" profile >got
		same "$tool: names, files, weights" lost got ;;
	*) not_ok "$tool: what comes back: $back" ;;
	esac
done <table

status '-T of what there is not' 2 fg-render -T pdf plain
done_testing
