#!/bin/sh
# Script stacks that end early: with more calls of the interpreter, or in more pages, than a sample
# reads. Their callers are the frame [truncated], and they do not count as complete.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all "this machine refuses perf_event_open"

cat >far.py <<'END_OF_PYTHON'
import sys, time

def spin():
    end = time.monotonic() + 1
    while time.monotonic() < end:
        for i in range(1000):
            pass
    yield 0

def chain(inner):
    for x in inner:
        yield x

sys.setrecursionlimit(5000)
g = spin()
for i in range(700):
    g = chain(g)
for x in g:
    pass
END_OF_PYTHON
# Each generator has a page for its frame and another one for its function.
cat >far.php <<'END_OF_PHP'
<?php
$names = '';
for ($i = 0; $i < 250; $i++)
	$names .= "\$a$i = ";
function spin()
{
	$end = microtime(true) + 1;
	while (microtime(true) < $end)
		for ($i = 0; $i < 1000; $i++);
	yield 0;
}
$g = spin();
for ($i = 0; $i < 400; $i++) {
	$between = '';
	for ($k = 0; $k < 20; $k++)
		$between .= "function between{$i}_$k() {}";
	eval("$between function chain$i(\$inner) { $names 0; foreach (\$inner as \$x) yield \$x; }");
	$g = "chain$i"($g);
}
foreach ($g as $x);
END_OF_PHP

# After each yield the C stack is empty, so that C functions, which have no script frames, are
# half of the calls.
cat >far.lua <<'END_OF_LUA'
function spin()
	local stop = os.clock() + 1
	while os.clock() < stop do
		for i = 1, 1000 do end
	end
end
function nest(n)
	if n % 50 == 0 then coroutine.yield() end
	if n > 0 then pcall(nest, n - 1) else spin() end
end
local co = coroutine.create(nest)
while coroutine.status(co) ~= "dead" do coroutine.resume(co, 1500) end
END_OF_LUA

# early PROGRAM COMMAND...: records its stacks at stops
early() {
	program=$1
	shift
	fg-record -v --ptrace -F 49 -o out.folded -- "$@" 2>said
	sed 's/^/# /' said | cut -c1-200
	grep ';spin' out.folded >spin
	check "$program: stacks were read" test -s spin
	output "$program: each stack whose callers were not read has the frame [truncated]" '' \
	    grep -v ';\[truncated\];' spin
	total=$(awk '!/^#/ { n += $NF } END { print n }' out.folded)
	check "$program: such stacks count as truncated, not as complete" awk -v total="$total" '
		FNR == NR { spin += $NF; next }
		/% truncated/ { sub(/.*complete, /, ""); exit !($1 > 100 * spin / total - 1) }' spin said
}

python=$(python3 -c 'import sys; print(sys.executable if sys.version_info < (3, 12) else "")' 2>/dev/null)
if [ -n "$python" ]; then
	early Python "$python" far.py
	has 'Python: the summary has the limit of calls' 'functions or 512 calls of the interpreter' said
else
	skip "Python: calls of the interpreter" "no Python up to 3.11" python3
fi
if command -v php >/dev/null; then
	early PHP php -n far.php
	has 'PHP: the summary has the memory that was not read' 'script frames are in memory that could not be read' said
else
	skip "PHP: frames far from each other" "not installed" php
fi
if command -v lua5.4 >/dev/null; then
	early Lua lua5.4 far.lua
	has 'Lua: the summary has the limit of functions' 'more than 2048 functions' said
else
	skip "Lua: calls of the interpreter" "not installed" lua5.4
fi
done_testing
