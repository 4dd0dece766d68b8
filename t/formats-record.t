#!/bin/sh
# Profiles recorded now by the tools installed here: the detected format, and a stack that the
# program is known to have.
# tier: full soak
. "$(dirname "$0")/formats-lib.sh"
CC=${CC:-cc}

# is NAME FORMAT OPTIONS PATTERN: ./in is of this format and has a stack that matches.
is() {
	eval "fg-collapse -v $3 in" >got 2>said
	if grep -q ": format $2\$" said && grep -Eq -e "$4" got; then
		ok "$1"
		keep_sample "$1"
	else
		{ cat said; head -n 20 in; head -n 5 got; } >"$tmp/.said"
		not_ok "$1"
	fi
}

have() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || return 1
	done
}

cat >spin.c <<'EOF'
#include <stdlib.h>
#include <time.h>
static volatile unsigned long counter;
__attribute__((noinline)) static void burn(clock_t end) { while (clock() < end) for (int i = 0; i < 100000; i++) counter++; }
__attribute__((noinline)) static void outer(int s) { burn(clock() + s * CLOCKS_PER_SEC); counter++; }
int main(int n, char **v) { outer(atoi(v[n - 1])); return 0; }
EOF

if have gdb && $CC -g -O0 -o spin spin.c 2>/dev/null; then
	timeout 300 gdb -batch -ex 'break burn' -ex 'run 1' -ex 'thread apply all bt full' -ex 'bt' \
	    ./spin >in 2>/dev/null </dev/null
	if grep -q '^#0 ' in; then
		is 'gdb: bt full and bt' gdb --srcline '^main \(.*spin.c:6\);outer \(.*spin.c:5\);burn \(.*spin.c:4\) 2$'
	else
		skip 'gdb' 'it cannot run a program here'
	fi
else
	skip 'gdb' 'no gdb or compiler' gdb
fi

if have python3; then
	cat >dump.py <<'EOF'
import faulthandler, os, sys, threading, time, traceback, tracemalloc
def inner(enough):
    while not enough():
        for i in range(1000): pass
def work(enough):
    inner(enough)
out = open("in", "w") # a dump by a thread that has the GIL: a watchdog reads stacks while they change
enough = lambda: faulthandler.dump_traceback(file=out, all_threads=True) or os.path.getsize("in") > 5000
t = threading.Thread(target=work, args=(enough,))
t.start(); work(enough); t.join()
out.close()
tracemalloc.start(25)
def keep():
    return [bytes(1000) for _ in range(100)]
def held():
    return keep()
x = held()
with open("memory", "w") as out:
    for stat in tracemalloc.take_snapshot().statistics("traceback"):
        print("%s memory blocks: %.1f KiB" % (stat.count, stat.size / 1024), file=out)
        for line in stat.traceback.format():
            print(line, file=out)
with open("lines", "w") as out:
    for stat in tracemalloc.take_snapshot().statistics("lineno"):
        print(stat, file=out)
import cProfile, pstats
end = time.time() + 0.1
p = cProfile.Profile(); p.runcall(work, lambda: time.time() > end)
p.dump_stats("binary")
pstats.Stats(p, stream=open("table", "w")).print_stats()
EOF
	timeout 300 python3 dump.py
	is 'python: faulthandler' faulthandler '' '^<module> \(.*dump.py:10\);work \(.*dump.py:6\);inner \(.*dump.py:[34]\)(;.*)? [0-9]+$'
	# A thread that begins or ends has no frame yet, or no more.
	awk '/^  <no Python frame>/ { n-- } /^(Current thread|Thread|Stack).*\(most recent call first\)/ { n++ }
		END { print n }' in >want
	fg-collapse in | awk '!/^# / { n += $NF } END { print n }' >got
	same 'the number of samples is the number of threads with frames' want got
	cp memory in
	is 'python: tracemalloc' tracemalloc '' 'dump.py:17;.*dump.py:16;.*dump.py:14 1[01][0-9]{4}$'
	cp lines in
	is 'python: tracemalloc by line' tracemalloc '' '^[^;]*dump.py:14 1[01][0-9]{4}$'
	cp table in
	is 'python: print_stats' pstats '' 'dump.py;inner '
	cp binary in
	is 'python: the file of cProfile' cprofile '' '^work \(.*dump.py:[0-9]+\);inner \('
else
	skip 'python' 'no python3' python3
fi

if have java jstack; then
	cp "$here/programs/Spin.java" .
	cat >Throw.java <<'EOF'
public class Throw {
	static void deep() { throw new IllegalStateException("no"); }
	static void wrap() { try { deep(); } catch (RuntimeException e) { throw new RuntimeException(e); } }
	public static void main(String[] a) { wrap(); }
}
EOF
	timeout 300 java Throw.java 2>in
	if grep -q 'Caused by' in; then
		is 'java: an exception' java-exceptions '' '(^|;)Throw.main;Throw.wrap;Throw.deep 1$'
	else
		skip 'java: an exception' 'java runs no source file here'
	fi
	spin=Spin.java
	have javac && timeout 300 javac Spin.java 2>/dev/null && spin='-cp . Spin'
	java -XX:StartFlightRecording=filename=r.jfr,settings=profile $spin 5000 >/dev/null 2>&1 &
	java=$!
	: >in
	dumped() { timeout 300 jstack $java >>in && grep Spin.callJava in || ! kill -0 $java; }
	wait_for dumped
	wait $java
	if grep -q Spin.callJava in; then
		is 'java: jstack' jstack '--state RUNNABLE' '^main;.*Spin.main;Spin.callJava'
	else
		skip 'java: jstack' 'it did not reach the program in time'
	fi
	if have javac jmap; then
		cp "$here/programs/Retain.java" .
		for options in '' -XX:-UseCompressedOops '-XX:-UseCompressedOops -XX:-UseCompressedClassPointers'; do
			rm -f dump
			# shellcheck disable=SC2086 # two words
			javac Retain.java && java $options Retain dump >printed
			case $options in
			'') want='2400000 32 24 1016 24 1016 1600 101600' ;;
			*Class*) want='3200000 32 32 1024 32 1024 2400 102400' ;;
			*) want='2400000 32 32 1016 32 1016 2400 101600' ;;
			esac
			# Chain, Leaf, Left and its array, Right and its array, boxes and their arrays
			output "java: the retained sizes of a heap dump, ${options:-compressed references}" "$want" \
			    sh -c 'fg-collapse -q dump | sed -n "/^class Retain;.*Retain[$]/s/.* //p" | paste -sd " "'
		done
		cp "$here/programs/Graph.java" .
		javac Graph.java && echo 'Premain-Class: Graph' >manifest && jar cfm graph.jar manifest ./Graph*.class
		for options in '' -XX:ObjectAlignmentInBytes=16 -XX:+UseCompactObjectHeaders; do
			rm -f dump
			# shellcheck disable=SC2086 # no word, or one
			if java $options -javaagent:graph.jar -cp graph.jar Graph dump 1000 1 >printed 2>&1 && [ -s dump ]; then
				LC_ALL=C sort printed >want
				fg-collapse -q dump | sed -n 's/.*;\(class Graph.Roots;\)/\1/p' | LC_ALL=C sort >got
				same "java: retained sizes of a random graph, ${options:-compressed references}" want got
			else
				skip "java: retained sizes of a random graph, $options" 'not an option of this java'
			fi
		done
	fi
	if ! rates; then
		: # whether it is sampled rests on chance
	elif have jfr && [ -s r.jfr ]; then
		timeout 300 jfr print --events ExecutionSample --stack-depth 64 r.jfr >in 2>/dev/null
		is 'java: jfr print' jfr-text '' 'Spin.main;Spin.callJava'
	else
		skip 'java: jfr print' 'no recording'
	fi
else
	skip 'java' 'no java with jstack' openjdk-17-jdk-headless
fi

if have go; then
	mkdir -p g && cat >g/main.go <<'EOF'
package main

import "time"

type T struct{}

func (t *T) wait(c chan int) { <-c }
func die(n int)              { panic("now") }
func main() {
	go (&T{}).wait(make(chan int))
	time.Sleep(10 * time.Millisecond)
	die(7)
}
EOF
	(cd g && HOME=$tmp GOTRACEBACK=all GOFLAGS=-mod=mod GO111MODULE=off timeout 300 go run main.go) >in 2>&1
	if grep -q '^goroutine 1 ' in; then
		is 'go: a panic' go '--state running' '^main.main;main.die(;panic)? 1$'
		is 'go: all goroutines' go '' '^main.\(\*T\).wait 1$|^main.\(\*T\).wait;'
	else
		skip 'go' 'it built nothing'
	fi
else
	skip 'go' 'no go' golang-go
fi

if have node; then
	cat >spin.js <<'EOF'
function burn(end) { let n = 0; while (process.cpuUsage().user < end) n += Math.sqrt(n + 1); return n; }
function outer() { return burn(process.cpuUsage().user + 400000); }
globalThis.kept = [];
function grow() { for (let i = 0; i < 2e5; i++) kept.push({ i, s: 'x' + i }); }
outer();
grow();
EOF
	timeout 300 node --cpu-prof --cpu-prof-name=in spin.js
	is 'node --cpu-prof' cpuprofile '' ';outer;burn(;cpuUsage)* [0-9]+$' # nearly all of its time is cpuUsage's
	fg-collapse -q --no-header --samples in | awk '{ n += $NF } END { print n }' >got
	node -e 'console.log(JSON.parse(require("fs").readFileSync("in")).samples.length)' >want
	same 'node --cpu-prof: every sample is there' want got
	timeout 300 node --heap-prof --heap-prof-name=in spin.js
	is 'node --heap-prof' heapprofile '' 'grow [0-9]+$'
	fg-collapse -q --no-header in | awk '{ n += $NF } END { print n }' >got
	node -e 'const sum = n => n.selfSize + n.children.reduce((s, c) => s + sum(c), 0);
		console.log(sum(JSON.parse(require("fs").readFileSync("in")).head))' >want
	same 'node --heap-prof: every byte is there' want got
	timeout 300 node --trace-events-enabled --trace-event-categories=v8,node,node.fs.sync \
		--trace-event-file-pattern=in spin.js
	is 'node --trace-events-enabled' chrome-trace '-e spans' '^[A-Za-z]+;.* [0-9.]+$'
else
	skip 'node' 'no node' nodejs
fi

if have bpftrace && [ "$(id -u)" = 0 ]; then
	$CC -g -O0 -o spin spin.c && { ./spin 600 & }
	spinning=$!
	timeout 300 bpftrace -e 'profile:hz:199 { @[kstack, ustack, comm] = count(); }
		interval:s:1 { exit(); }' >in 2>said.bpftrace
	if grep -q '^@\[' in; then
		is 'bpftrace: two stacks and the comm' bpftrace '' '^[^;]+;[^;]+'
		sed -n 's/.*\]: \([0-9]*\)$/\1/p' in | awk '{ n += $1 } END { print n }' >want
		fg-collapse in | awk '!/^# / { n += $NF } END { print n }' >got
		same 'bpftrace: every count is there' want got
		timeout 300 bpftrace -f json -e 'profile:hz:199 { @[kstack, ustack, comm] = count(); @by[ustack] = hist(pid); }
			interval:s:1 { exit(); }' >in 2>said.bpftrace
		is 'bpftrace -f json' bpftrace-json '' '^[^;]+;[^;]+'
		grep '"@":' in | grep -o '": [0-9]*[,}]' | tr -dc '0-9\n' | awk '{ n += $1 } END { print n }' >want
		fg-collapse -q in | awk '!/^# / { n += $NF } END { print n }' >got
		same 'bpftrace -f json: every count is there' want got
	else
		skip 'bpftrace' 'not allowed here'
	fi
	kill $spinning
	wait
else
	skip 'bpftrace' 'no bpftrace, or not root' bpftrace
fi

if cat /proc/self/stack >in 2>/dev/null && [ -s in ]; then
	is 'the kernel: /proc/self/stack' kernel-stack '' 'seq_read.*proc_pid_stack_\[k\] 1$'
else
	skip 'the kernel: /proc/self/stack' 'not allowed here'
fi

if have gprof && $CC -pg -O0 -o spin spin.c 2>/dev/null && ./spin 2 && [ -s gmon.out ]; then
	gprof -b -p ./spin gmon.out >in
	is 'gprof' gprof '' '^burn [0-9]+'
	status 'gmon.out is refused' 2 fg-collapse gmon.out
else
	skip 'gprof' 'no gprof or no -pg' binutils
fi

if have perf && $CC -g -O0 -fno-omit-frame-pointer -o spin spin.c &&
    perf record -q -e cpu-clock -F 199 -g -o p.data ./spin 2 >/dev/null 2>&1 && [ -s p.data ]; then
	perf report -i p.data --stdio --no-children -n -g folded,0,caller,count -s comm,dso,sym >in 2>/dev/null
	is 'perf report: folded counts' perf-report --no-annotate '^spin;.*main;outer;burn [0-9]+$'
	fg-collapse -q --no-annotate in | sed '/^# /d' | awk '{ n += $NF } END { print n }' >got
	perf script -i p.data 2>/dev/null | fg-collapse -q --samples | awk '!/^# / { n += $NF } END { print n }' >want
	same 'perf report: as many samples as perf script' want got
	perf report -i p.data --stdio --no-children -g caller,0 -s comm,dso,sym >in 2>/dev/null
	is 'perf report: a tree of callees' perf-report --no-annotate '^spin;.*main;outer;burn [0-9.]+$'
	perf report -i p.data --stdio --no-children -g callee,0 -s comm,dso,sym >in 2>/dev/null
	is 'perf report: a tree of callers' perf-report --no-annotate '^spin;.*main;outer;burn [0-9.]+$'
else
	skip 'perf report' 'perf cannot record here'
fi

if have valgrind && $CC -g -O1 -o spin spin.c; then
	timeout 300 valgrind -q --tool=cachegrind --cachegrind-out-file=in ./spin 1 >/dev/null 2>&1
	if [ -s in ]; then
		is 'cachegrind' cachegrind '' 'spin.c;(burn|outer|main) [0-9]+'
	else
		skip 'cachegrind' 'it wrote nothing'
	fi
	cat >heap.c <<'EOF'
#include <stdlib.h>
#define KEEP __attribute__((noinline)) static void
static void *volatile held[300];
KEEP small(int i) { held[i] = malloc(100); }
KEEP large(int i) { held[i] = malloc(50000); }
KEEP brief(void) { void *volatile p = malloc(64); free(p); }
int main(void) {
	for (int i = 0; i < 100; i++) small(i), brief();
	for (int i = 100; i < 110; i++) large(i);
	for (int i = 0; i < 105; i++) free(held[i]);
	return 0;
}
EOF
	$CC -g -O1 -fno-builtin -o heap heap.c
	# sum OPTIONS PATTERN: the sum of the stacks that match
	sum() {
		fg-collapse -q --no-header --no-annotate $1 in | awk -v f="$2" '$0 ~ f { n += $NF } END { print n + 0 }'
	}
	timeout 300 valgrind -q --tool=callgrind --cache-sim=yes --callgrind-out-file=in ./heap >/dev/null 2>&1
	if [ -s in ]; then
		is 'callgrind' callgrind --no-annotate '^.*main;small [0-9]+$'
		output 'callgrind: its total' "$(sed -n 's/^totals: *\([0-9]*\) .*/\1/p' in)" sum '' .
		callgrind_annotate --auto=no --threshold=100 in 2>/dev/null | tr -d ',' |
		    sed -n 's/^ *\([0-9]*\) .*heap\.c:\(small\|large\|brief\|main\) .*/\2 \1/p' | sort >want
		for f in brief large main small; do
			echo "$f $(sum '' "(^|;)$f [0-9]+\$")"
		done >got
		same 'callgrind: functions cost what callgrind_annotate says' want got
		is 'callgrind: a bottleneck' callgrind '--bottleneck --no-annotate' 'main;small [0-9]+ [0-9]+ [0-9]+ 0$'
	else
		skip 'callgrind' 'it wrote nothing'
	fi
	timeout 300 valgrind -q --tool=massif --massif-out-file=in ./heap >/dev/null 2>&1
	if [ -s in ]; then
		is 'massif' massif --no-annotate 'main;large 500000$'
		output 'massif: all of the peak' "$(grep -B 3 '^heap_tree=peak' in | sed -n 's/^mem_heap_B=//p')" sum '' .
		ms_print in | sed -n 's/^.*->[0-9.]*% (\([0-9,]*\)B) 0x[0-9A-F]*: large (.*/\1/p' | tr -d ',' | sort -n | tail -n 1 >want
		sum '' 'large [0-9]+$' >got
		same 'massif: bytes of a function are those of ms_print' want got
	else
		skip 'massif' 'it wrote nothing'
	fi
	timeout 300 valgrind -q --tool=dhat --dhat-out-file=in ./heap >/dev/null 2>&1
	if [ -s in ] && fg-collapse --version | grep -q '^JSON profiles: yajl'; then
		is 'dhat' dhat --no-annotate 'main;large;malloc 500000$'
		output 'dhat: blocks' 100 sum '-e tbk' 'brief;malloc'
		output 'dhat: at the end' 250000 sum '-e eb' .
	else
		skip 'dhat' 'it wrote nothing, or built without yajl' libyajl-dev
	fi
else
	skip 'cachegrind, callgrind, massif, dhat' 'no valgrind' valgrind
fi

if have heaptrack heaptrack_print && [ -x heap ]; then
	timeout 300 heaptrack -o ht ./heap >/dev/null 2>&1
	for f in ht.zst ht.gz; do
		[ ! -s $f ] || { cp $f in && packed=$f; } # its name says how it is packed
	done
	if [ -e ht.zst ] || [ -e ht.gz ]; then
		is 'heaptrack' heaptrack --no-annotate 'main;small 100$'
		for e in allocations leaked peak; do
			heaptrack_print -f $packed --flamegraph-cost-type $e -F stacks >/dev/null 2>&1
			awk '/;(small|brief|large) / { n += $NF } END { print n }' stacks >want
			sum "-e $e" ';(small|brief|large) ' >got
			same "heaptrack: $e as heaptrack_print has them" want got
		done
		output 'heaptrack: temporary' 100 sum '-e temporary' ';brief '
		timeout 300 heaptrack -r -o raw ./heap >/dev/null 2>&1
		for f in raw.raw.*; do
			[ ! -s "$f" ] || status 'heaptrack --raw is refused' 2 fg-collapse "$f"
		done
	else
		skip 'heaptrack' 'it wrote nothing'
	fi
else
	skip 'heaptrack' 'no heaptrack' heaptrack
fi

# Xdebug's trace states how often each function was called; its profile, the total cost of each
# function.
cat >app.php <<'EOF'
<?php
function inner($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += strlen(str_repeat('x', $i % 50)); } return $s; }
function outer() { $t = 0; for ($k = 0; $k < 20; $k++) { $t += inner(500); } return $t; }
echo outer(), "\n";
EOF
xdebug() {
	php -d zend_extension=xdebug -d xdebug.start_with_request=yes -d xdebug.output_dir=. -d xdebug.use_compression=0 "$@" app.php
}
if have php && xdebug -d xdebug.mode=trace -d xdebug.trace_format=1 -d xdebug.trace_output_name=traced >/dev/null 2>&1 &&
    [ -s traced.xt ]; then
	cp traced.xt in
	is 'xdebug: a trace' xdebug '--no-annotate -e calls' '^{main};outer;inner 20$'
	xdebug -d xdebug.mode=profile -d xdebug.profiler_output_name=in >/dev/null 2>&1
	is 'xdebug: its profile is callgrind' callgrind --no-annotate '^{main};outer;inner;php::str_repeat [0-9]+$'
	# Self cost of all functions: the cost of a call is on the line after calls=; the unit is
	# 10 ns.
	awk '/^calls=/ { getline; next } /^[0-9]+ [0-9]+ [0-9]+$/ { n += 10 * $2 } END { printf "%.0f\n", n }' in >want
	fg-collapse -q --no-header in 2>said | awk '{ n += $NF } END { printf "%.0f\n", n }' >got
	same 'xdebug: the sum of all costs' want got
	fg-collapse --list-events in | awk '$1 == "Memory_(bytes)" { print $2 }' >got
	echo bytes >want
	same 'xdebug: the unit of memory' want got
else
	skip xdebug 'no php with xdebug' 'php-cli php-xdebug'
fi

cat >app.hs <<'EOF'
module Main where
import Data.List (foldl')
inner :: Int -> Int
inner n = foldl' (\a x -> (a * 31 + x) `mod` 1000003) n [1 .. 100000]
outer :: Int -> Int
outer k = sum (map inner [1 .. k])
main :: IO ()
main = print (outer 40)
EOF
if have ghc && ghc -v0 -prof -fprof-auto app.hs >/dev/null 2>&1; then
	./app +RTS -P >/dev/null && cp app.prof in
	is 'ghc: its table' ghc '--no-annotate --ticks' '^MAIN.MAIN;Main.CAF;Main.main;Main.outer;Main.inner'
	sed -n 's/.*(\([0-9]*\) ticks @ .*/\1/p' in >want
	fg-collapse -q --no-header --ticks in | awk '{ n += $NF } END { print n }' >got
	same 'ghc: its ticks' want got
	./app +RTS -pj >/dev/null && cp app.prof in
	is 'ghc: its JSON' ghc-json --no-annotate '^MAIN.MAIN;Main.CAF;Main.main;Main.outer;Main.inner'
	sed -n 's/^"total_ticks": *\([0-9]*\),.*/\1/p' in >want
	fg-collapse -q --no-header in | awk '$1 != "MAIN.MAIN;IDLE.IDLE" { n += $NF } END { print n }' >got
	same 'ghc: the ticks of its JSON' want got
else
	skip ghc 'no ghc with its profiling libraries' ghc
fi

cat >app.rb <<'EOF'
def inner(n)
  (1..n).inject { |a, x| (a * 31 + x) % 1000003 }
end
def outer(k)
  k.times { inner(20000) }
end
outer(100)
EOF
if have ruby stackprof &&
    ruby -r stackprof -e 'StackProf.run(mode: :wall, raw: true, out: "app.dump") { load "app.rb" }' >/dev/null 2>&1; then
	stackprof --json app.dump >in
	is 'stackprof' stackprof --no-annotate 'Object#outer;.*Object#inner;'
	stackprof --stackcollapse app.dump | awk '{ n += $NF } END { print n }' >want
	fg-collapse -q --no-header in | awk '{ n += $NF } END { print n }' >got
	same 'stackprof: as many samples as its --stackcollapse' want got
else
	skip stackprof 'no ruby with stackprof' 'ruby ruby-stackprof'
fi
done_testing
