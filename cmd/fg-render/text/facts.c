/*
 * facts: the sums on which a summary is based. Unsymbolized frames and frames that name a
 * process or a thread are excluded from the ranking, the callers and the paths.
 */
#include "fg-render/text/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/text/unitwords.h"

#define MODULES 256 /* limit of modules counted separately */

static int
by_value(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;
	size_t len = x->module.len < y->module.len ? x->module.len : y->module.len;
	int order;

	if (x->v != y->v)
		return x->v < y->v ? 1 : -1;
	order = len > 0 ? memcmp(x->module.s, y->module.s, len) : 0;
	return order != 0 ? order
			  : (x->module.len > y->module.len) - (x->module.len < y->module.len);
}

struct str
facts_module(const struct frame_name *n)
{
	struct str m = name_start_module(n);
	const char *end;

	if (m.len > 0)
		return m;
	if (n->module > 0)
		return (struct str){n->start, n->module};
	if (n->len < 3 || n->text[0] != '[')
		return m;
	m = (struct str){n->text + 1, n->len - 2};
	end = memchr(m.s, '<', m.len);
	if (end != NULL && end > m.s + 1 && end[-1] == ' ')
		m.len = (size_t)(end - 1 - m.s);
	if (text_is(m.s, m.len, "unknown"))
		m.len = 0;
	return m;
}

static void
find_missing(struct facts *a)
{
	const struct picture *p = &a->charged;

	for (uint32_t i = 1; i < p->tree->nname; i++) {
		const struct function *f = &a->function[i];
		uint32_t k = 0;
		struct str module;

		if (f->name == NULL || f->self == 0 || !name_is_missing(f->name))
			continue;
		module = facts_module(f->name);
		a->without_symbols = value_sum(a->without_symbols, f->self);
		while (k < a->nmissing && !str_equal(a->missing[k].module, module))
			k++;
		if (k == a->nmissing) {
			if (k == MODULES)
				continue;
			vec_fit(a->missing, a->capmissing, k + 1);
			a->missing[a->nmissing++] =
			    (struct missing){module, 0, facts_number(f, p), f->node};
		}
		a->missing[k].v = value_sum(a->missing[k].v, f->self);
	}
	if (a->nmissing > 0)
		sort_items(a->missing, a->nmissing, sizeof *a->missing, by_value);
}

/*
 * Moves the functions with a self value, which are few, to the front, from index 1 on, and sorts
 * them, largest first. Returns the index after the last.
 */
static uint32_t
sort_functions(struct function *f, uint32_t nname)
{
	uint32_t n = 1;

	for (uint32_t i = 1; i < nname; i++)
		if (f[i].name != NULL && f[i].self > 0) {
			struct function other = f[n];

			f[n++] = f[i];
			f[i] = other;
		}
	sort_items(f + 1, n - 1, sizeof *f, functions_by_self);
	return n;
}

void
facts_open(const struct picture *p, struct facts *a)
{
	uint32_t n;

	*a = (struct facts){.p = p, .charged = *p, .tree = *p->tree, .waits = waits_sum(p)};
	a->tree.self[p->drawn.column[0]] = a->waits.self;
	a->charged.tree = &a->tree;
	a->charged.drawn.sum[0] = a->waits.profile_total;
	a->function = functions_sum(&a->charged, 0);
	a->total = a->waits.charged ? layout_totals(&a->charged, 0) : p->width;
	a->ranked = cli_alloc(p->tree->nname, sizeof *a->ranked);
	n = sort_functions(a->function, a->tree.nname);
	for (uint32_t i = 1; i < n; i++)
		if (!name_is_missing(a->function[i].name))
			a->ranked[a->nranked++] = i;
	find_missing(a);
}

void
facts_close(struct facts *a)
{
	free(a->function);
	free(a->ranked);
	free(a->missing);
	if (a->waits.charged)
		free(a->total);
	waits_free(&a->waits);
}

double
facts_share(const struct facts *a, double v)
{
	double profile_total = value_double(layout_total(&a->charged));

	return profile_total > 0 ? 100 * v / profile_total : 0;
}

/*
 * Returns the half width of the 95 % confidence interval of v's share, in percent; 0 if the
 * number of samples is unknown.
 */
double
facts_error(const struct facts *a, value v)
{
	double share = facts_share(a, value_double(v)) / 100, n = summary_samples(&a->charged, 0);

	return n > 0 && share < 1 ? 196 * sqrt(share * (1 - share) / n) : 0;
}

uint32_t
facts_number(const struct function *f, const struct picture *p)
{
	return (uint32_t)(f->name - p->names.name);
}

uint32_t
facts_caller(const struct picture *p, uint32_t node)
{
	const struct calltree_node *of = p->tree->node;
	const uint32_t callee = functions_at(p, node);

	for (node = of[node].parent; node != CALLTREE_ROOT; node = of[node].parent)
		if (functions_at(p, node) != callee && !picture_is_gap(p, of[node].name) &&
		    !name_is_missing(&p->names.name[of[node].name]) &&
		    !name_is_entry(&p->names.name[of[node].name]))
			break;
	return node != CALLTREE_ROOT && waits_is_process(p, node) ? CALLTREE_ROOT : node;
}

/* Adds the self value of a node, an element of own, to the sum of its function's origin. */
static void
add_origin(const struct picture *p, const struct value_array *own, uint32_t node, value *sum,
    value *inlined)
{
	value self = value_array_get(own, node);
	const struct frame_name *name;

	if (picture_is_gap(p, p->tree->node[node].name))
		node = p->tree->node[node].parent;
	name = &p->names.name[p->tree->node[node].name];
	sum[name->origin] = value_sum(sum[name->origin], self);
	if (name->inlined)
		*inlined = value_sum(*inlined, self);
}

void
facts_origins(const struct facts *a, value sum[ORIGIN_UNKNOWN + 1], value *inlined)
{
	const struct picture *p = a->p;
	unsigned columns = p->widths == WIDTHS_SUM ? p->drawn.n : 1;

	*inlined = 0;
	for (unsigned i = 0; i <= ORIGIN_UNKNOWN; i++)
		sum[i] = 0;
	if (p->options->reverse) { /* charged to the function that ran */
		for (uint32_t i = 1; i < p->tree->nnode && !p->drawn.off[0]; i++)
			add_origin(p, &a->waits.self, i, sum, inlined);
		return;
	}
	for (unsigned k = 0; k < columns; k++)
		for (uint32_t s = 0; s < p->stacks.n && !p->drawn.off[k]; s++)
			add_origin(
			    p, &p->tree->self[p->drawn.column[k]], p->stacks.node[s], sum, inlined);
}

unsigned
facts_keep(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v)
{
	unsigned i = n < most ? n++ : most;

	if (i == most && v <= best[--i].v)
		return n;
	for (; i > 0 && v > best[i - 1].v; i--)
		best[i] = best[i - 1];
	best[i] = (struct heavy){node, v};
	return n;
}

unsigned
facts_stacks(const struct facts *a, struct heavy *best, unsigned most)
{
	uint32_t node = CALLTREE_ROOT, depth = 0;
	unsigned n = 0;

	/*
	 * pre-order: of equal stacks the same ones come first, whatever the line order of the
	 * input
	 */
	while ((node = calltree_next(a->p->tree, node, &depth)) != 0) {
		double own = layout_own(a->p, node);

		if (own > 0)
			n = facts_keep(best, n, most, node, own);
	}
	return n;
}
