/*
 * luaname: collects the names of Lua functions, which have none of their own: those under which
 * loaded modules have them, and those of calls.
 */
#ifndef LUANAME_H
#define LUANAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "runtime/scriptname.h"

#define LUA_NAME_MAX 128 /* bytes of a name with its NUL; longer ones are none */

/* The names of one process. All zero but names. */
struct lua_names {
	struct script_names *names;
	struct intmap sites; /* calls that are known */
	uint32_t newest; /* the highest number of a function in a frame */
	bool unknown; /* the loaded modules may name a new function */
	unsigned until, apart; /* samples until they are read again, and between that */
	struct lua_field *field; /* of the modules, while they are read */
	size_t nfield, capfield;
};

void lua_names_free(struct lua_names *n);

/* A function is in a frame. */
void lua_names_seen(struct lua_names *n, uint32_t function);

/*
 * Counts a call of a function from the instruction before pc of another (numbers of script_name).
 * False if it is new: lua_names_add then gives it its name; NULL: it has none.
 */
bool lua_names_call(struct lua_names *n, uint64_t pc, uint32_t caller, uint32_t function);
void lua_names_add(
    struct lua_names *n, uint64_t pc, uint32_t caller, uint32_t function, const char *name);

/* True if it is time to read the loaded modules; call it once for each sample. */
bool lua_names_due(struct lua_names *n);

/* Adds a field of a loaded module, or (module NULL or "_G") a global, whose value is a closure. */
void lua_names_field(struct lua_names *n, const char *module, const char *field, uint32_t function,
    uint64_t closure);

/* A hash of the fields that were added. */
uint64_t lua_names_hash(const struct lua_names *n);

/* Drops the fields that were added. again: the modules are to be read again soon. */
void lua_names_drop(struct lua_names *n, bool again);

/*
 * Ends the reading of modules. Where several closures of one function have names, none is the
 * function's.
 */
void lua_names_end(struct lua_names *n);

#endif
