/*
 * Prints the row of the headers' Lua, from 5.1 on, in the table of common/runtime/luacode.c, for
 * 64-bit pointers. The headers are lobject.h and lstate.h of its sources.
 */
#include "lstate.h"

#include <stddef.h>
#include <stdio.h>

#include "lobject.h"
#include "lua.h"

#define SAME(type, field, value) _Static_assert(offsetof(type, field) == (value), #field)

SAME(lua_State, tt, 8);
SAME(Table, lsizenode, 11);

#define PROTO(field) offsetof(Proto, field)

#if LUA_VERSION_NUM < 502
SAME(TValue, tt, 8);
SAME(lua_State, base, 24);
SAME(CallInfo, base, 0);
SAME(LClosure, isC, 10);
#define STATE_PC offsetof(lua_State, savedpc)
#define CALL_BYTES sizeof(CallInfo)
#define CALL_PC offsetof(CallInfo, savedpc)
#define CALL_STATUS offsetof(CallInfo, tailcalls)
#define CIST_REENTRY 0
#define CIST_LUA 0
#define CIST_TAIL 65535
#define CIST_HOOKED 0
#else
SAME(TValue, tt_, 8);
SAME(CallInfo, previous, 16);
#define STATE_PC (size_t)0
#define CALL_BYTES (size_t)0
#define CALL_PC offsetof(CallInfo, u.l.savedpc)
#define CALL_STATUS offsetof(CallInfo, callstatus)
#endif
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
	const char *v = LUA_RELEASE; /* "Lua 5.4.8" */

	printf("{\"%.4s\", '%c', '%c', {%zu, %zu, %zu, %zu}, {%zu, %zu},\n", v + 4, v[8], v[8],
	    offsetof(lua_State, l_G), offsetof(lua_State, ci), offsetof(lua_State, base_ci),
	    STATE_PC, offsetof(global_State, l_registry), offsetof(global_State, mainthread));
	printf("{%zu, %zu, %zu, %zu, %d, %d, %d, %d, %d, %d}, %zu,\n", offsetof(CallInfo, func),
	    CALL_BYTES, CALL_PC, CALL_STATUS, C, LUA_CALL, FRESH, SAME_LOOP, CIST_TAIL, OTHER,
	    offsetof(LClosure, p));
	printf(
	    "{%zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu},\n",
	    PROTO(numparams), PROTO(sizeupvalues), PROTO(sizeupvalues), PROTO(sizek),
	    PROTO(sizecode), PROTO(sizelineinfo), PROTO(sizelocvars), PROTO(linedefined), PROTO(k),
	    PROTO(code), PROTO(lineinfo), PROTO(locvars), PROTO(upvalues), PROTO(source), MARKS);
	printf("{%zu, %zu, %zu, %zu}, &set_%c_%c},\n", offsetof(Table, node), sizeof(Node), NODE,
	    v[4], v[6]);
	return 0;
}
