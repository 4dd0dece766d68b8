/*
 * steps: runs all steps on a call tree; the value of every stack goes where its last step maps
 * it.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "fg-filter/filter.h"

static void
count_cut(struct step *s, const struct calltree *t, uint32_t node)
{
	for (unsigned c = 0; c < t->columns; c++)
		s->cut[c] = value_sum(s->cut[c], calltree_self(t, node, c));
	s->ncut++;
}

/* Counts the stacks that s removed, and clears their values. */
static void
clear_cut(struct step *s, struct calltree *t, const uint32_t *map)
{
	for (uint32_t i = 1; i < t->nnode; i++) {
		if (map[i] != CUT || !calltree_is_stack(t, i))
			continue;
		count_cut(s, t, i);
		for (unsigned c = 0; c < t->columns; c++)
			t->self[c].cell[i] = 0;
	}
}

static void
move_values(struct step *s, const struct calltree *from, struct calltree *to, const uint32_t *map)
{
	for (uint32_t i = 1; i < from->nnode; i++) {
		if (!calltree_is_stack(from, i))
			continue;
		if (map[i] == CUT) {
			count_cut(s, from, i);
			continue;
		}
		for (unsigned c = 0; c < from->columns; c++)
			if (value_array_has(&from->self[c], i))
				calltree_add(to, map[i], c, calltree_self(from, i, c));
	}
}

void
steps_run(struct step *step, size_t n, struct calltree **t, uint32_t *trace)
{
	uint32_t ntrace = (*t)->nnode;

	for (uint32_t i = 0; trace != NULL && i < ntrace; i++)
		trace[i] = i;
	for (struct step *s = step; s < step + n; s++) {
		struct calltree *from = *t, *to = s->reshapes ? calltree_new(from->columns) : NULL;
		uint32_t *map = cli_alloc(from->nnode, sizeof *map);

		s->run(s, from, to, map);
		if (to == NULL) {
			clear_cut(s, from, map);
		} else {
			move_values(s, from, to, map);
			calltree_free(from);
			*t = to;
		}
		for (uint32_t i = 0; trace != NULL && i < ntrace; i++)
			trace[i] = map[trace[i]];
		free(map);
	}
}
