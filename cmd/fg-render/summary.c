/*
 * summary: a few plain sentences that say where the time goes, or, of a
 * differential, where it went. -T markdown writes them, and the viewer shows the
 * same ones, each name a link to its place (markdown.c).
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "render.h"

#define MOST 5 /* names in a sentence */
#define EXPLAINS 0.8 /* of a change, by the functions that are named */

static struct summary_part *
new_part(struct summary *s)
{
	vec_fit(s->part, s->cap, s->n + 1);
	s->part[s->n] = (struct summary_part){.begin = s->words.len, .end = s->words.len};
	return &s->part[s->n++];
}

__attribute__((format(printf, 2, 3))) static void
say(struct summary *s, const char *fmt, ...)
{
	struct summary_part *part = s->n > 0 ? &s->part[s->n - 1] : NULL;
	char words[256];
	va_list ap;

	if (part == NULL || part->kind != SUMMARY_WORDS)
		part = new_part(s);
	va_start(ap, fmt);
	vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	text_puts(&s->words, words);
	part->end = s->words.len;
}

/* A value of drawn column k. */
static void
say_figure(const struct picture *p, struct summary *s, unsigned k, value v)
{
	struct text b = {0};

	layout_figure(p, k, &b, v);
	say(s, "%s", b.s);
	text_free(&b);
}

/* A function, whose place is that frame. */
static void
say_name(struct summary *s, uint32_t name, uint32_t node)
{
	struct summary_part *part = new_part(s);

	part->kind = SUMMARY_NAME;
	part->name = name;
	part->node = node;
}

static void
stop(struct summary *s)
{
	say(s, ".");
	new_part(s)->kind = SUMMARY_END;
}

/* What lies between the n-th of a list and the one before. */
static const char *
between(unsigned n)
{
	return n > 0 ? ", " : "";
}

/* How many samples the whole of drawn column k is made of; 0: not known. */
static double
samples(const struct picture *p, unsigned k)
{
	const struct folded_period *period = &p->columns.period[p->column[k]];
	double whole = value_double(p->sum[k]);

	if (strcmp(p->unit[k], FOLDED_SAMPLES) == 0)
		return whole;
	if (period->number != 0 && !period->mixed && strcmp(period->unit, p->unit[k]) == 0)
		return whole / value_double(period->number);
	return 0;
}

/* "41.2 %", and how far from that it may be: in 95 of 100 samplings it would be within. */
static void
say_share(const struct picture *p, struct summary *s, unsigned k, value v)
{
	double share = layout_percent(p, v) / 100, n = samples(p, k);
	double error = n > 0 && share < 1 ? 196 * sqrt(share * (1 - share) / n) : 0;

	say(s, " %.1f %%", 100 * share);
	if (error >= 0.05)
		say(s, " \xc2\xb1 %.1f", error);
}

static uint32_t
heaviest_child(const struct picture *p, const double *total, uint32_t node)
{
	uint32_t best = 0;

	for (uint32_t i = p->tree->node[node].child; i != 0; i = p->tree->node[i].next)
		if (!picture_is_gap(p, p->tree->node[i].name) &&
		    (best == 0 || total[i] > total[best]))
			best = i;
	return best;
}

/* "1,204 functions, " */
static void
say_number(struct summary *s, uint32_t n, const char *what, const char *after)
{
	struct text b = {0};

	unit_figure(&b, what, n);
	say(s, "%s%s%s", b.s, n == 1 ? "" : "s", after);
	text_free(&b);
}

static void
say_whole(const struct picture *p, struct summary *s)
{
	const struct calltree *t = p->tree;
	uint32_t *depth = cli_alloc(t->nnode, sizeof *depth), deepest = 0, functions = 0;
	struct text total = {0};

	for (uint32_t i = 1; i < t->nname; i++)
		functions += p->function[i] == i && !picture_is_gap(p, i);
	for (uint32_t i = 1; i < t->nnode; i++) { /* parents come first */
		depth[i] = depth[t->node[i].parent] + 1;
		if (depth[i] > deepest)
			deepest = depth[i];
	}
	layout_heading(p, &total);
	say(s, "%s", total.s);
	if (p->ncolumn > 1 && p->mode != MODE_DIFFERENTIAL) {
		say(s, ", of which %s", p->columns.name[p->column[0]]);
		if (p->widths == WIDTHS_SUM) {
			say(s, ", ");
			say_figure(p, s, 0, layout_total(p));
			say(s, ",");
		}
		say(s, " is told here");
	}
	say(s, ": ");
	say_number(s, functions, "function", ", ");
	say_number(s, t->nnode - 1, "frame", ", ");
	say_number(s, deepest, "level", "");
	stop(s);
	text_free(&total);
	free(depth);
}

/* The functions that ran themselves for longest; f is sorted. */
static void
say_hottest(const struct picture *p, struct summary *s, unsigned k, const struct function *f)
{
	unsigned n = 0;

	say(s, "Most time of its own: ");
	for (uint32_t i = 1; i < p->tree->nname && f[i].name != NULL && n < MOST; i++) {
		if (f[i].self == 0 || (n > 0 && layout_percent(p, f[i].self) < 1))
			break;
		say(s, "%s", between(n++));
		say_name(s, (uint32_t)(f[i].name - p->name), f[i].node);
		say_share(p, s, k, f[i].self);
	}
	stop(s);
}

struct heavy {
	uint32_t node;
	double v;
};

/* Keep the `most` heaviest of nodes, n of them already, heaviest first; returns how many. */
static unsigned
keep_heaviest(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v)
{
	unsigned i = n < most ? n++ : most;

	if (i == most && v <= best[--i].v)
		return n;
	for (; i > 0 && v > best[i - 1].v; i--)
		best[i] = best[i - 1];
	best[i] = (struct heavy){node, v};
	return n;
}

static double
share_of(const struct picture *p, double v)
{
	return 100 * v / value_double(layout_total(p));
}

static void
say_heaviest(const struct picture *p, struct summary *s, const struct heavy *best, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		say(s, "%s", i == 0 ? "" : i + 1 == n ? " and " : ", ");
		say_name(s, p->tree->node[best[i].node].name, best[i].node);
		say(s, " %.1f %%", share_of(p, best[i].v));
	}
}

/* Where the widest path stops being one: the frame below which nothing has two thirds of it. */
static void
say_path(const struct picture *p, struct summary *s, const double *total)
{
	const struct calltree_node *node = p->tree->node;
	struct heavy best[2];
	uint32_t at = CALLTREE_ROOT, next;
	unsigned n = 0;

	while ((next = heaviest_child(p, total, at)) != 0 && total[next] >= 2. / 3 * total[at])
		at = next;
	if (at == CALLTREE_ROOT)
		return;
	say(s, "The widest path leads to ");
	say_name(s, node[at].name, at);
	say(s, " %.1f %%", share_of(p, total[at]));
	if (node[at].parent != CALLTREE_ROOT) {
		say(s, ", called by ");
		say_name(s, node[node[at].parent].name, node[at].parent);
	}
	for (uint32_t i = node[at].child; i != 0; i = node[i].next)
		if (!picture_is_gap(p, node[i].name) && share_of(p, total[i]) >= 1)
			n = keep_heaviest(best, n, 2, i, total[i]);
	if (n > 0) {
		say(s, "; below it are ");
		say_heaviest(p, s, best, n);
	}
	stop(s);
}

/* Who calls a function, by how much of its total comes from there. */
struct callers {
	const struct function *of;
	uint32_t number, *at; /* by name: a frame of the caller's */
	double *from; /* by name */
};

/* One pass for all of them; below a frame of the function another one is its own. */
static void
find_callers(const struct picture *p, const double *total, struct callers *c, unsigned n)
{
	const struct calltree *t = p->tree;
	uint8_t *inside = cli_alloc(t->nnode, sizeof *inside); /* a bit for each of the functions */

	for (uint32_t i = 1; i < t->nnode; i++) {
		uint32_t parent = t->node[i].parent, number = p->function[t->node[i].name];

		inside[i] = inside[parent];
		for (unsigned k = 0; k < n; k++) {
			uint32_t caller;

			if (number != c[k].number || inside[parent] & 1u << k)
				continue;
			inside[i] |= (uint8_t)(1u << k);
			caller = functions_at(p, parent);
			c[k].from[caller] += total[i];
			if (c[k].at[caller] == 0 || i == c[k].of->node)
				c[k].at[caller] = parent;
		}
	}
	free(inside);
}

/* Those of the first functions of a sorted list. */
static void
say_callers(
    const struct picture *p, struct summary *s, const double *total, const struct function *f)
{
	struct callers c[2];
	unsigned n = 0;

	for (uint32_t i = 1; i < p->tree->nname && n < 2 && f[i].name != NULL && f[i].self > 0; i++)
		c[n++] = (struct callers){&f[i], (uint32_t)(f[i].name - p->name),
		    cli_alloc(p->tree->nname, sizeof *c[0].at),
		    cli_alloc(p->tree->nname, sizeof *c[0].from)};
	find_callers(p, total, c, n);
	for (unsigned k = 0; k < n; k++) {
		struct heavy best[3];
		unsigned found = 0;

		for (uint32_t i = 1; i < p->tree->nname; i++)
			if (c[k].at[i] != CALLTREE_ROOT && share_of(p, c[k].from[i]) >= 0.5)
				found = keep_heaviest(best, found, 3, c[k].at[i], c[k].from[i]);
		if (found > 0) {
			say_name(s, c[k].number, c[k].of->node);
			say(s, " is called by ");
			say_heaviest(p, s, best, found);
			stop(s);
		}
		free(c[k].from);
		free(c[k].at);
	}
}

static void
say_recursion(const struct picture *p, struct summary *s, const struct function *f)
{
	unsigned n = 0;

	for (uint32_t i = 1; i < p->tree->nname && f[i].name != NULL && n < 3; i++) {
		/* A module whose functions have no names calls itself without recursion. */
		if (f[i].deepest < 2 || layout_percent(p, f[i].total) < 1 ||
		    f[i].name->text[0] == '[')
			continue;
		say(s, "%s", n == 0 ? "Recursive: " : ", ");
		say_name(s, (uint32_t)(f[i].name - p->name), f[i].node);
		say(s, " (%u deep, %.1f %%)", f[i].deepest, layout_percent(p, f[i].total));
		n++;
	}
	if (n > 0)
		stop(s);
}

/* Whose time it is, as far as the names tell. */
static void
say_origins(const struct picture *p, struct summary *s, unsigned k)
{
	static const char *const of[] = {"programs", "libraries", "the kernel", "unknown code"};
	value sum[4] = {0}, inlined = 0;
	unsigned n = 0;

	for (uint32_t i = 1; i < p->tree->nnode; i++) {
		const struct name *name = &p->name[functions_at(p, i)];
		value self = calltree_self(p->tree, i, p->column[k]);

		name = picture_is_gap(p, p->tree->node[i].name) ? name
								: &p->name[p->tree->node[i].name];
		sum[name->origin] += self;
		if (name->inlined)
			inlined += self;
	}
	if (sum[ORIGIN_USER] + sum[ORIGIN_LIBRARY] + sum[ORIGIN_SYSTEM] == 0) {
		say(s, "Nothing in the profile tells programs, libraries and the kernel apart");
		stop(s);
		return;
	}
	say(s, "Of the time ");
	for (unsigned i = 0; i < 4; i++)
		if (sum[i] > 0) {
			say(s, "%s%.1f %%%s in %s", between(n), layout_percent(p, sum[i]),
			    n == 0 ? " is" : "", of[i]);
			n++;
		}
	if (inlined > 0)
		say(s, "; %.1f %% in inlined functions", layout_percent(p, inlined));
	stop(s);
}

static void
summarize_plain(const struct picture *p, struct summary *s)
{
	/* Where frames are as wide as the first column, these are its totals. */
	double *total = p->widths == WIDTHS_FIRST ? p->width : layout_totals(p, 0);
	struct function *f = functions_sum(p, 0);

	qsort(f + 1, p->tree->nname - 1, sizeof *f, functions_by_self);
	say_whole(p, s);
	say_hottest(p, s, 0, f);
	say_path(p, s, total);
	say_callers(p, s, total, f);
	say_recursion(p, s, f);
	say_origins(p, s, 0);
	if (total != p->width)
		free(total);
	free(f);
}

/* How a function changed from base to head. */
struct change {
	uint32_t name, node; /* its frame that changed most */
	value base, head; /* of its self */
	double delta, most; /* most: of one frame */
};

static int
by_delta(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (fabs(x->delta) != fabs(y->delta))
		return fabs(x->delta) < fabs(y->delta) ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Changes of each function's self, largest first; noise are those that may be chance. */
static struct change *
changes(const struct picture *p)
{
	const struct calltree *t = p->tree;
	struct change *c = cli_alloc(t->nname, sizeof *c);

	for (uint32_t r = 0; r < t->nname; r++)
		c[r].name = r;
	for (uint32_t i = 1; i < t->nnode; i++) {
		struct change *f = &c[functions_at(p, i)];
		value base = calltree_self(t, i, p->column[0]);
		value head = calltree_self(t, i, p->column[1]);
		double delta = value_double(head) - value_double(base);

		f->base += base;
		f->head += head;
		/* Of what fg-diff calls noise nothing counts as a change. */
		if (p->noise >= 0 && calltree_self(t, i, p->column[p->noise]) != 0)
			continue;
		f->delta += delta;
		if (f->node == 0 || fabs(delta) > f->most) {
			f->most = fabs(delta);
			f->node = i;
		}
	}
	qsort(c + 1, t->nname - 1, sizeof *c, by_delta);
	return c;
}

/* What one sample stands for, in the unit of the columns; 0: not known. */
static double
one_sample(const struct picture *p)
{
	double n = samples(p, 0) + samples(p, 1);

	return n > 0 ? value_double(p->sum[0] + p->sum[1]) / n : 0;
}

/* Whether a change is within what counting at random gives: three standard deviations. */
static bool
is_chance(const struct change *c, double one)
{
	double n = one > 0 ? (value_double(c->base) + value_double(c->head)) / one : 0;

	return one > 0 && fabs(c->delta) / one < 3 * sqrt(n);
}

static void
say_change(const struct picture *p, struct summary *s, const struct change *c)
{
	uint32_t caller = p->tree->node[c->node].parent;

	say_name(s, c->name, c->node);
	say(s, " %s", c->delta > 0 ? "+" : "\xe2\x88\x92");
	say_figure(p, s, 0, c->head > c->base ? c->head - c->base : c->base - c->head);
	if (c->base == 0 || c->head == 0)
		say(s, " (%s", c->base == 0 ? "new" : "gone");
	else
		say(s, " (%+.0f %%", 100 * c->delta / value_double(c->base));
	if (caller != CALLTREE_ROOT && functions_at(p, caller) != c->name) {
		say(s, ", called by ");
		say_name(s, p->tree->node[caller].name, caller);
	}
	say(s, ")");
}

/* The smallest set of functions that explains what became slower, or faster. */
static void
say_direction(const struct picture *p, struct summary *s, const struct change *c, bool slower)
{
	double all = 0, told = 0, one = one_sample(p), least = 0.001 * value_double(p->sum[0]);
	unsigned n = 0;
	uint32_t functions = p->tree->nname;

	for (uint32_t i = 1; i < functions; i++)
		if (c[i].delta != 0 && (c[i].delta > 0) == slower && !is_chance(&c[i], one))
			all += fabs(c[i].delta);
	for (uint32_t i = 1; i < functions && n < MOST && told < EXPLAINS * all; i++) {
		if (c[i].delta == 0 || (c[i].delta > 0) != slower || is_chance(&c[i], one) ||
		    fabs(c[i].delta) < least)
			continue;
		say(s, "%s", n++ > 0 ? ", " : slower ? "Slower: " : "Faster: ");
		say_change(p, s, &c[i]);
		told += fabs(c[i].delta);
	}
	if (n == 0)
		say(s, "Nothing is %s beyond chance", slower ? "slower" : "faster");
	else
		say(s, "; %s %.0f %% of what became %s", n == 1 ? "this is" : "these are",
		    100 * told / all, slower ? "slower" : "faster");
	stop(s);
}

static void
say_noise(const struct picture *p, struct summary *s, const struct change *c)
{
	double one = one_sample(p), sum = 0;
	value marked = 0;
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->tree->nnode && p->noise >= 0; i++)
		if (calltree_self(p->tree, i, p->column[p->noise]) != 0)
			marked += calltree_self(p->tree, i, p->column[1]);
	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (c[i].delta != 0 && is_chance(&c[i], one)) {
			sum += c[i].delta;
			n++;
		}
	if (marked > 0) {
		say(s, "Noise is what changed in stacks with ");
		say_figure(p, s, 1, marked);
		say(s, " of %s", p->columns.name[p->column[1]]);
		stop(s);
	}
	if (n == 0)
		return;
	say(s, "%u other function%s changed no more than chance may do, together by %s", n,
	    n == 1 ? "" : "s", sum < 0 ? "\xe2\x88\x92" : "+");
	say_figure(p, s, 0, (value)(fabs(sum) * (double)VALUE_ONE));
	stop(s);
}

static void
summarize_differential(const struct picture *p, struct summary *s)
{
	struct change *c = changes(p);
	bool slower = p->sum[1] >= p->sum[0];

	say_whole(p, s);
	say_direction(p, s, c, slower);
	say_direction(p, s, c, !slower);
	say_noise(p, s, c);
	free(c);
}

void
summarize(const struct picture *p, struct summary *s)
{
	*s = (struct summary){0};
	if (p->mode == MODE_DIFFERENTIAL)
		summarize_differential(p, s);
	else
		summarize_plain(p, s);
}

void
summary_free(struct summary *s)
{
	text_free(&s->words);
	free(s->part);
}
