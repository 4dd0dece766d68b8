/*
 * scriptname: names of script functions by content, and the calls that name them.
 */
#include "runtime/scriptname.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"

/* Calls of a function by one name. */
struct call {
	char *name;
	uint32_t function; /* number without a line */
	bool certain;
	uint64_t count;
};

struct script_names {
	struct script_name *name; /* number 0 is none */
	uint32_t n, cap;
	struct hash_index index;
	struct call *call; /* number 0 is none */
	uint32_t ncall, capcall;
	struct hash_index calls;
};

struct script_names *
script_names_new(void)
{
	struct script_names *n = cli_alloc(1, sizeof *n);

	vec_fit(n->name, n->cap, 1u);
	n->name[0] = (struct script_name){.function = "?"};
	vec_fit(n->call, n->capcall, 1u);
	n->call[0] = (struct call){0};
	n->n = n->ncall = 1;
	return n;
}

void
script_names_free(struct script_names *n)
{
	for (uint32_t i = 1; i < n->n; i++) {
		free((char *)n->name[i].function);
		free((char *)n->name[i].file);
	}
	for (uint32_t i = 1; i < n->ncall; i++)
		free(n->call[i].name);
	free(n->name);
	free(n->call);
	hash_index_free(&n->index);
	hash_index_free(&n->calls);
	free(n);
}

static bool
is_same(const char *have, struct str s)
{
	return have == NULL ? s.len == 0 : strlen(have) == s.len && memcmp(have, s.s, s.len) == 0;
}

uint32_t
script_name_nameless(struct script_names *n, struct str function, struct str file,
    unsigned first_line, unsigned line, uint32_t shape, bool seen)
{
	const unsigned numbers[3] = {first_line, line, shape};
	uint64_t hash = hash_bytes(function.s, function.len) * 3 +
			hash_bytes(file.s, file.len) * 5 + hash_bytes(numbers, sizeof numbers);
	uint32_t at = (uint32_t)hash, number, same;

	while ((number = hash_index_next(&n->index, (uint32_t)hash, &at)) != 0) {
		struct script_name *have = &n->name[number];

		if (have->first_line == first_line && have->line == line && have->shape == shape &&
		    is_same(have->function, function) && is_same(have->file, file)) {
			have->seen = have->seen || seen;
			return number;
		}
	}
	same = line == 0 ? 0 : script_name_nameless(n, function, file, first_line, 0, shape, seen);
	vec_fit(n->name, n->cap, (size_t)n->n + 1);
	n->name[n->n] = (struct script_name){.function = str_copy(function),
	    .file = file.len > 0 ? str_copy(file) : NULL,
	    .first_line = first_line,
	    .line = line,
	    .same = line == 0 ? n->n : same,
	    .shape = shape,
	    .seen = seen};
	hash_index_add(&n->index, (uint32_t)hash, n->n);
	return n->n++;
}

uint32_t
script_name_add(struct script_names *n, struct str function, struct str file, unsigned first_line,
    unsigned line)
{
	return script_name_nameless(n, function, file, first_line, line, 0, true);
}

const struct script_name *
script_name_get(const struct script_names *n, uint64_t number)
{
	return &n->name[number < n->n ? number : 0];
}

uint32_t
script_name_call(struct script_names *n, uint32_t number, const char *name, bool certain)
{
	uint32_t function = n->name[number].same, call;
	uint32_t hash =
	    (uint32_t)hash_pair(hash_bytes(name, strlen(name)), 2 * (uint64_t)function + certain);

	for (uint32_t at = hash; (call = hash_index_next(&n->calls, hash, &at)) != 0;)
		if (n->call[call].function == function && n->call[call].certain == certain &&
		    strcmp(n->call[call].name, name) == 0)
			return call;
	vec_fit(n->call, n->capcall, (size_t)n->ncall + 1);
	n->call[n->ncall] = (struct call){str_copy(str_of(name)), function, certain, 0};
	hash_index_add(&n->calls, hash, n->ncall);
	return n->ncall++;
}

void
script_name_count(struct script_names *n, uint32_t call)
{
	n->call[call].count++;
}

/* True if the name of call a comes before that of b. */
static bool
is_better(const struct call *a, const struct call *b)
{
	if (a->certain != b->certain)
		return a->certain;
	if (a->count != b->count)
		return a->count > b->count;
	return strcmp(a->name, b->name) < 0;
}

void
script_names_settle(struct script_names *n)
{
	uint32_t *best = cli_alloc(n->n, sizeof *best);

	for (uint32_t i = 1; i < n->ncall; i++) {
		uint32_t *of = &best[n->call[i].function];

		if (*of == 0 || is_better(&n->call[i], &n->call[*of]))
			*of = i;
	}
	for (uint32_t i = 1; i < n->n; i++) { /* a name without a line is before those with one */
		const struct script_name *same = &n->name[n->name[i].same];

		if (!n->name[i].seen || n->name[i].settled)
			continue;
		n->name[i].called =
		    same->settled ? same->called : n->call[best[n->name[i].same]].name;
		n->name[i].settled = true;
	}
	free(best);
}
