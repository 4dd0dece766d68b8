/*
 * headline: adds the growth of each node, if its function grew significantly, to the nearest
 * frame of the program among its callers. So all of one single-child run is one line, and a
 * library's function is named as a new callee.
 */
#include "fg-diff/headline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "fg-diff/mergedtree.h"
#include "names/frame.h"
#include "names/own.h"

#define NEW 0.05 /* a callee with at most this share of its head value in base is a new call */
#define WORTH 0.1 /* headlines below this share of the largest one are dropped */

/* Properties of each row, from the names of its frames. */
struct kinds {
	bool *library, *inlined; /* by row */
};

static struct kinds
find_kinds(struct comparison *c)
{
	struct kinds kinds = {
	    cli_alloc(c->n, sizeof *kinds.library), cli_alloc(c->n, sizeof *kinds.inlined)};
	bool scripts = false;

	for (int k = 0; k < 2; k++)
		scripts |= own_has_scripts(c->side[k]->tree, c->own);
	for (int k = 0; k < 2; k++) {
		const struct calltree *t = c->side[k]->tree;
		uint8_t *own = own_match(t, c->own, scripts);

		for (uint32_t i = 1; i < t->nname; i++) {
			const struct row *row = compare_function(c, c->side[k]->names.function[i]);

			if (row == NULL)
				continue;
			kinds.library[row - c->row] |= !own[i];
			kinds.inlined[row - c->row] |=
			    frame_annotated(t->name[i].s, t->name[i].len, 'i');
		}
		free(own);
	}
	return kinds;
}

/* True if a node is in the program's code; an inlined frame is where its caller is. */
static bool
is_own(const struct mergedtree *t, const struct kinds *kinds, uint32_t node)
{
	while (node != 0 && kinds->inlined[t->node[node].row] && !kinds->library[t->node[node].row])
		node = t->node[node].parent;
	return node == 0 || !kinds->library[t->node[node].row];
}

bool *
headline_own(struct comparison *c)
{
	struct kinds kinds = find_kinds(c);
	bool *own = cli_alloc(c->n, sizeof *own);
	struct mergedtree t;

	mergedtree_make(&t, c);
	memset(own, true, c->n * sizeof *own);
	for (uint32_t i = 1; i < t.n; i++)
		own[t.node[i].row] &= is_own(&t, &kinds, i);
	mergedtree_free(&t);
	free(kinds.library);
	free(kinds.inlined);
	return own;
}

/* The nearest node of the program, from a node towards the root; 0: there is none. */
static uint32_t
owner_of(const struct mergedtree *t, const struct kinds *kinds, uint32_t node)
{
	while (node != 0 && !is_own(t, kinds, node))
		node = t->node[node].parent;
	return node;
}

const struct row *
headline_owner(struct comparison *c, const struct row *row)
{
	struct kinds kinds = find_kinds(c);
	double *change = cli_alloc(c->n, sizeof *change), own = change_own(c, row->self);
	const struct row *owner = row;
	struct mergedtree t;

	mergedtree_make(&t, c);
	for (uint32_t i = t.first[row - c->row]; i < t.first[row - c->row + 1]; i++) {
		const struct mergedtree_node *n = &t.node[t.of[i]];
		uint32_t at = owner_of(&t, &kinds, t.of[i]);

		if (at != 0)
			change[t.node[at].row] += copysign(1, own) * (n->self[1] - n->self[0]);
	}
	for (size_t i = 0; i < c->n; i++)
		if (change[i] > change[owner - c->row])
			owner = &c->row[i];
	mergedtree_free(&t);
	free(kinds.library);
	free(kinds.inlined);
	free(change);
	return owner;
}

struct search {
	struct comparison *c;
	struct mergedtree t;
	struct kinds kinds;
	struct headline *of; /* by row: its headline */
	double *called; /* by row: value of its largest new callee */
};

/* Returns the child of a node on the path to another one below it. */
static uint32_t
child_towards(const struct mergedtree *t, uint32_t node, uint32_t below)
{
	while (below != node && t->node[below].parent != node)
		below = t->node[below].parent;
	return below;
}

static void
attribute(struct search *s, uint32_t node, double growth)
{
	const struct mergedtree_node *n = s->t.node;
	uint32_t at = owner_of(&s->t, &s->kinds, node), row;
	const struct mergedtree_node *callee;

	if (at == 0)
		at = node;
	row = n[at].row;
	s->of[row].row = &s->c->row[row];
	s->of[row].growth += growth;
	if (at == node)
		return;
	callee = &n[child_towards(&s->t, at, node)];
	if (callee->total[0] <= NEW * callee->total[1] && callee->total[1] > s->called[row]) {
		s->called[row] = callee->total[1];
		s->of[row].calls = &s->c->row[callee->row];
	}
}

static int
compare_headlines(const void *a, const void *b)
{
	const struct headline *x = a, *y = b;

	if (x->growth != y->growth)
		return x->growth > y->growth ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* True if the growth of a row may be a headline. */
static bool
is_candidate(const struct comparison *c, size_t row, const bool *excused)
{
	const struct change *self = c->row[row].self;

	return self->verdict == VERDICT_REAL && change_own(c, self) > 0 &&
	       (excused == NULL || !excused[row]);
}

void
headlines_find(struct headlines *h, struct comparison *c, const bool *excused)
{
	struct search s = {.c = c};
	double scale = noise_scale(&c->noise);
	size_t first = 0;

	*h = (struct headlines){0};
	while (first < c->n && !is_candidate(c, first, excused))
		first++;
	if (first == c->n)
		return;
	s.kinds = find_kinds(c);
	mergedtree_make(&s.t, c);
	s.of = cli_alloc(c->n, sizeof *s.of);
	s.called = cli_alloc(c->n, sizeof *s.called);
	for (uint32_t i = 1; i < s.t.n; i++) {
		uint32_t row = s.t.node[i].row;
		double growth = s.t.node[i].self[1] - s.t.node[i].self[0];

		if (growth != 0 && is_candidate(c, row, excused))
			attribute(&s, i, growth * scale);
	}
	for (size_t i = 0; i < c->n; i++)
		if (s.of[i].growth > 0)
			s.of[h->n++] = s.of[i];
	h->line = s.of;
	if (h->n > 0)
		sort_items(h->line, h->n, sizeof *h->line, compare_headlines);
	while (h->n > 0 &&
	       (h->n > HEADLINES_MAX || h->line[h->n - 1].growth < WORTH * h->line[0].growth)) {
		h->rest++;
		h->rest_growth += h->line[--h->n].growth;
	}
	mergedtree_free(&s.t);
	free(s.kinds.library);
	free(s.kinds.inlined);
	free(s.called);
}

void
headlines_free(struct headlines *h)
{
	free(h->line);
}
