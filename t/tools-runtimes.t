#!/bin/sh
# fg-tools(7): the profilers of language runtimes: Java, Python, JavaScript, Go, PHP, Haskell, Ruby.
# tier: full
. "$(dirname "$0")/tools-lib.sh"

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
	static long inner(long end) { long n = 0; do for (int i = 0; i < 100000; i++) n += n ^ i; while (System.currentTimeMillis() < end); return n; }
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
# A compiler without profiling libraries cannot build a program for profiling.
if have ghc && mkdir try && cp kept/app.hs try && (cd try && ghc -prof -o app app.hs) >try.said 2>&1; then
	shown ghc
elif have ghc; then
	skip ghc "it cannot profile here: $(grep -m1 -iE 'perhaps|could not|cannot' try.said)"
else
	skip ghc 'no ghc'
fi
row 'ruby stackprof' "${json:--}" stackprof
done_testing
