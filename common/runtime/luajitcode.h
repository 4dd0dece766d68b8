/*
 * luajitcode: the name that LuaJIT's bytecode gives to a function that it calls, and the functions
 * that loaded modules have.
 */
#ifndef LUAJITCODE_H
#define LUAJITCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/luaname.h"
#include "runtime/memory.h"

/* A call of a Lua function by another. */
struct luajit_call {
	uint64_t function; /* the caller, a closure */
	uint64_t base; /* its slot 0 */
	uint64_t pc; /* the address after the instruction that calls */
	uint64_t called; /* prototype of the function that runs */
	uint64_t arguments[2]; /* its slot 0, also that below a frame of variable arguments */
};

/*
 * The name in the instruction that calls: that of the variable, field or method, or the
 * metamethod's. A parameter names no function. A function that another calls instead of returning
 * (a tail call) leaves no trace, so the variable must still have the function that runs. name has
 * LUA_NAME_MAX bytes. False: it has none.
 */
bool luajit_call_name(struct memory_reader *m, const struct luajit_call *call, char *name);

/*
 * Calls found(arg, module, field, closure) for each Lua function that is a field of a loaded module
 * (package.loaded), "_G" for the globals; with module NULL, it is a module itself. The registry is
 * one of the n words at globals. Ends early when memory cannot be read.
 */
void luajit_loaded(struct memory_reader *m, uint64_t globals, unsigned n,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg);

#endif
