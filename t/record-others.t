#!/bin/sh
# fg-record as root: scripts of other users, of a command that drops its rights and of containers.
# A BPF program copies frames of Python, PHP, Ruby, Perl, Lua and Erlang, also of the recorder's own
# processes; of others, threads are stopped by the tracer, a process with rights that the parser lacks.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
[ "$(id -u)" = 0 ] || skip_all 'not root'
python=/usr/bin/python3
[ -x "$python" ] || skip_all 'no system Python' python3
setpriv --reuid 65534 --regid 65534 --clear-groups "$python" -c 0 2>/dev/null || skip_all 'no setpriv' util-linux
may_sample || skip_all 'this machine refuses perf_event_open'
unset FG_SANDBOX
chmod 755 .
cat >spin.py <<'END_OF_SCRIPT'
import os, sys, time
def leafy(n):
    s = 0
    for i in range(n): s += i * i % 7
    return s
def task():
    end = time.process_time() + float(sys.argv[1])
    while time.process_time() < end: leafy(3000)
task()
END_OF_SCRIPT
chmod 644 spin.py
named='task \(.*\)_\[p\];leafy \(.*\)_\[p\]'
setpriv --reuid 65534 --regid 65534 --clear-groups "$python" spin.py 600 &
theirs=$!
"$python" spin.py 600 &
ours=$!
trap 'kill -9 $theirs $ours $inside $rubys $second 2>/dev/null' EXIT
inside= rubys= second=
until_ran $theirs 10

record_running $theirs 100 -q -p $theirs -o p.folded
has "another user's Python: functions have names" "$named" p.folded
fg-record -q -a -F 199 -o a.folded &
recorder=$!
recording $recorder
until_ran $theirs 100
kill -INT $recorder
wait $recorder
has "all CPUs: functions of another user's Python have names" "$named" a.folded
mostly "another user's Python: nearly all stacks have functions" 95 "$named" p.folded
untraced() { [ "$(sed -n 's/^TracerPid:[[:space:]]*//p' /proc/$theirs/status)" = 0 ]; }
runs() { case $(sed -n 's/^State:[[:space:]]*//p' /proc/$theirs/status) in [RS]*) ;; *) return 1 ;; esac; }

fg-record -q -p $theirs,$ours -o both.folded &
recorder=$!
recording $recorder
until_ran $theirs 50
until_ran $ours 50
kill -INT $recorder
wait $recorder
has "a list with another user's process: functions have names" "$named" both.folded
mostly "a list with another user's process: nearly all stacks have functions" 95 "$named" both.folded

if unshare -pf --mount-proc true 2>/dev/null; then
	unshare -pf --mount-proc "$BIN/fg-record" -a -d 1 -o namespace.folded 2>namespace.err
	has 'a PID namespace: processes outside of it have one name' '^\[outside\];' namespace.folded
	has 'a PID namespace: the reason of their short stacks' 'outside of the PID namespace' namespace.err
	check 'a PID namespace: no process outside has the name of another' \
	    sh -c '! grep "^python" namespace.folded'
else
	skip 'a PID namespace' 'unshare is refused'
fi

# While the recorder reads the process, nothing traces it, and the first samples have been read.
fg-record -q -F 997 -p $ours -o own.folded &
recorder=$!
recording $recorder
until_ran $ours 50
check 'a process of the recorder: nothing traces it' \
    grep -q '^TracerPid:[[:space:]]*0$' /proc/$ours/status
kill -INT $recorder
wait $recorder
mostly 'a process of the recorder: nearly all stacks have functions' 95 "$named" own.folded
record_running $ours 100 -q --lines -p $ours -o lines.folded
has 'a process of the recorder: its functions have lines' \
    'task \([^ ;]*spin.py:8\)_\[p\];leafy \([^ ;]*spin.py:4\)_\[p\]' lines.folded
# More calls than are read, and than BPF copies between two samples: at 4,999 Hz some machines do.
cat >deep.py <<'END_OF_SCRIPT'
import sys, time
sys.setrecursionlimit(100000)
def down(n):
    if n: return down(n - 1)
    end = time.process_time() + 1
    while time.process_time() < end: sum(range(1000))
down(20000)
END_OF_SCRIPT
fg-record -v -F 19997 -o deep.folded "$python" deep.py 2>said
has 'a deep recursion: callers that are not read have a frame in their place' \
    ';PyEval_EvalCode;\[truncated\];down [^;]*;down ' deep.folded
lacks 'a deep recursion: no function is called from the outside of the gap' \
    ';PyEval_EvalCode;down ' deep.folded
has 'a deep recursion: its stacks are called truncated, and the runtime has a name' \
    '% of stacks lack callers at the frame \[truncated\].*(python)' said
has 'a deep recursion: samples for which its copies leave no time are lost' \
    '[1-9][0-9]* samples are missing, the frame \[unsampled\]: BPF copied a deep stack' said
! rates || lacks 'a deep recursion: the summary blames no short process' 'too short for samples' said
for old in "$HOME"/.pyenv/versions/3.6.* "$HOME"/.pyenv/versions/3.7.* "$HOME"/.pyenv/versions/3.8.* \
    "$HOME"/.pyenv/versions/3.9.* "$HOME"/.pyenv/versions/3.10.*; do
	version=${old##*/}
	[ -x "$old/bin/python3" ] || { skip "Python $version" 'not installed by pyenv' && continue; }
	"$old/bin/python3" spin.py 600 &
	second=$!
	until_ran $second 10
	record_running $second 100 -v --lines -p $second -o old.folded 2>said
	kill -9 $second
	wait $second 2>/dev/null
	has "Python $version: functions have names and lines" \
	    'task \([^ ;]*spin.py:8\)_\[p\];.*leafy \([^ ;]*spin.py:4\)_\[p\]' old.folded
	has "Python $version: frames are copied by BPF" 'frames copied by BPF' said
done
# Two copies of Python: one loads a library of the other version.
cat >two.py <<'END_OF_SCRIPT'
import ctypes, os, sys
lib = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LOCAL | os.RTLD_DEEPBIND)
lib.Py_SetPythonHome(ctypes.c_wchar_p(sys.argv[2]))
lib.Py_InitializeEx(0)
def outside():
    lib.PyRun_SimpleStringFlags(b"""
def inside(n):
    s = 0
    for i in range(n): s += i * i % 7
while True: inside(3000)
""", None)
outside()
END_OF_SCRIPT
two() {
	name="Python within Python: $1"
	set -- "$HOME"/.pyenv/versions/$1.*
	library=$(ls "$1"/lib/libpython3.*.so.1.0 2>/dev/null)
	[ "$library" ] || { skip "$name" 'not installed by pyenv' && return; }
	"$python" two.py "$library" "$1" &
	second=$!
	until_ran $second 50
	record_running $second 100 -v -p $second -o two.folded 2>said
	kill -9 $second
	wait $second 2>/dev/null
	has "$name: functions of both have names, in order" \
	    'outside \([^;]*two.py:5\)_\[p\];.*;inside \(<string>:2\)_\[p\]' two.folded
	has "$name: frames of both are copied by BPF" 'frames copied by BPF' said
}
two 3.12
two 3.9
"$python" "$here/data/script/subinterpreter.py" &
second=$!
until_ran $second 10
record_running $second 100 -q -F 997 -p $second -o second.folded
kill -9 $second
wait $second 2>/dev/null
has 'two interpreters, of which the recipe copies one: functions have names' \
    'f0 \([^;]*;f1 \([^;]*;.*f[23] \([^;]*' second.folded

# inner_of PID: the first child of a process; false: none yet.
inner_of() { pgrep -P "$1"; }
# nested COMMAND...: starts it in a PID namespace of its own. $inside is its number here, $second that
# of the process that ends it.
nested() {
	unshare -pf --mount-proc --kill-child "$@" &
	second=$!
	wait_for inner_of $second
	inside=$(inner_of $second)
	until_ran "$inside" 10
}
ruby=/usr/bin/ruby
if [ -x "$ruby" ]; then
	cat >spin.rb <<'END_OF_SCRIPT'
def leafy(n)
  (0...n).each { |i| i * i % 7 }
end
def task
  leafy(3000) while true
end
task
END_OF_SCRIPT
	chmod 644 spin.rb
	setpriv --reuid 65534 --regid 65534 --clear-groups "$ruby" spin.rb &
	rubys=$!
	until_ran $rubys 10
	record_running $rubys 100 -q -p $rubys -o ruby.folded
	fg-record -q -a -F 199 -o ruby-all.folded &
	recorder=$!
	recording $recorder
	until_ran $rubys 100
	kill -INT $recorder
	wait $recorder
	kill -9 $rubys
	wait $rubys 2>/dev/null
	frames='Object#task \(.*\)_\[p\];Object#leafy \(.*\)_\[p\].*;Range#each_\[p\].*;block in Object#leafy \('
	has "another user's Ruby: functions have names, with their classes" "$frames" ruby.folded
	has "all CPUs: functions of another user's Ruby have names" "$frames" ruby-all.folded
	if unshare -pf --mount-proc true 2>/dev/null; then
		nested "$ruby" spin.rb
		record_running $inside 100 -v -p $inside -o ruby-inside.folded 2>said
		record_running $inside 100 -q --stack-size 16384 -p $inside -o ruby-stopped.folded
		kill -9 $second
		wait $second 2>/dev/null
		has "Ruby of another PID namespace: functions have names" "$frames" ruby-inside.folded
		has "Ruby of another PID namespace: frames are copied by BPF" 'frames copied by BPF' said
		has "Ruby of another PID namespace, by stops: functions have names" "$frames" ruby-stopped.folded
	else
		skip 'Ruby of another PID namespace' 'unshare is refused'
	fi
else
	skip "another user's Ruby" 'no system Ruby' ruby
fi

# Perl and Lua: a function that calls itself, below a block of eval and of pcall.
cat >spin.pl <<'END_OF_SCRIPT'
package Shop;
sub leafy { my $s = 0; for my $i (0 .. 300) { $s += $i * $i % 7 } $s }
sub again { my $n = shift; $n ? again($n - 1) : leafy() }
package main;
while (1) { eval { Shop::again(2) } }
END_OF_SCRIPT
cat >spin.lua <<'END_OF_SCRIPT'
function leafy(n) local s = 0 for i = 1, n do s = s + i * i % 7 end return s end
function again(n) if n == 0 then local r = leafy(300) return r end local r = again(n - 1) return r end
while true do pcall(function() local r = again(2) return r end) end
END_OF_SCRIPT
chmod 644 spin.pl spin.lua
# On a busy machine one of ten processes of Perl had no such stack, with -p and with -a; not explained.
rated_has() { ! rates || has "$@"; }
# others NAME FRAMES COMMAND...: recorded with -p, after $start hundredths of a second of its CPU time,
# and with -a; $claim is has or rated_has.
others() {
	name=$1 frames=$2
	shift 2
	command -v "$1" >/dev/null || { skip "another user's $name" "no $1" && return; }
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@" &
	second=$!
	until_ran $second $start
	record_running $second 100 -v -p $second -o other.folded 2>said
	fg-record -q -a -F 199 -o other-all.folded &
	recorder=$!
	recording $recorder
	until_ran $second 100
	kill -INT $recorder
	wait $recorder
	kill -9 $second
	wait $second 2>/dev/null
	$claim "another user's $name: functions have names" "$frames" other.folded
	$claim "all CPUs: functions of another user's $name have names" "$frames" other-all.folded
	has "another user's $name: frames are copied by BPF" 'frames copied by BPF' said
}
claim=rated_has start=10
others Perl 'main \(.*spin.pl:1\)_.p.;\(eval\) \(.*;Shop::again \(.*;Shop::again \(.*;Shop::again \(.*;Shop::leafy \(' perl spin.pl
if unshare -pf --mount-proc true 2>/dev/null; then
	nested perl spin.pl
	record_running $inside 100 -q --stack-size 16384 -p $inside -o stopped.folded
	kill -9 $second
	wait $second 2>/dev/null
	has "Perl of another PID namespace, by stops: functions have names" ';Shop::again \(.*;Shop::leafy \(' stopped.folded
else
	skip 'Perl of another PID namespace' 'unshare is refused'
fi
claim=has
library=$(ldconfig -p | awk '$1 == "liblua5.4.so.0" { print $NF; exit }')
cp "$here/data/script/free-mixed.py" . && chmod 644 free-mixed.py
if [ -n "$library" ]; then
	others 'Lua within Python' '<module> \(.*;call \(.*_.p.;.*;f0 \(f0:1\)_.p.;.*;called \(.*_.p.;call \(' \
	    "$python" free-mixed.py "$library"
else
	skip 'Lua within Python of another user' 'no library of Lua 5.4' lua5.4
fi
others Lua 'main chunk \(.*;again \(.*;again \(.*;again \(.*;leafy \(.*spin.lua:1\)_.p.' lua5.4 spin.lua

# Nearly all of its time is in C, which its process called. Its own start loads code all the time.
start=200
others Erlang ';lists:foreach_1/2 [^;]*;beam_jit_call_bif;' erl -noinput +S 1 -eval 'B = binary:copy(<<1>>, 100000),
	(fun Again() -> lists:foreach(fun(_) -> erlang:md5(B) end, lists:seq(1, 1000)), Again() end)().'

fg-record -q -F 997 -o command.folded -- setpriv --reuid 65534 --regid 65534 --clear-groups "$python" spin.py 2
has 'a command that drops its rights: functions have names' "$named" command.folded

if unshare -Urpf --mount-proc true 2>/dev/null; then
	unshare -Urpf --mount-proc "$python" spin.py 600 2>/dev/null &
	parent=$!
	first() { inside=$(cat /proc/$parent/task/$parent/children) && [ "$inside" ]; }
	wait_for first
	inside=${inside% }
	until_ran "$inside" 10
	record_running "$inside" 100 -q -p "$inside" -o inside.folded
	has 'a root container: functions have names' "$named" inside.folded
	mostly 'a root container: nearly all stacks have functions' 95 "$named" inside.folded
else
	skip 'a root container' 'unshare is refused'
fi

# More interpreters than 100, each of which runs for the first time after the recording has begun.
if command -v lua5.4 >/dev/null; then
	mkfifo start stop
	crowd=
	for i in $(seq 120); do
		lua5.4 -e 'io.open("start") while os.clock() < .05 do end io.open("stop")' &
		crowd="$crowd $!"
	done
	fg-record -v -a -F 499 -o crowd.folded 2>crowd.err &
	recorder=$!
	wait_for grep -q perf_event /proc/$recorder/maps
	# All processes of the recorder wait, for two seconds.
	idle() {
		for i in $(seq 20); do
			! ps -o state= -p $recorder --ppid $recorder | grep -q R || return 1
			sleep .1
		done
	}
	wait_for idle
	: >start
	all_ran() { for p in $crowd; do awk '{ exit $14 + $15 < 4 }' /proc/"$p"/stat || return 1; done; }
	wait_for all_ran
	kill -INT $recorder
	wait $recorder
	kill $crowd
	has '120 interpreters: samples have script frames' '^lua5.4;.*_\[p\]' crowd.folded
	lacks '120 interpreters: none is found too late' 'lua.*before the interpreter was detected' crowd.err
else
	skip '120 interpreters' 'not installed' lua5.4
fi

# With --stack-size no BPF program runs: the tracer stops threads. It ends with the recorder, and the
# threads run on whatever ends.
kill -9 $theirs
wait $theirs 2>/dev/null
perl=/usr/bin/perl
[ -x "$perl" ] || { skip 'the tracer' 'no system Perl' perl; done_testing; exit; }
setpriv --reuid 65534 --regid 65534 --clear-groups "$perl" -e \
    'sub leafy { my $s = 0; $s += $_ * $_ % 7 for 1 .. 3000; $s } sub task { leafy() while times < 600 } task()' &
theirs=$!
until_ran $theirs 10
record_running $theirs 100 -q --stack-size 16384 -p $theirs -o perl.folded
has "another user's Perl: functions have names" 'main::task.*;main::leafy' perl.folded
check 'the thread is detached at the end' untraced
check 'the thread runs on' runs
tracer() { tracer=$(pgrep -P "$(pgrep -P "$1" fg-opener)" fg-tracer | head -1) && [ "$tracer" ]; }
ended() { [ ! -e "/proc/$1" ] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"; }
for which in recorder tracer opener; do
	fg-record -q -F 997 --stack-size 16384 -p $theirs -d 600 -o killed.folded 2>err &
	recorder=$!
	wait_for tracer $recorder
	until_ran $theirs 10
	case $which in
	recorder) kill -9 $recorder ;;
	tracer) kill -9 "$tracer" ;;
	opener) kill -9 "$(pgrep -P $recorder fg-opener)" ;;
	esac
	wait_for ended "$tracer"
	check "the $which is killed: the thread is detached" wait_for untraced
	check "the $which is killed: the thread runs on" until_ran $theirs 10
	kill -INT $recorder 2>/dev/null
	wait $recorder 2>/dev/null
	rm -f killed.folded
done

# A stopped recorder would leave the threads stopped.
fg-record -q -F 997 --stack-size 16384 -p $theirs -d 600 -o stopped.folded 2>err &
recorder=$!
wait_for tracer $recorder
kill -STOP $recorder
check 'a recorder that was stopped runs again, and its target too' until_ran $theirs 50
kill -CONT $recorder
kill -INT $recorder
wait $recorder
done_testing
