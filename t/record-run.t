#!/bin/sh
# fg-record by perf events: which processes it samples, how it ends, its messages.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc

# The exit status is that of the command, or states why there is none.
status "the exit status is the command's own" 7 fg-record -q -o o sh -c 'exit 7'
status "the exit status is 128 and the signal that ended the command" 143 fg-record -q -o o sh -c 'kill -TERM $$'
status "a command that is not there is exit status 127" 127 fg-record -q -o o ./no-such-command
status "a command that cannot be executed is exit status 126" 126 fg-record -q -o o ./o
status "an unknown option is exit status 125" 125 fg-record --no-such-option true
status "no target is exit status 125" 125 fg-record
status "-a with a command is exit status 125" 125 fg-record -a true
status "-p of a process that is not there is exit status 125" 125 fg-record -q -p 999999999
status "an output that cannot be opened is exit status 125" 125 fg-record -q -o no/such/folder true
status "a full disk is exit status 125" 125 sh -c 'fg-record -q -o /dev/full ./shapes busy 100'
status "a reader of the output that has gone is exit status 125" 125 \
	sh -c '{ trap "" PIPE; fg-record -q ./shapes busy 300; echo $? >status; } | true; exit $(cat status)'
status "--call-graph with an unknown word is exit status 125" 125 fg-record --call-graph magic true
status "-F with -c is exit status 125" 125 fg-record -F 1 -c 1 true

# Output of fg-record and of the command.
if cp shapes bare && strip -s bare; then
	fg-record -q -o o ./bare busy 300
	has 'the label build-id has a file without symbols' \
		'^# label: (.* )?build-id=bare:([0-9a-f]{8,64}|none) ' o
	fg-render -T markdown o >said
	has 'fg-render reports that file' '% is in bare( \(build ID [0-9a-f]+\))?, which has no symbols' said
	lacks 'fg-render names no function of that file' '`bare\+0x' said
	fg-record -q --no-labels -o o ./bare busy 50
	lacks '--no-labels omits build IDs' 'build-id' o
	fg-record -q --label build-id=mine:none -o o ./bare busy 50
	has '--label replaces build IDs' 'build-id=mine:none ' o
fi
fg-record -q sh -c 'echo said; ./shapes busy 100' >out 2>err
has "stdout has the stacks" '^shapes;_start' out
lacks "stdout does not have the command's output" '^said' out
has "the command's output goes to stderr" '^said' err
fg-record -v -o - -- sh -c 'echo said' >out 2>err
lacks '-o -: stdout has no output of the command' '^said' out
output '-o -: a note has the way of the output, once' 1 \
    grep -c 'standard output of sh goes to standard error' err
fg-record -q -o o sh -c 'echo said; ./shapes busy 100' >out 2>err
output "-o: the command's stdout is unchanged" said cat out
output "-o: no messages" '' cat err
fg-record -q -o before ./shapes busy 100 && chmod 640 before && fg-record -q -o before ./shapes busy 100
output "a file is replaced with its mode" 640 stat -c %a before

# Signals. Background commands of a shell ignore Ctrl-C, so perl restores the default action.
undone() {
	exec perl -e '$SIG{INT} = "DEFAULT"; setpgrp; exec @ARGV' "$@"
}
undone fg-record -q -o int.folded ./shapes busy 60000 &
pid=$!
at_work $pid shapes
kill -INT -$pid
wait $pid
output "Ctrl-C ends the recording; the status is the command's" 130 echo $?
mostly "Ctrl-C: samples are kept" 80 '^shapes;.*burn' int.folded
fg-record -q -o term.folded ./shapes busy 60000 &
pid=$!
at_work $pid shapes
kill -TERM $pid
wait $pid
output "SIGTERM ends the recording, and the command gets it" 143 echo $?
mostly "SIGTERM: samples are kept" 80 '^shapes;.*burn' term.folded
undone fg-record -q -o twice.folded sh -c 'trap "" INT; ./shapes busy 60000' &
pid=$!
at_work $pid shapes
kill -INT -$pid
wait_for [ -e twice.folded ]
check "a command that ignores Ctrl-C is waited for" kill -0 $pid
kill -INT -$pid
wait $pid
output "a second Ctrl-C gives up" 130 echo $?
mostly "a second Ctrl-C: samples are kept" 80 '^shapes;.*burn' twice.folded
kill -KILL -$pid 2>/dev/null

# Attaching.
./shapes busy 60000 &
pid=$!
started $pid shapes
until_samples 60 pid.folded -d 0.4 -p $pid
mostly "-p: every frame from _start to the leaf" 90 '^shapes;_start;.*main;outer;middle_\[i\];inner_\[i\];burn' pid.folded
kill $pid
wait $pid 2>/dev/null
./shapes threads 60000 &
pid=$!
has_threads $pid 9
tid=$(ls /proc/$pid/task | tail -1)
until_samples 60 tid.folded --no-header --show-tid -d 0.5 -t "$tid"
output "-t records only that thread" "shapes-$pid/$tid" sh -c "cut -d';' -f1 tid.folded | sort -u"
has_all() { fg-record -q -d 0.4 -a -o all.folded && grep 'worker;burn' all.folded; }
wait_for has_all # the threads may not get a CPU for a while
has "-a has everything that runs" '^shapes;.*worker;burn' all.folded
lacks "-a does not record idle CPUs" '^swapper|;(do|default|intel|acpi|cpu)_idle|;cpu_startup_entry' all.folded
kill $pid
wait $pid 2>/dev/null
# Recorded until each thread has run, since some may not get a CPU for a while.
for how in "" --per-thread; do
	./shapes threads 600000 &
	pid=$!
	has_threads $pid 9
	# shellcheck disable=SC2086
	fg-record -q --no-header --show-tid $how -p $pid -o threads.folded &
	recorder=$!
	recording $recorder
	for tid in $(ls /proc/$pid/task | sed 1d); do
		until_ran $pid/task/"$tid" 10
	done
	kill -TERM $recorder
	wait $recorder
	output "-p $how has all threads" 8 sh -c "cut -d';' -f1 threads.folded | grep / | sort -u | grep -vc '\([0-9]*\)/\1$'"
	kill $pid
	wait $pid 2>/dev/null
done
for how in "" --per-thread; do
	./shapes later 200 &
	pid=$!
	started $pid shapes
	# shellcheck disable=SC2086
	fg-record -q $how -p $pid -o later.folded
	mostly "threads that appear later $how" 80 'worker;burn' later.folded
	wait $pid
done
fg-record -q --per-thread -o o ./shapes fork 200 ./shapes
mostly "--per-thread follows a command's children" 30 'in_child;burn' o

# Attaching and detaching do not affect the process.
./shapes busy 600000 &
pid=$!
started $pid shapes
i=0 often=10
! rates || often=100
while [ $i -lt $often ] && kill -0 $pid 2>/dev/null; do
	fg-record -q -d 0.01 -p $pid -o o || break
	i=$((i + 1))
done
output "-p: $often recordings of one process" $often echo $i
check "-p: the process runs on" kill -0 $pid
kill $pid
wait $pid 2>/dev/null

# Programs whose files were deleted, or are in another mount namespace.
cp shapes moved
./moved busy 60000 &
pid=$!
started $pid moved
rm moved
until_samples 60 moved.folded -d 0.3 -p $pid
mostly "a program whose file was deleted" 90 'main;outer;middle_\[i\]' moved.folded
kill $pid
wait $pid 2>/dev/null
if unshare -m true 2>/dev/null; then
	build stripped -s -Wl,--build-id
	mkdir -p mnt
	unshare -m sh -c 'mount -t tmpfs none mnt && cp shapes mnt/inside && exec mnt/inside busy 60000' &
	pid=$!
	started $pid inside
	until_samples 60 inside.folded -d 0.3 -p "$pid"
	mostly "a program in another mount namespace" 90 'main;outer;middle_\[i\]' inside.folded
	kill "$pid"
	wait 2>/dev/null
	# In such a namespace any user is root and can plant a FIFO as debug file; it must not block fg-record.
	id=$(readelf -n stripped 2>/dev/null | sed -n 's/.*Build ID: //p')
	if [ -n "$id" ] && [ -d /usr/lib/debug ]; then
		unshare -m sh -c 'mount -t tmpfs none mnt && cp stripped mnt/inside &&
			mount -t tmpfs none /usr/lib/debug && cd /usr/lib/debug &&
			mkdir -p ".build-id/$2" && mkfifo ".build-id/$2/$3.debug" &&
			exec "$1/mnt/inside" busy 60000' sh "$PWD" \
			"$(echo "$id" | cut -c1-2)" "$(echo "$id" | cut -c3-)" &
		pid=$!
		started $pid inside
		status "a program whose debug information is a FIFO" 0 \
			timeout -s KILL 600 fg-record -q -d 0.3 -p "$pid" -o inside.folded
		kill "$pid"
		wait 2>/dev/null
	else
		skip "a program whose debug information is a FIFO" "no build-id, or no /usr/lib/debug"
	fi
else
	skip "a program in another mount namespace" "may not unshare"
fi

# A file for each interval.
fg-record -q --interval 0.4 -o 'i.%T.folded' sh -c 'while [ $(ls i.*.folded | wc -l) -lt 3 ]; do ./shapes busy 100; done' 2>/dev/null
output "--interval: a file for each interval" yes sh -c '[ $(ls i.*.folded | wc -l) -ge 3 ] && echo yes'
cat i.*.folded >all.folded
mostly "--interval: the files have all samples" 90 'main;outer;middle_\[i\]' all.folded
status "--interval without %T in -o is exit status 125" 125 fg-record --interval 1 -o name true

# Off-CPU time equals the sleep that the program measures, which includes run queue latency.
if [ "$(id -u)" = 0 ]; then
	off_cpu() {
		awk -v name=";$1;" '!/^# / && index($0, name) { n += $(NF - 1) + $NF } END { printf "%.0f", n }' "$2"
	}
	# as_slept FUNCTION FILE: within 2 % of the sums that the program prints to ./slept, long
	# naps first, plus 30 ms: if the program waits for a CPU before it reads the clock first,
	# it naps longer than it reports. A nap lasts 150 or 50 ms.
	as_slept() {
		got=$(off_cpu "$1" "$2")
		read -r slept shorts <slept
		[ "$1" = nap_long ] || slept=$shorts
		off=$((got - slept))
		echo "$got us recorded, $slept us slept"
		[ "${off#-}" -le $((slept * 2 / 100 + 30000)) ]
	}
	fg-record -q --wall -o off.folded ./shapes sleepy 50 >slept
	rated "--wall: long naps last as long as they slept" as_slept nap_long off.folded
	rated "--wall: short naps last as long as they slept" as_slept nap_short off.folded
	fg-record -q --wall --interval 0.2 -o 'off.%T.folded' ./shapes sleepy 20 >slept
	cat off.*Z.folded >offs.folded
	rated "--wall --interval: no nap is lost between intervals" as_slept nap_long offs.folded
	fg-record -q --off-cpu -o off.folded ./shapes sleepy 5 >slept
	lacks "--off-cpu has no running code" ';burn ' off.folded
fi

# A stripped Go program: its pclntab has the function names and frame sizes.
cat >main.go <<'END'
package main

//go:noinline
func burn(n int) int {
	s := n
	for i := 0; i < 300000000; i++ {
		s = s*31 + i
	}
	return s
}

//go:noinline
func outer(n int) int {
	return burn(n) + 1
}

func main() {
	if outer(3) == 4 {
		panic("")
	}
}
END
if [ "$(uname -m)" = x86_64 ] && command -v go >/dev/null &&
	GOCACHE=$tmp/gocache GO111MODULE=off go build -ldflags='-s -w' -o stripped-go main.go 2>/dev/null; then
	fg-record -v --no-header -o go.folded ./stripped-go 2>said
	check "a stripped program of Go: the hint is how to link it" \
		grep -q 'stripped-go, which has no debug information; link it without -ldflags=-w or -s' said
	mostly "a stripped program of Go" 80 '^stripped-go;runtime.goexit;runtime.main;main.main;main.outer;main.burn' \
		go.folded
else
	skip "a stripped program of Go" "no Go compiler here" golang-go
fi

# An ordinary user.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	chmod 755 "$tmp"
	mkdir home && chmod 777 home && cp "$BIN/fg-record" home/ && cd home || exit 1
	user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	$user ./fg-record -v -o user.folded ../shapes busy 300 2>err
	mostly "an ordinary user's own program" 90 'main;outer;middle_\[i\];inner_\[i\];burn' user.folded
	lacks "an ordinary user: no kernel frames" '_\[k\]' user.folded
	has "an ordinary user: the note recommends sudo fg-record" 'sudo fg-record' err
	$user ./fg-record --off-cpu true 2>err
	output "an ordinary user: off-CPU time is refused" 125 echo $?
	has "--off-cpu refused: the message has the sysctl" 'sudo sysctl kernel.perf_event_paranoid=1' err
	$user ./fg-record -e context-switches -c 1 -o user.folded true 2>err
	output "an event of the kernel is refused, instead of a profile without samples" 125 echo $?
	has "an event of the kernel: the message has the sysctl" 'sudo sysctl kernel.perf_event_paranoid=1' err
	$user ./fg-record -a -d 1 2>err
	output "an ordinary user: all CPUs are refused" 125 echo $?
	has "-a refused: the message has the sysctl" 'sudo sysctl kernel.perf_event_paranoid=-1' err
	$user ./fg-record -q -d 1 -p 1 2>err
	output "an ordinary user: another user's process is refused" 125 echo $?
	cp ../shapes privileged && chmod 4755 privileged
	$user ./fg-record -o user.folded ./privileged busy 50 2>err
	has "a set-user-ID program: the summary has the reason why it has no samples" 'rights of another user' err
	cd ..
else
	skip "an ordinary user" "not root, or perf_event_paranoid is not 2"
fi
done_testing
