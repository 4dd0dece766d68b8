#include "fg-render/picture/largest.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "fg-render/layout/measure.h"
#include "fg-render/text/offcpu.h"

/* True if a name's text is that of a frame with a caller, too: filters cannot distinguish them. */
static bool
is_called(const struct picture *p, const struct frame_name *thread)
{
	const struct calltree *t = p->tree;

	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct frame_name *n = &p->names.name[t->node[i].name];

		if (t->node[i].parent != CALLTREE_ROOT && n->len == thread->len &&
		    memcmp(n->text, thread->text, n->len) == 0)
			return true;
	}
	return false;
}

/* A thread or a module. */
struct part {
	uint32_t name;
	double total;
};

static int
by_total(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Adds the totals of one column to those of the n roots that are threads. */
static void
add_threads(
    const struct picture *p, unsigned column, const uint32_t *root, size_t n, struct part *thread)
{
	double *total = layout_totals(p, column);

	for (size_t i = 0; i < n; i++) {
		thread[i].name = p->tree->node[root[i]].name;
		thread[i].total += total[root[i]];
	}
	free(total);
}

size_t
largest_threads(const struct picture *p, uint32_t name[LARGEST_MAX])
{
	const struct calltree_node *node = p->tree->node;
	struct part *thread;
	uint32_t *root;
	size_t n = 0, found = 0;

	if (p->options->flamechart) /* a thread has many roots */
		return 0;
	root = cli_alloc(p->tree->nnode, sizeof *root);
	for (uint32_t i = node[CALLTREE_ROOT].child; i != 0; i = node[i].next)
		if (waits_is_process(p, i))
			root[n++] = i;
	thread = cli_alloc(n + 1, sizeof *thread);
	for (unsigned k = 0; n > 1 && k < (p->widths == WIDTHS_SUM ? p->drawn.n : 1); k++)
		add_threads(p, k, root, n, thread);
	sort_items(thread, n, sizeof *thread, by_total);
	for (size_t i = 0; i < n && n > 1 && found < LARGEST_MAX; i++)
		if (!is_called(p, &p->names.name[thread[i].name]))
			name[found++] = thread[i].name;
	free(thread);
	free(root);
	return found;
}

/* Adds the self values of the names in modules to their modules. Returns the number of these. */
static uint32_t
add_modules(const struct picture *p, const double *self, struct part *module)
{
	struct hash_index index = {0};
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->tree->nname; i++) {
		const struct frame_name *of = &p->names.name[i];
		uint32_t hash, at, k;

		if (of->module == 0 || self[i] <= 0)
			continue;
		at = hash = (uint32_t)hash_bytes(of->start, of->module);
		while ((k = hash_index_next(&index, hash, &at)) != 0) {
			const struct frame_name *known = &p->names.name[module[k - 1].name];

			if (known->module == of->module &&
			    memcmp(known->start, of->start, of->module) == 0)
				break;
		}
		if (k == 0) {
			module[n++] = (struct part){.name = i};
			hash_index_add(&index, hash, k = n);
		}
		module[k - 1].total += self[i];
	}
	hash_index_free(&index);
	return n;
}

size_t
largest_modules(const struct picture *p, uint32_t name[LARGEST_MAX])
{
	const struct calltree *t = p->tree;
	double *self = cli_alloc_ready(t->nname, sizeof *self);
	struct part *module = cli_alloc_ready(t->nname, sizeof *module);
	uint32_t n, found = 0;

	for (uint32_t s = 0; s < p->stacks.n; s++)
		self[t->node[p->stacks.node[s]].name] += layout_own(p, p->stacks.node[s]);
	n = add_modules(p, self, module);
	sort_items(module, n, sizeof *module, by_total);
	while (n > 1 && found < n && found < LARGEST_MAX) {
		name[found] = module[found].name;
		found++;
	}
	free(self);
	free(module);
	return found;
}
