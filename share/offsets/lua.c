/*
 * Prints the row of the headers' Lua, from 5.2 on, in the table of common/runtime/luacode.c, for
 * 64-bit pointers. The headers are lobject.h and lstate.h of its sources.
 */
#include "lstate.h"

#include <stddef.h>
#include <stdio.h>

#include "lobject.h"
#include "lua.h"

#define SAME(type, field, value) _Static_assert(offsetof(type, field) == (value), #field)

SAME(TValue, tt_, 8);
SAME(lua_State, tt, 8);
SAME(lua_State, l_G, 24);
SAME(lua_State, ci, 32);
SAME(global_State, l_registry, 64);
SAME(CallInfo, func, 0);
SAME(CallInfo, previous, 16);
SAME(LClosure, p, 24);
SAME(Table, lsizenode, 11);

#define PROTO(field) offsetof(Proto, field)

#ifdef CIST_FRESH /* 5.3 on */
#define FRESH CIST_FRESH
#define SAME_LOOP 0
#else
#define FRESH 0
#define SAME_LOOP CIST_REENTRY
#endif
#ifdef CIST_C /* 5.4 */
#define C CIST_C
#define LUA_CALL 0
#define MARKS PROTO(sizeabslineinfo), PROTO(abslineinfo)
#define NODE offsetof(Node, u.key_val), offsetof(Node, u.key_tt)
#else
#define C 0
#define LUA_CALL CIST_LUA
#define MARKS (size_t)0, (size_t)0
#define NODE offsetof(Node, i_key), offsetof(Node, i_key) + 8
#endif
#ifdef CIST_FIN
#define OTHER (CIST_HOOKED | CIST_FIN)
#else
#define OTHER CIST_HOOKED
#endif

int
main(void)
{
	const char last = LUA_RELEASE[sizeof LUA_RELEASE - 2];

	printf("{\"%s.%s.\", '%c', '%c', %zu, %zu, {%zu, %zu, %d, %d, %d, %d, %d, %d},\n",
	    LUA_VERSION_MAJOR, LUA_VERSION_MINOR, last, last, offsetof(lua_State, base_ci),
	    offsetof(global_State, mainthread), offsetof(CallInfo, u.l.savedpc),
	    offsetof(CallInfo, callstatus), C, LUA_CALL, FRESH, SAME_LOOP, CIST_TAIL, OTHER);
	printf(
	    "{%zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu},\n",
	    PROTO(numparams), PROTO(sizeupvalues), PROTO(sizeupvalues), PROTO(sizek),
	    PROTO(sizecode), PROTO(sizelineinfo), PROTO(sizelocvars), PROTO(linedefined), PROTO(k),
	    PROTO(code), PROTO(lineinfo), PROTO(locvars), PROTO(upvalues), PROTO(source), MARKS);
	printf("{%zu, %zu, %zu, %zu}, &set_%s_%s},\n", offsetof(Table, node), sizeof(Node), NODE,
	    LUA_VERSION_MAJOR, LUA_VERSION_MINOR);
	return 0;
}
