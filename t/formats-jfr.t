#!/bin/sh
# Flight recordings: the JDK's own, compared with what jfr(1) prints, and async-profiler's.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

formats <<'END'
jfr-binary/busy.jfr | --no-annotate | busy.jfr.folded |
jfr-binary/busy.jfr | --no-annotate -e ExecutionSample | busy.jfr.folded |
jfr-binary/busy.jfr | --state runnable | total 349
jfr-binary/busy.jfr | --state SLEEPING | refused no sample
jfr-binary/busy.jfr | --samples -e ObjectAllocationSample | total 1200
END
busy=$corpus/jfr-binary/busy.jfr

folded() {
	printf '%s\n' "$3" >want
	[ -n "$3" ] || : >want
	eval "fg-collapse -q $2 in" >got 2>said
	same "$1" want got
}

# as_printed FILE EVENT OPTIONS: what jfr prints of it is folded to the same
as_printed() {
	set -- "$1" "$2" "${3-}"
	jfr print --events "$2" --stack-depth 64 "$1" >printed
	if [ ! -s printed ]; then
		skip "$2" 'the recording has none'
		return
	fi
	fg-collapse -q --no-header $3 printed >want
	fg-collapse -q --no-header -e "$2" $3 "$1" >got
	same "$2 $3, as jfr print has it" want got
}
if command -v jfr >/dev/null; then
	as_printed "$busy" ExecutionSample
	as_printed "$busy" ExecutionSample '--threads --tid'
	as_printed "$busy" ObjectAllocationSample --samples
	as_printed "$busy" JavaMonitorEnter --samples
	as_printed "$busy" ThreadPark --samples
	as_printed "$busy" OldObjectSample
else
	skip 'jfr print' 'there is no jfr'
fi
output 'the header: a sample stands for 10 ms' '# unit: samples 0
# period: 10000000 ns 0' sh -c "fg-collapse -q '$busy' | head -2"
fg-collapse -q "$busy" "$busy" >two
fg-collapse -q "$busy" | awk '!/^#/ { $NF *= 2 } { print }' >want
same 'two files add up' want two

# A recording of our own: two orders of numbers, several chunks, every encoding of texts.
for kind in '' fixed; do
	perl "$here/jfr.pl" $kind >in
	folded "a recording${kind:+ of $kind numbers}" '' '# unit: samples 0
# period: 10000000 ns 0
app.Shop.main;app.Shop.sell 2
app.Shop.main;read;vfs_read_[k] 1'
	folded 'wall clock samples count as many as they say' '--no-header -e WallClockSample' 'app.Shop.main 20'
	folded 'allocations weigh their bytes' '-e ObjectAllocationInNewTLAB' '# unit: bytes 0
app.Shop.main;app.Shop.sell 5000'
	folded 'waiting weighs its time' '-e JavaMonitorEnter' '# unit: ns 0
app.Shop.main 250000000'
done
folded 'threads by their names, lines' '--no-header --threads --tid --srcline' 'GC_Thread#0-?/78;app.Shop.main (Shop:6);read;vfs_read_[k] 1
worker_1-?/12;app.Shop.main (Shop:5);app.Shop.sell (Shop:12) 2'
folded 'states' '--no-header --state sleeping' 'app.Shop.main;read;vfs_read_[k] 1'
folded 'a range of time' '--no-header --from 0.4 --to 0.6' 'app.Shop.main;read;vfs_read_[k] 1'
folded 'in the order of time' '--no-header --time-order' 'app.Shop.main;app.Shop.sell 1
app.Shop.main;read;vfs_read_[k] 1
app.Shop.main;app.Shop.sell 1'
perl "$here/jfr.pl" 3 >in
folded 'three chunks' '--no-header' 'app.Shop.main;app.Shop.sell 6
app.Shop.main;read;vfs_read_[k] 3'
gzip -c in | fg-collapse -q --no-header >got2
same 'packed, from a pipe' want got2

# Damage: what is before it stays, and it is said where.
perl "$here/jfr.pl" 2 >whole
n=$(wc -c <whole)
head -c $((n - 10)) whole >in
folded 'a second chunk that is cut off' '--no-header' 'app.Shop.main;app.Shop.sell 2
app.Shop.main;read;vfs_read_[k] 1'
check 'is said' grep -q "^fg-collapse: in: byte $((n / 2)): a chunk that is longer than what is left; left out" said
(cat whole; echo junk) >in
folded 'junk behind the last chunk' '--no-header' 'app.Shop.main;app.Shop.sell 4
app.Shop.main;read;vfs_read_[k] 2'
check 'is said' grep -q "in: byte $n: not a chunk of a flight recording" said
status 'with --strict it is an error' 2 fg-collapse -q --strict in
perl "$here/jfr.pl" >whole
spoiled whole
status 'cut off at every byte' 0 timeout 60 fg-collapse -q -f jfr whole cut/*
status 'changed at every byte' 0 timeout 60 fg-collapse -q -f jfr whole changed/*
# A type that has itself as a field, many times over, in no bytes.
perl -pe 's/(name => .hidden., class => )4/${1}29/' "$here/jfr.pl" | sed "s/field('hidden', 4)/field('hidden', 29), field('more', 29), field('again', 29)/" >cyclic.pl
perl cyclic.pl >in
status 'a type within itself' 0 timeout 10 fg-collapse -q in
sed "s/int_(@_ \/ 3) . join/int_(4000000000) . join/" "$here/jfr.pl" >many.pl
perl many.pl >in
timeout 10 fg-collapse -q in >got 2>said
check 'frames that are four thousand million' grep -q 'in: byte [0-9]*: ' said

# A program's own recording.
if command -v jfr >/dev/null && command -v javac >/dev/null; then
	cat >Spin.java <<'END'
public class Spin {
	static Object kept;
	static long spin(long until) {
		long n = 0;
		while (System.nanoTime() < until) { n++; kept = new byte[100]; }
		return n;
	}
	public static void main(String[] a) { System.out.println(spin(System.nanoTime() + 1500000000L)); }
}
END
	javac Spin.java && java -XX:StartFlightRecording=filename=$tmp/rec.jfr,settings=profile Spin >.said 2>&1
	if [ -s rec.jfr ]; then
		as_printed rec.jfr ExecutionSample
		as_printed rec.jfr ObjectAllocationSample --samples
	else
		not_ok 'java records'
	fi
else
	skip 'a recording of our own' 'there is no jfr or no javac'
fi
done_testing
