/* Lua functions c0 to c2 in C that call back, see lockstep.lua. */
#include <lauxlib.h>
#include <lua.h>
#include <unistd.h>

#define KEEP __asm__ volatile("") /* a call, not a jump */

__attribute__((noinline)) int
c0(lua_State *L)
{
	lua_settop(L, 2);
	lua_call(L, 1, 0);
	KEEP;
	return 0;
}

__attribute__((noinline)) int
c1(lua_State *L)
{
	lua_settop(L, 2);
	lua_pcall(L, 1, 0, 0);
	KEEP;
	return 0;
}

__attribute__((noinline)) int
c2(lua_State *L)
{
	lua_getglobal(L, "s2");
	lua_pushvalue(L, 2);
	lua_call(L, 1, 0);
	KEEP;
	return 0;
}

static int
wait(lua_State *L)
{
	char c;

	(void)L;
	if (read(0, &c, 1) < 0)
		return 0;
	return 0;
}

int
luaopen_callback(lua_State *L)
{
	lua_register(L, "c0", c0);
	lua_register(L, "c1", c1);
	lua_register(L, "c2", c2);
	lua_register(L, "wait", wait);
	lua_pushthread(L);
	lua_setglobal(L, "main_thread");
	return 0;
}
