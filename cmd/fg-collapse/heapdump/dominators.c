/* dominators: the algorithm of Lengauer and Tarjan with path compression, without recursion. */
#include "fg-collapse/heapdump/dominators.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define NONE DOMINATORS_NONE

/* Arrays are indexed by depth-first number. */
struct search {
	struct graph *graph;
	uint32_t n;
	uint32_t *node, *parent;
	uint32_t *number; /* by node; NONE: not reached */
	uint32_t *from, *pred; /* predecessors of i: pred[from[i]] to pred[from[i + 1] - 1] */
	uint32_t *semi, *label, *ancestor;
	uint32_t *by; /* the dominator; while a node is in a bucket, the next one there */
	uint32_t *bucket; /* lists of the nodes with that semidominator */
	uint32_t *path; /* of one compression */
	size_t cappath;
};

/* The kth edge of a node, NONE for no node; false after the last. */
static bool
edge_at(const struct graph *g, uint32_t node, uint32_t k, uint32_t *to)
{
	const uint32_t n = g->first[node + 1] - g->first[node];
	const void *extra;

	if (k < n) {
		*to = g->edge[g->first[node] + k];
		return true;
	}
	extra = k == n && g->extra != NULL ? intmap_get(g->extra, (uint64_t)node + 1) : NULL;
	*to = extra != NULL ? (uint32_t)(uintptr_t)extra - 1 : NONE;
	return extra != NULL;
}

static void
number_nodes(struct search *s, uint32_t root)
{
	struct step {
		uint32_t number, edge;
	} *stack = NULL;
	size_t depth = 0, cap = 0;

	memset(s->number, 0xff, s->graph->n * sizeof *s->number);
	s->node[0] = root;
	s->parent[0] = 0;
	s->number[root] = 0;
	s->n = 1;
	vec_fit(stack, cap, (size_t)1);
	stack[depth++] = (struct step){0, 0};
	while (depth > 0) {
		struct step *top = &stack[depth - 1];
		uint32_t to;

		if (!edge_at(s->graph, s->node[top->number], top->edge, &to)) {
			depth--;
			continue;
		}
		top->edge++;
		if (to == NONE || s->number[to] != NONE)
			continue;
		s->node[s->n] = to;
		s->parent[s->n] = top->number;
		s->number[to] = s->n;
		vec_fit(stack, cap, depth + 1);
		stack[depth++] = (struct step){s->n++, 0};
	}
	free(stack);
}

static void
find_predecessors(struct search *s)
{
	uint32_t to, total = 0;

	s->from = cli_alloc((size_t)s->n + 2, sizeof *s->from);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; edge_at(s->graph, s->node[i], k, &to); k++)
			if (to != NONE) {
				s->from[s->number[to] + 2]++;
				total++;
			}
	for (uint32_t i = 2; i < s->n + 2; i++)
		s->from[i] += s->from[i - 1];
	s->pred = cli_alloc(total > 0 ? total : 1, sizeof *s->pred);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; edge_at(s->graph, s->node[i], k, &to); k++)
			if (to != NONE)
				s->pred[s->from[s->number[to] + 1]++] = i;
	free(s->number);
	free(s->graph->edge);
	free(s->graph->first);
	s->graph->edge = s->graph->first = NULL;
}

/* The node with the smallest semidominator on the path to v in the forest so far. */
static uint32_t
eval(struct search *s, uint32_t v)
{
	size_t n = 0;

	if (s->ancestor[v] == NONE)
		return v;
	for (uint32_t i = v; s->ancestor[s->ancestor[i]] != NONE; i = s->ancestor[i]) {
		vec_fit(s->path, s->cappath, n + 1);
		s->path[n++] = i;
	}
	while (n > 0) {
		const uint32_t i = s->path[--n], above = s->ancestor[i];

		if (s->semi[s->label[above]] < s->semi[s->label[i]])
			s->label[i] = s->label[above];
		s->ancestor[i] = s->ancestor[above];
	}
	return s->label[v];
}

static void
find_semidominators(struct search *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		s->semi[i] = s->label[i] = i;
		s->ancestor[i] = s->bucket[i] = NONE;
	}
	for (uint32_t w = s->n - 1; w > 0; w--) {
		const uint32_t parent = s->parent[w];

		for (uint32_t k = s->from[w]; k < s->from[w + 1]; k++) {
			const uint32_t u = eval(s, s->pred[k]);

			if (s->semi[u] < s->semi[w])
				s->semi[w] = s->semi[u];
		}
		s->by[w] = s->bucket[s->semi[w]];
		s->bucket[s->semi[w]] = w;
		s->ancestor[w] = parent;
		for (uint32_t v = s->bucket[parent], next; v != NONE; v = next) {
			const uint32_t u = eval(s, v);

			next = s->by[v];
			s->by[v] = s->semi[u] < s->semi[v] ? u : parent;
		}
		s->bucket[parent] = NONE;
	}
}

struct dominators
dominators_find(struct graph *g, uint32_t root)
{
	struct search s = {.graph = g};

	s.node = cli_alloc(g->n, sizeof *s.node);
	s.parent = cli_alloc(g->n, sizeof *s.parent);
	s.number = cli_alloc(g->n, sizeof *s.number);
	number_nodes(&s, root);
	find_predecessors(&s);
	s.semi = cli_alloc(s.n, sizeof *s.semi);
	s.label = cli_alloc(s.n, sizeof *s.label);
	s.ancestor = cli_alloc(s.n, sizeof *s.ancestor);
	s.by = cli_alloc(s.n, sizeof *s.by);
	s.bucket = cli_alloc(s.n, sizeof *s.bucket);
	find_semidominators(&s);
	for (uint32_t w = 1; w < s.n; w++)
		if (s.by[w] != s.semi[w])
			s.by[w] = s.by[s.by[w]];
	free(s.parent);
	free(s.from);
	free(s.pred);
	free(s.semi);
	free(s.label);
	free(s.ancestor);
	free(s.bucket);
	free(s.path);
	return (struct dominators){s.n, s.node, s.by};
}
