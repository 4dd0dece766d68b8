#!/bin/sh
# Stored recordings of perf, t/data/replay: fg-collapse has the times of perf sched timehist, and the
# stacks of perf script.
# tier: quick
. "$(dirname "$0")/lib.sh"
. "$here/timehist-lib.sh"
replay=$here/data/replay

# The running, waiting and blocked times of the naps differ from timehist's by at most 2 % and a
# millisecond. The busy loops run when the recording begins, and their first run is known from the
# first sample on: their running times may lack 10 ms.
for how in busy quiet; do
	loops=0
	[ $how = quiet ] || loops=2
	gzip -dc "$replay/waits.$how.data.gz" >waits.data
	gzip -dc "$replay/waits.$how.timehist.gz" >waits.timehist
	timehist <waits.timehist >theirs
	ours waits.data >ours
	naps=$(sed -n 's/.*naps\[\([0-9]*\)\].*/\1/p' waits.timehist | head -1)
	join theirs ours | awk -v naps="$naps" -v all=$loops '
		function apart(x, y) { return (x > y ? x - y : y - x) > 0.02 * x + 1000 }
		$1 == naps && ++found && (apart($3, $6) || apart($4, $7) || apart($5, $8)) { print }
		all > 0 && $1 != naps && $2 >= 20 && $3 >= 100000 && ++loops && ($6 < 0.98 * $3 - 11101 || $6 > 1.02 * $3 + 1000) { print }
		END { print found + 0, loops + 0 }' >differ
	output "$how: times of the naps and of $loops busy loops as in perf sched timehist" "1 $loops" cat differ
	blocked=$(fg-collapse -q --off-cpu waits.data | awk '/^naps/ { n += $NF } END { print n + 0 }')
	slept=$(cat "$replay/waits.$how.slept")
	check "$how: waiting for a CPU is not blocked: $blocked us of $slept us that the naps took" \
		awk -v b="$blocked" -v s="$slept" 'BEGIN { exit !(b <= s && b >= 0.98 * s) }'
	[ $how = quiet ] ||
		check 'busy: the naps waited longer than they slept' awk -v naps="$naps" '$1 == naps && $3 > $4 { found = 1 } END { exit !found }' ours
done

# stacks: folded stacks of the program without its kernel frames, and the number of samples of each.
stacks() {
	awk '{ v = $NF; sub(/ [0-9]+$/, ""); sub(/;(\[kernel\.kallsyms\]|entry_|asm_|error_entry).*/, ""); n[$0] += v } END { for (s in n) print s, n[s] }' | sort
}
mkdir -p symbols/tmp/fg-replay
gzip -dc "$replay/layers.gz" >symbols/tmp/fg-replay/layers
for how in fp dwarf; do
	gzip -dc "$replay/layers.$how.script.gz" | fg-collapse -q --no-header --no-annotate --samples | stacks >want
	# shellcheck disable=SC2086
	fg-collapse -q --no-header --no-annotate --no-inline --samples --symfs symbols --kallsyms /dev/null \
		"$replay/layers.$how.data.gz" | stacks >got
	same "$how: the stacks of perf script" want got
done
fg-collapse -q --no-header --symfs symbols --kallsyms /dev/null "$replay/layers.dwarf.data.gz" | stacks >got
down=$(printf '%021d' 0 | sed 's/0/descend;/g')
output 'dwarf: stacks are complete, with the inlined function' "layers;_start;main;asks;ask
layers;_start;main;${down}burn
layers;_start;main;outer;middle_[i];burn" sh -c "cut -d' ' -f1 got"
done_testing
