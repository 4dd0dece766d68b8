#!/bin/sh
# perf.data of the scheduler, recorded here: running, run queue and blocked times of threads as
# perf sched timehist has them, and naps as perf script has them; t/replay.t has stored recordings.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/timehist-lib.sh"
command -v perf >/dev/null || skip_all 'there is no perf' linux-perf
CC=${CC:-cc}

$CC -o naps "$here/programs/naps.c" || skip_all 'there is no C compiler' gcc
cpu=$(taskset -cp $$ 2>/dev/null | sed 's/.*[ ,-]//')
[ -n "$cpu" ] && chrt -i 0 true 2>/dev/null || skip_all 'chrt or taskset does not work here'

# record FILE BUSY NAPS...: naps beside BUSY busy loops. Idle-class loops fill the other CPUs,
# since some kernels record no switches of the idle thread.
record() {
	file=$1 loops= n=$2
	shift 2
	while [ "$n" -gt 0 ]; do
		taskset -c "$cpu" sh -c 'while :; do :; done' &
		loops="$loops $!" n=$((n - 1))
	done
	normal=$loops
	for n in $(seq 0 $(($(nproc) - 1))); do
		chrt -i 0 taskset -c "$n" sh -c 'while :; do :; done' &
		loops="$loops $!"
	done
	perf record -q -a -g -m 4M -e cpu-clock -e sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new \
		-o "$file" taskset -c "$cpu" "$@" >slept 2>said
	recorded=$?
	kill $loops
	return $recorded
}

# Threads that cannot be compared: a switch-in was not recorded, and timehist estimates it; or the
# thread exited, and timehist lacks up to a time slice at the end, since perf has no thread number
# for the last switch-out. Also prints how many us a thread ran before its first and after its last
# switch, which timehist does not have.
incomplete() {
	perf script -i "$1" -F time,event,trace 2>/dev/null | awk '
		{ now = 1e6 * $1; if (!begin) begin = now }
		/sched_switch/ {
			match($0, /prev_pid=[0-9]+/); prev = substr($0, RSTART + 9, RLENGTH - 9)
			match($0, /next_pid=[0-9]+/); next_ = substr($0, RSTART + 9, RLENGTH - 9)
			if (prev in seen && !running[prev]) missing[prev] = 1
			if (/prev_state=[XZ]/) exited[prev] = 1
			if (!(prev in seen)) beyond[prev] += now - begin
			last[next_] = now
			seen[prev] = seen[next_] = 1; running[prev] = 0; running[next_] = 1
		}
		END {
			for (tid in missing) print tid
			for (tid in exited) print tid, "exited"
			for (tid in running) if (running[tid]) beyond[tid] += now - last[tid]
			for (tid in beyond) printf "%s beyond %d\n", tid, beyond[tid]
		}'
}

# Compares all three times of the naps, which start and end within the recording. Of busy loops
# only the running time: timehist lacks the waits before their first and after their last switch.
# Other programs and idle-class loops are ignored, since timehist lacks some of their runs.
compare() {
	perf sched timehist --no-call-graph --state -i "$1" 2>/dev/null | timehist >theirs
	ours "$1" >ours
	incomplete "$1" >incomplete
	naps=$(perf script -i "$1" --comms naps -F tid 2>/dev/null | head -1)
	join theirs ours | awk -v naps="$naps" -v loops="$normal" '
		function apart(x, y) { return (x > y ? x - y : y - x) > 0.02 * x + 1000 }
		BEGIN { n = split(loops, l, " "); for (i = 1; i <= n; i++) ours[l[i]] = 1; n = 0 }
		FILENAME == "incomplete" {
			if ($2 == "beyond") beyond[$1] = $3
			else if (NF > 1) exited[$1] = 1
			else missing[$1] = 1
			next
		}
		$2 < 20 || ($1 in missing) { next }
		$1 == naps + 0 {
			found = 1
			if (apart($3, $6) || apart($4, $7) || apart($5, $8)) { bad = 1; print "naps", $0 }
		}
		($1 in ours) && $3 >= 50000 && !($1 in exited) {
			n++
			if ($6 < 0.98 * $3 - 1000 || $6 > 1.02 * ($3 + beyond[$1]) + 1000) {
				bad = 1
				print $0, "and beyond", beyond[$1] + 0
			}
		}
		END {
			print n + 0 " threads; that of the naps is " (found ? "" : "not ") "among them"
			exit bad ? 1 : found ? 0 : 77
		}' incomplete - >"$tmp/.said"
	case $? in
	0) ok "$2" ;;
	77) skip "$2" 'the kernel did not record all switches of the naps' ;;
	*) not_ok "$2" ;;
	esac
}

record busy.data 2 chrt -i 0 ./naps 50 || skip_all "perf cannot record the scheduler: $(head -1 said)"
compare busy.data 'beside two busy loops: run, wait and blocked time as perf sched timehist has them'
blocked=$(fg-collapse -q --off-cpu busy.data | awk '/^naps/ { n += $NF } END { print n + 0 }')
slept=$(cat slept)
check "50 naps of 10 ms beside busy loops: waiting for a CPU is not blocked ($blocked us of $slept us)" \
	test "$blocked" -ge 490000 -a "$blocked" -le $((slept + 100000))
record quiet.data 0 ./naps 50
compare quiet.data 'alone on its CPU the same'

# Recordings of the installed perf, compared with perf script of the same file.
cat >naps.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.02
done
END
slept() { awk '/^sleep;.*nanosleep/ { n += $NF } END { print n + 0 }'; }
# record_naps OPTION...: $us that the naps were blocked, and $took, the time of the recording.
record_naps() {
	took=$(date +%s%N)
	perf record -q "$@" -g -o switch.data sh naps.sh >/dev/null 2>.said || return 1
	took=$((($(date +%s%N) - took) / 1000))
	us=$(fg-collapse -q --off-cpu switch.data | slept)
}
# about NAME: each nap that was recorded counts at least 20 ms, all together no more than the recording.
about() {
	naps=$(recorded_naps switch.data sleep 1)
	echo "$naps naps were recorded; $us us blocked, in $took us" >.said
	if [ "$naps" -gt 0 ]; then
		check "$1" test "$us" -ge $((20000 * naps)) -a "$us" -le "$took"
	else
		skip "$1" 'perf recorded no nap with its end'
	fi
}
if record_naps -a -e sched:sched_switch; then
	text=$(perf script -i switch.data 2>/dev/null | fg-collapse -q -f perf-sched | slept)
	# Some kernels record no switches of the idle thread: both lack those naps. In the text a nap has
	# no end whose switch-in the kernel did not record.
	echo "$us, in the text $text, of $took" >.said
	check 'perf record -a -e sched:sched_switch: naps as in the text of perf script, or more' \
		test $((us + 50)) -ge "$text" -a "$us" -le "$took"
	record_naps -e sched:sched_switch --switch-events
	about 'of one command, with --switch-events'
	perf record -q -e sched:sched_switch -g -o switch.data sh naps.sh >/dev/null 2>.said
	fg-collapse -v --off-cpu switch.data >got 2>missing
	cp missing .said
	check 'sched_switch of one command: sleeps without an end are counted, with the option that records it' grep -q 'have no end in the recording and are not counted; record with perf record -a, or --switch-events' missing
else
	skip 'sched:sched_switch' "perf cannot record it: $(head -1 .said)"
fi
if record_naps -e context-switches -c 1 --switch-events; then
	about 'context-switches and --switch-events: the same naps'
	perf record -q -e context-switches -c 1 -g -o context.data sh naps.sh >/dev/null 2>.said
	status 'context switches without records: exit status 2' 2 fg-collapse --off-cpu context.data
fi
done_testing
