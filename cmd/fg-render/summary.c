/*
 * summary: a few plain sentences that say where the time goes, or, of a
 * differential, where it went (changes.c). -T markdown writes them, and the viewer
 * shows the same ones, each name a link to its place (markdown.c).
 */
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "profile/origin.h"

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
	if (p->widths == WIDTHS_SUM) {
		for (unsigned k = 0; k < p->ncolumn; k++) {
			say(s, "%s%s ", k == 0 ? " (" : ", ", p->columns.name[p->column[k]]);
			say_figure(p, s, k, p->sum[k]);
		}
		say(s, ")");
	} else if (p->ncolumn > 1 && p->mode != MODE_DIFFERENTIAL) {
		say(s, ", of which %s is told here", p->columns.name[p->column[0]]);
	}
	say(s, ": ");
	say_number(s, functions, "function", ", ");
	say_number(s, t->nnode - 1, "frame", ", ");
	say_number(s, deepest, "level", "");
	say_stop(s);
	text_free(&total);
	free(depth);
}

/* What lies between the n-th of a list and the one before. */
static const char *
between(unsigned n)
{
	return n > 0 ? ", " : "";
}

/* The functions that ran themselves for longest; f is sorted. */
static void
say_hottest(const struct picture *p, struct summary *s, const struct function *f, value waited)
{
	unsigned n = 0;

	say(s, "%s: ",
	    waited == 0		  ? "Most time of its own"
	    : waited == p->sum[0] ? "Longest waiting"
				  : "Most time of its own or waiting");
	for (uint32_t i = 1; i < p->tree->nname && f[i].name != NULL && n < SUMMARY_NAMES; i++) {
		if (f[i].self == 0 || (n > 0 && layout_percent(p, f[i].self) < 1))
			break;
		say(s, "%s", between(n++));
		say_name(s, (uint32_t)(f[i].name - p->name), f[i].node);
		say_share(p, s, 0, f[i].self);
	}
	say_stop(s);
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
	say_stop(s);
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
			say_stop(s);
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
		say_stop(s);
}

/* Whose time on the CPU it is, as far as the names tell. */
static void
say_origins(const struct picture *p, struct summary *s, const struct waits *w)
{
	static const char *const of[] = {
	    "in programs", "in libraries", "in the kernel", "in unknown code", "off the CPU"};
	unsigned columns = p->widths == WIDTHS_SUM ? p->ncolumn : 1, n = 0;
	value sum[] = {0, 0, 0, 0, w->waited}, inlined = 0;

	for (uint32_t i = 1; i < p->tree->nnode; i++) {
		bool gap = picture_is_gap(p, p->tree->node[i].name);
		const struct frame_name *name =
		    &p->name[gap ? functions_at(p, i) : p->tree->node[i].name];

		for (unsigned k = 0; k < columns; k++) {
			value self = w->off[k] ? 0 : calltree_self(p->tree, i, p->column[k]);

			sum[name->origin] += self;
			if (name->inlined)
				inlined += self;
		}
	}
	if (sum[ORIGIN_USER] + sum[ORIGIN_LIBRARY] + sum[ORIGIN_SYSTEM] + w->waited == 0) {
		say(s, "Nothing in the profile tells programs, libraries and the kernel apart");
		say_stop(s);
		return;
	}
	say(s, "Of the time ");
	for (unsigned i = 0; i < 5; i++)
		if (sum[i] > 0) {
			say(s, "%s%.1f %%%s %s", between(n), layout_percent(p, sum[i]),
			    n == 0 ? " is" : "", of[i]);
			n++;
		}
	if (inlined > 0)
		say(s, "; %.1f %% in inlined functions", layout_percent(p, inlined));
	say_stop(s);
}

static void
summarize_plain(const struct picture *p, struct summary *s)
{
	struct waits w = waits_sum(p);
	/* The picture as it is told: of one column, in which who waits has the time. */
	struct calltree tree = *p->tree;
	struct picture told = *p;
	struct function *f;
	double *total;

	tree.self[p->column[0]] = w.self;
	told.tree = &tree;
	told.sum[0] = w.whole;
	f = functions_sum(&told, 0);
	total = layout_totals(&told, 0);
	qsort(f + 1, tree.nname - 1, sizeof *f, functions_by_self);
	say_hottest(&told, s, f, w.waited);
	say_path(&told, s, total);
	say_callers(&told, s, total, f);
	say_recursion(&told, s, f);
	told.tree = p->tree;
	say_origins(&told, s, &w);
	free(total);
	free(f);
	value_array_free(&w.self);
}

void
summarize(const struct picture *p, struct summary *s)
{
	*s = (struct summary){0};
	say_whole(p, s);
	if (p->mode == MODE_DIFFERENTIAL)
		summarize_changes(p, s);
	else
		summarize_plain(p, s);
}
