#!/bin/sh
# JavaScript functions appear in call order: interpreted, compiled and inlined ones.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

node -e 'process.exit([18, 20].includes(+process.versions.node.split(".")[0]) ? 0 : 1)' 2>/dev/null ||
	skip_all "no node 18 or 20"
for warm in 0 20000; do
	timeout 300 "$UNIT/script" 500 node "$data/lockstep.js" 1 $warm >read 2>differ
	sed 's/^/# /' differ | cut -c1-2000
	check "node: the functions of 500 stacks, $warm calls to warm up" \
	    grep -q "^stacks 500 wrong order 0;.*without script 0" read
done
done_testing
