#!/bin/sh
# Flight recordings in the format of the JDK and async-profiler, written by t/jfr.pl.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# A recording of our own: both encodings of numbers, several chunks, every encoding of strings.
for kind in '' fixed; do
	perl "$here/jfr.pl" $kind >in
	folded "a recording${kind:+ of $kind numbers}" '' '# unit: samples 0
# period: 10000000 ns 0
# values: sampled 0
app.Shop.main;app.Shop.sell 2
app.Shop.main;read;vfs_read_[k] 1'
	folded 'wall clock samples count as many as they say' '--no-header -e WallClockSample' 'app.Shop.main 20'
	folded 'allocations weigh their bytes' '-e ObjectAllocationInNewTLAB' '# unit: bytes 0
# period: 5000 bytes 0
# values: sampled 0
app.Shop.main;app.Shop.sell 5000'
	folded 'waiting weighs its time' '-e JavaMonitorEnter' '# unit: ns 0
app.Shop.main 250000000'
done
folded 'threads by their names, lines' '--no-header --threads --tid --srcline' 'GC_Thread#0-?/78;app.Shop.main (Shop:6);read;vfs_read_[k] 1
worker_1-?/12;app.Shop.main (Shop:5);app.Shop.sell (Shop:12) 2'
folded 'states' '--no-header --state sleeping' 'app.Shop.main;read;vfs_read_[k] 1'
folded 'a range of time' '--no-header --from 0.4 --to 0.6' 'app.Shop.main;read;vfs_read_[k] 1'
folded 'jfr: time order' '--no-header --time-order' 'app.Shop.main;app.Shop.sell 1
app.Shop.main;read;vfs_read_[k] 1
app.Shop.main;app.Shop.sell 1'
# JDK 21 to 25: samples of CPU time, of which some were lost or have no stack; a virtual thread; traced
# methods, which are not in the stacks of their events.
folded 'samples of CPU time' '-e CPUTimeSample --threads --tid' '# unit: samples 0
# period: 5000000 ns 0
# values: sampled 0
virtual_thread-?/26;app.Shop.main;app.Shop.sell 1
worker_1-?/12;app.Shop.main 1'
check 'samples of CPU time: those lost and those without a stack are reported' sh -c "fg-collapse -e CPUTimeSample in 2>&1 >/dev/null |
	grep -q 'in: 4 samples of CPU time lost by the JVM, 1 without a stack'"
folded 'a traced method is the leaf, and weighs its time' '-e MethodTrace' '# unit: ns 0
app.Shop.main;app.Shop.sell 500000000'
# JDK 9 uses other names for the same events and types.
sed "s/jdk[.]types[.]/com.oracle.jfr.types./g; s/'jdk[.]\([A-Z]\)/'com.oracle.jdk.\1/g" "$here/jfr.pl" >jdk9.pl
check 'JDK 9: other names' grep -q 'com.oracle.jdk.*' jdk9.pl
perl jdk9.pl >in
folded 'JDK 9: stacks and the default event' '' '# unit: samples 0
# period: 10000000 ns 0
# values: sampled 0
app.Shop.main;app.Shop.sell 2
app.Shop.main;read;vfs_read_[k] 1'
perl "$here/jfr.pl" | sed 's/jdk.types.StackTrace/jdk.types.Stock_race/g' >in
fg-collapse in >got 2>said
check 'a recording none of whose stacks resolves is an error' test $? = 2
check 'jfr: no resolvable stack: the message' grep -q 'in: the recording has no stack of any of its events' said

# Format version 0.9, of JDK 7 and 8.
perl "$here/jfrold.pl" >in
folded 'JDK 7 and 8: hidden methods have no frame' '' '# unit: samples 0
# values: sampled 0
app.Shop.main 1
app.Shop.main;app.Shop.sell 1'
folded 'JDK 8: threads, lines' '--no-header --threads --tid --srcline' 'worker_1-?/12;app.Shop.main (Shop:5);app.Shop.sell (Shop:12) 1
worker_1-?/12;app.Shop.main (Shop:6) 1'
folded 'JDK 8: allocations weigh their bytes' '--no-header -e ObjectAllocationOutsideTLAB' 'app.Shop.main;app.Shop.sell 4096'
folded 'JDK 8: waiting weighs its time' '-e JavaMonitorEnter' '# unit: ns 0
app.Shop.main 250000000'
folded 'JDK 8: an error counts 1' '--no-header -e JavaErrorThrow' 'app.Shop.main;app.Shop.sell 1'
folded 'JDK 8: states' '--no-header --state sleeping' 'app.Shop.main 1'
folded 'JDK 8: a range of time' '--no-header --from 0.4' 'app.Shop.main 1'
perl "$here/jfrold.pl" 3 >in
folded 'JDK 8: three chunks' '--no-header' 'app.Shop.main 3
app.Shop.main;app.Shop.sell 3'
perl "$here/jfrold.pl" >whole
(cat whole; head -c $(($(wc -c <whole) - 10)) whole) >in
folded 'JDK 8: a second chunk that is truncated' '--no-header' 'app.Shop.main 2
app.Shop.main;app.Shop.sell 2'
check 'is reported' grep -q "^fg-collapse: in: byte [0-9]*: a chunk that extends past the end of the input; left out" said
cp whole in
damaged 'JDK 8: truncated and changed at every fifth byte' jfr 5
{ printf 'FLR\0\0\0\0\011'; head -c 100 /dev/zero; } >in
folded 'JDK 8: a recording that the JVM did not finish' '' ''
check 'is reported' grep -q 'in: byte 0: a chunk without metadata: no event can be read' said
third=$shared/corpus/third/jfr-old
if [ -d "$third" ]; then
	fg-collapse -q --no-header --threads -e ExecutionSample "$third/jdk9-allocation_10s_before.jfr" | LC_ALL=C sort >got
	LC_ALL=C sort "$third/jdk9-allocation_10s_before.ref.ExecutionSample.fold" >want
	same 'a recording of JDK 9, as jfr of JDK 17 prints it' want got
	# JMC's output omits methods that the JVM generated for its own events; fg-collapse omits
	# hidden methods (lambdas).
	for f in 7u40 8u0 8u60; do
		for e in $(cut -f1 "$third/jdk-$f.ref.event-tab-fold.tsv" | sort -u); do
			fg-collapse -q --samples --no-header --no-annotate --threads -e "${e#jdk.}" "$third/jdk-$f.jfr" |
			    sed -E 's/;oracle.jrockit.jfr.events.(EventHandlerImpl.1(.1)?.run|GeneratedEventHandler[0-9]*.write)//g' |
			    LC_ALL=C sort >got
			sed -n "s/^$e	//p" "$third/jdk-$f.ref.event-tab-fold.tsv" |
			    sed -E 's/;[^;]*[$][$]Lambda[$][^;]*//g; s/ /_/g; s/_([0-9]*)$/ \1/' | LC_ALL=C sort >want
			same "$f: $e, as JMC prints it" want got
		done
	done
fi

perl "$here/jfr.pl" 3 >in
folded 'three chunks are added up' '--no-header' 'app.Shop.main;app.Shop.sell 6
app.Shop.main;read;vfs_read_[k] 3'
gzip -c in | fg-collapse -q --no-header >got2
same 'jfr: compressed, from a pipe' want got2

# Damaged recordings: samples before the damage are kept, and its position is reported.
perl "$here/jfr.pl" 2 >whole
n=$(wc -c <whole)
head -c $((n - 10)) whole >in
folded 'a second chunk that is cut off' '--no-header' 'app.Shop.main;app.Shop.sell 2
app.Shop.main;read;vfs_read_[k] 1'
check 'jfr: a truncated chunk is reported with its offset' grep -q "^fg-collapse: in: byte $((n / 2)): a chunk that extends past the end of the input; left out" said
(cat whole; echo junk) >in
folded 'jfr: junk after the last chunk' '--no-header' 'app.Shop.main;app.Shop.sell 4
app.Shop.main;read;vfs_read_[k] 2'
check 'jfr: junk after the last chunk is reported' grep -q "in: byte $n: not a chunk of a flight recording" said
status 'jfr: junk is an error with --strict' 2 fg-collapse -q --strict in
perl "$here/jfr.pl" >whole
cp whole in
damaged 'truncated and changed at every fifth byte' jfr 5
# A type that contains itself: exponentially many fields, without a byte of data.
perl -pe 's/(name => .hidden., class => )4/${1}29/' "$here/jfr.pl" | sed "s/field('hidden', 4)/field('hidden', 29), field('more', 29), field('again', 29)/" >cyclic.pl
perl cyclic.pl >in
status 'a type within itself: no stack is readable' 2 limited 60 fg-collapse -q in
sed "s/int_(@_ \/ 3) . join/int_(4000000000) . join/" "$here/jfr.pl" >many.pl
perl many.pl >in
limited 60 fg-collapse -q in >got 2>said
check 'frames that are four thousand million' grep -q 'in: byte [0-9]*: ' said

# Version 0.9: metadata that are shorter than their own size and type.
for size in 0 4 7; do
	perl -0777 -pe 'substr($_, unpack("x8 Q>", $_), 4) = pack("N", '$size')' "$here/data/formats/jfr/jdk-8" >in
	status "version 0.9: metadata of $size bytes: no stack is readable" 2 limited 60 sh -c 'fg-collapse -f jfr in 2>said'
	check "version 0.9: metadata of $size bytes are reported" grep -q 'in: byte 0: a chunk without metadata' said
done

# Events of a length that ends within the bytes of the length itself, in numbers of 4 bytes and in
# varints (three bytes for a 2).
for number in '\000\000\000\002' '\202\200\000'; do
	flags='\000'
	[ "$number" = '\202\200\000' ] && flags='\001'
	{ printf 'FLR\000\000\002\000\001' && head -c 59 /dev/zero && printf "$flags$number" && echo more; } >in
	status "an event that ends within its own length, $number: no stack is readable" 2 limited 60 sh -c 'fg-collapse -f jfr in 2>said'
	check "an event that ends within its own length, $number, is reported" grep -q 'in: byte 68: an event that extends past the end of its chunk' said
done

done_testing
