#!/bin/sh
# fg-record detects interpreters: frames of scripts are merged into the native stacks.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

needs_python_scripts

fg-record -v -F 499 -o busy.folded "$python" "$data/busy.py" 1 2>said
check "a Python command: its exit status is its own" [ $? = 7 ]
fg-record -q -F 499 --no-script -o traced.folded \
	"$python" -c 'print([l for l in open("/proc/self/status") if l.startswith("TracerPid")])' >tracer
output "--no-script: nothing is traced" "['TracerPid:\\t0\\n']" cat tracer
fg-record -q -F 499 --no-script -o native.folded "$python" "$data/busy.py" 0.5
check "--no-script: native frames only" sh -c '! grep -q "_\[p\]" native.folded'
fg-record -q -F 499 -o threads.folded "$python" "$data/threads.py" >printed
output "threads, a fork and children end as without a recording" '3
5' cat printed
rates || done_testing # t/data/captures has recordings of each language

# Stopping fg-record stops the program only for a moment.
"$python" "$data/busy.py" 1.5 &
pid=$!
fg-record -q -o stopped.folded -p $pid &
recorder=$!
recording $recorder
kill -STOP $recorder
wait $pid
check "a stopped fg-record does not hold the program" [ $? = 7 ]
kill -CONT $recorder 2>/dev/null
wait $recorder

path="$data/busy.py"
mostly "Python functions with their file's full path and first line" 80 \
	"<module> \($path:1\)_\[p\];main \($path:[0-9]+\)_\[p\];" busy.folded
has "a lambda under the C code of sorted" \
	"main [^;]*_\[p\];sort \($path:[0-9]+\)_\[p\];([^;]*;)*[^;]*_CallOneArg[^;]*;([^;]*;)*sort.<locals>.<lambda> [^;]*_\[p\]" \
	busy.folded
has "kernel frames below Python's" 'read_files [^;]*_\[p\];.*_\[k\]' busy.folded
check "the loop of the interpreter is not shown" sh -c '! grep -q "main [^;]*_\[p\];[^ ]*_PyEval_EvalFrameDefault" busy.folded'
check "the summary states the share of samples with script frames" \
	grep -qE "samples of python have script frames" said
cat >idle.c <<'END'
#include <dlfcn.h>
int
main(int argc, char **argv)
{
	void *library = dlopen(argv[argc - 1], RTLD_NOW);

	for (volatile unsigned i = 0; library != 0 && i < 1u << 30; i++)
		;
	return library == 0;
}
END
library=$(ldconfig -p 2>/dev/null | sed -n 's/^.*libperl\.so\.5\.36 .*x86-64.* => //p' | head -n 1)
if [ -n "$library" ] && ${CC:-cc} -o idle idle.c -ldl 2>/dev/null; then
	fg-record -v -F 499 -o idle.folded ./idle "$library" 2>said
	rated "the summary states that a thread ran no script, although a few samples were too early" \
		grep -q '^fg-record: 0.0 % of samples of perl have script frames, .*: their threads ran no script$' said
	cat >two.py <<-END
		import ctypes
		ctypes.CDLL("$library")
		exec(open("$data/busy.py").read())
	END
	fg-record -v -F 499 -o two.folded "$python" two.py 1 2>said
	rated "samples with Python's functions are not counted as Perl's without" awk '
		/ samples of cpu-clock in /   { all = $2 }
		/ of samples of python have / { python = $2 }
		/ of samples of perl have /   { perl = $(NF - 7) }
		END { print all, python, perl; exit python < 80 || perl > all / 5 }' said
else
	skip "a thread that runs no script" "no library of Perl 5.36" libperl-dev
	skip "samples with Python's functions are not counted as Perl's without" "no library of Perl 5.36" libperl-dev
fi
fg-record -q -F 499 --lines -o lines.folded "$python" "$data/busy.py" 0.5
line=$(grep -n 'sorted(' "$data/busy.py" | cut -d: -f1)
has "--lines: the line that ran" "sort \($path:$line\)_\[p\]" lines.folded
fg-record -q -F 499 --interpreter-frames -o loop.folded "$python" "$data/busy.py" 0.5
has "--interpreter-frames: the loop precedes its functions" \
	"_PyEval_EvalFrameDefault[^;]*;<module> [^;]*_\[p\]" loop.folded
fg-record -q -F 499 --ptrace -o stops.folded "$python" "$data/busy.py" 1
mostly "--ptrace: Python functions" 80 "main \($path:[0-9]+\)_\[p\];" stops.folded

"$python" "$data/busy.py" 5 &
pid=$!
until_ran $pid 50 # it runs the script then
record_running $pid 100 -q -F 499 -o attached.folded
mostly "-p PID: Python functions" 60 "main \($path:[0-9]+\)_\[p\];" attached.folded
wait $pid
check "-p PID: the process ends as without a recording" [ $? = 7 ]

mostly "threads and children: Python functions" 25 'work \([^;]*_\[p\]' threads.folded
has "the child of a fork" 'in_child [^;]*_\[p\]' threads.folded
has "the child of an exec" 'in_exec [^;]*_\[p\]' threads.folded

# Killing fg-record does not stop the program.
kills() {
killed=0
for wait in 0.3 0.5 0.7 0.9; do
	"$python" "$data/busy.py" 1.5 &
	pid=$!
	fg-record -q -o killed.folded -p $pid 2>/dev/null &
	recorder=$!
	sleep $wait
	kill -9 $recorder
	wait $pid
	[ $? = 7 ] && killed=$((killed + 1))
done 2>/dev/null
output "kill -9 of fg-record: the program continues" 4 echo $killed
}
! rates || kills
if ruby -e 'exit RUBY_VERSION.start_with?("3.1.")' 2>/dev/null; then
	fg-record -q -F 499 -o ruby.folded ruby -e 'class K; def go; i = 0; i += 1 while i < 20_000_000; end; end; K.new.go'
	mostly "a Ruby command" 50 '<main> \(-e\)_\[p\];K#go \(-e:1\)_\[p\]' ruby.folded
else
	skip "a Ruby command" "no Ruby 3.1" ruby
fi
if php -n -r 'exit(PHP_VERSION_ID < 80200 || PHP_VERSION_ID >= 80300 || PHP_ZTS ? 1 : 0);' 2>/dev/null; then
	echo '<?php class K { static function go() { for ($i = 0; $i < 30000000; $i++); } } K::go();' >go.php
	fg-record -q -F 499 -o php.folded php -n go.php
	mostly "a PHP command" 50 '\{main\} \([^;]*go.php:1\)_\[p\];K::go \([^;]*go.php:1\)_\[p\]' php.folded
else
	skip "a PHP command" "no PHP 8.2" php-cli
fi
if java -version 2>&1 | grep -q 'version "17\.' && javac -d . "$data/Busy.java" 2>/dev/null; then
	fg-record -q -F 499 -o java.folded java -cp . Busy 2
	mostly "a Java command: methods without a flag or an agent" 20 \
		'Busy.main_\[j\];(.*;)?Busy.(spin|sort)_\[j\]' java.folded
else
	skip "a Java command" "no Java 17" openjdk-17-jdk-headless
fi
if node -e 'process.exit([18, 20, 22, 24, 26].includes(+process.versions.node.split(".")[0]) ? 0 : 1)' 2>/dev/null; then
	fg-record -q -F 499 -o node.folded node "$data/busy.js" 1500
	mostly "a node command: functions without a flag" 50 \
		"main \($data/busy.js:[0-9]+\)_\[j\];(.*;)?spin \($data/busy.js:[0-9]+\)_\[j\]" node.folded
else
	skip "a node command" "no node 18, 20, 22, 24 or 26" nodejs
fi
if erl -noinput -eval 'halt(case erlang:system_info(otp_release) of "25" -> 0; _ -> 1 end).' 2>/dev/null &&
	erlc "$data/busy.erl" 2>/dev/null; then
	fg-record -q -F 499 -o erlang.folded erl -noinput -run busy main 1500
	mostly "an Erlang command: functions without a flag" 30 \
		"busy:main/1 \($data/busy.erl:[0-9]+\)_\[j\];busy:loop/1 \([^;]*_\[j\];" erlang.folded
else
	skip "an Erlang command" "no Erlang/OTP 25" erlang-base
fi
fg-record -q --off-cpu -o blocked.folded "$python" "$data/sleep.py"
has "--off-cpu: a sleeping thread's functions" \
	'sleeper \([^;]*sleep.py:4\)_\[p\];.* [0-9]{6,}$' blocked.folded
cat >naps.py <<'END'
import time
def nap():
    time.sleep(0.05)
for i in range(20):
    nap()
END
$prompt fg-record -v --off-cpu -o naps.folded $usual "$python" naps.py 2>err
mostly "--off-cpu: functions of a thread that sleeps for 50 ms at a time" 80 \
	'nap \([^;]*naps.py:2\)_\[p\];' naps.folded
has "the summary has the share of time" '^fg-record: [0-9.]+ % of the time in which interpreted threads were blocked has' err
# A thread of Ruby has its VM stack, of a megabyte, in a frame of its native stack.
if ruby -e 'exit' 2>/dev/null; then
	echo 'def nap; sleep 0.05; end; Thread.new { 20.times { nap } }.join' >naps.rb
	$prompt fg-record -v --off-cpu -o naps.folded $usual ruby naps.rb 2>err
	grep '_nanosleep\|poll\|futex' naps.folded | grep 'clone' >nap.folded
	mostly "--off-cpu: of one of Ruby's threads" 80 '#nap \([^;]*naps.rb:1\)_\[p\];' nap.folded
	complete=$(grep -o 'stacks [0-9]*' err | head -n 1 | grep -o '[0-9]*')
	rated "stacks that were read in full are not counted as truncated" [ "$complete" -ge 60 ]
else
	skip "--off-cpu: of one of Ruby's threads" "no ruby" ruby
	skip "stacks that were read in full are not counted as truncated" "no ruby" ruby
fi
# The examples of the manual.
mkdir page
cp "$data/busy.py" page/app.py
sed 's/Busy/App/g' "$data/Busy.java" >page/App.java
cp "$data/busy.js" page/app.js
echo 'class K; def go; i = 0; i += 1 while i < 5_000_000; end; end; K.new.go' >page/app.rb
echo 'sub go { my $i = 0; $i++ while $i < 5_000_000; $i } go() for 1 .. 2' >page/app.pl
echo 'local function go() local s = 0; for i = 1, 50000000 * (arg[1] or 1) do s = s + i end; return s end local x = go() print(x)' >page/app.lua
cp go.php page/app.php 2>/dev/null
sed 's/busy/app/g' "$data/busy.erl" >page/app.erl
(cd page && javac App.java 2>/dev/null; erlc app.erl 2>/dev/null)
ghc -v0 -O1 -outputdir haskell -o page/chain "$data/chain.hs" 2>/dev/null
sed -n '/^\.Sh LANGUAGES/,/^\.Sh CONTINUOUS/s/^\.Dl //p' "$here/../man/fg-record.1" >examples
check "fg-record(1) has an example for each language" [ "$(wc -l <examples)" = 10 ]
while read -r line; do
	case $line in
	*python3*) line=$(echo "$line" | sed "s,python3,$python,")\ 0.5 mark='main .*app.py:' ;;
	*ruby*) mark='K#go .*app.rb:' ;;
	*php*) mark='K::go .*app.php:' ;;
	*luajit*) line="$line 20" mark='app.lua:1 .*app.lua:1.*\[trace\] app.lua:1 ' ;;
	*lua*) mark='app.lua:1 .*app.lua:1' ;;
	*perl*) mark='main::go .*app.pl:' ;;
	*java*) line="$line 1" mark='App.main_\[j\]' ;;
	*erl*) line="$line 800" mark='app:main/1 .*app.erl:' ;;
	*/app) line="${line%app}chain 1 3 2000" mark='Main_(zdw)?outer_info;Main_(zdw)?middle_info;' ;;
	*node*) line="$line 800" mark='main .*app.js:' ;;
	esac
	program=$(echo "$line" | cut -d' ' -f4)
	if (cd page && command -v "$program" >/dev/null); then
		(cd page && sh -c "$line" 2>/dev/null; cp app.folded ..)
		has "example: $line" "$mark" app.folded
	else
		skip "example: $line" "no $program" "$program"
	fi
done <examples
done_testing
