/*
 * luaname: names of Lua functions by call and by field of a module.
 */
#include "runtime/luaname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"

#define SITES_MAX 65536 /* calls of a process */
#define APART_MAX 1024 /* samples between two readings of the modules */

/* Calls of a function from one instruction. */
struct site {
	uint64_t pc;
	uint32_t caller, function;
	uint32_t call; /* of script_name_call; 0: no name */
};

struct lua_field {
	uint32_t function;
	uint64_t closure;
	char name[LUA_NAME_MAX];
};

void
lua_names_free(struct lua_names *n)
{
	intmap_free_values(&n->sites);
	free(n->field);
}

void
lua_names_seen(struct lua_names *n, uint32_t function)
{
	if (function <= n->newest)
		return;
	n->newest = function;
	n->unknown = true;
}

static uint64_t
key_of(uint64_t pc, uint32_t caller, uint32_t function)
{
	return hash_pair(pc, (uint64_t)caller << 32 | function);
}

bool
lua_names_call(struct lua_names *n, uint64_t pc, uint32_t caller, uint32_t function)
{
	const struct site *site = intmap_get(&n->sites, key_of(pc, caller, function));

	if (site == NULL || site->pc != pc || site->caller != caller || site->function != function)
		return n->sites.n >= SITES_MAX;
	script_name_count(n->names, site->call);
	return true;
}

void
lua_names_add(
    struct lua_names *n, uint64_t pc, uint32_t caller, uint32_t function, const char *name)
{
	void **slot = intmap_at(&n->sites, key_of(pc, caller, function));
	struct site *site = *slot != NULL ? *slot : cli_alloc(1, sizeof *site);

	*slot = site;
	*site = (struct site){pc, caller, function,
	    name == NULL ? 0 : script_name_call(n->names, function, name, false)};
	script_name_count(n->names, site->call);
}

bool
lua_names_due(struct lua_names *n)
{
	if (n->until > 0)
		n->until--;
	if (!n->unknown || n->until > 0)
		return false;
	n->unknown = false;
	n->until = n->apart = n->apart == 0 ? 1 : n->apart < APART_MAX ? 2 * n->apart : APART_MAX;
	return true;
}

void
lua_names_field(
    struct lua_names *n, const char *module, const char *field, uint32_t function, uint64_t closure)
{
	struct lua_field *f;
	bool global = module == NULL || strcmp(module, "_G") == 0;

	vec_fit(n->field, n->capfield, n->nfield + 1);
	f = &n->field[n->nfield];
	*f = (struct lua_field){.function = function, .closure = closure};
	if (snprintf(f->name, sizeof f->name, "%s%s%s", global ? "" : module, global ? "" : ".",
		field) < LUA_NAME_MAX)
		n->nfield++;
}

uint64_t
lua_names_hash(const struct lua_names *n)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < n->nfield; i++)
		hash = hash_pair(hash ^ hash_bytes(n->field[i].name, strlen(n->field[i].name)),
		    n->field[i].function ^ n->field[i].closure);
	return hash;
}

void
lua_names_drop(struct lua_names *n, bool again)
{
	n->nfield = 0;
	n->unknown |= again;
}

static int
compare(const void *a, const void *b)
{
	const struct lua_field *x = a, *y = b;

	return x->function != y->function ? (x->function < y->function ? -1 : 1)
	       : x->closure != y->closure ? (x->closure < y->closure ? -1 : 1)
					  : strcmp(x->name, y->name);
}

void
lua_names_end(struct lua_names *n)
{
	size_t next;

	if (n->nfield > 0)
		sort_items(n->field, n->nfield, sizeof *n->field, compare);
	for (size_t i = 0; i < n->nfield; i = next) {
		const struct lua_field *f = &n->field[i];
		bool one = true;

		for (next = i + 1; next < n->nfield && f->function == n->field[next].function;
		     next++)
			one = one && f->closure == n->field[next].closure;
		if (one)
			script_name_call(n->names, f->function, f->name, true);
	}
	n->nfield = 0;
}
