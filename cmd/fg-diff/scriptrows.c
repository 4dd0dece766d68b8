#include "fg-diff/scriptrows.h"

#include <stdlib.h>

#include "base/cli.h"
#include "names/language.h"

void
scriptrows_init(struct scriptrows *s, uint32_t functions)
{
	s->script = cli_alloc(functions, sizeof *s->script);
	s->hosts = cli_alloc(functions, sizeof *s->hosts);
}

bool
scriptrows_mark(
    struct scriptrows *s, const struct calltree *t, const uint32_t *frame, const uint32_t *function)
{
	unsigned found;
	uint8_t *hit = language_match(LANGUAGES_HOSTED, t, &found);
	uint32_t node = CALLTREE_ROOT, depth = 0, root = 0;

	while (found != 0 && (node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint32_t name = t->node[node].name;
		uint32_t f = function[frame != NULL ? frame[name] : name];

		if (depth == 1)
			root = f;
		if (!hit[name])
			continue;
		s->script[f] = true;
		if (depth > 1)
			s->hosts[root] = true;
	}
	free(hit);
	return found != 0;
}

void
scriptrows_free(struct scriptrows *s)
{
	free(s->script);
	free(s->hosts);
	*s = (struct scriptrows){0};
}
