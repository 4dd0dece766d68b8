#!/bin/sh
# Each filter rejects input that is not folded stacks, and accepts all folded stacks.
# tier: quick
. "$(dirname "$0")/lib.sh"

# refused NAME BYTES LINE: all filters exit with 2, report the line, and write nothing.
refused() {
	printf "$2" >in
	for p in fg-merge fg-filter fg-render 'fg-diff in'; do
		$p in >got 2>said
		echo "exit $?, $(wc -c <got) bytes, $(sed 's/^[^:]*: //; s/ (.*//' said)" >got
		echo "exit 2, 0 bytes, in:$3: not folded stacks: pipe it through fg-collapse" >want
		same "${p% in} refuses $1" want got
	done
	check "fg-collapse finds another format than folded, or none, for $1" \
		sh -c "! fg-collapse -v in 2>&1 | grep -q 'format folded'"
}
# folded NAME BYTES: all filters accept the input, and fg-collapse detects it as folded.
folded() {
	printf "$2" >in
	for p in fg-merge fg-filter fg-render 'fg-diff in'; do
		status "${p% in} takes $1" 0 $p in
	done
	output "fg-collapse recognizes $1" 'fg-collapse: in: format folded' \
		sh -c 'fg-collapse -v in 2>&1 >/dev/null | grep "format"'
}

# Text and binary data of any kind
refused 'words, one line in four with a number' 'hello world\nTOY 1\nfoo bar\nbaz\n' 1
refused 'words, two lines in five with a number' 'TOY 1\nstack 2\nmain\nstack 3\nmain\n' 3
refused prose 'Dear Sir;\nthe bill of 5\nis due\n' 1
refused 'perf script' 'bash  27  1188.404913:     400000 cpu-clock: \n\t            7e80 f+0x925 (/x)\n\n' 1
refused 'perf script without call chains' \
	'bash 1 [000] 10.1: raw_syscalls:sys_exit: NR 0 = 832\nbash 1 [000] 10.2: raw_syscalls:sys_exit: NR 0 = 7\n' 1
refused 'a table of numbers' '1 2 3\n4 5 6\n' 1
refused 'rows of a name and three numbers' 'read 0 10 5\nwrite 3 20 7\nopen 1 2 9\n' 1
refused 'numbers in two columns' '16 20\n17 4\n18 4\n' 1
refused 'indented text' '  main 5\n    f 3\n' 1
refused 'callgrind' '# callgrind format\nevents: Ir\nfn=main\n16 20\ncfn=f\ncalls=1 5\n16 400\n' 2
refused 'pprof -raw' 'PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\nsamples/count cpu/nanoseconds\n 1 10000000: 1 2\n' 1
refused 'heaptrack' 'v 10400 3\nX ./a\nI 1000 5e298f\ns 12 /a\n' 2
refused 'jmap -histo' ' num     #instances         #bytes  class name (module)\n-------\n   1:         20000        1000000  [B\nTotal 2 3\n' 1
refused CSV 'Class Name,Objects,Shallow Heap\nbyte[],7,9\n' 1
refused JSON '[\n{"name": 1},\n{"name": 2}\n]\n' 1
refused SVG '<?xml version="1.0"?>\n<svg width="7">\n' 1
refused perf.data 'PERFILE2h\0\0\0\0\0\0\0' 1
refused 'a stack in front of compressed data' 'main;f 1\n\037\213\10\0 1\n\2\3\4\5 2\n' 2
refused 'binary data with a number at its end' '\1\2\0\3 1\n' 1
refused 'UTF-16 without a byte order mark' 'm\0;\0f\0 \0005\0\n\0' 1
{ printf '{"nodes":['; awk 'BEGIN { for (i = 0; i < 2000; i++) printf "{\"name\":\"Lx;\",\"id\":%d},", i }'; echo ']}'; } >in
status 'fg-merge refuses one long line of JSON with exit status 2' 2 fg-merge in
fg-merge in 2>said
check 'fg-merge names the reason why one long line of JSON is refused' grep -q 'more quotation marks than frames' said

printf 'hello world\nTOY 1\n' | fg-render >got 2>said
echo 'fg-render: stdin:1: not folded stacks: pipe it through fg-collapse ("hello world" has no value at its end)' >want
same 'fg-render quotes the first line of input that is not folded stacks' want said
printf '# hello\n\n\033[31m%0100d\n' 0 | fg-merge 2>said
check 'fg-merge quotes a line of rejected input cut short, without control bytes' \
	grep -q '^fg-merge: stdin:3: .*("\\033\[31m0*\.\.\." has control characters)$' said
printf 'JAVA PROFILE 1.0.2\0' >x.hprof
fg-collapse x.hprof 2>said
check 'fg-collapse refuses a heap dump that ends within its header' grep -q 'x.hprof: byte [0-9]*: the header is truncated' said
printf 'what\nis\nthis\n' >x
fg-collapse x 2>said
check 'fg-collapse names the options for input of an unknown format' grep -q '^fg-collapse: x: unknown format; fg-collapse -l lists the formats, -f selects one$' said

# Folded stacks that resemble other formats
folded 'folded stacks of one frame' 'main 5\n'
folded 'folded stacks with roots in brackets' '[unknown] 5\n[libc.so.6]_[l] 7\n'
folded 'folded stacks like JSON' '{main};"x" 5\n[{x}];"y" 7\n'
folded 'folded stacks like heaptrack' 'v 10400\nX 3\n'
folded 'folded stacks like callgrind' 'fn=main 7\nfn=f 20\n'
folded 'folded stacks like a flight recording' 'jdk.ExecutionSample 5\njdk.Sample { 7\n'
folded 'folded stacks like perf script' 'a 1.5: cycles:;f 5\nb 1.6: cycles:;g 7\n'
folded 'folded stacks with numbers as frames' '1;2;3 4\n5;6 7\n'
folded 'folded stacks with a number at the end of a frame' 'Thread 12 5\nThread 13 7\n'
folded 'folded stacks with header lines and numbers' '# unit: ns 0\nworker 1 of 8 5\nworker 2 of 8 7\n'
folded 'folded stacks with a control byte in a few lines' 'a\1b;c 1\nd;e 2\nf;g 3\n'
folded 'folded stacks with comments' '# callgrind\n# perf\nmain;f 5\n'
folded 'folded stacks with a malformed line' 'main;f 5\nrubbish\nmain;g 7\n'
folded 'folded stacks after a malformed line' '// a comment\nmain;f 5\nmain;g 7\n'
folded 'folded stacks with CRLF' 'main;f 5\r\nmain;g 7\r\n'
folded 'folded stacks without a last newline' 'main;f 5\nmain;g 7'
folded 'folded stacks in UTF-16 with a byte order mark' '\377\376m\0;\0f\0 \0005\0\n\0'
printf 'a 1 2\nb 3 4\n' >in
status 'fg-merge --columns x,y takes rows of one frame and two values' 0 fg-merge --columns x,y in
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%sframe%d", i ? ";" : "", i; print " 1" }' >in
status 'fg-merge takes a stack that is longer than the head that it tests' 0 fg-merge in
awk 'BEGIN { for (i = 0; i < 2000; i++) print "main;f" i, 1; for (i = 0; i < 2000; i++) print "rubbish" }' >in
fg-merge in >got 2>said
check 'fg-merge skips and counts malformed lines after the head that it tests' \
	sh -c 'test $(wc -l <got) = 2000 && grep -q "2000 malformed lines" said'
cat in | fg-merge 2>/dev/null >got3
check 'fg-merge writes the same output for a file and for a pipe' cmp got got3
done_testing
