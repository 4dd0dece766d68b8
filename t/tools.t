#!/bin/sh
# fg-tools(7), "From a profiler to a picture": the commands of each tool that is here, as
# they stand in the manual, draw a picture with a function in it that the program has.
# tier: full
. "$(dirname "$0")/lib.sh"
CC=${CC:-cc}

# What a row's commands are: from `.\" test NAME PICTURE FUNCTION` to the end of the block.
commands() {
	awk -v name="$1" '$1 == ".\\\"" && $2 == "test" { on = $3 == name }
		on && /^\.Ed/ { exit } on && lit { print } on && /^\.Bd/ { lit = 1 }' \
	    "$here/../man/fg-tools.7" | sed 's/^\\&//; s/\\e/\\/g'
}

# shown NAME: the row's commands, run here. shown NAME COMMAND...: while that runs.
shown() {
	name=$1
	shift
	set -- "$(sed -n "s/^\.\\\\\" test $name \([^ ]*\) .*/\1/p" "$here/../man/fg-tools.7")" \
	    "$(sed -n "s/^\.\\\\\" test $name [^ ]* //p" "$here/../man/fg-tools.7")" "$@"
	rm -f app.* "$1" folded
	cp -r kept/* .
	commands "$name" >run.sh
	picture=$1 function=$2
	shift 2
	running=
	if [ $# -gt 0 ]; then
		"$@" >/dev/null 2>&1 &
		running=$!
		sleep 1
	fi
	# What is looked at may be starting still, and is at its work the next time.
	for try in 1 2 3; do
		timeout 100 sh -e run.sh >said 2>&1 </dev/null
		got=$?
		[ -n "$running" ] && ! grep -q -- "$function" folded || break
	done
	[ -z "$running" ] || { kill $running 2>/dev/null; wait $running 2>/dev/null; }
	{ cat run.sh; echo "exit $got"; tail -n 20 said; head -n 9 folded; } >"$tmp/.said"
	if [ $got = 0 ] && grep -q -- "$function" folded && grep -q '</svg>' "$picture"; then ok "$name"; else not_ok "$name"; fi
}

have() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || return 1
	done
}

# fg-render as it is, that keeps what it was given.
mkdir kept bin
cat >bin/fg-render <<END
#!/bin/sh
tee "$tmp/folded" | "$(command -v fg-render)" "\$@"
END
chmod +x bin/fg-render
PATH=$tmp/bin:$PATH

cat >kept/app.c <<'END'
#include <stdlib.h>
#include <time.h>
#define KEEP __attribute__((noinline, noclone)) static void
static volatile unsigned long counter;
static void *volatile kept[100];
KEEP inner(time_t end) { while (time(0) < end) counter++; }
KEEP outer(void) { inner(time(0) + 2); counter++; }
KEEP keep(void) { for (int i = 0; i < 100; i++) kept[i] = malloc(5000); }
int main(int n, char **v) { (void)v; keep(); do outer(); while (n > 1); return 0; }
END
cat >kept/app.py <<'END'
import time
def inner(end):
    while time.time() < end:
        pass
def outer():
    inner(time.time() + 1)
keep = [bytes(1000) for _ in range(100)]
outer()
END
cat >kept/app.js <<'END'
function inner(end) { while (Date.now() < end); }
function outer() { inner(Date.now() + 1000); }
outer();
END
cat >kept/App.java <<'END'
public class App {
	static long inner(long end) { long n = 0; while (System.currentTimeMillis() < end) n++; return n; }
	static long outer(int s) { return inner(System.currentTimeMillis() + 1000L * s); }
	public static void main(String[] a) { System.out.println(outer(a.length == 0 ? 3 : Integer.parseInt(a[0]))); }
}
END
cat >kept/app.go <<'END'
package main

import (
	"os"
	"runtime/pprof"
	"time"
)

var n int

//go:noinline
func inner(end time.Time) {
	for time.Now().Before(end) {
		n++
	}
}

//go:noinline
func outer() { inner(time.Now().Add(time.Second)) }
func main() {
	pprof.StartCPUProfile(os.Stdout)
	outer()
	pprof.StopCPUProfile()
}
END
cat >kept/app.php <<'END'
<?php
function inner($n) { for ($i = 0; $i < $n; $i++); }
function outer() { inner(1000000); }
outer();
END
cat >kept/app.hs <<'END'
inner :: Int -> Int
inner n = sum [i * i `mod` 7 | i <- [1 .. n]]
outer :: Int -> Int
outer n = inner n + 1
main :: IO ()
main = print (outer 3000000)
END
cat >kept/app.rb <<'END'
def inner = 2_000_000.times { |i| i * i }
def outer = inner
outer
END

json=$(fg-collapse --version | grep '^JSON profiles: yajl')
pprof=$(fg-collapse --version | grep 'protobuf-c$')
if $CC -g -O1 -fno-builtin -fno-omit-frame-pointer -o kept/app kept/app.c; then
	if have perf && perf record -q -g -o probe kept/app >/dev/null 2>&1; then
		shown perf
	else
		skip perf 'perf cannot record here'
	fi
	for row in callgrind bottleneck massif dhat; do
		if ! have valgrind; then
			skip $row 'no valgrind'
		elif [ $row = dhat ] && [ -z "$json" ]; then
			skip $row 'built without yajl'
		else
			shown $row
		fi
	done
	if have heaptrack && fg-collapse --version | grep -q '^zstd input: libzstd'; then
		shown heaptrack
	else
		skip heaptrack 'no heaptrack'
	fi
	# A debugger may look at what its own shell started, or at nothing.
	if have gdb pgrep && [ "$(id -u)" = 0 ] && timeout 60 gdb -batch -p $$ -ex bt 2>/dev/null </dev/null | grep -q '^#0'; then
		shown gdb kept/app forever
	else
		skip gdb 'no gdb, or it may not attach'
	fi
	if have eu-stack pgrep && [ "$(id -u)" = 0 ] && eu-stack -p $$ >/dev/null 2>&1; then
		shown eu-stack kept/app forever
	else
		skip eu-stack 'no eu-stack, or it may not attach'
	fi
	if have bpftrace && [ "$(id -u)" = 0 ] && timeout 60 bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1; then
		shown bpftrace kept/app forever
	else
		skip bpftrace 'no bpftrace, or not allowed'
	fi
	for row in gperftools tcmalloc jemalloc; do
		case $row in
		gperftools) library=libprofiler.so.0 ;;
		tcmalloc) library=libtcmalloc.so.4 ;;
		jemalloc) library=libjemalloc.so.2 ;;
		esac
		if LD_PRELOAD=$library LD_TRACE_LOADED_OBJECTS=1 kept/app 2>&1 | grep -F "$library" | grep -q '^.\?/\|=> /'; then
			shown $row
		else
			skip $row "no $library"
		fi
	done
else
	skip 'perf, callgrind, bottleneck, massif, dhat, heaptrack, gdb, eu-stack, bpftrace, gperftools, tcmalloc, jemalloc' 'no compiler'
fi

# row TOOLS NEEDED NAME [COMMAND...]
row() {
	tools=$1 needed=$2 row=$3
	shift 2
	if ! have $tools; then
		skip "$row" "no $tools"
	elif [ "$needed" = - ]; then
		skip "$row" 'built without its library'
	else
		shown "$@"
	fi
}
row 'java' . jfr
row 'java jstack pgrep' . jstack java kept/App.java 60
row py-spy . py-spy
row python3 . faulthandler
row 'memray' "${json:--}" memray
row node "${json:--}" node
export HOME="$tmp" GOFLAGS=-mod=mod GO111MODULE=off
row go "${pprof:--}" go
mkdir server
sed 's/"os"/"net\/http"/; s/"runtime\/pprof"/_ "net\/http\/pprof"/; /pprof\.St/d; s/^	outer()/	go http.ListenAndServe("localhost:6060", nil)\n	for {\n		outer()\n	}/' kept/app.go >server/app.go
if have go curl && go build -o server/app server/app.go >.said 2>&1 && ! curl -s localhost:6060 >/dev/null; then
	row 'go curl' "${pprof:--}" go-server server/app
else
	skip go-server 'no go or no curl, or its port is in use'
fi
perl "$here/protobuf.pl" <"$here/data/otlp-1.10.pb" >kept/app.otlp
row perl "${pprof:--}" otlp
if have php && php -d zend_extension=xdebug -r 'exit(extension_loaded("xdebug") ? 0 : 1);' >/dev/null 2>&1; then
	shown php
else
	skip php 'no php with xdebug'
fi
row ghc . ghc
row 'ruby stackprof' "${json:--}" stackprof

# Each row that has a name is in a test.
sed -n 's/^\.\\" test \([^ ]*\) .*/\1/p' "$here/../man/fg-tools.7" | sort >want
grep -oE '(shown|row in|skip|row .*) [a-z $-]+|for row in [a-z ]+' "$here/tools.t" | tr ' ' '\n' | sort -u >words
comm -23 want words >missing
same 'no row is left out' /dev/null missing
done_testing
