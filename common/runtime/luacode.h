/*
 * luacode: the name that the bytecode of Lua 5.4 gives to a function that it calls, and the
 * functions that loaded modules have.
 */
#ifndef LUACODE_H
#define LUACODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/luaname.h"
#include "runtime/memory.h"

/*
 * The name in a Lua 5.4 function's instruction before pc, which calls another function: that of the
 * variable, field or method, or the metamethod's. A parameter names no function. proto is the
 * address of the function that calls; name has LUA_NAME_MAX bytes. False: it has none.
 */
bool lua_call_name(struct memory_reader *m, uint64_t proto, uint64_t pc, char *name);

/*
 * Calls found(arg, module, field, closure) for each Lua function that is a field of a loaded module
 * (package.loaded), "_G" for the globals; with module NULL, it is a module itself. registry is the
 * address of the registry, a table. Ends early when memory cannot be read.
 */
void lua_loaded(struct memory_reader *m, uint64_t registry,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg);

#endif
