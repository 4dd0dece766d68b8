/*
 * changes: the noise column of a differential, and the sentences of its summary: the functions
 * that became slower or faster, and how much of the other changes is noise.
 *
 * The verdict on each function is that of fg-diff (common/stats), by the file's noise column. A
 * differential of one run a side without that column gets it here by the same test, so that
 * colours, summary, list and viewer agree. With several runs per side, the two columns are
 * means, from which no verdict can be computed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "fg-render/xml.h"
#include "profile/foldedinterval.h"
#include "profile/frame.h"
#include "profile/funcname.h"
#include "profile/unit.h"
#include "stats/noise.h"
#include "stats/period.h"

#define CONFIDENCE 0.99 /* the default of fg-diff --confidence */
#define EXPLAINS 0.8 /* share of the change to explain by naming functions */

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

/* Reads the confidence intervals of the file's header into the rows of their functions. */
static void
read_intervals(const struct picture *p, struct calltree *names, const struct funcrows *rows,
    struct change_of *of)
{
	const char *lines = p->columns.intervals;
	struct text name = {0};
	double low, high;

	while (folded_interval_next(&lines, &low, &high, &name)) {
		uint32_t number = funcname_intern(names, name.s, name.len);

		if (number >= rows->known || rows->row[number] == FUNCROWS_NONE)
			continue;
		of[rows->row[number]].low = low;
		of[rows->row[number]].high = high;
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
	struct period_stack *stack = cli_alloc(t->nnode, sizeof *stack);
	enum period_source source;
	double header[2], weight;

	for (int k = 0; k < 2; k++)
		header[k] = folded_sample_weight(&p->columns, p->column[k]);
	for (uint32_t i = 1; i < t->nnode; i++)
		for (int k = 0; k < 2; k++)
			stack[i].side[k] = calltree_self(t, i, p->column[k]);
	weight = period_find(header, fmax(total[0], total[1]), stack, t->nnode, &source);
	free(stack);
	return weight;
}

/* True if base and head are exact costs, such as instructions of a simulator. */
static bool
is_exact(const struct picture *p)
{
	const char *compared = p->columns.compared;

	return compared != NULL ? strcmp(compared, FOLDED_COMPARED_EXACT) == 0
				: noise_is_exact(p->columns.unit[p->column[0]]);
}

/* Tests each function as fg-diff does with one run per side. kernel: by row, time in the kernel. */
static void
test(const struct picture *p, struct changes *c, const double *kernel)
{
	double profile_total[2] = {0};
	double *self = cli_alloc(c->n, 2 * sizeof *self), *part = cli_alloc(c->n, sizeof *part);
	struct change *change = cli_alloc(c->n, sizeof *change);
	struct noise noise = {
	    .kind = is_exact(p) ? NOISE_NONE : NOISE_RUNS,
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
	memcpy(c->size, noise.size, sizeof c->size);
	for (uint32_t i = 0; i < c->n; i++) {
		struct interval interval;

		if (change[i].verdict != VERDICT_REAL)
			continue;
		c->of[i].verdict = noise_own(&noise, &change[i]) > 0 ? 1 : -1;
		if (noise.kind == NOISE_NONE || change[i].base <= 0)
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
	if (p->noise >= 0)
		read_intervals(p, g->names, &g->rows, c.of);
	real = cli_alloc(c.n, sizeof *real);
	kernel = cli_alloc(c.n, sizeof *kernel);
	c.tested = p->noise >= 0 || p->columns.compared == NULL || is_exact(p);
	for (uint32_t i = 1; i < t->nnode; i++) {
		uint32_t name = name_at(p, i);
		struct change_of *f = &c.of[row[name]];
		value base = calltree_self(t, i, p->column[0]);
		value head = calltree_self(t, i, p->column[1]);
		double delta = value_double(head) - value_double(base);

		f->base += base;
		f->head += head;
		f->delta += delta;
		if (frame_in_kernel(t->name[name].s, t->name[name].len))
			kernel[row[name]] += value_double(base) + value_double(head);
		if (p->noise >= 0)
			real[row[name]] |=
			    verdict_of_mark(calltree_self(t, i, p->column[p->noise]) != 0,
				value_double(base), value_double(head)) != 0;
		if (f->node == 0 || fabs(delta) > f->most) {
			f->most = fabs(delta);
			f->node = i;
			f->name = name;
		}
	}
	if (p->noise >= 0)
		for (uint32_t i = 0; i < c.n; i++)
			c.of[i].verdict = !real[i] ? 0 : c.of[i].delta > 0 ? 1 : -1;
	else if (c.tested)
		test(p, &c, kernel);
	if (c.tested) {
		c.direction = cli_alloc(t->nname, sizeof *c.direction);
		for (uint32_t i = 1; i < t->nname; i++)
			c.direction[i] = (int8_t)c.of[row[i]].verdict;
	}
	qsort(c.of, c.n, sizeof *c.of, by_delta);
	free(kernel);
	free(real);
	return c;
}

struct changes
changes_find(const struct picture *p)
{
	bool marked = p->numbering != NULL && p->numbering->nname == p->tree->nname;
	struct numbering *g = marked ? p->numbering : number_rows(p);
	struct changes c = find(p, g);

	if (!marked)
		numbering_free(g);
	return c;
}

void
changes_free(struct picture *p)
{
	numbering_free(p->numbering);
	p->numbering = NULL;
}

void
changes_mark(struct picture *p)
{
	struct calltree *t = p->tree, *functions;
	struct text intervals = {0};
	struct changes c;

	if (p->noise >= 0 || p->columns.compared != NULL || is_exact(p) ||
	    t->columns == CALLTREE_COLUMNS)
		return;
	functions = calltree_new(0);
	p->numbering = number_rows(p);
	c = find(p, p->numbering);
	p->column[p->ncolumn] = t->columns;
	value_array_resize(&t->self[t->columns], t->nnode);
	for (uint32_t i = 1; i < t->nnode; i++) {
		int direction = c.direction[name_at(p, i)];
		double side[2];

		for (int k = 0; k < 2; k++)
			side[k] = value_double(calltree_self(t, i, p->column[k])) / c.size[k];
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
	p->columns.intervals = intervals.s;
	p->columns.name[t->columns] = cli_strdup("noise");
	p->unit[p->ncolumn] = xml_copy(FOLDED_SAMPLES);
	p->noise = (int)p->ncolumn++;
	p->judged = true;
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

/* Appends the change as an amount, and in percent, "new" or "gone". */
static void
figures(const struct picture *p, const struct change_of *c, struct text *amount, struct text *rate)
{
	text_puts(amount, unit_sign(c->delta));
	layout_figure(p, 0, amount, c->head > c->base ? c->head - c->base : c->base - c->head);
	if (c->base == 0 || c->head == 0) {
		text_puts(rate, c->base == 0 ? "new" : "gone");
	} else {
		unit_change(rate, 100 * c->delta / value_double(c->base), 0);
		text_puts(rate, " %");
	}
}

/* Appends the limits of a change's interval, in percent, with a word between them. */
static void
add_interval(struct text *b, const struct change_of *c, const char *between)
{
	unit_change(b, c->low, 0);
	text_puts(b, between);
	unit_change(b, c->high, 0);
	text_puts(b, " %");
}

/* Appends the function of a change, or the module if this has no symbols. */
static void
add_changed(const struct picture *p, struct summary *s, const struct change_of *c)
{
	const struct frame_name *name = &p->name[c->name];
	struct str module = answer_module(name);

	if (!name_is_missing(name)) {
		summary_add_name(s, c->name, c->node);
		return;
	}
	summary_add(s, "code without symbols in ");
	if (module.len == 0)
		summary_add(s, "an unknown module");
	else if (name_start_module(name).len > 0)
		summary_add(s, "%.*s", (int)module.len, module.s);
	else
		summary_add_name(s, c->name, c->node);
}

static void
add_change(const struct picture *p, struct summary *s, const struct change_of *c)
{
	uint32_t caller = answer_caller(p, c->node);
	struct text amount = {0}, rate = {0};

	figures(p, c, &amount, &rate);
	add_changed(p, s, c);
	summary_add(s, " %s (%s", amount.s, rate.s);
	text_free(&amount);
	text_free(&rate);
	if (changes_interval(c)) {
		summary_add(s, ", between ");
		add_interval(&s->words, c, " and ");
	}
	if (caller != CALLTREE_ROOT && functions_at(p, caller) != functions_at(p, c->node)) {
		summary_add(s, ", called by ");
		summary_add_name(s, p->tree->node[caller].name, caller);
	}
	summary_add(s, ")");
}

/*
 * True if all functions changed by about the same ratio, *ratio = head / base. *apart is the
 * total variation distance of the functions' shares, 0 to 1.
 */
static bool
is_scaled(const struct picture *p, const struct changes *c, double *ratio, double *apart)
{
	double base = value_double(p->sum[0]), head = value_double(p->sum[1]), most = 0;

	*apart = 0;
	if (base == 0 || head == 0)
		return false;
	*ratio = head / base;
	for (uint32_t i = 0; i < c->n; i++) {
		double share = value_double(c->of[i].head) / head;

		*apart += fabs(share - value_double(c->of[i].base) / base) / 2;
		most = fmax(most, share);
	}
	/* if one function has nearly all of the profile, the change is that function's */
	return most < 0.9 && fabs(*ratio - 1) >= 0.05 && *apart <= 0.02 &&
	       *apart < fabs(*ratio - 1) / 10;
}

static void
add_scaled(const struct picture *p, struct summary *s, double ratio, double apart)
{
	struct unit_words words = summary_unit_words(p);

	summary_add(s, "Head is %.0f %% %s in total; the functions' shares ", 100 * fabs(ratio - 1),
	    ratio > 1 ? words.than : words.less_than);
	if (100 * apart < 0.1)
		summary_add(s, "are equal");
	else
		summary_add(s, "are equal within %.1f %% of the total", 100 * apart);
	summary_end_sentence(s);
}

static bool
counts(const struct changes *c, const struct change_of *f, bool slower)
{
	return f->delta != 0 && (f->delta > 0) == slower && (!c->tested || f->verdict != 0);
}

/*
 * Lists the functions with the largest increases (or decreases), until they explain EXPLAINS
 * of the sum.
 */
static void
add_direction(const struct picture *p, struct summary *s, const struct changes *c, bool slower)
{
	struct unit_words words = summary_unit_words(p);
	double all = 0, explained = 0;
	unsigned n = 0;

	/* all increases, significant or not */
	for (uint32_t i = 0; i < c->n; i++)
		if ((c->of[i].delta > 0) == slower)
			all += fabs(c->of[i].delta);
	for (uint32_t i = 0; i < c->n && n < SUMMARY_NAMES && explained < EXPLAINS * all; i++) {
		if (!counts(c, &c->of[i], slower))
			continue;
		if (n++ > 0)
			summary_add(s, ", ");
		else if (c->tested)
			summary_add(s, "%s: ", slower ? words.more : words.less);
		else
			summary_add(
			    s, "Largest %s, not tested: ", slower ? "increases" : "decreases");
		add_change(p, s, &c->of[i]);
		explained += fabs(c->of[i].delta);
	}
	if (n == 0 && !c->tested)
		return;
	if (n == 0)
		summary_add(
		    s, "Nothing %s beyond noise", slower ? words.became_more : words.became_less);
	else if (c->tested && explained < all)
		summary_add(s, "; %s %.0f %% of what %s", n == 1 ? "this is" : "these are",
		    100 * explained / all, slower ? words.became_more : words.became_less);
	summary_end_sentence(s);
}

/* Makes the ranked list: the largest changes of functions in both directions. */
static void
add_rows(const struct picture *p, struct summary *s, const struct changes *c)
{
	s->over = c->tested ? "Largest changes of self" : "Largest changes of self, not tested";
	for (uint32_t i = 0; i < c->n && s->nrow < SUMMARY_NAMES; i++) {
		const struct change_of *of = &c->of[i];
		struct summary_row *r = &s->row[s->nrow];

		if (!counts(c, of, of->delta > 0) || name_is_missing(&p->name[of->name]))
			continue;
		if (s->nrow > 0 && fabs(of->delta) < 0.01 * fabs(s->row[0].size))
			break;
		*r = (struct summary_row){of->name, of->node, of->delta, {{0}}};
		figures(p, of, &r->cell[0], &r->cell[1]);
		text_puts(&r->cell[2], "");
		if (changes_interval(of))
			add_interval(&r->cell[2], of, " to ");
		s->nrow++;
	}
}

/* Reports the changes within noise, or why nothing was tested. */
static void
add_noise(const struct picture *p, struct summary *s, const struct changes *c)
{
	const char *compared = p->columns.compared, *runs = FOLDED_COMPARED_RUNS;
	double sum = 0;
	uint32_t n = 0;
	bool other = false; /* functions changed beyond noise too */

	if (!c->tested) {
		if (strncmp(compared, runs, strlen(runs)) == 0)
			summary_add(
			    s, "Base and head are means of several runs, which hides noise");
		else
			summary_add(s, "Base and head are %.40s, which hides noise", compared);
		summary_add(
		    s, ": write the differential with fg-diff --mark-noise to get a verdict");
		summary_end_sentence(s);
		return;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		if (c->of[i].delta != 0 && c->of[i].verdict == 0) {
			sum += c->of[i].delta;
			n++;
		}
		other |= c->of[i].verdict != 0;
	}
	if (n == 0)
		return;
	summary_add_number(s, n, other ? "other function" : "function", "");
	summary_add(s, " changed within noise, together by %s", unit_sign(sum));
	summary_add_figure(p, s, 0, (value)(fabs(sum) * (double)VALUE_ONE));
	summary_end_sentence(s);
}

void
summarize_changes(const struct picture *p, struct summary *s)
{
	struct changes c = changes_find(p);
	bool slower = p->sum[1] >= p->sum[0];
	double ratio, apart;

	if (is_scaled(p, &c, &ratio, &apart)) {
		add_scaled(p, s, ratio, apart);
	} else {
		add_rows(p, s, &c);
		add_direction(p, s, &c, slower);
		add_direction(p, s, &c, !slower);
		add_noise(p, s, &c);
	}
	s->verdict = c.direction;
	free(c.of);
}
