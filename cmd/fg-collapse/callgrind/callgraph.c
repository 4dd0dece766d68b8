/*
 * callgraph: Tarjan's algorithm finds the strongly connected components; then paths are
 * followed from the components with a root cost. Nothing recurses: call chains can be as
 * long as the input.
 */
#include "fg-collapse/callgrind/callgraph.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define LEAST_SHARE 1e-9 /* smallest share of a component that is followed */
#define EXCESS 1e-3 /* fraction of incl above which an excess is a root cost, not rounding */
#define STEPS (1u << 22) /* limit for all paths; beyond it, larger shares are dropped too */

void
callgraph_init(struct callgraph *g, unsigned columns)
{
	*g = (struct callgraph){.columns = columns};
}

void
callgraph_free(struct callgraph *g)
{
	free(g->self);
	free(g->call);
	free(g->cost);
	hash_index_free(&g->index);
}

uint32_t
callgraph_function(struct callgraph *g)
{
	if (g->functions == UINT32_MAX - 1)
		cli_die("more than 4294967294 functions");
	vec_fit(g->self, g->capself, ((size_t)g->functions + 1) * g->columns);
	for (unsigned c = 0; c < g->columns; c++)
		g->self[(size_t)g->functions * g->columns + c] = 0;
	return g->functions++;
}

int64_t *
callgraph_call(struct callgraph *g, uint32_t from, uint32_t to)
{
	uint32_t hash = (uint32_t)hash_number((uint64_t)from << 32 | to);

	for (uint32_t at = hash, n; (n = hash_index_next(&g->index, hash, &at)) != 0;)
		if (g->call[n - 1].from == from && g->call[n - 1].to == to)
			return &g->cost[(size_t)(n - 1) * g->columns];
	vec_fit(g->call, g->capcall, (size_t)g->calls + 1);
	vec_fit(g->cost, g->capcost, ((size_t)g->calls + 1) * g->columns);
	g->call[g->calls] = (struct callgraph_call){from, to};
	for (unsigned c = 0; c < g->columns; c++)
		g->cost[(size_t)g->calls * g->columns + c] = 0;
	hash_index_add(&g->index, hash, ++g->calls);
	return &g->cost[(size_t)(g->calls - 1) * g->columns];
}

/* Lists of indices by owner: those of o are item[begin[o]] to item[begin[o + 1] - 1]. */
struct lists {
	uint32_t *begin, *item;
};

static struct lists
lists_of(const uint32_t *owner, uint32_t items, uint32_t owners)
{
	struct lists l = {cli_alloc((size_t)owners + 2, sizeof *l.begin),
	    cli_alloc((size_t)items + 1, sizeof *l.item)};

	for (uint32_t i = 0; i < items; i++)
		l.begin[owner[i] + 2]++;
	for (uint32_t o = 0; o < owners; o++)
		l.begin[o + 2] += l.begin[o + 1];
	for (uint32_t i = 0; i < items; i++)
		l.item[l.begin[owner[i] + 1]++] = i;
	return l;
}

static void
lists_free(struct lists *l)
{
	free(l->begin);
	free(l->item);
}

/* State for one column. */
struct walk {
	const struct callgraph *g;
	unsigned column;
	struct sampler *sampler;
	const uint32_t *frame;
	struct lists calls; /* call indices by caller */
	uint32_t components;
	uint32_t *component; /* component of each function */
	struct lists members;
	double *in, *root;
	double least; /* smallest share to follow */

	struct step {
		uint32_t component, entry, node;
		double share;
	} * step; /* stack of steps to do */
	size_t n, cap;

	struct part {
		uint32_t node, function;
		double amount;
	} * part; /* parts of the functions' self costs */
	uint32_t parts, capparts;
};

static uint64_t
whole_self(const struct walk *w, uint32_t f)
{
	int64_t n = w->g->self[(size_t)f * w->g->columns + w->column];

	return n > 0 ? (uint64_t)n : 0;
}

static double
self_of(const struct walk *w, uint32_t f)
{
	return (double)whole_self(w, f);
}

static double
cost_of(const struct walk *w, uint32_t call)
{
	int64_t n = w->g->cost[(size_t)call * w->g->columns + w->column];

	return n > 0 ? (double)n : 0;
}

/* Finds the strongly connected components (Tarjan). */
static void
find_components(struct walk *w)
{
	const struct callgraph *g = w->g;
	uint32_t *order = cli_alloc(
	    (size_t)g->functions + 1, sizeof *order); /* visiting order, from 1; 0: not visited */
	uint32_t *low = cli_alloc((size_t)g->functions + 1, sizeof *low);
	uint32_t *next =
	    cli_alloc((size_t)g->functions + 1, sizeof *next); /* next call to follow */
	uint32_t *path = cli_alloc((size_t)g->functions + 1, sizeof *path);
	uint32_t *open = cli_alloc((size_t)g->functions + 1, sizeof *open);
	uint32_t seen = 0, opened = 0, deep = 0;

	for (uint32_t start = 0; start < g->functions; start++) {
		if (order[start] != 0)
			continue;
		path[deep++] = start;
		while (deep > 0) {
			uint32_t f = path[deep - 1], to;

			if (order[f] == 0) {
				order[f] = low[f] = ++seen;
				next[f] = w->calls.begin[f];
				open[opened++] = f;
				w->component[f] = UINT32_MAX;
			}
			if (next[f] < w->calls.begin[f + 1]) {
				to = g->call[w->calls.item[next[f]++]].to;
				if (order[to] == 0)
					path[deep++] = to;
				else if (w->component[to] == UINT32_MAX && order[to] < low[f])
					low[f] = order[to];
				continue;
			}
			deep--;
			if (deep > 0 && low[f] < low[path[deep - 1]])
				low[path[deep - 1]] = low[f];
			if (low[f] == order[f]) {
				do
					w->component[open[--opened]] = w->components;
				while (open[opened] != f);
				w->components++;
			}
		}
	}
	free(order);
	free(low);
	free(next);
	free(path);
	free(open);
}

/* Computes in and root of each component. */
static void
find_roots(struct walk *w)
{
	const struct callgraph *g = w->g;
	double *incl = w->root;

	for (uint32_t f = 0; f < g->functions; f++)
		incl[w->component[f]] += self_of(w, f);
	for (uint32_t i = 0; i < g->calls; i++) {
		uint32_t from = w->component[g->call[i].from], to = w->component[g->call[i].to];

		if (from != to) {
			w->in[to] += cost_of(w, i);
			incl[from] += cost_of(w, i);
		}
	}
	for (uint32_t s = 0; s < w->components; s++) {
		double excess = incl[s] - w->in[s];

		if (w->in[s] > 0)
			w->root[s] = excess > EXCESS * incl[s] ? excess : 0;
	}
}

/* The member where a component's root cost begins: the one with the largest excess, beyond[]. */
static uint32_t
entry_of(const struct walk *w, uint32_t component, const double *beyond)
{
	uint32_t at = w->members.begin[component];
	uint32_t best = w->members.item[at];

	for (; at < w->members.begin[component + 1]; at++)
		if (beyond[w->members.item[at]] > beyond[best])
			best = w->members.item[at];
	return best;
}

static void
push(struct walk *w, struct step step)
{
	vec_fit(w->step, w->cap, w->n + 1);
	w->step[w->n++] = step;
}

static void
push_roots(struct walk *w)
{
	const struct callgraph *g = w->g;
	double *beyond = cli_alloc((size_t)g->functions + 1, sizeof *beyond);

	for (uint32_t f = 0; f < g->functions; f++)
		beyond[f] = self_of(w, f);
	for (uint32_t i = 0; i < g->calls; i++) {
		beyond[g->call[i].from] += cost_of(w, i);
		beyond[g->call[i].to] -= cost_of(w, i);
	}
	for (uint32_t s = w->components; s-- > 0;)
		if (w->root[s] > 0)
			push(w, (struct step){s, entry_of(w, s, beyond), CALLTREE_ROOT,
				    w->root[s] / (w->in[s] + w->root[s])});
	free(beyond);
}

/* True if a call out of a component is to be followed; sets next, with its share of the
 * callee's component. */
static bool
follow(const struct walk *w, const struct step *s, uint32_t call, struct step *next)
{
	uint32_t to = w->g->call[call].to, component = w->component[to];
	double cost = cost_of(w, call);

	if (component == s->component || cost <= 0)
		return false;
	*next = (struct step){component, to, CALLTREE_ROOT,
	    s->share * (cost / (w->in[component] + w->root[component]))};
	return next->share >= w->least;
}

/* True if the number of steps of all paths is within the limit: STEPS or, if larger, the size
 * of the graph. */
static bool
count_paths(struct walk *w)
{
	const struct callgraph *g = w->g;
	uint64_t most = STEPS, steps = 0;
	struct step next;

	if (most < 2 * ((uint64_t)g->functions + g->calls))
		most = 2 * ((uint64_t)g->functions + g->calls);
	push_roots(w);
	while (w->n > 0 && steps <= most) {
		struct step s = w->step[--w->n];

		for (uint32_t m = w->members.begin[s.component];
		     m < w->members.begin[s.component + 1] && steps <= most; m++) {
			uint32_t f = w->members.item[m];

			steps += 1 + (w->calls.begin[f + 1] - w->calls.begin[f]);
			for (uint32_t c = w->calls.begin[f]; c < w->calls.begin[f + 1]; c++)
				if (follow(w, &s, w->calls.item[c], &next))
					push(w, next);
		}
	}
	w->n = 0;
	return steps <= most;
}

static void
walk_paths(struct walk *w)
{
	push_roots(w);
	while (w->n > 0) {
		struct step s = w->step[--w->n], next;
		uint32_t at = sample_child(w->sampler, s.node, w->frame[s.entry]);

		for (uint32_t m = w->members.begin[s.component];
		     m < w->members.begin[s.component + 1]; m++) {
			uint32_t f = w->members.item[m], node = at;

			if (f != s.entry)
				node = sample_child(w->sampler, at, w->frame[f]);
			if (self_of(w, f) > 0) {
				vec_fit(w->part, w->capparts, (size_t)w->parts + 1);
				w->part[w->parts++] =
				    (struct part){node, f, s.share * self_of(w, f)};
			}
			for (uint32_t c = w->calls.begin[f]; c < w->calls.begin[f + 1]; c++)
				if (follow(w, &s, w->calls.item[c], &next)) {
					next.node = node;
					push(w, next);
				}
		}
	}
}

struct fraction {
	uint32_t part;
	double rest;
};

static int
compare_fractions(const void *a, const void *b)
{
	const struct fraction *x = a, *y = b;

	if (x->rest != y->rest)
		return x->rest < y->rest ? 1 : -1;
	return (x->part > y->part) - (x->part < y->part);
}

/*
 * Rounds the n parts of a function to integers that add up to its cost. If small shares
 * were dropped, the other parts grow. Above 2^53, where a double is not exact, the
 * difference is added to the first part.
 */
static void
round_parts(const struct walk *w, const uint32_t *part, uint32_t n, uint64_t *whole)
{
	uint64_t cost = whole_self(w, w->part[part[0]].function), given = 0;
	struct fraction *f = cli_alloc(n, sizeof *f);
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += w->part[part[i]].amount;
	for (uint32_t i = 0; i < n; i++) {
		double amount = w->part[part[i]].amount;

		if (sum < (double)cost)
			amount *= (double)cost / sum;
		whole[i] = (uint64_t)amount;
		if (whole[i] > cost - given)
			whole[i] = cost - given;
		given += whole[i];
		f[i] = (struct fraction){i, amount - floor(amount)};
	}
	sort_items(f, n, sizeof *f, compare_fractions);
	for (uint32_t i = 0; i < n && given < cost; i++, given++)
		whole[f[i].part]++;
	whole[f[0].part] += cost - given;
	free(f);
}

static void
give(const struct walk *w, uint32_t event, uint32_t node, uint64_t n)
{
	static const struct sample_task nobody;
	value weight[CALLTREE_COLUMNS] = {0};

	weight[w->column] = value_of(n);
	if (n > 0 && sample_begin_all(w->sampler, &nobody,
			 &(struct sample_weight){event, weight[w->column]}, 1, SAMPLE_NO_TIME))
		sample_add(w->sampler, node, SAMPLE_NO_TIME, weight);
}

static void
give_parts(struct walk *w, uint32_t event)
{
	uint32_t *owner = cli_alloc((size_t)w->parts + 1, sizeof *owner);
	uint64_t *whole = cli_alloc((size_t)w->parts + 1, sizeof *whole);
	struct lists by;

	for (uint32_t i = 0; i < w->parts; i++)
		owner[i] = w->part[i].function;
	by = lists_of(owner, w->parts, w->g->functions);
	for (uint32_t f = 0; f < w->g->functions; f++) {
		uint32_t begin = by.begin[f], n = by.begin[f + 1] - begin;

		if (n > 0)
			round_parts(w, &by.item[begin], n, whole);
		else if (self_of(w, f) > 0) /* no part of it was large enough */
			give(w, event, sample_child(w->sampler, CALLTREE_ROOT, w->frame[f]),
			    whole_self(w, f));
		for (uint32_t i = 0; i < n; i++)
			give(w, event, w->part[by.item[begin + i]].node, whole[i]);
	}
	lists_free(&by);
	free(owner);
	free(whole);
}

double
callgraph_sample(const struct callgraph *g, unsigned column, struct sampler *s, uint32_t event,
    const uint32_t *frame)
{
	struct walk w = {.g = g,
	    .column = column,
	    .sampler = s,
	    .frame = frame,
	    .component = cli_alloc((size_t)g->functions + 1, sizeof *w.component),
	    .least = LEAST_SHARE};
	uint32_t *from = cli_alloc((size_t)g->calls + 1, sizeof *from);

	for (uint32_t i = 0; i < g->calls; i++)
		from[i] = g->call[i].from;
	w.calls = lists_of(from, g->calls, g->functions);
	free(from);
	find_components(&w);
	w.members = lists_of(w.component, g->functions, w.components);
	w.in = cli_alloc((size_t)w.components + 1, sizeof *w.in);
	w.root = cli_alloc((size_t)w.components + 1, sizeof *w.root);
	find_roots(&w);
	while (!count_paths(&w))
		w.least *= 10;
	walk_paths(&w);
	give_parts(&w, event);
	free(w.component);
	free(w.in);
	free(w.root);
	free(w.step);
	free(w.part);
	lists_free(&w.calls);
	lists_free(&w.members);
	return w.least > LEAST_SHARE ? w.least : 0;
}
