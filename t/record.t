#!/bin/sh
# fg-record: complete, symbolized stacks of programs with known stacks, by perf events.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler" gcc
start='_start;.*main'

# Shapes of stacks.
fg-record -q -o busy.folded ./shapes busy 400
mostly "every frame from _start to the leaf, inlined ones too" 90 \
	"^shapes;$start;outer;middle_\[i\];inner_\[i\];burn" busy.folded
fg-record -q -o recurse.folded ./shapes recurse 300
mostly "forty calls of one function are forty frames" 90 \
	"^shapes;$start(;recurse){40};burn" recurse.folded
fg-record -q -o signal.folded ./shapes signal 300
mostly "a signal handler above the interrupted function" 90 \
	"^shapes;$start;provoke;.*;handler;burn" signal.folded
fg-record -q --show-tid -o threads.folded ./shapes threads 100
mostly "threads from their first function" 90 \
	'^shapes-[0-9]+/[0-9]+;(clone3?|__clone3?|thread_start|libc\.so\.6\+0x)[^;]*;([^;]*;)*worker;burn' threads.folded
rated "each of eight threads is sampled" test 8 = "$(grep worker threads.folded | cut -d';' -f1 | sort -u | wc -l)"
cp shapes second
fg-record -q -o fork.folded ./shapes fork 300 ./second
mostly "fork: the child's stack" 30 "^shapes;$start;.*in_child;burn" fork.folded
mostly "fork and exec: the new program's stack" 30 "^second;$start;outer;middle_\[i\];inner_\[i\];burn" fork.folded
$CC -O2 -g -shared -fPIC -o plugin.so "$here/programs/plugin.c"
fg-record -q -o plugin.folded ./shapes plugin 300 ./plugin.so
mostly "a library that was loaded with dlopen" 90 "^shapes;$start;plugin(_\[i\])?;plugin_work_\[l\];burn" plugin.folded

# Compiler and linker options.
build omit -fomit-frame-pointer
fg-record -q -o omit.folded ./omit busy 300
mostly "code without frame pointers and debug information" 90 "^omit;$start;outer;burn" omit.folded
strip -o stripped omit
fg-record -q -o stripped.folded ./stripped busy 300
mostly "a stripped program: frames are addresses" 90 \
	'^stripped;stripped\+0x[0-9a-f]+;.*libc_start.*(;stripped\+0x[0-9a-f]+){3}' stripped.folded
for how in "-static" "-static-pie" "-no-pie" "-fuse-ld=lld" "-fuse-ld=mold"; do
	# shellcheck disable=SC2086
	if build linked -g $how 2>/dev/null; then
		fg-record -q -o linked.folded ./linked busy 300
		mostly "linked with $how" 90 \
			"^linked;_start;.*main;outer;middle_\[i\];inner_\[i\];burn" linked.folded
	else
		skip "linked with $how" "the compiler cannot"
	fi
done
build fp -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer 2>/dev/null ||
	build fp -g -fno-omit-frame-pointer
fg-record -q --call-graph fp -o fp.folded ./fp busy 300
mostly "--call-graph fp" 90 'main;outer;middle_\[i\];inner_\[i\];burn' fp.folded
fg-record --call-graph lbr -o lbr.folded ./shapes busy 200 2>lbr.err
got=$?
if [ "$got" = 0 ]; then
	mostly "--call-graph lbr" 90 'outer;middle_\[i\];inner_\[i\];burn' lbr.folded
else
	has "--call-graph lbr without hardware support: the message" 'use --call-graph dwarf' lbr.err
fi

# Options for frames.
fg-record -q --no-inline -o o.folded ./shapes busy 200
mostly "--no-inline" 90 'main;outer;burn' o.folded
fg-record -q --module --no-annotate -o o.folded ./shapes busy 200
mostly "--module and --no-annotate" 90 'shapes`outer;shapes`middle;shapes`inner;shapes`burn' o.folded
lacks "--no-annotate: no annotation is left" '_\[[kjil]\]' o.folded
fg-record -q --source -o o.folded ./shapes busy 200
mostly "--source is where a function is written" 80 \
	'outer \(shapes\.c:[0-9]+\);middle \(shapes\.c:[0-9]+\)_\[i\];.*burn \(shapes\.c:[0-9]+\)' o.folded
fg-record -q --lines -o o.folded ./shapes busy 200
line=$(grep -n 'counter++;$' "$here/programs/shapes.c" | sed -n 1s/:.*//p)
mostly "--lines shows the line that ran" 60 "burn \(shapes\.c:($line|$((line - 1)))\)" o.folded
status "--source and --lines exclude each other" 125 fg-record --source --lines true
fg-record -q --skip-after outer -o o.folded ./shapes busy 200
mostly "--skip-after makes the function the root" 90 '^outer;middle' o.folded
fg-record -q --show-pid -o o.folded ./shapes busy 200
mostly "--show-pid" 90 '^shapes-[0-9]+;_start' o.folded
cp shapes 'two words'
fg-record -q -o o.folded './two words' busy 100
mostly "a space in a comm is _" 90 '^two_words;_start' o.folded
fg-record -q --time-order -o order.folded ./shapes fork 200 ./second
awk '/in_child;burn/ { child = NR } /^second/ && !second { second = NR }
	END { exit !(child && second && child < second) }' order.folded
[ $? = 0 ] && ok "--time-order is the order of samples" || not_ok "--time-order is the order of samples"
fg-record -q --time-order=50ms -o steps.folded ./shapes busy 400
awk '/^# time: / { if ($3 != 0 && $3 <= last || ($3 * 20 + .01) % 1 > .02) exit 1; last = $3; marks++ }
	/^[^#]/ && !marks { exit 1 }
	END { exit !(marks > 3) }' steps.folded
[ $? = 0 ] && ok "--time-order=50ms marks the steps of time" || not_ok "--time-order=50ms marks the steps of time"
awk '{ sub(/ [0-9]+$/, "") } $0 == last { bad = 1 } { last = $0 } END { exit bad }' order.folded
[ $? = 0 ] && ok "--time-order: equal neighbours are one line" || not_ok "--time-order: equal neighbours are one line"

# Events and weights.
fg-record -q -e cpu-clock -c 1000000 --weight period -o o.folded ./shapes busy 300
rated "--weight period adds up nanoseconds" \
	awk '{ n += $NF } END { exit !(n > 150000000 && n < 900000000) }' o.folded
check "-c is the period of each sample" awk '$NF % 1000000 { exit 1 }' o.folded
fg-record -q -e page-faults -c 1 -o o.folded ./shapes busy 10
has "-e page-faults" '^shapes;' o.folded
status "an event that does not exist" 125 fg-record -e no-such-event true
if [ -r /sys/kernel/tracing/events/sched/sched_process_exec/id ]; then
	fg-record -q -e sched:sched_process_exec -o o.folded sh -c './shapes busy 1; ./shapes busy 1'
	has "-e with a tracepoint: a sample of it" '^shapes;.* ' o.folded
else
	skip "a tracepoint" "may not read /sys/kernel/tracing"
fi
fg-record -q --no-kernel -o o.folded ./shapes busy 200
lacks "--no-kernel" '_\[k\]' o.folded
# 60 samples at 199 Hz, plus one each time that the host takes the CPU away; 997 Hz would give 300.
fg-record -v -F 199 -o o.folded ./shapes busy 300 2>err
rated "-F is how often" awk '{ n += $NF } END { exit !(n > 20 && n < 180) }' o.folded
has "-v: the summary" 'samples of .* 0 lost; stacks .* complete' err
# The first program ends before the delay does, on a machine of any load: 50 ms of CPU time within
# 4 s.
fg-record -v --delay 4 -o o.folded sh -c './shapes busy 50; cp shapes late; sleep 4; ./late busy 200' 2>err
! rates || lacks "--delay discards early samples" '^shapes;.*burn' o.folded
has "--delay keeps only later samples" '^late;.*burn' o.folded
# Truncated stacks of a program without symbols: two problems, both with a hint. Captures have more
# of these.
hints() { grep -cE '; (try|install)' "$1"; }
fg-record --stack-size 256 -o o.folded ./stripped recurse 200 2>err
rated "two problems: one hint" test 1 = "$(hints err)"
fg-record -v --stack-size 256 -o o.folded ./stripped recurse 200 2>err
rated "-v: the hint of each problem" [ "$(hints err)" -ge 2 ]

# Header lines: unit and period.
fg-record -q -e cpu-clock:u -F 997 -o o.folded ./shapes busy 50
output "header: unit and period of samples" '# unit: samples 0
# period: 1003009 ns 0
# values: sampled 0' sh -c 'grep "^# " o.folded | grep -v "^# label\|^# end"'
fg-record -q -e cpu-clock:u -c 2000000 --weight period -o o.folded ./shapes busy 50
output "header: --weight period" '# unit: ns 0
# period: 2000000 ns 0
# values: sampled 0' sh -c 'grep "^# " o.folded | grep -v "^# label\|^# end"'
fg-record -q -e page-faults:u -o o.folded ./shapes busy 20
output "header: no period if periods vary" '# unit: samples 0
# values: sampled 0' sh -c 'grep "^# " o.folded | grep -v "^# label\|^# end"'
fg-record -q -e page-faults:u -c 1 -o o.folded ./shapes busy 20
output "header: with a period of 1 each event is counted" '# values: exact 0' grep '^# values' o.folded
fg-record -q --off-cpu -o o.folded sleep 0.1
output "header: --off-cpu" '# unit: us 0' sh -c 'grep "^# " o.folded | grep -v "^# label\|^# end"'
for o in --no-header --no-annotate; do
	fg-record -q $o -o o.folded ./shapes busy 20
	lacks "header: none with $o" '^# ' o.folded
done
# Labels
fg-record -q -o o.folded --label team=a -- ./shapes busy 20
sed -n 's/^# label: //p' o.folded >label
for key in command=./shapes%20busy%2020 'event=[a-z-]*' "host=$(uname -n)" 'start=20[0-9-]*T[0-9:]*Z' 'duration=[0-9.]*s' 'threads=1' 'lost=[0-9]*' team=a; do
	grep -qE "(^| )$key( |$)" label || echo "$key"
done >wrong
same 'the labels of a recording: reserved keys and those of --label' /dev/null wrong
fg-record -q -d 0.2 -o o.folded -- ./shapes busy 600
has 'a recording with a time limit has exactly that duration' '^# label: .*duration=0.200s ' o.folded
fg-record -q -o o.folded --label host=web1 -- ./shapes busy 20
has '--label replaces the value of a recording' '^# label: .* host=web1 ' o.folded
fg-record -q --no-labels -o o.folded -- ./shapes busy 20
lacks '--no-labels leaves them out' '^# label' o.folded
status '--label without a key is wrong usage' 125 fg-record --label x -- true

done_testing
