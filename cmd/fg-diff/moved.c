/*
 * moved: excuses growth where code was replaced. Inlining, splitting, moving and renaming code
 * changes functions, but not their sum. The sum has the code that grew and its partners:
 *
 *	functions that are new below the grown one, and went elsewhere: they moved there
 *	functions below its nearest common caller that are gone from there
 *	for new code also the caller itself, and functions below it that shrank: split code
 *
 * Two functions that both sides have below one caller are never partners: each is judged by itself.
 * Below a caller of everything, only the function whose place was taken is a
 * partner. The sum is judged as functions are, after the common factor of the runs.
 */
#include "fg-diff/moved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/engine.h"
#include "fg-diff/mergedtree.h"
#include "fg-diff/rename.h"
#include "stats/noisemodel.h"

#define ALL_OF_IT 0.9 /* share of a growth that counts as all of it: the rest may be noise */
#define UNCHANGED 0.25 /* an unchanged caller grew by at most this share of a growth */
#define CARRIES 0.1 /* a partner has at least this share of the growth */
#define NEW                                                                                      \
	0.05 /* a function with at most this share of its value on the other side is new or gone \
	      */
#define FOLLOWS 0.5 /* share of its growth that a function that moved loses elsewhere */
#define EVERYTHING 0.98 /* of the total: below it, few functions are partners */
#define WORTH 0.001 /* smaller growth, as a share of the profile total, is not searched */
/* Partners shrank, if chance causes that with at most this probability: gone code, and other code.
 */
#define GONE_P 0.05
#define SHRANK_P 0.02

/* Parts of a set of nodes, by row. */
enum {
	SUBTREE = 1, /* the function with its callees */
	SELF = 2,
	SUBTREE_BELOW = 4, /* the same below a caller */
	SELF_BELOW = 8,
};

struct search {
	struct comparison *c;
	struct mergedtree tree; /* made when the first function needs it */
	double *grown; /* by row: the part of the current growth below it */
	uint32_t *seen; /* by row: the last path to the root that contains it */
	uint32_t *met, nmet, capmet; /* rows whose grown is not 0 */
	uint32_t paths;
	uint8_t *set; /* by row: the current set */
	uint32_t caller; /* of SUBTREE_BELOW and SELF_BELOW; or MERGEDTREE_NO_ROW */
	double (*below)[2]; /* by row: totals below the current caller or function */
	double *sum; /* of a set, by run */
};

/* Adds a node's growth to each function on its path, once. */
static void
add_path(struct search *s, uint32_t node, double growth, bool itself)
{
	const struct mergedtree_node *n = s->tree.node;

	s->paths++;
	for (uint32_t i = itself ? node : n[node].parent; i != 0; i = n[i].parent) {
		uint32_t row = n[i].row;

		if (s->seen[row] == s->paths)
			continue;
		s->seen[row] = s->paths;
		if (s->grown[row] == 0) {
			vec_fit(s->met, s->capmet, (size_t)s->nmet + 1);
			s->met[s->nmet++] = row;
		}
		s->grown[row] += growth;
	}
}

static bool
is_new(const double of[2])
{
	return of[0] <= NEW * of[1];
}

static bool
is_gone(const double of[2])
{
	return of[1] <= NEW * of[0];
}

/*
 * Returns the smallest function that both sides have and whose callees, or itself, have all of the
 * growth; MERGEDTREE_NO_ROW if there is none.
 */
static uint32_t
nearest_caller(struct search *s, double growth)
{
	const struct comparison *c = s->c;
	uint32_t best = MERGEDTREE_NO_ROW;

	for (uint32_t i = 0; i < s->nmet; i++) {
		uint32_t row = s->met[i];
		const double *total = c->row[row].total->scaled_mean;
		const double *least =
		    best != MERGEDTREE_NO_ROW ? c->row[best].total->scaled_mean : NULL;

		/* of equal ones the first, which is nearest */
		if (s->grown[row] >= ALL_OF_IT * growth && !is_new(total) && !is_gone(total) &&
		    (least == NULL || total[0] < least[0] * (1 - 1e-9)))
			best = row;
		s->grown[row] = 0;
	}
	s->nmet = 0;
	return best;
}

/* Sums the totals of each function below a row's nodes; recursion counts once per path. */
static void
sum_below(struct search *s, uint32_t row)
{
	const struct mergedtree *t = &s->tree;
	uint32_t *until = s->seen, end = 0; /* by row: the end of its outermost node */

	memset(s->below, 0, s->c->n * sizeof *s->below);
	memset(until, 0, s->c->n * sizeof *until);
	s->paths = 0;
	for (uint32_t k = t->first[row]; k < t->first[row + 1]; k++) {
		uint32_t i = t->of[k];

		if (i < end)
			continue;
		end = t->node[i].end;
		for (i++; i < end; i++) {
			uint32_t r = t->node[i].row;

			if (i < until[r])
				continue;
			until[r] = t->node[i].end;
			for (int side = 0; side < 2; side++)
				s->below[r][side] += t->node[i].total[side];
		}
	}
	memset(until, 0, s->c->n * sizeof *until);
}

/* A walk that selects the nodes of the current set. */
struct walk {
	uint32_t in, below; /* ends of the subtree in the set, and of that below the caller */
};

static bool
walk_takes(const struct search *s, struct walk *w, uint32_t node, uint32_t end, uint32_t row)
{
	uint8_t set = s->set[row];
	bool below = node < w->below;

	if (row == s->caller && end > w->below)
		w->below = end;
	if ((set & SUBTREE || (set & SUBTREE_BELOW && below)) && end > w->in)
		w->in = end;
	return node < w->in || set & SELF || (set & SELF_BELOW && (below || row == s->caller));
}

/* Judges the sum of the current set over the runs. */
static struct change
judge_set(struct search *s)
{
	const struct comparison *c = s->c;
	unsigned first = 0;

	memset(s->sum, 0, c->runs * sizeof *s->sum);
	for (int k = 0; k < 2; first += c->side[k++]->runs)
		for (unsigned r = 0; r < c->side[k]->runs; r++) {
			const struct side_nodes *n = side_nodes(c->side[k], r);
			struct walk w = {0, 0};

			for (uint32_t i = 0; i < n->n; i++)
				if (walk_takes(
					s, &w, i, n->node[i].end, c->row_of[n->node[i].function]))
					s->sum[first + r] += n->node[i].self;
		}
	return noise_judge_one(&c->noise, s->sum);
}

/* Adds the functions that are new below a function and went elsewhere to the set. */
static bool
add_moved(struct search *s, uint32_t row, double growth)
{
	bool any = false;

	sum_below(s, row);
	for (uint32_t r = 0; r < s->c->n; r++) {
		const double *in = s->below[r], *all = s->c->row[r].total->scaled_mean;
		double more = in[1] - in[0];

		if (r == row || more < CARRIES * growth || !is_new(in) ||
		    (all[0] - in[0]) - (all[1] - in[1]) < FOLLOWS * more)
			continue;
		s->set[r] |= SUBTREE;
		any = true;
	}
	return any;
}

/* True if a node of a row has a sibling in another row. */
static bool
are_siblings(const struct mergedtree *t, uint32_t row, uint32_t other)
{
	for (uint32_t k = t->first[row]; k < t->first[row + 1]; k++)
		for (uint32_t l = t->first[other]; l < t->first[other + 1]; l++)
			if (t->node[t->of[k]].parent == t->node[t->of[l]].parent)
				return true;
	return false;
}

/* Adds the functions that are gone below the caller. */
static bool
add_gone(struct search *s, uint32_t row, double growth, bool everything)
{
	bool any = false;

	for (uint32_t r = 0; r < s->c->n; r++) {
		const double *here = s->below[r];

		if (r == row || here[0] < CARRIES * growth || !is_gone(here) ||
		    (everything && !are_siblings(&s->tree, row, r)))
			continue;
		s->set[r] |= SUBTREE_BELOW;
		any = true;
	}
	return any;
}

/* True if nearly all of a function is below the current caller. */
static bool
is_below(const struct search *s, uint32_t r)
{
	const double *all = s->c->row[r].total->scaled_mean, *here = s->below[r];

	return here[0] + here[1] >= ALL_OF_IT * (all[0] + all[1]);
}

/*
 * Adds the functions below the caller that new code was split from: those that shrank
 * significantly, among the functions that were large enough. They are fewer than all tested
 * functions, and are chosen by base's values.
 */
static bool
add_split(struct search *s, uint32_t row, double growth)
{
	const struct comparison *c = s->c;
	double candidates = 0, least = 1;
	uint32_t best = MERGEDTREE_NO_ROW;
	bool any = false;

	for (uint32_t r = 0; r < c->n; r++) {
		const struct change *self = c->row[r].self;
		double p;

		if (r == row || r == s->caller || self->scaled_mean[0] <= self->scaled_mean[1] ||
		    !is_below(s, r) || s->set[r] != 0)
			continue;
		if (self->verdict == VERDICT_REAL &&
		    self->scaled_mean[0] - self->scaled_mean[1] >= CARRIES * growth) {
			s->set[r] |= SELF_BELOW;
			any = true;
		}
		if (self->tests == 0 || self->scaled_mean[0] < (1 - UNCHANGED) * growth)
			continue;
		candidates++;
		p = noise_change_p(&c->noise, self, 1);
		if (p < least) {
			least = p;
			best = r;
		}
	}
	/* Only a decrease counts, of a two-sided probability: half of it. */
	if (any || best == MERGEDTREE_NO_ROW || candidates * least / 2 > SHRANK_P / 2)
		return any;
	s->set[best] |= SELF_BELOW;
	return true;
}

/* Returns the partner that shrank most, or NULL. */
static const struct row *
most_shrunk(const struct search *s, uint32_t row)
{
	const struct row *best = NULL;
	double most = 0;

	for (uint32_t r = 0; r < s->c->n; r++) {
		const struct row *x = &s->c->row[r];
		double less = x->self->scaled_mean[0] - x->self->scaled_mean[1];

		if (s->set[r] == 0 || r == row || less <= most)
			continue;
		most = less;
		best = x;
	}
	return best;
}

/*
 * Tests the set: the partners shrank, and the sum of all fits "moved" better than "the partners are
 * unchanged".
 */
static bool
is_replaced(struct search *s, uint32_t row, uint8_t own, double limit, struct move *move)
{
	struct change sum, partners;
	bool exact = s->c->noise.kind == NOISE_NONE;
	double grown, shrunk;

	s->set[row] |= own;
	sum = judge_set(s);
	move->net = change_own(s->c, &sum);
	move->p = sum.p;
	move->limit = exact ? 0 : noise_limit(&s->c->noise, &sum);
	/* the sum without the function itself */
	for (unsigned k = 0; k < s->c->runs; k++)
		s->sum[k] -= own == SUBTREE ? s->c->total[(size_t)row * s->c->runs + k]
					    : s->c->self[(size_t)row * s->c->runs + k];
	for (unsigned k = 0; k < s->c->runs; k++)
		s->sum[k] = fmax(s->sum[k], 0);
	partners = noise_judge_one(&s->c->noise, s->sum);
	if (change_own(s->c, &partners) >= 0 && partners.scaled_mean[1] >= partners.scaled_mean[0])
		return false;
	if (exact)
		return true;
	shrunk = -noise_statistic(&s->c->noise, &partners, 1, 0);
	grown = noise_statistic(&s->c->noise, &sum, 1, 0);
	return noise_change_p(&s->c->noise, &partners, 1) <= limit && grown < shrunk;
}

/* True if a caller had the power to show such a growth, in scaled means, and did not grow. */
static bool
unchanged(const struct comparison *c, const struct change *x, double growth)
{
	growth *= noise_scale(&c->noise);
	if (fabs(change_own(c, x)) > UNCHANGED * growth)
		return false;
	return !noise_is_modelled(&c->noise) ||
	       (x->tests > 0 && x->verdict != VERDICT_REAL && noise_limit(&c->noise, x) <= growth);
}

/* Few comparisons have a function whose growth is large enough to be searched. */
static void
make_tree(struct search *s)
{
	if (s->tree.node == NULL)
		mergedtree_make(&s->tree, s->c);
}

static struct move
find_move(struct search *s, uint32_t row, bool total)
{
	const struct mergedtree *t = &s->tree;
	const struct comparison *c = s->c;
	const struct row *r = &c->row[row];
	struct move move = {0};
	double growth = 0;
	bool new = is_new(total ? r->total->scaled_mean : r->self->scaled_mean);
	bool gone, split = false, everything;

	for (uint32_t k = t->first[row]; k < t->first[row + 1]; k++) {
		const struct mergedtree_node *node = &t->node[t->of[k]];
		double more =
		    total ? node->total[1] - node->total[0] : node->self[1] - node->self[0];

		if (total && mergedtree_recurses(t, t->of[k]))
			continue;
		growth += more;
		if (more != 0) /* a path may be long */
			add_path(s, t->of[k], more, !total);
	}
	s->caller = nearest_caller(s, growth);
	if (s->caller != MERGEDTREE_NO_ROW)
		move.within = &c->row[s->caller];
	memset(s->set, 0, c->n);
	gone = total && add_moved(s, row, growth);
	if (s->caller != MERGEDTREE_NO_ROW) {
		const double *itself = move.within->self->scaled_mean;

		everything = move.within->total->scaled_mean[0] >=
			     EVERYTHING * c->profile_total.scaled_mean[0];
		sum_below(s, s->caller);
		if (new || !everything)
			gone |= add_gone(s, row, growth, everything);
		if (new && s->caller != row && itself[0] - itself[1] >= CARRIES *growth) {
			s->set[s->caller] |= SELF_BELOW;
			split = true;
		}
		if (new && !everything)
			split |= add_split(s, row, growth);
	}
	move.found = (gone || split) &&
		     is_replaced(s, row, total ? SUBTREE : SELF, gone ? GONE_P : SHRANK_P, &move);
	if (move.found && move.within != NULL) {
		move.alone = unchanged(c, move.within->total, growth);
		move.from = most_shrunk(s, row);
	} else if (move.found) {
		move.from = most_shrunk(s, row);
	}
	return move;
}

bool
move_excuses(const struct move *move, double allowed)
{
	return move->found && (move->net <= allowed || (move->p > MOVE_P && move->net < INFINITY));
}

void
moved_find(struct moves *m, struct comparison *c)
{
	struct search s = {.c = c};

	*m = (struct moves){0};
	m->self = cli_alloc(c->n, sizeof *m->self);
	m->total = cli_alloc(c->n, sizeof *m->total);
	s.grown = cli_alloc(c->n, sizeof *s.grown);
	s.seen = cli_alloc(c->n, sizeof *s.seen);
	s.below = cli_alloc(c->n, sizeof *s.below);
	s.set = cli_alloc(c->n, sizeof *s.set);
	s.sum = cli_alloc(c->runs, sizeof *s.sum);
	for (size_t i = 0; i < c->n; i++)
		for (int total = 0; total < 2; total++) {
			const struct change *x = row_change(c, &c->row[i], total);

			if (x->verdict != VERDICT_REAL ||
			    change_own(c, x) <= WORTH * c->profile_total.base)
				continue;
			make_tree(&s);
			(total ? m->total : m->self)[i] = find_move(&s, (uint32_t)i, total);
		}
	if (renames_possible(c)) {
		make_tree(&s);
		m->renames = renames_find(c, &s.tree, m->rename);
	}
	mergedtree_free(&s.tree);
	free(s.grown);
	free(s.seen);
	free(s.met);
	free(s.below);
	free(s.set);
	free(s.sum);
}

/* A renamed function of another cost is one change, not two. */
bool *
moves_renamed(const struct moves *m, const struct comparison *c)
{
	bool *same = cli_alloc(c->n, sizeof *same);

	for (size_t i = 0; i < m->renames; i++) {
		same[m->rename[i].gone - c->row] = true;
		same[m->rename[i].come - c->row] = !m->rename[i].costs_more;
	}
	return same;
}

void
moved_headlines(const struct moves *m, struct comparison *c, struct headlines *h)
{
	bool *excused = cli_alloc(c->n, sizeof *excused);

	for (size_t i = 0; i < c->n; i++)
		excused[i] = c->row[i].self->verdict == VERDICT_REAL &&
			     move_excuses(&m->self[i], UNCHANGED * change_own(c, c->row[i].self));
	headlines_find(h, c, excused);
	if (c->scripts != NULL && h->n > 0)
		engine_find(h, c);
	free(excused);
}

void
moved_free(struct moves *m)
{
	free(m->self);
	free(m->total);
}
