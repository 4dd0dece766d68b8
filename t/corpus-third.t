#!/bin/sh
# Real profiles of ../shared/corpus/third, compared with the output of other readers.
# tier: full
. "$(dirname "$0")/formats-lib.sh"
rules="perl $here/formats-rules.pl"
third=$shared/corpus/third
[ -d "$third" ] || skip_all 'no ../shared/corpus/third'

read_any() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# third FILE REFERENCE OPTIONS RULES THEIRS: FILE equals REFERENCE after RULES; the reference
# passes through the command THEIRS first.
third() {
	read_any "$third/$1" >in
	eval "fg-collapse -q --no-header --no-annotate ${3-} in" 2>.said | $rules ${4-} >got
	read_any "$third/$2" | eval "${5:-cat}" | $rules ${4-} underscore >want
	check "$1: there are stacks" test -s want
	same "$1 ${3-}" want got
}

simple=simpleperf-proto/cpu-clock.trace
{
	fg-collapse -q --no-header --no-annotate "$third/$simple"
	fg-collapse -q --no-header --no-annotate -e sched:sched_switch "$third/$simple"
} >both
read_any "$third/$simple.ref.fold.xz" | sed "s, (.llvm.[0-9]*),,g" | $rules addresses arguments underscore >want
$rules addresses arguments <both >got
same "$simple: both events" want got
read_any "$third/simpleperf-text/report-sample-cpu-clock.txt.xz" >in
fg-collapse -q --no-header --no-annotate in >got
fg-collapse -q --no-header --no-annotate "$third/$simple" >want
same 'simpleperf: its text has the same samples' want got

# recording NAME REFERENCE: the samples of NAME.data equal those that simpleperf exported.
recording() {
	at=$third/simpleperf-perf.data/$1
	fg-collapse -q --no-header --no-annotate --module --samples "$at.data" |
	    $rules underscore art addresses arguments results >got
	read_any "$at.$2" | $rules underscore art addresses arguments results >want
	check "$1: there are stacks" test -s want
	same "$1: simpleperf's own symbols" want got
}
recording perf_with_interpreter_frames ref.gecko.fold.xz
recording perf_with_jit_symbol ref.gecko.fold

third nettrace/only_managed_samples.nettrace nettrace/only_managed_samples.nettrace.ref.fold --threads
third nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.xz \
    nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.ref.fold --threads
third nettrace/net8-rewrite.nettrace.xz nettrace/net8-rewrite.nettrace.ref.fold.xz --threads
third instruments16/simple-time-profile-deep-copy.txt instruments16/simple-time-profile-deep-copy.ref.ms.fold
# perfetto FILE EVENT KIND OPTIONS: FILE equals the rows of KIND in the reference, except its sums
# of 0, and its names are demangled.
perfetto() {
	command -v c++filt >/dev/null || {
		skip "perfetto/$1: $2" 'no c++filt' binutils
		return
	}
	at=$third/perfetto/$1.pftrace
	fg-collapse -q --no-header --no-annotate -e "$2" ${4-} "$at" | $rules addresses arguments underscore >got
	read_any "$(ls "$third/perfetto/$1".ref.kind-tab-fold.tsv*)" | sed -n "s/^$3	//p" | grep -v ' 0$' |
	    sed 's, (.llvm.[0-9]*),,g; s/@@GLIBC[_.0-9A-Z]*//g' | c++filt -p | $rules addresses arguments underscore >want
	check "perfetto/$1: $2: there are stacks" test -s want
	same "perfetto/$1: $2" want got
}
perfetto perf-a perf perf_sample
perfetto streaming-a 'cpu profile' streaming_profile --no-comm
perfetto profile_unknown_package perf perf_sample
for file in heapprofd-a heap_profile heap_profile_jit; do
	for what in 'unreleased bytes' 'allocated bytes' allocations; do
		perfetto $file "libc.malloc $what" "heap libc.malloc $what"
	done
done
perl -pe 's/^P(\d+);T0:/$1\//; s/([^;]+):([^:;]+):(\d+)(?=;| \d+$)/$2 ($1:$3)/g' \
    "$third/austin-text/repeat.austin.ref.fold" | LC_ALL=C sort >want
fg-collapse -q --no-header --tid "$third/austin-text/repeat.austin" | LC_ALL=C sort >got
same 'austin-text/repeat.austin' want got
for file in test repeat austinp.resolved; do
	read_any "$(ls "$third/austin-mojo/$file.mojo.ref.fold"*)" | awk '{ n += $NF } END { print n }' >want
	fg-collapse -q --no-header "$third/austin-mojo/$file.mojo" | awk '{ n += $NF } END { print n }' >got
	same "austin-mojo/$file.mojo: total" want got
done
fg-collapse -q --no-header "$third/austin-mojo/repeat.mojo" >got
fg-collapse -q --no-header "$third/austin-text/repeat.austin" >want
same 'austin: MOJO has the stacks of the text' want got
for clock in wall cpu; do
	third art-trace/art-regular.trace "art-trace/art-regular.ref.$(echo $clock | sed 's/^cpu/thread-cpu/')-us.fold.xz" "-e $clock" '' \
	    "sed 's/unknown_[0-9a-f]*/[unknown]/g'"
done
read_any "$third/safari/simple.html-recording.ref.seconds.fold" | grep -v '^ ' |
    awk '{ n = sprintf("%.3f", $NF * 1000000); sub(/ [^ ]*$/, ""); print $0, n }' | sed 's/\.*0*$//' | $rules anonymous >want
fg-collapse -q --no-header "$third/safari/simple.html-recording.json" |
    awk '{ n = sprintf("%.3f", $NF); sub(/ [^ ]*$/, ""); print $0, n }' | sed 's/\.*0*$//' | $rules anonymous >got
check 'safari: as speedscope reads it, but for rounding' sh -c 'awk "{ \$NF = int(\$NF) } 1" want >a && awk "{ \$NF = int(\$NF) } 1" got | cmp -s - a'
fg-collapse -q --no-header --no-comm "$third/kineto/kineto-stack-a.json" |
    awk '{ n = sprintf("%.0f", $NF * 1000); sub(/ [^ ]*$/, ""); print $0, n }' >got
sed 's/\([^;]*\)(\([0-9]*\)): \([^; ]*\)/\3 (\1:\2)/g' "$third/kineto/kineto-stack-a.ref.self-ns.fold" | LC_ALL=C sort >want
LC_ALL=C sort got >got.sorted
same 'kineto: self times of stacks' want got.sorted
output 'v8-log: each tick is a sample' 2066 sh -c "fg-collapse -q --no-header '$third/v8-log/node20-v8.log' | awk '{ n += \$NF } END { print n }'"
output 'v8-log: of V8 6.0, too' 93 sh -c "fg-collapse -q --no-header '$third/v8-log/node8.5-isolate-v8.log' | awk '{ n += \$NF } END { print n }'"
# perf, too, prefers the global name of a system call: __x64_sys_sched_yield.
for file in sw km6; do
	third "$(cd "$third" && ls trace.dat/$file.dat trace.dat/$file.dat.xz 2>/dev/null | head -n 1)" \
	    trace.dat/$file.dat.ref.fold '' '' 'sed s/__do_sys_sched_yield/__x64_sys_sched_yield/'
done
fg-collapse -q --no-header "$third/memray-html/memray-flamegraph-sqlite.html" | LC_ALL=C sort >got
xz -dc "$third/memray-html/memray-flamegraph-sqlite.ref.bytes.fold.xz" | LC_ALL=C sort >want
check 'memray: there are stacks' test -s want
same 'memray: bytes of stacks are those of memray' want got
# Detection: the formats that claim a file. austin's text is folded stacks with a header.
find "$third" -type f ! -name '*.ref.*' ! -name '*.tsv' >files
while read -r file; do
	read_any "$file" >in
	limited 60 fg-collapse -v in 2>&1 >/dev/null | sed -n 's/^.*: several formats match: //p' |
	    sed "s,\$,: ${file#"$third"/},"
done <files >pairs
grep -vE '^folded, austin: austin-text/' pairs >claims
same 'no file is claimed by two formats but of known pairs' /dev/null claims
sed 's/^/# both claim: /' pairs
#MORE
done_testing
