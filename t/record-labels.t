#!/bin/sh
# fg-record --group-by: labels of threads are those that they had at the sample. Programs whose
# function NAME runs only with the label NAME.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all 'this machine refuses perf_event_open'
unset FG_SANDBOX

cat >label.c <<'END_OF_PROGRAM'
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#ifdef LOADS
#define set set_there
static void (*set)(const char *);
#elif defined(TEXT)
__thread char request[32];
extern void set(const char *);
void set(const char *s) { strcpy(request, s); }
#else
__thread const char *request;
static void set(const char *s) { request = s; }
#endif
#ifndef LIBRARY
static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
static volatile unsigned sum;
__attribute__((noinline)) void spin(double s) { double end = now() + s; while (now() < end) for (int i = 0; i < 10000; i++) sum += i; }
__attribute__((noinline)) void alpha(void) { spin(.002); sum++; }
__attribute__((noinline)) void beta(void) { spin(.002); sum += 2; }
static void *run(void *p)
{
	for (int i = 0; i < 150; i++) {
		set("alpha"); alpha(); set("");
		set("beta"); beta(); set("");
	}
	return p;
}
int main(void)
{
	pthread_t other;
#ifdef LOADS
	void *library = dlopen("./label.so", RTLD_NOW);
	set = (void (*)(const char *))dlsym(library, "set");
#endif
	pthread_create(&other, 0, run, 0);
	run(0);
	return pthread_join(other, 0);
}
#endif
END_OF_PROGRAM
$CC -O1 -g -o pointer label.c -pthread -ldl && $CC -O1 -g -DTEXT -o text label.c -pthread -ldl &&
    $CC -O1 -g -DLOADS -o loads label.c -pthread -ldl &&
    $CC -O1 -g -DTEXT -DLIBRARY -fPIC -shared -o label.so label.c || skip_all 'no C compiler'

# right NAME KEY: in got.folded, each function has its own label or none, and each label is there.
right() {
	awk -v key="$2" '!/^#/ { split($0, frame, ";"); of = frame[1]; sub(/^[^=]*=/, "", of)
	    for (n = split("alpha beta", name, " "); n > 0; n--)
		if (index($0, ";" name[n] ";") && of != "[unknown]" && of != name[n]) print "wrong: " $0
	    seen[frame[1]] = 1 }
	    END { for (n = split("alpha beta", name, " "); n > 0; n--)
		if (!(key "=" name[n] in seen)) print "no " key "=" name[n] }' got.folded >wrong
	output "$1: each function has the label of its own" '' cat wrong
}
for program in pointer text loads; do
	fg-record -q -F 997 --group-by req --label-from request -o got.folded -- ./$program 2>said
	right "a thread-local variable, $program" req
	fg-record -q --ptrace -F 499 --group-by req --label-from request -o got.folded -- ./$program 2>said
	right "a thread-local variable, $program, with --ptrace" req
done
cat >constant.c <<'END_OF_PROGRAM'
#include <time.h>
/* Each text is in pages that nothing else uses. */
static const char texts[3][8192] __attribute__((aligned(4096))) = {"", "alpha", "beta"};
__thread const char *request;
static volatile unsigned sum;
static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
__attribute__((noinline)) static void spin(void) { double end = now() + .01; while (now() < end) for (int i = 0; i < 10000; i++) sum += i; }
__attribute__((noinline)) static void alpha(void) { spin(); sum++; }
__attribute__((noinline)) static void beta(void) { spin(); sum += 2; }
int main(void)
{
	for (int i = 0; i < 50; i++) {
		request = texts[1]; alpha(); request = 0;
		request = texts[2]; beta(); request = 0;
	}
}
END_OF_PROGRAM
$CC -O1 -g -o constant constant.c
fg-record -q -F 997 --group-by req --label-from request -o got.folded -- ./constant 2>said
right 'a variable with constants that the program never reads' req
fg-filter --drop '^req=beta$' got.folded >left
check 'fg-filter drops a label as any frame' sh -c 'grep -q "^req=alpha;" left && ! grep -q "^req=beta;" left'
fg-record -F 499 --group-by req --label-from nowhere -o got.folded -- ./text 2>said
output 'a variable that no program has: all samples have an unknown label' 'req=[unknown]' sh -c \
    'sed "/^#/d; s/;.*//" got.folded | sort -u'
has 'a variable that no program has: a note has the share of samples' '0.0 % of samples have the label req: no sampled thread' said
status 'a label needs a key' 125 fg-record --group-by '' -- true
status '--label-from needs --group-by' 125 fg-record --label-from request -- true
status '--group-by cannot be used with --no-script' 125 fg-record --no-script --group-by req -- true

# Each function runs in one thread only, whose name follows it.
cat >names.py <<'END_OF_PROGRAM'
import threading, time
def spin():
    end, s = time.thread_time() + .4, 0
    while time.thread_time() < end:
        for i in range(1000): s += i
    time.sleep(.5)
def alpha(): spin()
def beta(): spin()
class Own(threading.Thread):
    def run(self): beta()
a = threading.Thread(target=alpha, name="a name of alpha; longer than comm")
b = Own(name="b\u03b2")
a.start(); b.start(); a.join(); b.join()
END_OF_PROGRAM
cat >Names.java <<'END_OF_PROGRAM'
public class Names {
	static volatile long sum;
	static long now() { return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }
	static void spin() {
		long end = now() + 700000000L;
		while (now() < end) for (int i = 0; i < 100000; i++) sum += i;
		try { Thread.sleep(500); } catch (InterruptedException e) { }
	}
	static void alpha() { spin(); }
	static void beta() { spin(); }
	public static void main(String[] args) throws Exception {
		Thread a = new Thread(Names::alpha, "a name of alpha; longer than comm"), b = new Thread(Names::beta, "b\u03b2");
		a.start(); b.start(); a.join(); b.join();
	}
}
END_OF_PROGRAM
# named WHAT: in got.folded, both names are there, each with its function; no function has the other's.
named() {
	awk '!/^#/ { of = $0; sub(/;.*/, "", of)
	    if (/[;.#]alpha[ (;_]/ && of ~ /=bβ/ || /[;.#]beta[ (;_]/ && of ~ /=a name/) print "wrong: " $0
	    if (/[;.#]alpha[ (;_]/ && of ~ /^thread=a name of alpha.* longer than comm$/) a = 1
	    if (/[;.#]beta[ (;_]/ && of == "thread=bβ") b = 1 }
	    END { if (!a || !b) print "a name is missing" }' got.folded >wrong
	output "$1: samples have the name of their thread" '' cat wrong
}
if command -v python3 >/dev/null; then
	fg-record -q -F 997 --group-by thread -o got.folded -- python3 names.py 2>said
	named Python
	fg-record -q --wall --group-by thread -o got.folded -- python3 names.py 2>said
	named 'Python, --wall'
	output 'time of each thread has a name' '' sh -c 'grep "^thread=\[unknown\]" got.folded'
else
	skip 'names of threads of Python' 'no python3' python3
fi
cat >names.rb <<'END_OF_PROGRAM'
def spin
  s = 0
  start = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
  1000.times { s += 1 } while Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) < start + 0.4
end
def alpha; spin; end
def beta; spin; end
a = Thread.new { Thread.current.name = "a name of alpha; longer than comm"; alpha }
b = Thread.new { Thread.current.name = "b\u03b2"; beta }
a.join; b.join
END_OF_PROGRAM
if command -v ruby >/dev/null; then
	fg-record -q -F 997 --group-by thread -o got.folded -- ruby names.rb 2>said
	named Ruby
else
	skip 'names of threads of Ruby' 'no ruby' ruby
fi
if command -v javac >/dev/null && javac -encoding UTF-8 Names.java; then
	fg-record -q -F 997 --group-by thread -o got.folded -- java -cp . Names 2>said
	named Java
else
	skip 'names of threads of Java' 'no javac' default-jdk-headless
fi

if ! command -v go >/dev/null; then
	skip 'labels of Go' 'no Go' golang-go
	done_testing
	exit
fi
cat >label.go <<'END_OF_PROGRAM'
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

var sum int

//go:noinline
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for i := 0; i < 10000; i++ {
			sum += i
		}
	}
}

//go:noinline
func alpha() { spin(5 * time.Millisecond); sum++ }

//go:noinline
func beta() { spin(5 * time.Millisecond); sum += 2 }

func main() {
	done := make(chan bool)
	for i := 0; i < 4; i++ {
		go func() {
			for k := 0; k < 60; k++ {
				pprof.Do(context.Background(), pprof.Labels("step", "alpha", "other", "x"), func(context.Context) { alpha() })
				pprof.Do(context.Background(), pprof.Labels("a", "b", "step", "beta"), func(context.Context) { beta() })
			}
			done <- true
		}()
	}
	for i := 0; i < 4; i++ {
		<-done
	}
	fmt.Fprintln(os.Stderr, sum > 0)
}
END_OF_PROGRAM
HOME=$PWD GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -o label label.go
HOME=$PWD GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -ldflags='-s -w' -o stripped label.go
for program in label stripped; do
	fg-record -q -F 997 --group-by step -o got.folded -- ./$program 2>said
	sed 's/;main\.\([a-z]*\);/;\1;/' got.folded >renamed && mv renamed got.folded
	if grep -q 'a BPF program' said; then
		skip "pprof labels of Go, $program" 'no BPF program may run here'
	else
		right "pprof labels of Go, $program" step
	fi
done
fg-record -q -F 997 --group-by goroutine -o got.folded -- ./label 2>said
grep -q 'a BPF program' said ||
    check 'goroutines have their numbers' sh -c '[ "$(grep -c "^goroutine=[0-9]*;" got.folded)" -gt 1 ]'
done_testing
