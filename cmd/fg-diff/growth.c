/*
 * growth: reads all profiles as runs of one side, and judges the values of each function in their
 * order. Values are amounts, never shares: a leak that is most of the heap would hide in these.
 */
#include "fg-diff/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "fg-diff/inputs.h"
#include "names/own.h"
#include "profile/foldedheader.h"
#include "profile/labelroot.h"
#include "profile/unit.h"
#include "stats/distribution.h"

#define END 0.1 /* of the total before: a smaller last profile is from after the end */

/* Columns of memory in use; others, such as allocated, grow in any program. */
static const char *const live[] = {"live", "inuse_space", "inuse_objects"};

static bool
has_column(const struct folded_columns *c, const char *name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->name[i] != NULL && strcmp(c->name[i], name) == 0)
			return true;
	return false;
}

/* Chooses the column of the live heap, by the first file. */
static const char *
live_column(const char *path)
{
	struct folded folded = {.allow_empty = true};
	struct folded_file file;
	struct folded_line l;
	const char *found = NULL;

	folded_open(&file, &folded, path);
	folded_next(&file, &l);
	for (size_t i = 0; i < sizeof live / sizeof live[0] && found == NULL; i++)
		if (has_column(&folded.columns, live[i]))
			found = live[i];
	folded_release(&file);
	lines_close(file.in);
	folded_columns_free(&folded.columns);
	return found;
}

/* Profiles in an hour, if all have a label start; else 0. */
static double
profiles_in_an_hour(const struct growth *g)
{
	uint64_t start[2];

	for (int k = 0; k < 2; k++) {
		struct labels *labels =
		    labelroot_labels(g->side.path[g->profile[k == 0 ? 0 : g->n - 1]]);

		start[k] = labels_start(labels);
		labels_free(labels);
	}
	return start[0] > 0 && start[1] > start[0]
		   ? 3600e9 * (g->n - 1) / (double)(start[1] - start[0])
		   : 0;
}

/* Sets values[0..n) of a function; a run without it has 0. */
static void
values_of(
    const struct growth *g, const struct value_array *by_run, uint32_t function, double *values)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct value_array *of = &by_run[g->profile[i]];

		values[i] = function < of->n && value_array_has(of, function)
				? value_array_double(of, function)
				: 0;
	}
}

static struct growth_row
judge(const struct growth *g, const double *values, const struct trend_rules *rules)
{
	struct growth_row row = {.first = values[0], .last = values[g->n - 1]};

	for (unsigned i = 0; i < g->n; i++)
		row.mean += values[i] / g->n;
	row.trend = trend_find(values, g->n, rules);
	return row;
}

/* Calls f with each function that is large enough in some profile, by self value and by total. */
typedef void each_value(struct growth *g, const struct calltree_name *name, uint32_t function,
    bool total, const double *values, void *arg);

static void
each(struct growth *g, each_value *f, void *arg)
{
	const struct spent *spent = &g->side.spent[0];
	const struct calltree *names = g->identity.functions;
	double *values = cli_alloc(g->n, sizeof *values), largest = 0;

	for (unsigned i = 0; i < g->n; i++)
		largest = fmax(largest, value_double(g->side.run_profile_total[g->profile[i]]));
	for (uint32_t i = 1; i < names->nname; i++)
		for (int total = 0; total < 2; total++) {
			double most = 0;

			values_of(g, total ? spent->total : spent->self, i, values);
			for (unsigned t = 0; t < g->n; t++)
				most = fmax(most, values[t]);
			if (most >= GROWTH_FAMILY * largest)
				f(g, &names->name[i], i, total, values, arg);
		}
	free(values);
}

static void
count(struct growth *g, const struct calltree_name *name, uint32_t function, bool total,
    const double *values, void *arg)
{
	(void)name, (void)function, (void)total, (void)values, (void)arg;
	g->tested++;
}

struct adding {
	const struct trend_rules *rules;
	const uint8_t *own; /* by function */
	const uint32_t *depth; /* by function: of its innermost frame */
};

static void
add(struct growth *g, const struct calltree_name *name, uint32_t function, bool total,
    const double *values, void *arg)
{
	const struct adding *adding = arg;
	struct growth_row *row = &g->row[g->rows++];

	*row = judge(g, values, adding->rules);
	row->name = name;
	row->total = total;
	row->own = adding->own[function];
	row->depth = adding->depth[function];
}

static int
rank(const struct growth_row *r)
{
	return r->trend.kind == TREND_GROWS ? 0 : r->trend.kind == TREND_LEVEL ? 2 : 1;
}

static int
compare_growth(const void *a, const void *b)
{
	const struct growth_row *x = a, *y = b;

	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	if (x->trend.slope != y->trend.slope)
		return x->trend.slope > y->trend.slope ? -1 : 1;
	if (x->total != y->total)
		return x->total - y->total;
	return strcmp(x->name->s, y->name->s);
}

bool
growth_grows(const struct growth *g)
{
	return g->culprit != NULL || strcmp(growth_word(g, &g->whole), "grows") == 0;
}

const char *
growth_word(const struct growth *g, const struct growth_row *row)
{
	double rise = row->trend.slope * (double)(g->n - 1 - row->trend.since);
	double most = fmax(g->whole.first, fmax(g->whole.last, g->whole.mean));

	switch (row->trend.kind) {
	case TREND_STEP: return "step";
	case TREND_ENDED: return "ended";
	case TREND_GROWS: return rise < GROWTH_SMALL * most ? "small" : "grows";
	case TREND_LEVEL: break;
	}
	return "noise";
}

/*
 * The growing function that is nearest to the cause: of those with at least half of the largest
 * growth, the program's own before others, the one with the least value, and of a caller and its
 * only callee the latter.
 */
static const struct growth_row *
find_culprit(const struct growth *g)
{
	const struct growth_row *found = NULL;
	double most = 0;

	for (size_t i = 0; i < g->rows; i++)
		if (g->row[i].total && strcmp(growth_word(g, &g->row[i]), "grows") == 0)
			most = fmax(most, g->row[i].trend.slope);
	for (size_t i = 0; i < g->rows; i++) {
		const struct growth_row *r = &g->row[i];

		if (!r->total || r->trend.slope < most / 2 ||
		    strcmp(growth_word(g, r), "grows") != 0)
			continue;
		if (found == NULL || r->own > found->own ||
		    (r->own == found->own &&
			(r->mean < found->mean ||
			    (r->mean == found->mean && r->depth > found->depth))))
			found = r;
	}
	return found;
}

/* Returns by function the depth of its innermost frame; the caller frees it. */
static uint32_t *
innermost(const struct growth *g)
{
	uint32_t *depth = cli_alloc(g->identity.functions->nname, sizeof *depth);
	const struct calltree *t = g->side.tree;
	uint32_t node = CALLTREE_ROOT, at = 0;

	while ((node = calltree_next(t, node, &at)) != CALLTREE_ROOT) {
		uint32_t *of = &depth[g->side.names.function[t->node[node].name]];

		*of = at > *of ? at : *of;
	}
	return depth;
}

static void
judge_all(struct growth *g, const struct options *o)
{
	enum folded_values kind = side_values(&g->side);
	struct trend_rules rules = {.level = 1 - g->confidence};
	double *whole = cli_alloc(g->n, sizeof *whole);
	const struct calltree *t = g->side.tree;
	uint8_t *own = own_match(t, &o->own, own_has_scripts(t, &o->own));
	uint8_t *by_function = cli_alloc(g->identity.functions->nname, 1);
	uint32_t *depth = innermost(g);

	for (uint32_t i = 1; i < t->nname; i++)
		by_function[g->side.names.function[i]] |= own[i];
	if (kind != FOLDED_EXACT)
		rules.period = folded_sample_weight(&g->side.folded.columns, g->side.picked);
	each(g, count, NULL);
	rules.tests = (double)g->tested + 1;
	g->row = cli_alloc(g->tested, sizeof *g->row);
	for (unsigned i = 0; i < g->n; i++)
		whole[i] = value_double(g->side.run_profile_total[g->profile[i]]);
	g->whole = judge(g, whole, &rules);
	each(g, add, &(struct adding){&rules, by_function, depth});
	if (g->rows > 0)
		sort_items(g->row, g->rows, sizeof *g->row, compare_growth);
	g->culprit = find_culprit(g);
	free(whole);
	free(own);
	free(by_function);
	free(depth);
}

/* Leaves out a last profile from after the end of the program, which frees its memory. */
static void
drop_end(struct growth *g)
{
	unsigned last = g->n > 1 ? g->profile[g->n - 1] : 0;
	double total = value_double(g->side.run_profile_total[last]);

	if (g->n < 2 ||
	    total >= END * value_double(g->side.run_profile_total[g->profile[g->n - 2]]))
		return;
	cli_note("%s: left out: its total is less than a tenth of the one before, as after the end "
		 "of the program",
	    g->side.path[last]);
	g->n--;
}

void
growth_find(struct growth *g, const struct options *o)
{
	static struct spent spent = {.by = BY_FUNCTION};

	*g = (struct growth){.confidence = o->noise.confidence, .top = o->top};
	options_side(o, &o->base, &g->side);
	if (g->side.column == NULL && o->base.n > 0 && o->columns == NULL)
		g->side.column = live_column(o->base.path[0]);
	g->column = g->side.column;
	g->side.keeps_all = true;
	g->side.folded.allow_empty = true;
	g->side.spent = &spent;
	g->side.nspent = 1;
	side_load(&g->side);
	g->profile = cli_alloc(g->side.runs, sizeof *g->profile);
	for (unsigned i = 0; i < g->side.runs; i++) {
		if (g->side.run[i].tree != NULL)
			g->profile[g->n++] = i;
		else
			g->empty++;
	}
	drop_end(g);
	if (g->n < TREND_MIN)
		cli_die("--growth needs %d profiles that are not empty; %u %s given", TREND_MIN,
		    g->n, text_form(g->n, "was", "were"));
	side_identify(&g->identity, &g->side, NULL, NULL);
	side_finish(&g->side);
	folded_finish(&g->side.folded, NULL);
	g->unit = g->side.folded.columns.unit[g->side.picked];
	g->hour = profiles_in_an_hour(g);
	judge_all(g, o);
}

struct interval
growth_interval(const struct growth *g, const struct growth_row *row, bool marginal)
{
	double tests = ((double)g->tested + 1) * (g->n - TREND_MIN + 1);
	double limit = student_limit(marginal ? 0.05 : (1 - g->confidence) / tests, row->trend.df);
	double slope = row->trend.slope, half = limit * row->trend.error;

	/* the interval of a significant growth excludes 0 */
	return (struct interval){row->trend.kind != TREND_LEVEL && !marginal
				     ? fmax(slope - half, slope * 1e-3)
				     : slope - half,
	    slope + half};
}

struct calltree_name
growth_since(const struct growth *g, const struct growth_row *row)
{
	const char *path = g->side.path[g->profile[row->trend.since]];

	return (struct calltree_name){path, (uint32_t)strlen(path)};
}

void
growth_free(struct growth *g)
{
	free(g->profile);
	free(g->row);
	side_free(&g->side);
	identity_free(&g->identity);
}
