#!/bin/sh
# JavaScript functions appear in call order, with the lines that V8's own stack trace has:
# interpreted, compiled and inlined functions, and those whose code is discarded while they run.
# tier: full soak
#
# NODES: other node programs to test, beside the installed one.
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"
. "$here/record-lib.sh"

installed=$(command -v node)
node() {
	"$program" "$@"
}
supported='process.exit([18, 20, 22, 24, 26].includes(+process.versions.node.split(".")[0]) ? 0 : 1)'
programs=
for program in $installed ${NODES:-}; do
	node -e "$supported" 2>/dev/null && programs="$programs $program"
done
[ -n "$programs" ] || skip_all "no node 18, 20, 22, 24 or 26" nodejs

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
# Programs run for a CPU time, so that load does not change their numbers of samples.
# Short calls: many samples are in functions whose frame is not complete yet, or gone. Of 9,000 one
# lacks a caller.
cat >leaf.js <<'END'
'use strict';
function leaf(x) {
	return x * 3 | 0;
}
function middle(x) {
	return leaf(x) + leaf(x + 1) | 0;
}
function outer(x) {
	let sum = 0;
	for (let i = 0; i < 1000; i++) sum = sum + middle(x + i) | 0;
	return sum;
}
let sum = 0;
for (const end = process.cpuUsage().user + 3000000; process.cpuUsage().user < end;)
	for (let i = 0; i < 100; i++) sum = sum + outer(sum) | 0;
END
cat >class.js <<'END'
const spin = n => { let s = 0; for (let i = 0; i < n; i++) s = s * 3 + i | 0; return s; };
class Base { constructor(n) { this.s = spin(n); } }
class Derived extends Base { constructor(n) { super(n); this.t = spin(n); } }
let x = 0;
for (const end = process.cpuUsage().user + 2000000; process.cpuUsage().user < end;)
	for (let i = 0; i < 20; i++) x += new Base(2000).s + new Derived(2000).t | 0;
END

test_node() {
	KEEP=/ # not node's own functions, node:internal/...
	export KEEP
	for warm in 0 20000; do
		lockstep "$version, $warm calls to warm up" 350 "$program" "$data/lockstep.js" 1 $warm
	done
	for mode in "--no-sparkplug --no-opt" "--always-sparkplug --no-opt" --interpreted-frames-native-stack; do
		# shellcheck disable=SC2086 # options
		lockstep "$version $mode" 150 "$program" $mode "$data/lockstep.js" 1 1000
	done
	# With this limit, compiled functions have their own recursive calls inlined.
	lockstep "$version, inlined into itself" 150 "$program" --no-concurrent-recompilation \
	    --max-inlined-bytecode-size=1000 "$data/lockstep.js" 2 1000
	maglev=$(node --v8-options | grep -q '^  --maglev ' && echo --no-maglev)
	lockstep "$version, deoptimized functions" 150 "$program" --allow-natives-syntax $maglev \
	    "$data/lockstep.js" 1 20000 3000
	rates || return 0 # what follows is about running programs; captures have them, too
	for mode in --no-sparkplug --always-sparkplug; do
		rm -f ready
		"$program" --no-opt $maglev $mode hot.js &
		pid=$!
		wait_for eval "[ -e ready ] || ! kill -0 $pid"
		until_ran $pid 5
		for i in $(seq 40); do
			"$UNIT/script" -p $pid
		done >stacks
		kill $pid
		wait $pid 2>/dev/null
		sed -n 's/.*;hot (.*:3:\([0-9]*\))_.*/\1/p' stacks | sort | uniq -c >lines
		rated "$version $mode: no running loop has the line of a call before it" \
		    awk '$2 == 4 || $2 > 8 { bad = 1 } { n += $1; known += $2 > 6 ? $1 : 0 }
		        END { exit bad || n < 20 || known == 0 }' lines
		sed 's/^/# /' lines
	done
	for mode in --no-turbo-inlining "--no-opt --always-sparkplug"; do
		# shellcheck disable=SC2086 # options
		fg-record -q -F 997 -o leaves -- "$program" $mode $maglev leaf.js
		has "$version $mode: samples have a program's functions" 'outer \(.*middle \(.*leaf \(' leaves
		rated "$version $mode: functions that make or leave their frame have their names and callers" awk '
			/leaf\.js:/ && !/^#/ {
			    value = $NF; order = ""; n += value
			    sub(/ [0-9]+$/, ""); nameless += /;\[jit\]_\[j\]$/ ? value : 0
			    count = split($0, frame, ";")
			    for (i = 1; i <= count; i++)
			        if (sub(/ \([^ ]*leaf\.js:.*/, "", frame[i])) order = order " " frame[i]
			    alone += order !~ /^ \(anonymous\)/ ? value : 0
			    wrong += index(" (anonymous) outer middle leaf ", order " ") == 0 ? value : 0
			}
			END { print n + 0, "nameless", nameless + 0, "without callers", alone + 0, "wrong", wrong + 0
			    exit n < 1000 || nameless * 200 > n || alone * 50 > n || wrong * 500 > n }' leaves
		sed 's/^/# /' .said
	done
	for mode in "--no-opt --no-sparkplug" "--no-opt --always-sparkplug" --no-turbo-inlining; do
		# shellcheck disable=SC2086 # options
		fg-record -q -F 997 -o classes -- "$program" $mode $maglev class.js
		has "$version $mode: a constructor of a class has its frame" 'Derived \(.*spin \(' classes
		rated "$version $mode: the constructors of classes have their frames" awk '
			/;spin \(/ {
			    value = $NF; order = ""; n += value
			    count = split($0, frame, ";")
			    for (i = 1; i <= count; i++)
			        if (sub(/ \([^ ]*class\.js:.*/, "", frame[i])) order = order " " frame[i]
			    base += order ~ / Base spin/ ? value : 0; derived += order ~ / Derived/ ? value : 0
			    alone += order !~ /^ \(anonymous\)/ ? value : 0 # in stubs of the interpreter
			    wrong += order !~ /^( \(anonymous\))?( Base| Derived| Derived Base)? spin$/ ||
			        order ~ /^ \(anonymous\) spin$/ ? value : 0
			}
			END { print n + 0, base + 0, derived + 0, "without callers", alone + 0, "wrong", wrong + 0
			    exit n < 1000 || base < n / 4 || derived < n / 4 || alone * 20 > n || wrong * 100 > n }' classes
		sed 's/^/# /' .said
	done
	free_running "$version" 1500 "$program" "$data/free.js"
	free_running "$version --always-sparkplug" 1500 "$program" --no-opt --always-sparkplug "$data/free.js"
	fg-record -q -F 997 -o scripts -- "$program" --max-semi-space-size=1 "$data/scripts.js" 500 10
	sed -n 's,.*f (/scripts/\([^)]*\)).* \([0-9]*\)$,\1 \2,p' scripts | tr : ' ' >lines
	check "$version: a script whose source the collector moves has its line" grep -q '^[^ ]* 4 [0-9]*$' lines
	rated "$version: scripts whose sources the collector moves have their lines" awk '
		{ n[$1] += $NF }
		NF == 3 { known[$1] = 1; wrong += $2 != 4 }
		END { for (of in n) if (n[of] >= 4) { all++; unknown += !(of in known) }
		    print all, unknown + 0, wrong + 0; exit all < 20 || unknown || wrong }' lines
}

for program in $programs; do
	version="node $(node -p process.versions.node)"
	test_node
done
done_testing
