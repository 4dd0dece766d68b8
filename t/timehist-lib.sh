# Sourced by the tests that compare fg-collapse's times of threads with perf's.

# By thread, from perf sched timehist --state on standard input: switches, and us running, waiting
# and blocked, from its first to its last switch.
# timehist's state "W" (0x100) is a preemption, which perf 6.1 does not know. A line has the wait
# before a run, and the state after it.
timehist() {
	awk '
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

# By thread, from fg-collapse on perf.data: us running, waiting and blocked.
ours() {
	fg-collapse -q --no-header --no-annotate --wall --tid "$1" | awk '
		{ cpu = $(NF - 2); waiting = $(NF - 1); blocked = $NF; sub(/ [0-9]+ [0-9]+ [0-9]+$/, "") }
		{ sub(/;.*/, ""); sub(/.*\//, ""); c[$0] += cpu; w[$0] += waiting; b[$0] += blocked }
		END { for (tid in c) printf "%s %d %d %d\n", tid, c[tid], w[tid], b[tid] }' | sort
}

# recorded_naps FILE COMM N: the number of naps of 20 ms and more, of at most N in each thread, whose
# begin and end perf recorded: it misses some on a busy machine.
recorded_naps() {
	perf script -i "$1" --show-switch-events -F comm,tid,time,event 2>/dev/null | awk -v comm="$2" -v most="$3" '
		$1 != comm || $4 != "PERF_RECORD_SWITCH" { next }
		$5 == "IN" && ($2 in out) && $3 - out[$2] >= 0.02 && napped[$2]++ < most { n++ }
		$5 == "IN" || $6 == "preempt" { delete out[$2]; next }
		{ out[$2] = $3 + 0 }
		END { print n + 0 }'
}
