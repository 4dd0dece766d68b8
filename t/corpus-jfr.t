#!/bin/sh
# JDK flight recordings, of the corpus and recorded here, compared with the output of jfr(1).
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

formats <<'END'
jfr-binary/busy.jfr | --no-annotate | busy.jfr.folded |
jfr-binary/busy.jfr | --no-annotate -e ExecutionSample | busy.jfr.folded |
jfr-binary/busy.jfr | --state runnable | total 349
jfr-binary/busy.jfr | --state SLEEPING | refused no sample
jfr-binary/busy.jfr | --samples -e ObjectAllocationSample | total 1200
END
busy=$corpus/jfr-binary/busy.jfr

# as_printed FILE EVENT OPTIONS: the recording and the output of jfr print have the same stacks
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
	skip 'jfr print' 'there is no jfr' openjdk-17-jdk-headless
fi
output 'the header: a sample stands for 10 ms' '# unit: samples 0
# period: 10000000 ns 0' sh -c "fg-collapse -q '$busy' | head -2"
fg-collapse -q "$busy" "$busy" >two
fg-collapse -q "$busy" | awk '!/^#/ { $NF *= 2 } { print }' >want
same 'two recordings of JFR are added up' want two

# A recording made here.
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
	skip 'a recording of our own' 'there is no jfr or no javac' openjdk-17-jdk-headless
fi
done_testing
