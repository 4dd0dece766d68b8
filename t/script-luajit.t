#!/bin/sh
# Frames of LuaJIT's Lua functions equal those that the program itself reports, merged with native
# frames in the right order, with the compiler off and on; traces are shown as such.
# Calls, returns and exits of traces are read too.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

luajit -e 'os.exit(jit.version == "LuaJIT 2.1.0-beta3" and 0 or 1)' 2>/dev/null ||
	skip_all "no LuaJIT 2.1.0-beta3" lua5.4
${CC:-cc} -O1 -g -shared -fPIC -I/usr/include/luajit-2.1 -o callback.so "$data/callback-lua.c" 2>/dev/null ||
	skip_all "no headers of LuaJIT (libluajit-5.1-dev)" libluajit-5.1-dev

LUA_CPATH="$PWD/?.so"
export LUA_CPATH
for mode in -joff -jon; do
	lockstep "LuaJIT $mode" 350 luajit $mode "$data/lockstep.lua" plain 1
	# Lua 5.1 has no handle of the main coroutine for a backtrace.
	timeout 1800 "$UNIT/script" 350 luajit $mode "$data/lockstep.lua" coroutine 1 >read 2>/dev/null
	check "LuaJIT $mode, coroutine: the order of script and C functions is the program's own" \
	    grep -q "^stacks 350 wrong order 0;" read
	named "LuaJIT $mode" luajit $mode "$data/names.lua"
	free_running "LuaJIT $mode" 1500 luajit $mode "$data/free.lua"
	rated "LuaJIT $mode: at most 20 stacks of a running program have no script frames" \
	    awk '/^stops/ { many = $7 > 20 } END { exit many }' read
done

luajit "$data/hot.lua" &
program=$!
# reads PATTERN: the program has a stack that matches; the last one that was read is in ./attached
reads() { "$UNIT/script" -p $program >attached && grep -E "$1" attached; }
check "LuaJIT: a trace is named by the line where it starts, and is called by its function" \
    wait_for reads 'hot.lua:[234] [^)]*\)_\[p\];\[trace\] hot.lua:[234] '
kill $program
wait $program 2>/dev/null
sed 's/^/# /' attached

luajit -joff -e 'local t = {} for i = 1, 500 do t[i] = i end while true do t[#t + 1] = table.remove(t, 1) end' &
program=$!
check "LuaJIT: a function of its library that is in Lua has the name of debug.getinfo" \
    wait_for reads ';\[builtin:remove\] \(:0:0\)_\[p\]'
kill $program
wait $program 2>/dev/null
sed 's/^/# /' attached
done_testing
