/*
 * explain: finds the smallest parts that account for the change of the total.
 *
 * A part is a function, with or without its callees. Of all parts that hold nine tenths of the
 * change, the smallest one is the cause, or the place below which there are several causes. Causes
 * below a place are searched one after the other, the largest first, each in its smallest form. If
 * more than FEW are needed, the change is spread, and the place itself is the answer.
 */
#include "fg-diff/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-diff/mergedtree.h"

#define FEW 5 /* limit of causes below one place */

/* A function, and the values of its nodes that are still counted. */
struct part {
	uint32_t row; /* MERGEDTREE_NO_ROW: the root */
	bool below;
	double base, head;
};

struct search {
	struct mergedtree mergedtree;
	double scale[2]; /* factors from scaled means to the values of a report */
	size_t rows;
	bool *counted; /* by node: its self value is not accounted for yet */
	bool *within; /* by node: it is below the current place */
	double *total; /* two per node, base and head: totals of counted nodes within */
	struct part *part; /* two per row: self only, and with callees */
	bool *holds; /* by part: it holds all of the current place's change */
	uint32_t *open; /* by row: its frames on the current path */
};

static double
change(const struct part *p)
{
	return p->head - p->base;
}

/* Sums all parts; recursion counts once. */
static void
sum_parts(struct search *s)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t *way = cli_alloc(t->n, sizeof *way), depth = 0;

	for (uint32_t i = 0; i < t->n; i++)
		for (int k = 0; k < 2; k++)
			s->total[2 * i + (uint32_t)k] =
			    s->counted[i] && s->within[i] ? t->node[i].self[k] * s->scale[k] : 0;
	for (size_t r = 0; r < s->rows; r++) {
		s->part[2 * r] = (struct part){.row = (uint32_t)r};
		s->part[2 * r + 1] = (struct part){.row = (uint32_t)r, .below = true};
	}
	for (uint32_t i = 1; i < t->n; i++) {
		struct part *itself = &s->part[2 * (size_t)t->node[i].row];

		itself->base += s->total[2 * i];
		itself->head += s->total[2 * i + 1];
	}
	for (uint32_t i = t->n; i-- > 1;)
		for (uint32_t k = 0; k < 2; k++)
			s->total[2 * t->node[i].parent + k] += s->total[2 * i + k];
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t row = t->node[i].row;

		while (depth > 0 && way[depth - 1] != t->node[i].parent)
			s->open[t->node[way[--depth]].row]--;
		way[depth++] = i;
		if (s->open[row]++ != 0)
			continue;
		s->part[2 * (size_t)row + 1].base += s->total[2 * i];
		s->part[2 * (size_t)row + 1].head += s->total[2 * i + 1];
	}
	while (depth > 0)
		s->open[t->node[way[--depth]].row]--;
	free(way);
}

/*
 * Returns the last node of a part's function, which decides between parts of equal size: the
 * cause wins over its callers.
 */
static uint32_t
place(const struct search *s, const struct part *p)
{
	return s->mergedtree.of[s->mergedtree.first[p->row + 1] - 1];
}

static bool
smaller(const struct search *s, const struct part *a, const struct part *b)
{
	double x = a->base + a->head, y = b->base + b->head;

	if (fabs(x - y) > 1e-9 * (x + y))
		return x < y;
	if (a->row != b->row)
		return place(s, a) > place(s, b);
	return b->below && !a->below;
}

/* Returns the smallest part with nine tenths of a change. */
static struct part
smallest_with(struct search *s, double whole)
{
	struct part best = {.row = MERGEDTREE_NO_ROW};

	sum_parts(s);
	for (size_t i = 0; i < 2 * s->rows; i++) {
		const struct part *p = &s->part[i];

		if (change(p) / whole >= EXPLAIN_PART &&
		    (best.row == MERGEDTREE_NO_ROW || smaller(s, p, &best)))
			best = *p;
	}
	return best;
}

/*
 * Marks the parts that hold nine tenths of the current place's change: they are not causes
 * below it.
 */
static void
hold_all(struct search *s, double whole)
{
	sum_parts(s);
	for (size_t i = 0; i < 2 * s->rows; i++)
		s->holds[i] = change(&s->part[i]) / whole >= EXPLAIN_PART;
}

/* Returns the part with the largest share of a change. */
static struct part
largest(struct search *s, double whole)
{
	struct part best = {.row = MERGEDTREE_NO_ROW};

	sum_parts(s);
	for (size_t i = 0; i < 2 * s->rows; i++) {
		const struct part *p = &s->part[i];
		double of = change(p) / whole;

		if (of <= 0 || s->holds[i])
			continue;
		if (best.row == MERGEDTREE_NO_ROW || of > change(&best) / whole ||
		    (of == change(&best) / whole && smaller(s, p, &best)))
			best = *p;
	}
	return best;
}

/* Sets a flag of all nodes of a part. */
static void
mark(struct search *s, const struct part *p, bool *flag, bool to)
{
	const struct mergedtree *t = &s->mergedtree;

	for (uint32_t k = t->first[p->row]; k < t->first[p->row + 1]; k++) {
		uint32_t node = t->of[k];

		for (uint32_t i = node; i < (p->below ? t->node[node].end : node + 1); i++)
			flag[i] = to;
	}
}

/* Limits the search to the nodes of a part; the root is everything. */
static void
look_below(struct search *s, const struct part *p)
{
	memset(s->within, p->row == MERGEDTREE_NO_ROW, s->mergedtree.n * sizeof *s->within);
	if (p->row != MERGEDTREE_NO_ROW)
		mark(s, p, s->within, true);
}

static void
add(struct explanation *e, const struct comparison *c, const struct part *p)
{
	const struct row *row = &c->row[p->row];

	if (e->n == EXPLAIN_MAX)
		return;
	e->part[e->n++] = (struct explained){row, p->below, p->base, p->head};
	e->left -= change(p);
}

/*
 * Finds the parts below a place that have nine tenths of its change, and stops counting them.
 * Returns their number; 0 if more than FEW would be needed.
 */
static size_t
split(struct search *s, const struct part *p, struct part found[FEW])
{
	bool *counted = cli_alloc(s->mergedtree.n, sizeof *counted);
	double left = change(p);
	size_t n = 0;

	memcpy(counted, s->counted, s->mergedtree.n * sizeof *counted);
	while (n < FEW && left / change(p) > 1 - EXPLAIN_PART) {
		struct part most;

		look_below(s, p);
		if (n == 0)
			hold_all(s, left);
		most = largest(s, left);
		if (most.row == MERGEDTREE_NO_ROW)
			break;
		look_below(s, &most);
		found[n] = smallest_with(s, change(&most));
		left -= change(&found[n]);
		mark(s, &found[n], s->counted, false);
		n++;
	}
	if (left / change(p) > 1 - EXPLAIN_PART) {
		memcpy(s->counted, counted, s->mergedtree.n * sizeof *counted);
		n = 0;
	}
	free(counted);
	return n;
}

void
explain_find(struct explanation *e, struct comparison *c)
{
	static const struct part root = {.row = MERGEDTREE_NO_ROW};
	struct search s = {.rows = c->n};

	*e = (struct explanation){0};
	mergedtree_make(&s.mergedtree, c);
	s.counted = cli_alloc(s.mergedtree.n, sizeof *s.counted);
	s.within = cli_alloc(s.mergedtree.n, sizeof *s.within);
	s.total = cli_alloc(s.mergedtree.n, 2 * sizeof *s.total);
	s.part = cli_alloc(s.rows, 2 * sizeof *s.part);
	s.holds = cli_alloc(s.rows, 2 * sizeof *s.holds);
	s.open = cli_alloc(s.rows, sizeof *s.open);
	memset(s.counted, true, s.mergedtree.n * sizeof *s.counted);
	for (int k = 0; k < 2; k++)
		s.scale[k] = c->noise.size[c->noise.shares ? 1 : k];
	e->change = e->left =
	    s.mergedtree.node[0].total[1] * s.scale[1] - s.mergedtree.node[0].total[0] * s.scale[0];
	while (e->n < EXPLAIN_MAX && e->change != 0 &&
	       fabs(e->left / e->change) > 1 - EXPLAIN_PART + 1e-9) {
		struct part found[FEW], place;
		size_t n;

		look_below(&s, &root);
		place = smallest_with(&s, e->left);
		if (place.row == MERGEDTREE_NO_ROW)
			place = (struct part){MERGEDTREE_NO_ROW, true, 0, e->left};
		n = place.below ? split(&s, &place, found) : 0;
		if (n == 0 && place.row == MERGEDTREE_NO_ROW)
			break;
		if (n == 0) {
			mark(&s, &place, s.counted, false);
			found[n++] = place;
		}
		for (size_t i = 0; i < n; i++)
			add(e, c, &found[i]);
	}
	mergedtree_free(&s.mergedtree);
	free(s.counted);
	free(s.within);
	free(s.total);
	free(s.part);
	free(s.holds);
	free(s.open);
}
