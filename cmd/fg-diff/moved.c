/*
 * moved: finds cost shifts. Inlining, splitting and renaming code changes functions, but not
 * the total. To detect it, we need not know which function became which. If the nearest caller
 * of all the growth had the power to show it, and did not grow, the cost was there before.
 * Often a caller is too large to show it. Then the functions below it that grew or shrank are
 * tested as a set: its sum must be unchanged.
 *
 * Renames are only guesses: one function went and another one came, with the same main caller,
 * the same main callee and a similar cost. They are hints and never excuse a regression.
 */
#include "fg-diff/moved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/mergedtree.h"
#include "stats/noisemodel.h"

#define ALL_OF_IT 0.9 /* share of a growth that counts as all of it: the rest may be noise */
#define UNCHANGED 0.25 /* an unchanged caller or set grew by at most this share of a growth */
#define CARRIES 0.1 /* a function below with this share of the growth belongs to the set */
#define NOISY 0.5 /* limit of the growth of a set in which a function shrank significantly, */
#define NOISY_P 0.05 /* if chance alone causes such a growth with at least this probability */
#define EVERYTHING 0.98 /* of the total: below such a caller only new and gone functions count */
#define WORTH 0.001 /* smaller growth, as a share of the profile total, is not searched */
#define SIMILAR 1.5 /* maximum ratio of similar costs */
#define RENAMES_MAX 5

/* A function below the current caller. */
struct below {
	double here[2]; /* scaled self values of its nodes below the caller, of base and head */
};

struct search {
	struct comparison *c;
	struct mergedtree mergedtree;
	double *grown; /* by row: the part of the current growth below it */
	uint32_t *seen; /* by row: the last path to the root that contains it */
	uint32_t *met, nmet, capmet; /* rows whose grown is not 0 */
	uint32_t paths;
	struct below *below; /* by row; cleared before the next caller is examined */
	double *carried; /* by row: its part of the current growth */
	bool *in_set; /* by row */
	double *sum; /* sum of the set, by run */
};

/* Adds a node's growth to each function on its path, once. */
static void
add_path(struct search *s, uint32_t node, double growth, bool itself)
{
	const struct mergedtree_node *n = s->mergedtree.node;

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

/* True if a function had the power to show such a growth, in scaled means, and did not grow. */
static bool
unchanged(const struct comparison *c, const struct change *x, double growth)
{
	growth *= noise_scale(&c->noise);
	if (fabs(change_own(c, x)) > UNCHANGED * growth)
		return false;
	return c->noise.kind == NOISE_NONE ||
	       (x->tests > 0 && x->verdict != VERDICT_REAL && noise_limit(&c->noise, x) <= growth);
}

static int
compare_callers(const void *a, const void *b, void *comparison)
{
	const struct comparison *c = comparison;
	const struct row *x = &c->row[*(const uint32_t *)a], *y = &c->row[*(const uint32_t *)b];
	double s = x->total.scaled_mean[0], t = y->total.scaled_mean[0];

	return s != t ? (s > t) - (s < t) : (x > y) - (x < y);
}

/* Finds the functions whose callees have all of the growth, smallest first; returns the number. */
static uint32_t
find_callers(struct search *s, double growth)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nmet; i++) {
		uint32_t row = s->met[i];

		if (s->grown[row] >= ALL_OF_IT * growth)
			s->met[n++] = row;
		s->grown[row] = 0;
	}
	s->nmet = 0;
	if (n > 0)
		qsort_r(s->met, n, sizeof *s->met, compare_callers, s->c);
	return n;
}

/* Sums the self values of each function below a caller. */
static void
sum_below(struct search *s, uint32_t row)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t end = 0;

	for (size_t r = 0; r < s->c->n; r++)
		s->below[r] = (struct below){{0, 0}};
	for (uint32_t k = t->first[row]; k < t->first[row + 1]; k++) {
		uint32_t i = t->of[k];

		for (i = i < end ? end : i; i < t->node[t->of[k]].end; i++)
			for (int side = 0; side < 2; side++)
				s->below[t->node[i].row].here[side] += t->node[i].self[side];
		if (end < i)
			end = i;
	}
}

/*
 * Returns the function below the current caller with the largest significant decrease.
 * Compares self values, since totals overlap.
 */
static const struct row *
most_shrunk(struct search *s)
{
	uint32_t best = MERGEDTREE_NO_ROW;

	for (uint32_t r = 0; r < s->c->n; r++) {
		double *x = s->below[r].here;

		if (s->c->row[r].self.verdict == VERDICT_REAL && x[0] > x[1] &&
		    (best == MERGEDTREE_NO_ROW ||
			x[0] - x[1] > s->below[best].here[0] - s->below[best].here[1]))
			best = r;
	}
	return best != MERGEDTREE_NO_ROW ? &s->c->row[best] : NULL;
}

/* True if nearly all of a function is below the current caller. */
static bool
is_below(const struct search *s, uint32_t r)
{
	const double *all = s->c->row[r].self.scaled_mean, *here = s->below[r].here;

	return here[0] + here[1] >= ALL_OF_IT * (all[0] + all[1]);
}

/*
 * Returns the function below the current caller that the growth most likely came from, or
 * MERGEDTREE_NO_ROW. Its decrease must be significant among those functions that were large enough
 * to lose the growth. They are fewer than all tested functions, and are chosen by base's values.
 */
static uint32_t
likely_source(const struct search *s, double growth)
{
	const struct comparison *c = s->c;
	uint32_t best = MERGEDTREE_NO_ROW;
	double candidates = 0, least = 1;

	for (uint32_t r = 0; r < c->n; r++) {
		const struct change *self = &c->row[r].self;
		double p;

		if (self->tests == 0 || self->scaled_mean[0] < (1 - UNCHANGED) * growth ||
		    !is_below(s, r))
			continue;
		candidates++;
		p = noise_change_p(&c->noise, self, 1);
		if (p < least && self->scaled_mean[0] > self->scaled_mean[1]) {
			least = p;
			best = r;
		}
	}
	/*
	 * `least` is two-sided, and only a decrease counts: half of it. Of decreases by chance,
	 * less than half leave the sum unchanged, which is tested next: half again.
	 */
	return candidates * least / 4 <= 1 - c->noise.confidence ? best : MERGEDTREE_NO_ROW;
}

/*
 * True if the sum of a set of functions is unchanged: its change is small compared with gross, the
 * growth of those that grew, and its noise would not hide a growth of that size. If one of the
 * functions shrank significantly (proven), the noise does not matter, and the sum may differ more,
 * up to NOISY * gross, unless p is at most NOISY_P.
 */
static bool
sum_unchanged(const struct comparison *c, const struct change *sum, double gross, bool proven)
{
	double net = fabs(change_own(c, sum));

	if (sum->verdict == VERDICT_REAL)
		return false;
	if (proven && sum->p > NOISY_P && net <= NOISY * gross)
		return true;
	return net <= UNCHANGED * gross &&
	       (c->noise.kind == NOISE_NONE || noise_limit(&c->noise, sum) <= gross);
}

/*
 * True if the functions below the current caller that changed, and those that carry the
 * growth, have an unchanged sum. *net is its growth, in the values of a report. also: a row
 * that belongs to the set in any case, or MERGEDTREE_NO_ROW; proven: its decrease is significant.
 */
static bool
set_unchanged(
    struct search *s, uint32_t caller, double growth, uint32_t also, bool proven, double *net)
{
	const struct comparison *c = s->c;
	double gross = 0, scale = noise_scale(&c->noise);
	bool everything =
	    c->row[caller].total.scaled_mean[0] >= EVERYTHING * c->profile_total.scaled_mean[0];
	struct change x;

	memset(s->sum, 0, c->runs * sizeof *s->sum);
	for (uint32_t r = 0; r < c->n; r++) {
		const struct change *self = &c->row[r].self;
		bool carries = s->carried[r] >= CARRIES * growth;

		s->in_set[r] =
		    carries || r == also || (self->verdict == VERDICT_REAL && is_below(s, r));
		/*
		 * across the entire program, an improvement does not excuse an unrelated
		 * regression
		 */
		if (everything && self->scaled_mean[0] > 0 && self->scaled_mean[1] > 0)
			s->in_set[r] = false;
		if (!s->in_set[r])
			continue;
		if (!is_below(s, r))
			return false;
		gross += fmax(fmax(self->scaled_mean[1] - self->scaled_mean[0], s->carried[r]), 0);
		proven |=
		    self->verdict == VERDICT_REAL && self->scaled_mean[1] < self->scaled_mean[0];
		for (unsigned k = 0; k < c->runs; k++)
			s->sum[k] += c->self[(size_t)r * c->runs + k];
	}
	if (gross < ALL_OF_IT * growth)
		return false;
	x = noise_judge_one(&c->noise, s->sum);
	*net = change_own(c, &x);
	return sum_unchanged(c, &x, gross * scale, proven);
}

/*
 * True if cost shifted among the functions below the current caller. The code may come from the
 * smallest caller itself; otherwise its source is searched.
 */
static bool
cost_shifted(struct search *s, uint32_t caller, double growth, double *net)
{
	uint32_t source;

	if (set_unchanged(s, caller, growth, MERGEDTREE_NO_ROW, false, net) ||
	    set_unchanged(s, caller, growth, s->met[0], false, net))
		return true;
	source = likely_source(s, growth);
	return source != MERGEDTREE_NO_ROW && set_unchanged(s, caller, growth, source, true, net);
}

static struct move
find_move(struct search *s, const struct row *row, bool total)
{
	const struct mergedtree *t = &s->mergedtree;
	uint32_t r = (uint32_t)(row - s->c->row), n;
	struct move move = {0};
	double all = 0;

	for (uint32_t k = t->first[r]; k < t->first[r + 1]; k++) {
		const struct mergedtree_node *node = &t->node[t->of[k]];
		double growth =
		    total ? node->total[1] - node->total[0] : node->self[1] - node->self[0];

		if (total && mergedtree_recurses(t, t->of[k]))
			continue;
		all += growth;
		if (growth != 0) /* a path may be long */
			add_path(s, t->of[k], growth, !total);
		for (uint32_t i = t->of[k]; i < (total ? node->end : t->of[k] + 1); i++)
			s->carried[t->node[i].row] += t->node[i].self[1] - t->node[i].self[0];
	}
	n = find_callers(s, all);
	for (uint32_t i = 0; i < n && move.within == NULL; i++) {
		const struct row *caller = &s->c->row[s->met[i]];
		bool same = unchanged(s->c, &caller->total, all);

		move.net = change_own(s->c, &caller->total);
		sum_below(s, s->met[i]);
		if (same || cost_shifted(s, s->met[i], all, &move.net)) {
			move.within = caller;
			move.alone = same;
			move.from = most_shrunk(s);
		}
	}
	for (uint32_t k = t->first[r], i = 0; k < t->first[r + 1]; k++)
		for (i = t->of[k] < i ? i : t->of[k]; i < t->node[t->of[k]].end; i++)
			s->carried[t->node[i].row] = 0;
	if (move.from == row)
		move.from = NULL;
	return move;
}

/* Identifies a function by its callers and callees: those with most of its cost. */
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

/*
 * Finds the functions that only one side has and that are large enough to be tested; returns
 * how many.
 */
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

/* Returns the only place similar to p, or NULL if there is none or more than one. */
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
	s.below = cli_alloc(c->n, sizeof *s.below);
	s.carried = cli_alloc(c->n, sizeof *s.carried);
	s.in_set = cli_alloc(c->n, sizeof *s.in_set);
	s.sum = cli_alloc(c->runs, sizeof *s.sum);
	for (size_t i = 0; i < c->n; i++)
		for (int total = 0; total < 2; total++) {
			const struct change *x = row_change(c, &c->row[i], total);

			if (x->verdict == VERDICT_REAL &&
			    change_own(c, x) > WORTH * c->profile_total.base)
				(total ? m->total : m->self)[i] = find_move(&s, &c->row[i], total);
		}
	find_renames(&s, m);
	mergedtree_free(&s.mergedtree);
	free(s.grown);
	free(s.seen);
	free(s.met);
	free(s.below);
	free(s.carried);
	free(s.in_set);
	free(s.sum);
}

void
moved_headlines(const struct moves *m, struct comparison *c, struct headlines *h)
{
	bool *excused = cli_alloc(c->n, sizeof *excused);

	for (size_t i = 0; i < c->n; i++)
		excused[i] = m->self[i].within != NULL;
	headlines_find(h, c, excused);
	free(excused);
}

void
moved_free(struct moves *m)
{
	free(m->self);
	free(m->total);
	free(m->rename);
}
