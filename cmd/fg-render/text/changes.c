/*
 * changes: the functions of a differential, and its noise column.
 *
 * The verdict on each function is that of fg-diff (common/stats), by the file's noise column. A
 * differential of one run a side without that column gets it here by the same test, so that
 * colours, summary, list and viewer agree. With several runs per side, the two columns are
 * means, from which no verdict can be computed.
 */
#include "fg-render/text/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/xml.h"
#include "profile/foldedinterval.h"
#include "names/frame.h"
#include "names/funcname.h"
#include "profile/unit.h"
#include "stats/noise.h"
#include "stats/period.h"

#define CONFIDENCE 0.99 /* the default of fg-diff --confidence */

static int
by_delta(const void *a, const void *b)
{
	const struct change_of *x = a, *y = b;

	if (fabs(x->delta) != fabs(y->delta))
		return fabs(x->delta) < fabs(y->delta) ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

/*
 * Returns the name to which the self value of a node belongs; a gap of a flame chart belongs
 * to its caller.
 */
static uint32_t
name_at(const struct picture *p, uint32_t node)
{
	const struct calltree_node *n = &p->tree->node[node];

	return picture_is_gap(p, n->name) ? p->tree->node[n->parent].name : n->name;
}

/* The change of the profile total in percent of base; 0 without a base. */
static double
total_change(const struct changes *c)
{
	double base = 0, delta = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		base += value_double(c->of[i].base);
		delta += c->of[i].delta;
	}
	return base > 0 ? 100 * delta / base : 0;
}

/* Reads the confidence intervals of the file's header into the rows of their functions. */
static void
read_intervals(
    const struct picture *p, struct calltree *names, const struct funcrows *rows, struct changes *c)
{
	const char *lines = p->columns.intervals;
	const double change = total_change(c);
	struct text name = {0};
	double low, high;

	while (folded_interval_next(&lines, &low, &high, &name)) {
		uint32_t number;

		if (folded_interval_is_total(&name, change)) {
			c->total_low = low;
			c->total_high = high;
			continue;
		}
		number = funcname_intern(names, name.s, name.len);
		if (number >= rows->known || rows->row[number] == FUNCROWS_NONE)
			continue;
		c->of[rows->row[number]].low = low;
		c->of[rows->row[number]].high = high;
	}
	text_free(&name);
}

/* The functions as fg-diff numbers them. */
struct numbering {
	uint32_t *row; /* by name number of the tree */
	uint32_t nname; /* of the tree */
	struct calltree *names;
	struct funcrows rows; /* by number in names */
};

static struct numbering *
number_rows(const struct picture *p)
{
	const struct calltree *t = p->tree;
	struct numbering *g = cli_alloc(1, sizeof *g);
	struct calltree *side[2];

	g->row = cli_alloc(t->nname, sizeof *g->row);
	g->nname = t->nname;
	g->names = calltree_new(0);
	for (uint32_t i = 1; i < t->nname; i++)
		g->row[i] = funcname_intern(g->names, t->name[i].s, t->name[i].len);
	for (int k = 0; k < 2; k++) {
		double *total = layout_totals(p, (unsigned)k);

		side[k] = calltree_new(0);
		for (uint32_t i = 1; i < t->nnode; i++) {
			const struct calltree_name *name = &t->name[name_at(p, i)];

			if (total[i] > 0)
				funcname_intern(side[k], name->s, name->len);
		}
		free(total);
	}
	g->rows = funcrows_number(g->names, (const struct calltree *[]){side[0], side[1]}, true);
	for (uint32_t i = 1; i < t->nname; i++)
		g->row[i] = g->rows.row[g->row[i]];
	calltree_free(side[0]);
	calltree_free(side[1]);
	return g;
}

static void
numbering_free(struct numbering *g)
{
	if (g == NULL)
		return;
	funcrows_free(&g->rows);
	calltree_free(g->names);
	free(g->row);
	free(g);
}

/* Returns the weight of one sample. total: of base and head. */
static double
sample_weight(const struct picture *p, const double *total)
{
	const struct calltree *t = p->tree;
	struct period_stacks stacks = {.n = t->nnode};
	enum period_source source;
	double header[2];

	for (int k = 0; k < 2; k++) {
		header[k] = folded_sample_weight(&p->columns, p->drawn.column[k]);
		stacks.side[k] = t->self[p->drawn.column[k]];
	}
	return period_find(header, fmax(total[0], total[1]), &stacks, &source);
}

/* The weaker kind of values of base and head. */
static enum folded_values
values_of(const struct picture *p)
{
	return folded_values_join(folded_values_of(&p->columns, p->drawn.column[0]),
	    folded_values_of(&p->columns, p->drawn.column[1]));
}

bool
changes_exact(const struct picture *p)
{
	const char *compared = p->columns.compared;

	return compared != NULL ? strcmp(compared, FOLDED_COMPARED_EXACT) == 0
				: values_of(p) == FOLDED_EXACT;
}

static void
test_total(struct changes *c, const struct noise *noise)
{
	double limit;
	const struct change total = noise_profile_total(noise, INFINITY, &limit);
	struct interval i;

	if (!noise_profile_total_is_doubtful(noise, &total, &i))
		return;
	c->total_low = i.low;
	c->total_high = i.high;
}

/* Tests each function as fg-diff does with one run per side. kernel: by row, time in the kernel. */
static void
test(const struct picture *p, struct changes *c, const double *kernel)
{
	double profile_total[2] = {0};
	double *self = cli_alloc(c->n, 2 * sizeof *self), *part = cli_alloc(c->n, sizeof *part);
	struct change *change = cli_alloc(c->n, sizeof *change);
	struct noise noise = {
	    .kind = changes_exact(p) ? NOISE_NONE : NOISE_RUNS,
	    .absolute = unit_is_memory(p->columns.unit[p->drawn.column[0]]),
	    .confidence = CONFIDENCE,
	    .nbase = 1,
	    .nhead = 1,
	    .profile_total = profile_total,
	};

	for (uint32_t i = 0; i < c->n; i++) {
		self[2 * i] = value_double(c->of[i].base);
		self[2 * i + 1] = value_double(c->of[i].head);
		if (kernel[i] > 0)
			part[i] = fmin(kernel[i] / (self[2 * i] + self[2 * i + 1]), 1);
		for (int k = 0; k < 2; k++)
			profile_total[k] += self[2 * i + (unsigned)k];
	}
	noise.period = sample_weight(p, profile_total);
	noise_fit(&noise, self, c->n);
	noise_judge(&noise, self, c->n, noise.reference, part, change);
	test_total(c, &noise);
	memcpy(c->size, noise.size, sizeof c->size);
	for (uint32_t i = 0; i < c->n; i++) {
		struct interval interval;

		if (change[i].verdict != VERDICT_REAL)
			continue;
		c->of[i].verdict = noise_own(&noise, &change[i]) > 0 ? 1 : -1;
		if (!noise_is_modelled(&noise) || change[i].base <= 0)
			continue;
		interval = noise_simultaneous(&noise, &change[i]);
		c->of[i].low = interval.low;
		c->of[i].high = interval.high;
	}
	noise_free(&noise);
	free(change);
	free(part);
	free(self);
}

static struct changes
find(const struct picture *p, const struct numbering *g)
{
	const struct calltree *t = p->tree;
	const uint32_t *row = g->row;
	struct changes c = {.n = g->rows.n};
	double *kernel;
	bool *real;

	c.of = cli_alloc(c.n, sizeof *c.of);
	real = cli_alloc(c.n, sizeof *real);
	kernel = cli_alloc(c.n, sizeof *kernel);
	c.tested = p->diff.noise >= 0 || changes_exact(p) ||
		   (p->columns.compared == NULL && values_of(p) != FOLDED_UNKNOWN);
	for (uint32_t i = 1; i < t->nnode; i++) {
		uint32_t name = name_at(p, i);
		struct change_of *f = &c.of[row[name]];
		value base = calltree_self(t, i, p->drawn.column[0]);
		value head = calltree_self(t, i, p->drawn.column[1]);
		double delta = value_double(head) - value_double(base);

		f->base += base;
		f->head += head;
		f->delta += delta;
		if (frame_in_kernel(t->name[name].s, t->name[name].len))
			kernel[row[name]] += value_double(base) + value_double(head);
		if (p->diff.noise >= 0)
			real[row[name]] |= verdict_of_mark(calltree_self(t, i,
							       p->drawn.column[p->diff.noise]) != 0,
					       value_double(base), value_double(head)) != 0;
		if (f->node == 0 || fabs(delta) > f->most) {
			f->most = fabs(delta);
			f->node = i;
			f->name = name;
		}
	}
	if (p->diff.noise >= 0) {
		for (uint32_t i = 0; i < c.n; i++)
			c.of[i].verdict = !real[i] ? 0 : c.of[i].delta > 0 ? 1 : -1;
		read_intervals(p, g->names, &g->rows, &c);
	} else if (c.tested) {
		test(p, &c, kernel);
	}
	if (c.tested) {
		c.direction = cli_alloc(t->nname, sizeof *c.direction);
		for (uint32_t i = 1; i < t->nname; i++)
			c.direction[i] = (int8_t)c.of[row[i]].verdict;
	}
	sort_items(c.of, c.n, sizeof *c.of, by_delta);
	free(kernel);
	free(real);
	return c;
}

struct changes
changes_find(const struct picture *p)
{
	bool marked = p->diff.numbering != NULL && p->diff.numbering->nname == p->tree->nname;
	struct numbering *g = marked ? p->diff.numbering : number_rows(p);
	struct changes c = find(p, g);

	if (!marked)
		numbering_free(g);
	return c;
}

void
changes_free(struct picture *p)
{
	numbering_free(p->diff.numbering);
	p->diff.numbering = NULL;
}

void
changes_mark(struct picture *p)
{
	struct calltree *t = p->tree, *functions;
	struct text intervals = {0};
	struct changes c;

	if (p->diff.noise >= 0 || p->columns.compared != NULL || changes_exact(p) ||
	    values_of(p) == FOLDED_UNKNOWN || t->columns == CALLTREE_COLUMNS)
		return;
	functions = calltree_new(0);
	p->diff.numbering = number_rows(p);
	c = find(p, p->diff.numbering);
	p->drawn.column[p->drawn.n] = t->columns;
	value_array_resize(&t->self[t->columns], t->nnode);
	for (uint32_t i = 1; i < t->nnode; i++) {
		int direction = c.direction[name_at(p, i)];
		double side[2];

		for (int k = 0; k < 2; k++)
			side[k] = value_array_double(&t->self[p->drawn.column[k]], i) / c.size[k];
		if (calltree_is_stack(t, i) && verdict_marks_stack(direction, side[0], side[1]))
			calltree_add(t, i, t->columns, VALUE_ONE);
	}
	for (uint32_t i = 0; i < c.n; i++) {
		const struct change_of *of = &c.of[i];
		const struct calltree_name *name = &t->name[of->name];

		if (of->low >= of->high || !isfinite(of->high))
			continue;
		name = &functions->name[funcname_intern(functions, name->s, name->len)];
		folded_interval_add(&intervals, of->low, of->high, name->s, name->len);
	}
	if (c.total_low < c.total_high)
		folded_interval_add_total(&intervals, c.total_low, c.total_high, total_change(&c));
	p->columns.intervals = intervals.s;
	p->columns.name[t->columns] = cli_strdup("noise");
	p->drawn.unit[p->drawn.n] = xml_copy(FOLDED_SAMPLES);
	p->diff.noise = (int)p->drawn.n++;
	p->diff.judged = true;
	p->columns.n = ++t->columns;
	calltree_free(functions);
	free(c.of);
	free(c.direction);
}

/* True if the interval still applies to the change: a filter may have changed the values since. */
bool
changes_interval(const struct change_of *c)
{
	double percent = c->base != 0 ? 100 * c->delta / value_double(c->base) : 0;

	return c->base != 0 && c->head != 0 && c->low < c->high && isfinite(c->high) &&
	       percent >= c->low - 0.5 && percent <= c->high + 0.5;
}
