#include "names/functionsums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "names/origin.h"

/* A frame of the current stack. */
struct open_frame {
	uint32_t node, number; /* of its function */
	value before; /* sum of the self values of the frames visited before it */
};

struct function_sum *
summary_functions(const struct calltree *t, unsigned column, const uint32_t *function,
    const bool *no_call, uint32_t gap)
{
	const struct calltree_node *of = t->node;
	const struct value_array *own = &t->self[column];
	struct function_sum *f = cli_alloc_ready(t->nname, sizeof *f);
	value sum = 0;
	uint32_t node = CALLTREE_ROOT, depth = 0, cap = 64;
	struct open_frame *frame = cli_alloc(cap, sizeof *frame); /* by depth */

	do {
		const struct calltree_node *n = &of[node];
		uint32_t number = function[n->name];

		if (n->next != 0) { /* as in calltree_next */
			__builtin_prefetch(&of[n->next]);
			__builtin_prefetch(&own->cell[n->next]);
		}
		vec_fit(frame, cap, depth + 1);
		frame[depth] = (struct open_frame){node, number, sum};
		if (value_array_has(own, node)) {
			value self = value_array_get(own, node);
			bool is_gap = gap != 0 && n->name == gap;

			f[is_gap ? function[of[n->parent].name] : number].self += self;
			sum += self;
		}
		f[number].open++;
		if (!no_call[n->name] && ++f[number].called > f[number].deepest)
			f[number].deepest = f[number].called;
		node = n->child;
		for (depth++; node == 0 && depth > 0;) { /* the frames that end here, leaf first */
			const struct open_frame *ended = &frame[--depth];
			struct function_sum *here = &f[ended->number];

			node = of[ended->node].next;
			/* Recursion: only the outermost frame of a function counts. */
			if (--here->open > 0) {
				here->called -= !no_call[of[ended->node].name];
			} else {
				value total = sum - ended->before;

				here->called = 0;
				here->total += total;
				if (here->node == 0 || total > here->widest) {
					here->node = ended->node;
					here->widest = total;
				}
			}
		}
	} while (node != 0);
	free(frame);
	return f;
}

/* The function number of each name: the smallest of its names. The caller frees. */
static uint32_t *
function_numbers(const struct calltree *t)
{
	struct frame_name *name = cli_alloc(t->nname, sizeof *name);
	uint32_t *number = cli_alloc(t->nname, sizeof *number);
	struct hash_index index = {0};

	for (uint32_t i = 1; i < t->nname; i++) {
		struct frame_name *n = &name[i];
		uint32_t h, at, k;

		*n = name_parse(t->name[i].s, t->name[i].len);
		h = (uint32_t)name_hash_function(n);
		at = h;
		number[i] = i;
		while (
		    (k = hash_index_next(&index, h, &at)) != 0 && !name_same_function(n, &name[k]))
			continue;
		if (k != 0)
			number[i] = k;
		else
			hash_index_add(&index, h, i);
	}
	hash_index_free(&index);
	free(name);
	return number;
}

/* True if function a precedes b in the list of heaviest functions. */
static bool
is_heavier(const struct calltree *t, struct heavy_function a, struct heavy_function b)
{
	return a.self != b.self ? a.self > b.self
				: calltree_compare_names(&t->name[a.name], &t->name[b.name]) < 0;
}

unsigned
summary_heaviest(const struct calltree *t, unsigned column, const struct labels *l,
    struct heavy_function *best, unsigned most)
{
	uint32_t *number = function_numbers(t);
	value *self = cli_alloc(t->nname, sizeof *self);
	unsigned n = 0;

	for (uint32_t i = 1; i < t->nnode; i++)
		if (value_array_has(&t->self[column], i))
			self[number[t->node[i].name]] += calltree_self(t, i, column);
	for (uint32_t i = 1; i < t->nname; i++) {
		struct heavy_function f = {i, self[i]};
		struct frame_name name = name_parse(t->name[i].s, t->name[i].len);
		unsigned at;

		name_find_build(&name, l);
		if (f.self == 0 || name_is_missing(&name))
			continue;
		if (n < most)
			n++;
		else if (!is_heavier(t, f, best[n - 1]))
			continue;
		for (at = n - 1; at > 0 && is_heavier(t, f, best[at - 1]); at--)
			best[at] = best[at - 1];
		best[at] = f;
	}
	free(self);
	free(number);
	return n;
}
