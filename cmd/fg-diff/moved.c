/*
 * moved: a comparison goes in, what only moved comes out.
 *
 * Code that is inlined, split or renamed changes functions and not the whole. Who is who
 * need not be known for that: where the nearest caller of all that grew could have
 * shown as large a growth, and did not, the cost was there before.
 *
 * A rename is only guessed: one function went and another one came, with the same main
 * caller, the same main callee and a similar cost. That is a hint, never an excuse.
 */
#include "fg-diff/moved.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/mergedtree.h"

#define ALL_OF_IT 0.9 /* of a growth is below a caller: the rest may be noise */
#define UNCHANGED 0.25 /* of a growth at most is what its caller grew by */
#define SIMILAR 1.5 /* times as much at most */
#define RENAMES_MAX 5

struct search {
	struct comparison *c;
	struct mergedtree mergedtree;
	double *grown; /* by row: of the growth at hand, what is below it */
	uint32_t *seen; /* by row: the last way up that met it */
	uint32_t *met, nmet, capmet; /* rows whose grown is not 0 */
	uint32_t ways;
	double *shrunk; /* by row: below the caller at hand */
};

/* Add a node's growth to each function above it once. */
static void
add_way(struct search *s, uint32_t node, double growth, bool itself)
{
	const struct mergedtree_node *n = s->mergedtree.node;

	s->ways++;
	for (uint32_t i = itself ? node : n[node].parent; i != 0; i = n[i].parent) {
		uint32_t row = n[i].row;

		if (s->seen[row] == s->ways)
			continue;
		s->seen[row] = s->ways;
		if (s->grown[row] == 0) {
			vec_fit(s->met, s->capmet, (size_t)s->nmet + 1);
			s->met[s->nmet++] = row;
		}
		s->grown[row] += growth;
	}
}

/* Whether a function could have shown such a growth, in even values, and did not. */
static bool
unchanged(const struct comparison *c, const struct change *x, double growth)
{
	growth *= noise_scale(&c->noise);
	if (fabs(change_own(c, x)) > UNCHANGED * growth)
		return false;
	return c->noise.kind == NOISE_NONE ||
	       (x->tests > 0 && x->verdict != VERDICT_REAL && noise_limit(&c->noise, x) <= growth);
}

/* The smallest of the functions that have all of the growth below them and did not change. */
static const struct row *
nearest_unchanged(struct search *s, double growth)
{
	const struct row *best = NULL;

	for (uint32_t i = 0; i < s->nmet; i++) {
		const struct row *r = &s->c->row[s->met[i]];

		if (s->grown[s->met[i]] >= ALL_OF_IT * growth &&
		    (best == NULL || r->total.scaled_mean[0] < best->total.scaled_mean[0]) &&
		    unchanged(s->c, &r->total, growth))
			best = r;
		s->grown[s->met[i]] = 0;
	}
	s->nmet = 0;
	return best;
}

/* What shrank most below a function, beyond noise: self values, since totals hold each other. */
static const struct row *
most_shrunk(struct search *s, const struct row *within)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t row = (uint32_t)(within - s->c->row), end = 0, best = MERGEDTREE_NO_ROW;

	for (uint32_t k = t->first[row]; k < t->first[row + 1]; k++) {
		uint32_t i = t->of[k];

		for (i = i < end ? end : i; i < t->node[t->of[k]].end; i++)
			s->shrunk[t->node[i].row] += t->node[i].self[0] - t->node[i].self[1];
		if (end < i)
			end = i;
	}
	for (size_t r = 0; r < s->c->n; r++) {
		const struct change *self = &s->c->row[r].self;

		if (self->verdict == VERDICT_REAL && s->shrunk[r] > 0 &&
		    (best == MERGEDTREE_NO_ROW || s->shrunk[r] > s->shrunk[best]))
			best = (uint32_t)r;
	}
	for (size_t r = 0; r < s->c->n; r++)
		s->shrunk[r] = 0;
	return best != MERGEDTREE_NO_ROW ? &s->c->row[best] : NULL;
}

static struct move
find_move(struct search *s, const struct row *row, bool total)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t r = (uint32_t)(row - s->c->row);
	struct move move = {NULL, NULL};
	double all = 0;

	for (uint32_t k = t->first[r]; k < t->first[r + 1]; k++) {
		const struct mergedtree_node *n = &t->node[t->of[k]];
		double growth = total ? n->total[1] - n->total[0] : n->self[1] - n->self[0];

		if (total && mergedtree_recurses(t, t->of[k]))
			continue;
		all += growth;
		add_way(s, t->of[k], growth, !total);
	}
	move.within = nearest_unchanged(s, all);
	if (move.within != NULL)
		move.from = most_shrunk(s, move.within);
	if (move.from == row)
		move.from = NULL;
	return move;
}

/* What a function's place is told by: the caller and the callee with most of its cost. */
struct place {
	const struct row *row;
	uint32_t caller, callee;
	double cost;
};

static struct place
place_of(struct search *s, const struct row *row, int side)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t r = (uint32_t)(row - s->c->row);
	struct place p = {row, MERGEDTREE_NO_ROW, MERGEDTREE_NO_ROW, row->total.scaled_mean[side]};
	double most = 0, callee = row->self.scaled_mean[side];

	for (uint32_t k = t->first[r]; k < t->first[r + 1]; k++) {
		uint32_t node = t->of[k];

		if (t->node[node].total[side] > most) {
			most = t->node[node].total[side];
			p.caller = t->node[t->node[node].parent].row;
		}
		for (uint32_t i = node + 1; i < t->node[node].end; i = t->node[i].end)
			if (t->node[i].total[side] > callee) {
				callee = t->node[i].total[side];
				p.callee = t->node[i].row;
			}
	}
	return p;
}

static bool
alike(const struct place *a, const struct place *b)
{
	return a->caller == b->caller && a->callee == b->callee && a->cost < SIMILAR * b->cost &&
	       b->cost < SIMILAR * a->cost;
}

/* Functions that only one side has, and that are large enough to be tested. */
static size_t
only_on(struct search *s, int side, struct place **place)
{
	size_t n = 0, cap = 0;

	*place = NULL;
	for (size_t i = 0; i < s->c->n; i++) {
		const struct row *row = &s->c->row[i];

		if (row->total.verdict == VERDICT_SMALL || row->total.scaled_mean[!side] != 0)
			continue;
		vec_fit(*place, cap, n + 1);
		(*place)[n++] = place_of(s, row, side);
	}
	return n;
}

/* The one among others that a place is like, or NULL where there is none or more. */
static const struct place *
only_alike(const struct place *p, const struct place *other, size_t n)
{
	const struct place *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (alike(p, &other[i])) {
			if (found != NULL)
				return NULL;
			found = &other[i];
		}
	return found;
}

static void
find_renames(struct search *s, struct moves *m)
{
	struct place *gone, *come;
	size_t ngone = only_on(s, 0, &gone), ncome = only_on(s, 1, &come);

	m->rename = cli_alloc(RENAMES_MAX, sizeof *m->rename);
	for (size_t i = 0; i < ngone && m->renames < RENAMES_MAX; i++) {
		const struct place *p = only_alike(&gone[i], come, ncome);

		if (p != NULL && only_alike(p, gone, ngone) != NULL)
			m->rename[m->renames++] = (struct rename){gone[i].row, p->row};
	}
	free(gone);
	free(come);
}

void
moved_find(struct moves *m, struct comparison *c)
{
	struct search s = {.c = c};

	*m = (struct moves){0};
	m->self = cli_alloc(c->n, sizeof *m->self);
	m->total = cli_alloc(c->n, sizeof *m->total);
	mergedtree_make(&s.mergedtree, c);
	s.grown = cli_alloc(c->n, sizeof *s.grown);
	s.seen = cli_alloc(c->n, sizeof *s.seen);
	s.shrunk = cli_alloc(c->n, sizeof *s.shrunk);
	for (size_t i = 0; i < c->n; i++)
		for (int total = 0; total < 2; total++) {
			const struct change *x = row_change(c, &c->row[i], total);

			if (x->verdict == VERDICT_REAL && x->scaled_mean[1] > x->scaled_mean[0])
				(total ? m->total : m->self)[i] = find_move(&s, &c->row[i], total);
		}
	find_renames(&s, m);
	mergedtree_free(&s.mergedtree);
	free(s.grown);
	free(s.seen);
	free(s.met);
	free(s.shrunk);
}

void
moved_free(struct moves *m)
{
	free(m->self);
	free(m->total);
	free(m->rename);
}
