#!/bin/sh
# What is no folded stacks does not pass for them: it is named, with what to do.
# tier: quick
. "$(dirname "$0")/lib.sh"

# foreign NAME BYTES WHAT: the filters refuse it.
foreign() {
	printf "$2" >in
	for p in fg-merge fg-filter fg-render 'fg-diff in'; do
		$p in >got 2>said
		echo "exit $?, $(wc -c <got) bytes, $(sed 's/^[^:]*: in: looks like //; s/, no folded stacks: .*//' said)" >got
		echo "exit 2, 0 bytes, $3" >want
		same "${p% in}: $1" want got
	done
	fg-collapse in >got 2>said
	check "fg-collapse: $1 is not read as folded stacks" sh -c "! fg-collapse -v in 2>&1 | grep -q 'format folded'"
}
perf='bash  27  1188.404913:     400000 cpu-clock: \n\t            7e80 f+0x925 (/x)\n\n'
foreign 'perf script' "$perf" 'the text of perf script'
foreign 'perf script without call graphs' \
	'bash 1 [000] 10.1: raw_syscalls:sys_exit: NR 0 = 832\nbash 1 [000] 10.2: raw_syscalls:sys_enter: NR 1 (1, 2) 7\n' \
	'the text of perf script'
foreign 'perf script without times' 'bash 27 400000 cycles: \n\t            7e80 f+0x925 (/x)\n\n' \
	'the text of perf script'
foreign perf.data 'PERFILE2h\0\0\0\0\0\0\0' 'a perf.data file of perf record'
foreign ELF '\177ELF\2\1\1\0' 'a program or a library'
foreign 'pprof -raw' 'PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\nsamples/count cpu/nanoseconds\n 1 10000000: 1 2\n' \
	'the output of pprof -raw'
foreign callgrind '# callgrind format\nevents: Ir\nfn=main\n16 20\ncfn=f\ncalls=1 5\n16 400\n' 'a profile of callgrind'
foreign massif 'desc: (none)\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n' 'a profile of massif'
rule=$(printf '%080d' 0 | tr 0 -)
foreign ms_print "\n$rule\nCommand:            ./a\nMassif arguments:   (none)\n$rule\n\n    MB\n12.35^      #\n" \
	'the text of ms_print'
foreign callgrind_annotate "\n$rule\nProfile data file 'callgrind.out.1' (creator: callgrind-3.19.0)\n$rule\nI1 cache: \n" \
	'the text of callgrind_annotate'
foreign cg_annotate "\n$rule\nI1 cache:         32768 B\nCommand:          ./a\nData file:        cachegrind.out.1\n" \
	'the text of cg_annotate'
foreign 'pprof -top' 'File: busy\nType: cpu\nShowing nodes accounting for 430ms, 100%% of 430ms total\n      flat  flat%%\n' \
	'the table of pprof -top, which has no stacks'
foreign heaptrack 'v 10400 3\nX ./a\nI 1000 5e298f\ns 12 /a\n' 'a recording of heaptrack'
foreign 'gperftools' '\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0' 'a CPU profile of gperftools'
foreign memray 'memray\1\0\0\0' 'a recording of memray'
foreign 'a heap dump' 'JAVA PROFILE 1.0.2\0\0' 'a heap dump of Java, which has no stacks of what allocated'
foreign 'jmap -histo' ' num     #instances         #bytes  class name (module)\n-------\n   1:         20000        1000000  [B (java.base@17)\n   2: 9 7 java.lang.String\nTotal 2 3\n' \
	'the list of jmap -histo, which has no stacks'
foreign 'Memory Analyzer' 'Class Name | Objects | Shallow Heap | Retained Heap\n-----\nbyte[]     |     7 | 9 |      >= 9\n' \
	"a list of Eclipse's Memory Analyzer, which has no stacks"
foreign 'Memory Analyzer, as CSV' 'Class Name,Objects,Shallow Heap,Retained Heap,\nbyte[],7,9,9,\n' \
	"a list of Eclipse's Memory Analyzer, which has no stacks"
foreign dotnet-trace 'Nettrace\24\0\0\0' 'a recording of dotnet-trace'
foreign 'an event log of GHC' 'hdrbhetb' 'an event log of GHC'
foreign JSON '[\n{"name": 1},\n{"name": 2}\n]\n' JSON
foreign SVG '<?xml version="1.0"?>\n<svg width="7">\n' XML
foreign 'a zip archive' 'PK\3\4' 'a zip archive'
foreign 'what is packed twice' "$(printf '\037\213')x 1\n" 'a file packed twice'
foreign 'bytes' '\1\2\0\3 1\n' 'a binary file'

printf "$perf" >perf
echo 'fg-render: stdin: looks like the text of perf script, no folded stacks: pipe it through fg-collapse' >want
fg-render <perf >got 2>said
same 'perf script | fg-render' want said
echo 'fg-merge: x.data: looks like a perf.data file of perf record, no folded stacks: pipe it through fg-collapse' >want
printf 'PERFILE2' >x.data
fg-merge x.data 2>said
same 'what to do' want said
printf 'JAVA PROFILE 1.0.2\0' >x.hprof
fg-collapse x.hprof 2>said
check 'what to do instead' grep -q 'read the output of jfr print' said
printf 'what\nis\nthis\n' >x
fg-collapse x 2>said
check 'what was tried' grep -q '^fg-collapse: x: none of the formats that can be read: perf, ' said

# And folded stacks are not taken for anything else.
folded() {
	printf "$2" >in
	check "folded stacks: $1" fg-merge in
	output "fg-collapse: $1" 'fg-collapse: in: format folded' sh -c 'fg-collapse -v in 2>&1 >/dev/null | grep "format"'
}
folded 'of one frame' 'main 5\n'
folded 'roots in brackets' '[unknown] 5\n[libc.so.6]_[l] 7\n'
folded 'that look like JSON' '{main};"x" 5\n[{x}];"y" 7\n'
folded 'that look like heaptrack' 'v 10400\nX 3\n'
folded 'that look like callgrind' 'fn=main 7\n16 20\n'
folded 'that look like Java Flight Recorder' 'jdk.ExecutionSample 5\njdk.Sample { 7\n'
folded 'that look like perf script' 'a 1.5: cycles:;f 5\nb 1.6: cycles:;g 7\n'
folded 'with a NUL in a name' 'a\0b;c 1\nd;e 2\n'
folded 'with comments' '# callgrind\n# perf\nmain;f 5\n'
folded 'with a malformed line' 'main;f 5\nrubbish\nmain;g 7\n'
folded 'in UTF-16' '\377\376m\0;\0f\0 \0005\0\n\0'

# Every file of the corpus
if [ -n "$shared" ]; then
	cut -f1,2 "$shared/corpus/INDEX.tsv" | grep / | while IFS='	' read -r kind file; do
		case $file in
		folded/* | recursive/* | diff-folded/* | bcc/offcputime-9.txt | bcc/wakeuptime-23.txt) continue ;;
		esac
		fg-merge "$shared/corpus/$file" >got 2>/dev/null
		[ $? = 2 ] && [ ! -s got ] || echo "fg-merge takes $file"
		! fg-collapse -v "$shared/corpus/$file" 2>&1 >/dev/null | grep -q 'format folded$' ||
			echo "fg-collapse takes $file for folded"
	done >wrong
	same 'no other file of the corpus passes for folded stacks' /dev/null wrong
else
	skip 'the corpus' 'no ../shared/corpus'
fi
done_testing
