#!/bin/sh
# fg-record: processes and threads that run already.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler"

# Each once.
./shapes busy 60000 &
pid=$!
started $pid shapes
fg-record -q -d 0.5 -F 997 -p $pid,$pid -o twice.folded
check "-p P,P is P" sh -c "test $(total <twice.folded) -le 600"
fg-record -q -d 0.5 -F 997 -p $pid -t $pid -o twice.folded
check "and so is -p P -t P" sh -c "test $(total <twice.folded) -le 600"
kill $pid
wait $pid 2>/dev/null

# A thread alone runs what the others map.
$CC -O2 -g -shared -fPIC -o plugin.so "$here/programs/plugin.c"
$CC -O2 -g -o loader "$here/programs/loader.c" -pthread -ldl
for how in "" --ptrace; do
	: >tid
	./loader ./plugin.so >tid &
	pid=$!
	while [ ! -s tid ]; do sleep 0.05; done
	# shellcheck disable=SC2086
	fg-record -q $how -d 3 -t "$(cat tid)" -o loader.folded
	mostly "-t $how has the libraries that other threads map" 30 ';plugin_work_\[l\];burn' loader.folded
	lacks "by their names $how" '\[unknown\]' loader.folded
	kill $pid
	wait $pid 2>/dev/null
done
./shapes later 300 &
pid=$!
started $pid shapes
fg-record -q --no-header --ptrace -d 3 -t $pid --show-tid -o later.folded
lacks "--ptrace -t does not follow new threads" 'worker' later.folded
wait $pid
done_testing
