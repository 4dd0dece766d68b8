#!/bin/sh
# tier: live
# perf.data: running, run queue and blocked times of threads, compared with perf sched timehist of
# the same recording.
. "$(dirname "$0")/lib.sh"
command -v perf >/dev/null || skip_all 'there is no perf'
CC=${CC:-cc}

# Fifty naps of 10 ms; prints how long they took, without the waits for a CPU.
cat >naps.c <<'END'
#include "clocks.h"
int main(void)
{
	struct timespec t = {0, 10000000};
	struct reading begin = read_clocks(), end;
	for (int i = 0; i < 50; i++)
		nanosleep(&t, 0);
	end = read_clocks();
	printf("%.0f\n", end.time - begin.time - (end.queued - begin.queued));
	return 0;
}
END
$CC -I"$here/programs" -o naps naps.c || skip_all 'there is no C compiler'
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

# By thread: switches, and us running, waiting and blocked, from its first to its last switch.
# timehist's state "W" (0x100) is a preemption, which perf 6.1 does not know. A line has the wait
# before a run, and the state after it.
timehist() {
	perf sched timehist --no-call-graph --state -i "$1" 2>/dev/null | awk '
		match($0, /\[[0-9]+(\/[0-9]+)?\] +[0-9.]+ +[0-9.]+ +[0-9.]+ +[A-Za-z+]+ *$/) {
			n = split(substr($0, RSTART + 1), f, /[]\/ ]+/)
			while (f[n] == "") n--
			tid = f[1]
			wait = f[n - 3]; delay = f[n - 2]
			if (tid in state) {
				if (state[tid] ~ /^[RW]/) waiting[tid] += wait
				else { blocked[tid] += wait - delay; waiting[tid] += delay }
			} else
				waiting[tid] += delay # of a new thread
			ran[tid] += f[n - 1]; state[tid] = f[n]; switches[tid]++
		}
		END {
			for (tid in ran)
				printf "%s %d %.0f %.0f %.0f\n", tid, switches[tid],
				    ran[tid] * 1000, waiting[tid] * 1000, blocked[tid] * 1000
		}' | sort
}

ours() {
	fg-collapse -q --no-header --no-annotate --wall --tid "$1" | awk '
		{ cpu = $(NF - 2); waiting = $(NF - 1); blocked = $NF; sub(/ [0-9]+ [0-9]+ [0-9]+$/, "") }
		{ sub(/;.*/, ""); sub(/.*\//, ""); c[$0] += cpu; w[$0] += waiting; b[$0] += blocked }
		END { for (tid in c) printf "%s %d %d %d\n", tid, c[tid], w[tid], b[tid] }' | sort
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
	timehist "$1" >theirs
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

record busy.data 2 chrt -i 0 ./naps || skip_all "perf cannot record the scheduler: $(head -1 said)"
compare busy.data 'beside two busy loops: run, wait and blocked time as perf sched timehist has them'
blocked=$(fg-collapse -q --off-cpu busy.data | awk '/^naps/ { n += $NF } END { print n + 0 }')
slept=$(cat slept)
check "50 naps of 10 ms beside busy loops: waiting for a CPU is not blocked ($blocked us of $slept us)" \
	test "$blocked" -ge 490000 -a "$blocked" -le $((slept + 100000))
record quiet.data 0 ./naps
compare quiet.data 'alone on its CPU the same'
done_testing
