#!/bin/sh
# Frames of Lua scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

for kept in STACK REGISTER; do
	${CC:-cc} -O1 -g -rdynamic -D$kept -o lua-states "$here/programs/luastate.c" || exit 1
	"$UNIT/script" 1 ./lua-states >read 2>&1
	check "a loop that has its state beside another one ($kept) is of the right state" \
	    grep -q "^stacks 1 wrong order 0; .* without script 0" read
done

${CC:-cc} -O1 -g -rdynamic '-DRELEASE="5.9.1"' -o lua-states "$here/programs/luastate.c" || exit 1
"$UNIT/script" 1 ./lua-states >read 2>&1
check "an unknown version has no frames, and its number and the command for its offsets are reported" \
    grep -q "^lua: 0 of 1: Lua 5.9.1 is unknown (.* are known); 'share/offsets/offsets lua " read

LUA_CPATH="$PWD/?.so"
export LUA_CPATH
for v in 5.1 5.2 5.3 5.4; do
	command -v lua$v >/dev/null || { skip "Lua $v" "no Lua $v" lua$v; continue; }
	${CC:-cc} -O1 -g -shared -fPIC -I/usr/include/lua$v -o callback.so "$data/callback-lua.c" 2>/dev/null ||
	    { skip "Lua $v" "no headers of Lua $v" liblua$v-dev; continue; }
	for mode in plain coroutine; do
		lockstep "Lua $v, $mode" 350 lua$v "$data/lockstep.lua" $mode 1
	done
	named "Lua $v" lua$v "$data/names.lua"
	free_running "Lua $v" 1500 lua$v "$data/free.lua"
	# 5.4 has no function pointers while it enlarges a stack
	[ $v = 5.4 ] || stepped "Lua $v" 30 lua$v "$data/calls.lua"
done
done_testing
