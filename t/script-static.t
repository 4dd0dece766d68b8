#!/bin/sh
# Interpreters that are linked into a static program of any name: frames equal those that the
# program itself reports. Of one without symbols, the reason for their absence is reported.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

cat >lua.c <<'END'
#include <lauxlib.h>
#include <lualib.h>
int luaopen_callback(lua_State *);
int
main(int argc, char **argv)
{
	lua_State *L = luaL_newstate();

	luaL_openlibs(L);
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "preload");
	lua_pushcfunction(L, luaopen_callback);
	lua_setfield(L, -2, "callback");
	lua_settop(L, 0);
	lua_createtable(L, argc, 0);
	for (int i = 2; i < argc; i++) {
		lua_pushstring(L, argv[i]);
		lua_rawseti(L, -2, i - 1);
	}
	lua_setglobal(L, "arg");
	if (luaL_loadfile(L, argv[1]) != 0)
		return 1;
	for (int i = 2; i < argc; i++)
		lua_pushstring(L, argv[i]);
	return lua_pcall(L, argc - 2, 0, 0);
}
END
cat >python.c <<'END'
#include <Python.h>
int main(int argc, char **argv) { return Py_BytesMain(argc, argv); }
END
cat >walk.py <<'END'
import os, sys # the static program lacks modules of C, such as those of random
path, seed = [], 1
def below(n):
    global seed
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed // 65536 % n
def leaf():
    frame, names = sys._getframe(1), []
    while frame is not None:
        names.append('%s:%d' % (getattr(frame.f_code, 'co_qualname', frame.f_code.co_name), frame.f_lineno))
        frame = frame.f_back
    os.write(1, ('%d\t%s\t%s;leaf:%d\n' % (os.getpid(), ';'.join(path), ';'.join(reversed(names)), leaf.__code__.co_firstlineno + 5)).encode()); os.read(0, 1)
def s0(depth):
    path.append('s0'); step(depth); path.pop()
def s1(depth):
    path.append('s1'); [step(depth) for i in (1,)]; path.pop()
def s2(depth):
    path.append('s2'); max([depth], key=step); path.pop()
def step(depth):
    if depth == 0:
        leaf()
    else:
        (s0, s1, s2)[below(3)](depth - 1)
    return 0
while True:
    step(below(12))
END

# linked KIND SOURCES FLAGS...: the program `embedding`; its errors are in ./cc.
linked() {
	kind=$1
	shift
	${CC:-cc} -w -O1 -g "$kind" -o embedding "$@" 2>cc
}

for kind in -static -static-pie; do
	for v in 5.2 5.3 5.4; do
		linked $kind -I"/usr/include/lua$v" lua.c "$data/callback-lua.c" -l:liblua$v.a -lm ||
		    { skip "Lua $v, $kind" "no static Lua $v" liblua$v-dev; continue; }
		for mode in plain coroutine; do
			lockstep "Lua $v, $kind, $mode" 100 ./embedding "$data/lockstep.lua" $mode 1
		done
		named "Lua $v, $kind" ./embedding "$data/names.lua"
		free_running "Lua $v, $kind" 1500 ./embedding "$data/free.lua"
	done
done
if [ -x embedding ]; then
	strip -o luanames embedding
	"$UNIT/script" 1 ./luanames "$data/lockstep.lua" plain 1 >read 2>&1
	check 'a static program without symbols has no script frames, for that reason' \
	    grep -q "^lua: 0 of 1: luanames is static and stripped" read
fi

# Debian's static library of Python is not of position-independent code; its -pic is.
rm -f embedding
for kind in -static -static-pie; do
	flags=$(python3-config --includes --ldflags --embed 2>/dev/null)
	directory=$(python3-config --configdir 2>/dev/null)
	library=$(ls "$directory"/libpython3.*[0-9].a 2>/dev/null)
	[ $kind = -static ] || library=$(ls "$directory"/libpython3.*-pic.a 2>/dev/null || echo "$library")
	# shellcheck disable=SC2086
	{ [ -n "$library" ] && linked $kind ${flags%%-L*} python.c "$library" \
	    -lexpat -lz -lm -ldl -lutil -lpthread; } ||
	    { skip "Python, $kind" "no static Python" python3-dev; continue; }
	PYTHONHOME=$(python3 -c 'import sys; print(sys.prefix)')
	export PYTHONHOME
	lockstep "Python, $kind" 100 ./embedding walk.py
	unset PYTHONHOME
done
done_testing
