#!/bin/sh
# Frames of Lua scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

lua5.4 -e 'os.exit(_VERSION == "Lua 5.4")' 2>/dev/null || skip_all "no Lua 5.4" lua5.4
${CC:-cc} -O1 -g -shared -fPIC -I/usr/include/lua5.4 -o callback.so "$data/callback-lua.c" 2>/dev/null ||
	skip_all "no headers of Lua 5.4 (liblua5.4-dev)" liblua5.4-dev

LUA_CPATH="$PWD/?.so"
export LUA_CPATH
for mode in plain coroutine; do
	lockstep "Lua, $mode" 500 lua5.4 "$data/lockstep.lua" $mode 1
done
named "Lua" lua5.4 "$data/names.lua"
free_running Lua 1500 lua5.4 "$data/free.lua"
done_testing
