#!/bin/sh
# A function has the same name in all formats: each program of t/data/pairs was recorded with two
# profilers. The recordings differ, so names are compared: the weight of the leaf frames, and the
# heaviest names of one profile that the other has too.
# tier: quick
. "$(dirname "$0")/lib.sh"
. "$here/names-lib.sh"
pairs=$here/data/pairs

# frames FILE: the folded stacks. generated: only frames of JIT code, without the comm.
frames() { gzip -dc "$pairs/$1" | fg-collapse -q --no-header ${2:---no-annotate} -; }
generated() {
	frames "$1" -a |
		perl -pe 's/^(.*) (\S+)$/join(";", map { s{_\[j\]$}{}r } grep { m{_\[j\]$} } split m{;}, $1) . " $2"/e; $_ = "" if /^ /'
}
# map FILE: the functions of a perf map.
map() {
	gzip -dc "$pairs/$1" | perl -ne '/^\S+ \S+ (.*)/ and print "x 1 1.0: 1 cycles:\n\t1 $1 (/tmp/perf-1.map)\n\n"' >"$tmp/map"
	gzip -9 <"$tmp/map" >"$tmp/map.gz"
	(pairs=$tmp && generated map.gz)
}

# The JVM writes "void App$Node.insert(java.lang.Comparable)" to its perf map. The program ran with
# -Xcomp -XX:TieredStopAtLevel=1 -XX:-Inline: interpreted and inlined methods are not in a map.
# A flight recording has no stubs of the JVM, hidden classes and native methods, and never stops in
# a method of a few instructions without a call (Shop.triple has 3.3 % of perf's samples).
frames java.jfr-text.gz >one
generated java.perf-script.gz >two
both 'a flight recording of Java' 'its perf map' \
    '^[^.]*$|[$][$]Lambda|[$]Holder[.]|Runtime1 stub$|^java[.]lang[.]System[.]arraycopy$|^jdk[.]internal[.]misc[.]Unsafe[.]|^Shop[.]triple$|^java[.]lang[.]Math[.]m|[.]isLatin1$|[.]canEncode$|[.]afterNodeAccess$'

# V8 writes "JS:*fib /srv/app.js:6:13". The program ran with --interpreted-frames-native-stack
# --no-turbo-inlining. (garbage collector), (program) and (idle) are not functions.
frames node.cpuprofile.gz -q | sed 's/;(garbage collector) / /; /^(garbage collector) /d; /(program) /d; /(idle) /d' >one
{ generated node.perf-script.gz; map node.map.gz; } >two
cp one got
cp two other
agree 'node: --cpu-prof and the perf map'
generated node.perf-script.gz >got
cp one other
agree 'node: the perf map and --cpu-prof'

# Go's symbols may end in .abi0 or contain [go.shape.int_0]. perf.data with the names of fg-collapse;
# perf script has less inlined functions.
own() {
	frames "$1" -a | perl -ne 's/^(.*) (\S+)$/join(";", grep { !m{_\[[kl]\]$|^\[|^shop$} } split m{;}, $1) . " $2"/e; s/_\[i\]//g; print unless /^ /'
}
frames go.pprof.gz >one
own go.folded.gz >two
both 'a profile of the runtime of Go' 'its perf.data'
own go.perf-script.gz >got
cp one other
agree 'Go: perf script and the profile of its runtime'

# Python's perf map ("py::Shop.sell:/srv/app.py") and fg-record's own frames, of one run with -X perf:
# the map starts after the first imports.
gzip -dc "$pairs/python.folded.gz" | perl -pe 's/:\d+\)_\[p\]/)/g' >got
map python.map.gz >other
agree 'Python: fg-record and the perf map'

done_testing
