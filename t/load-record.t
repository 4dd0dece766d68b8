#!/bin/sh
# fg-record -a for a long time: at 4,999 Hz no sample is unaccounted for, and with --interval and
# many short programs neither memory nor descriptors grow.
# tier: soak
# LOAD in the environment: percent of the full durations (100), which are 5 and 30 minutes.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all "this machine refuses to sample"
fg-record -q -a -d 0.1 -o all 2>/dev/null || skip_all "may not record all processes"
load=${LOAD:-100}

# Each sample is an expiration of this timer; a tracepoint counts them. An idle CPU has
# some, too, but fg-record has no samples of it: every CPU gets a loop.
timer=$(awk '$3 == "perf_swevent_hrtimer" { print $1 }' /proc/kallsyms)
expired=timer:hrtimer_expire_entry
if perf stat -a -x, -e $expired --filter "function == 0x$timer" -o count true 2>/dev/null && grep -q "^[0-9]" count; then
	seconds=$((3 * load))
	loops=
	for i in $(seq "$(nproc)"); do
		sh -c 'while :; do :; done' &
		loops="$loops $!"
	done
	perf stat -a -x, -e $expired --filter "function == 0x$timer" -o count \
	    fg-record -q -a -F 4999 -d $seconds -e cpu-clock -o a.folded
	# shellcheck disable=SC2086
	kill $loops
	# The timers start before the recording's time does, and fire until they are closed.
	check "-a at 4,999 Hz: samples and lost ones are those of the timers, within 1 %" awk -v seconds=$seconds '
		FILENAME == "count" { timers += $1; next }
		/^# label:/ { match($0, / lost=[0-9]+/); lost = substr($0, RSTART + 6, RLENGTH - 6) }
		!/^#/ { n += $NF }
		END {
			print n, "samples", lost, "lost", timers, "expired"
			exit !(n > 0 && timers - n - lost <= timers * (0.01 + 0.5 / seconds) && n + lost <= timers * 1.01)
		}' count a.folded
	sed 's/^/# /' .said
else
	skip "-a at 4,999 Hz" "perf cannot count $expired"
fi

# 10,000 programs in half an hour, fewer in a shorter time.
fg-record -q -a -F 97 --interval 10 --keep 6 -o '%T.folded' &
recorder=$!
(
	for i in $(seq $((100 * load))); do
		/bin/true
		sleep 0.18
	done
) &
churn=$!
# Megabytes of the recorder's own memory and its helper's, and their descriptors, each 5 seconds.
for i in $(seq $((load * 18 / 5 + 1))); do
	sleep 5
	family="$recorder $(pgrep -P $recorder)"
	kb=0 files=0
	for p in $family; do
		one=$(awk '/^Anonymous:/ { print $2 }' /proc/"$p"/smaps_rollup 2>/dev/null)
		kb=$((kb + ${one:-0}))
		files=$((files + $(ls /proc/"$p"/fd 2>/dev/null | wc -l)))
	done
	echo "$kb $files"
done >used
kill $churn 2>/dev/null
kill -INT $recorder
wait $recorder
# While an interval is symbolized, a copy of the process has memory of its own: the least of each
# quarter of the time counts.
check "-a --interval 10: memory and descriptors do not grow" awk '
	{ kb[NR] = $1; files[NR] = $2 }
	END {
		for (i = 1; i <= NR; i++) {
			q = int((i - 1) * 4 / NR)
			if (!(q in k) || kb[i] < k[q]) k[q] = kb[i]
			if (!(q in f) || files[i] < f[q]) f[q] = files[i]
		}
		for (q = 0; q < 4; q++) printf "quarter %d: %.1f MB, %d descriptors\n", q + 1, k[q] / 1024, f[q]
		exit !(NR >= 4 && k[0] > 0 && k[3] <= k[1] * 1.25 + 8192 && f[3] <= f[1] * 1.25 + 16)
	}' used
sed 's/^/# /' .said
done_testing
