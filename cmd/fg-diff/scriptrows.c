#include "fg-diff/scriptrows.h"

#include <stdlib.h>

#include "base/cli.h"
#include "names/language.h"

/* Marks the functions of one run, and the roots above them. */
static bool
mark(struct scriptrows *s, const struct side_run *run)
{
	const struct calltree *t = run->tree;
	unsigned found;
	uint8_t *hit = language_match(LANGUAGES_ALL, t, &found);
	uint32_t node = CALLTREE_ROOT, depth = 0, root = 0;

	while (found != 0 && (node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint32_t name = t->node[node].name;
		uint32_t function = run->function[run->frame != NULL ? run->frame[name] : name];

		if (depth == 1)
			root = function;
		if (!hit[name])
			continue;
		s->script[function] = true;
		if (depth > 1)
			s->hosts[root] = true;
	}
	free(hit);
	return found != 0;
}

bool
scriptrows_find(
    struct scriptrows *s, const struct side *base, const struct side *head, uint32_t functions)
{
	const struct side *side[] = {base, head};
	bool any = false;

	s->script = cli_alloc(functions, sizeof *s->script);
	s->hosts = cli_alloc(functions, sizeof *s->hosts);
	for (int k = 0; k < 2; k++)
		for (unsigned i = 0; i < side[k]->runs; i++)
			if (side[k]->run[i].tree != NULL)
				any |= mark(s, &side[k]->run[i]);
	return any;
}

void
scriptrows_free(struct scriptrows *s)
{
	free(s->script);
	free(s->hosts);
	*s = (struct scriptrows){0};
}
