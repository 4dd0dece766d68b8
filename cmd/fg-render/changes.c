/*
 * changes: the sentences of a differential: what became slower, what faster, and what
 * may be chance.
 */
#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"

#define EXPLAINS 0.8 /* of a change, by the functions that are named */

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
	double n = say_samples(p, 0) + say_samples(p, 1);

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
	for (uint32_t i = 1; i < functions && n < SUMMARY_NAMES && told < EXPLAINS * all; i++) {
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
	say_stop(s);
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
		say_stop(s);
	}
	if (n == 0)
		return;
	say(s, "%u other function%s changed no more than chance may do, together by %s", n,
	    n == 1 ? "" : "s", sum < 0 ? "\xe2\x88\x92" : "+");
	say_figure(p, s, 0, (value)(fabs(sum) * (double)VALUE_ONE));
	say_stop(s);
}

void
summarize_changes(const struct picture *p, struct summary *s)
{
	struct change *c = changes(p);
	bool slower = p->sum[1] >= p->sum[0];

	say_direction(p, s, c, slower);
	say_direction(p, s, c, !slower);
	say_noise(p, s, c);
	free(c);
}
