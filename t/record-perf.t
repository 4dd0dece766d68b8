#!/bin/sh
# fg-record and perf agree: shares of functions of one program, within sampling noise.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

command -v perf >/dev/null || skip_all "no perf" linux-perf
may_sample || skip_all "this machine refuses perf_event_open"
$CC -O2 -g -o twenty "$here/programs/twenty.c" || skip_all "no C compiler" gcc
perf record -q -e cpu-clock -F 997 --call-graph dwarf,65528 -o perf.data ./twenty 2000 >/dev/null 2>&1 ||
	skip_all "perf cannot record here"
perf script --no-inline -i perf.data 2>/dev/null | fg-collapse -q --samples >perf.folded
fg-record -q -e cpu-clock -o fg.folded ./twenty 2000

# Share of each of our functions: of samples in which it is the leaf-most user frame, and of those
# that contain it.
shares() {
	awk '{
		n = $NF; sub(/ [0-9]+$/, ""); all += n
		count = split($0, frame, ";"); split("", seen)
		for (i = 1; i <= count; i++) {
			name = frame[i]
			if (name !~ /^(f[0-9]+|north|east|south|west|main)$/ || seen[name]++) continue
			total[name] += n
			last = name
		}
		self[last] += n
	}
	END {
		for (name in total)
			print name, all, self[name] / all, total[name] / all
	}' "$1" | sort
}
shares perf.folded >perf.shares
shares fg.folded >fg.shares
join perf.shares fg.shares >both
output "all functions are in both" 25 sh -c 'wc -l <both'
# Allowed difference of two samples of sizes n1 and n2: five standard deviations, and one point for
# start and end.
noise() {
	awk -v a="$1" -v b="$2" '
		{
			p = ($a + $b) / 2
			allowed = 5 * sqrt(p * (1 - p) * (1 / $2 + 1 / $5)) + 0.01
			d = $a - $b
			if (d < 0) d = -d
			if (d > allowed) { print $1, $a, $b, "differ by more than", allowed; bad = 1 }
		}
		END { exit bad }' both
}
check "time spent in each function" noise 3 6
check "total time of each function" noise 4 7
done_testing
