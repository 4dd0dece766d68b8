#!/bin/sh
# JavaScript functions appear in call order, with the lines that V8's own stack trace has:
# interpreted, compiled and inlined functions.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

node -e 'process.exit([18, 20].includes(+process.versions.node.split(".")[0]) ? 0 : 1)' 2>/dev/null ||
	skip_all "no node 18 or 20"
KEEP=/ # not node's own functions, node:internal/...
export KEEP
for warm in 0 20000; do
	lockstep "node, $warm calls to warm up" 500 node "$data/lockstep.js" 1 $warm
done
for mode in "--no-sparkplug --no-opt" "--always-sparkplug --no-opt" --interpreted-frames-native-stack; do
	# shellcheck disable=SC2086 # options
	lockstep "node $mode" 150 node $mode "$data/lockstep.js" 1 1000
done

# The frame of an interpreted function stores the bytecode of its last call only.
cat >hot.js <<'END'
'use strict';
const ready = i => i === 100000 && require('fs').writeFileSync('ready', '');
(function hot() {
	let x = 1;
	for (let i = 0; ; i++) {
		if (i <= 100000) ready(i);
		x = x * 7 + i | 0;
		x ^= i;
	}
})();
END
ticks() { # of CPU time that a process has used
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}
for mode in --no-sparkplug --always-sparkplug; do
	rm -f ready
	node --no-opt $mode hot.js &
	program=$!
	while [ ! -e ready ] && kill -0 $program; do sleep 0.1; done
	begin=$(ticks $program)
	while [ $(($(ticks $program) - begin)) -lt 5 ]; do sleep 0.1; done
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		"$UNIT/script" -p $program
	done >stacks
	kill $program
	wait $program 2>/dev/null
	sed -n 's/.*;hot (.*:3:\([0-9]*\))_.*/\1/p' stacks | sort | uniq -c >lines
	check "node $mode: no running loop has the line of a call before it" \
	    awk '$2 == 4 || $2 > 8 { bad = 1 } { n += $1; known += $2 > 6 ? $1 : 0 }
	        END { exit bad || n < 6 || known == 0 }' lines
	sed 's/^/# /' lines
done
free_running node 1500 node "$data/free.js"
done_testing
