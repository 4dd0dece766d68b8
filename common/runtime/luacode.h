/*
 * luacode: layouts of Lua's versions, the name that bytecode gives to a function that it calls, and
 * the functions that loaded modules have.
 */
#ifndef LUACODE_H
#define LUACODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/luaname.h"
#include "runtime/memory.h"

/* Instructions of one version of Lua: luacode.c. */
struct lua_set;

/*
 * Offsets of one version of Lua with 64-bit pointers: share/offsets/lua.c prints them. Those that
 * all versions share are in lua.c and luacode.c.
 */
struct lua_layout {
	const char *version; /* "5.4." */
	char first, last; /* patch releases with these offsets */
	struct {
		uint16_t global, call, base_call;
		uint16_t pc; /* of the innermost call; 0: each call has its own */
	} state; /* lua_State */
	struct {
		uint16_t registry, main;
	} global; /* global_State */
	struct {
		uint16_t function;
		uint16_t bytes; /* calls are an array; 0: a list */
		uint16_t pc, status;
		/* bits of status; those in `same` and `lua` have the opposite meaning */
		uint16_t c, lua, fresh, same, tail, other;
	} call; /* CallInfo */
	uint16_t closure_proto; /* LClosure */
	struct {
		uint16_t parameters, sizes, upvalues_size, constants_size, code_size, lines_size;
		uint16_t variables_size, line, constants, code, lines, variables, upvalues, source;
		uint16_t marks_size, marks; /* 0: the table has the line of each instruction */
	} proto; /* Proto */
	struct {
		uint16_t nodes, node_size, key, key_tag;
	} table; /* Table and Node */
	const struct lua_set *set;
};

/* The tag of a Lua function or, in 5.1, of any. */
unsigned lua_tag_closure(const struct lua_layout *l);

/*
 * True if the instruction before pc calls the function in a stack slot, of a function whose slots
 * start at base; false: it calls another, as a metamethod. For 5.1.
 */
bool lua_calls_slot(struct memory_reader *m, uint64_t pc, uint64_t base, uint64_t slot);

/* The layout of a version, "5.4.6"; NULL: it is not supported. */
const struct lua_layout *lua_layout_of(const char *version);

/* The supported versions. */
#define LUA_VERSIONS "5.1.5, 5.2.4, 5.3.2 to 5.3.6 and 5.4.2 to 5.4.9"

/*
 * The name in a Lua function's instruction before pc, which calls another function: that of the
 * variable, field or method, or the metamethod's. A parameter names no function. proto is the
 * address of the function that calls; name has LUA_NAME_MAX bytes. False: it has none.
 */
bool lua_call_name(
    struct memory_reader *m, const struct lua_layout *l, uint64_t proto, uint64_t pc, char *name);

/*
 * Calls found(arg, module, field, closure) for each Lua function that is a field of a loaded module
 * (package.loaded), "_G" for the globals; with module NULL, it is a module itself. registry is the
 * address of the registry, a table. Ends early when memory cannot be read.
 */
void lua_loaded(struct memory_reader *m, const struct lua_layout *l, uint64_t registry,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg);

#endif
