#!/bin/sh
# fg-tools(7): fg-record with each language, and the profilers of language runtimes.
# tier: full soak
. "$(dirname "$0")/tools-lib.sh"

cat >kept/app.py <<'END'
import time
def inner(end):
    while time.process_time() < end:
        pass
def outer():
    inner(time.process_time() + 1)
keep = [bytes(1000) for _ in range(100)]
outer()
END
cat >kept/app.js <<'END'
function inner(end) { let n = 0; while (process.cpuUsage().user < end) for (let i = 0; i < 1e5; i++) n += i % 7; return n; }
function outer() { inner(process.cpuUsage().user + 1e6); }
outer();
END
cat >kept/App.java <<'END'
public class App {
	static long now() { return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }
	static long inner(long end) { long n = 0; do for (int i = 0; i < 100000; i++) n += n ^ i; while (now() < end); return n; }
	static long outer(int s) { return inner(now() + 1000000000L * s); }
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
function outer() { inner(30000000); }
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
def inner = 20_000_000.times { |i| i * i }
def outer = inner
outer
END
cat >kept/app.pl <<'END'
sub inner { my $i = 0; $i++ while $i < 20_000_000; $i }
sub outer { inner() + 1 }
outer();
END
cat >kept/app.lua <<'END'
local function inner(n) local s = 0; for i = 1, n do s = s + i % 7 end; return s end
local function outer() return inner(100000000) + 1 end
print(outer())
END
cat >kept/app.erl <<'END'
-module(app).
-export([main/0, outer/0, inner/1]).
main() -> outer(), halt().
outer() -> inner(200000000) + 1.
inner(0) -> 0;
inner(N) -> inner(N - 1).
END

# version NAME LANGUAGE COMMAND...: the commands of row NAME, and the example of section LANGUAGE of
# fg-record(1), if COMMAND succeeds: fg-record reads a runtime of this version.
version() {
	row=$1 language=$2
	shift 2
	if [ "$(uname -m)" = x86_64 ] && "$@" >/dev/null 2>&1; then
		shown "$row"
		[ "$language" = - ] || example "$language" "$function"
	else
		for title in "$row" "fg-record(1), $language"; do
			[ "$title" = "fg-record(1), -" ] || skip "$title" 'the runtime is not here, or not in a version that is read'
		done
	fi
}

# example LANGUAGE FUNCTION: runs the example of that section of fg-record(1) where the last row ran.
example() {
	rm -f app.folded
	[ "$1" != Java ] || javac App.java
	awk -v of="$1" '/^\.It/ { on = index($0 ",", ".It " of ",") == 1 } on && sub(/^\.Dl /, "")' \
	    "$here/../man/fg-record.1" >run.sh
	timeout 900 sh -e run.sh >said 2>&1 </dev/null
	{ cat run.sh; tail -n 20 said; head -n 9 app.folded; } >"$tmp/.said" 2>&1
	if [ -s run.sh ] && grep -q -- "$2" app.folded; then ok "fg-record(1), $1"; else not_ok "fg-record(1), $1"; fi
}

cat >has3.11.py <<'END'
import sys
sys.exit(not (3, 11) <= sys.version_info < (3, 14))
END
version record-only - python3 has3.11.py
version record-python Python python3 has3.11.py
version record-ruby Ruby ruby -e 'exit RUBY_VERSION.start_with?("3.1.")'
version record-php PHP php -r 'exit(PHP_VERSION_ID < 80200 || PHP_VERSION_ID >= 80300 || PHP_ZTS ? 1 : 0);'
version record-perl Perl perl -e 'use Config; exit !("$^V" =~ /^v5\.36\./ && $Config{useithreads})'
version record-lua Lua lua5.4 -e 'os.exit(_VERSION == "Lua 5.4")'
version record-luajit LuaJIT luajit -e 'os.exit(require("ffi").abi("gc64"))'
version record-java Java sh -c 'java -version 2>&1 | grep -q "version \"17[.]"'
version record-node JavaScript node -e 'process.exit([18, 20].includes(+process.versions.node.split(".")[0]) ? 0 : 1)'
version record-erlang Erlang erl -noinput -eval 'halt(case erlang:system_info(otp_release) of "25" -> 0; _ -> 1 end).'
check 'fg-tools(7): each example of fg-record with a language is tested' \
    test "$(grep -c '^\.\\" test record-' "$here/../man/fg-tools.7")" = 10
if have ghc && [ "$(ghc --numeric-version | cut -d. -f1,2)" = 9.0 ] && cp kept/app.hs . && ghc app.hs >said 2>&1; then
	example Haskell 'base_GHCzi.*_info'
else
	skip 'fg-record(1), Haskell' 'no GHC 9.0' ghc
fi
sed -n '/^\.Sh LANGUAGES/,/^\.El/p' "$here/../man/fg-record.1" >languages
check 'fg-record(1): an example for each language' \
    test "$(grep -c '^\.Dl fg-record' languages)" = "$(grep -c '^\.It' languages)"

! rates || row 'java' . jfr # whether it is sampled rests on chance
row 'java jstack pgrep' . jstack java kept/App.java 600
! rates || row py-spy . py-spy
! rates || row python3 . faulthandler # its thread reads the stack while that changes
row 'memray' "${json:--}" memray
row node "${json:--}" node
export HOME="$tmp" GOFLAGS=-mod=mod GO111MODULE=off
row go y go
mkdir server
sed 's/"os"/"net\/http"/; s/"runtime\/pprof"/_ "net\/http\/pprof"/; /pprof\.St/d; s/^	outer()/	go http.ListenAndServe("localhost:6060", nil)\n	for {\n		outer()\n	}/' kept/app.go >server/app.go
if have go curl && go build -o server/app server/app.go >.said 2>&1 && ! curl -s localhost:6060 >/dev/null; then
	row 'go curl' y go-server server/app
else
	skip go-server 'no go or no curl, or its port is in use' golang-go
fi
perl "$here/protobuf.pl" <"$here/data/otlp-1.10.pb" >kept/app.otlp
row perl y otlp
if have php && php -d zend_extension=xdebug -r 'exit(extension_loaded("xdebug") ? 0 : 1);' >/dev/null 2>&1; then
	shown php
else
	skip php 'no php with xdebug' 'php-cli php-xdebug'
fi
# A compiler without profiling libraries cannot build a program for profiling.
if have ghc && mkdir try && cp kept/app.hs try && (cd try && ghc -prof -o app app.hs) >try.said 2>&1; then
	shown ghc
elif have ghc; then
	skip ghc "it cannot profile here: $(grep -m1 -iE 'perhaps|could not|cannot' try.said)"
else
	skip ghc 'no ghc' ghc
fi
row 'ruby stackprof' "${json:--}" stackprof
done_testing
