#include "fg-diff/valgrind.h"

#include <stdlib.h>

#include "base/cli.h"
#include "names/frame.h"

bool
valgrind_counted(const struct calltree *t, unsigned column)
{
	bool *is = cli_alloc(t->nname, sizeof *is), any = false;
	bool *found; /* by node, of roots */
	uint32_t node = CALLTREE_ROOT, depth = 0, root = 0;
	double all = 0, counted = 0;

	for (uint32_t i = 1; i < t->nname; i++) {
		const struct calltree_name *n = &t->name[i];

		is[i] = text_is(n->s, frame_body(n->s, n->len), "(below main)");
		any |= is[i];
	}
	found = cli_alloc(any ? t->nnode : 1, sizeof *found);
	for (int pass = 0; pass < 2 && any; pass++)
		while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
			double v = value_array_has(&t->self[column], node)
				       ? value_array_double(&t->self[column], node)
				       : 0;

			root = depth == 1 ? node : root;
			found[root] |= is[t->node[node].name];
			all += pass == 1 ? v : 0;
			counted += pass == 1 && found[root] ? v : 0;
		}
	free(is);
	free(found);
	return any && counted >= all / 2;
}
