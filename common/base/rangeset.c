/*
 * rangeset: ranges sorted by start are the leaves of a binary tree whose nodes have the least start
 * and the largest end below them. The children of node i are 2i and 2i + 1, range i is node n + i.
 * Few ranges have no tree.
 */
#include "base/rangeset.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

#define SMALL 16 /* ranges that are searched without a tree */

struct rangeset_node {
	uint64_t start, end;
};

void
rangeset_add(struct rangeset *s, uint64_t start, uint64_t end, uint32_t what)
{
	vec_fit(s->item, s->size, s->n + 1);
	s->item[s->n++] = (struct rangeset_item){start, end, what};
}

void
rangeset_finish(struct rangeset *s)
{
	struct radix *key;
	struct rangeset_item *sorted;

	if (s->n <= SMALL)
		return;
	key = cli_alloc(s->n, sizeof *key);
	sorted = cli_alloc(s->n, sizeof *sorted);
	s->node = cli_alloc(2 * s->n, sizeof *s->node);
	for (size_t i = 0; i < s->n; i++)
		key[i] = (struct radix){s->item[i].start, i};
	radix_sort(key, s->n);
	for (size_t i = 0; i < s->n; i++) {
		sorted[i] = s->item[key[i].value];
		s->node[s->n + i] = (struct rangeset_node){sorted[i].start, sorted[i].end};
	}
	for (size_t i = s->n - 1; i > 0; i--) {
		const struct rangeset_node *a = &s->node[2 * i], *b = a + 1;

		s->node[i].start = a->start < b->start ? a->start : b->start;
		s->node[i].end = a->end > b->end ? a->end : b->end;
	}
	free(key);
	free(s->item);
	s->item = sorted;
	s->size = s->n;
}

/* Adds the ranges below a node to those found. */
static size_t
visit(const struct rangeset *s, size_t node, uint64_t address, uint32_t *what, size_t n, size_t max)
{
	if (n == max || address < s->node[node].start || address >= s->node[node].end)
		return n;
	if (node >= s->n) {
		what[n] = s->item[node - s->n].what;
		return n + 1;
	}
	n = visit(s, 2 * node, address, what, n, max);
	return visit(s, 2 * node + 1, address, what, n, max);
}

static int
compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

size_t
rangeset_find(const struct rangeset *s, uint64_t address, uint32_t *what, size_t max)
{
	size_t n = 0;

	if (s->node != NULL) {
		n = visit(s, 1, address, what, 0, max);
	} else {
		for (size_t i = 0; i < s->n && n < max; i++)
			if (address >= s->item[i].start && address < s->item[i].end)
				what[n++] = s->item[i].what;
	}
	sort_items(what, n, sizeof *what, compare);
	return n;
}
