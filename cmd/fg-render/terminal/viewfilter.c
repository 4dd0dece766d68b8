#include "fg-render/terminal/viewfilter.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture/largest.h"
#include "fg-render/picture/modes.h"
#include "fg-render/text/offcpu.h"
#include "fg-render/text/unitwords.h"
#include "names/label.h"
#include "names/language.h"

#define WAITS 3 /* limit of waits among the choices */

enum direction { MORE, LESS, ADDED, REMOVED, DIRECTIONS };

static struct str
module_of(const struct picture *p, uint32_t name)
{
	const struct frame_name *n = &p->names.name[name];

	return (struct str){n->start, n->module};
}

/* Sums of a function for its direction. */
struct sums {
	double self[2], real; /* base and head; their difference in stacks that are not noise */
	bool has[2];
};

static struct sums *
sum_functions(const struct picture *p)
{
	const struct calltree *t = p->tree;
	struct sums *sums = cli_alloc_ready(t->nname, sizeof *sums);

	for (uint32_t i = 1; i < t->nnode; i++) {
		struct sums *s = &sums[p->names.function[t->node[i].name]];
		double self[2];

		for (int k = 0; k < 2; k++) {
			self[k] = value_array_double(&t->self[p->drawn.column[k]], i);
			s->self[k] += self[k];
		}
		s->has[0] |= p->diff.base[i] > 0;
		s->has[1] |= p->diff.head[i] > 0;
		if (p->diff.noise < 0 ||
		    !value_array_has(&t->self[p->drawn.column[p->diff.noise]], i))
			s->real += self[1] - self[0];
	}
	return sums;
}

/* The direction of a function's self value, by the rule of the viewer's changeFlags(). */
static enum direction
direction_of(const struct picture *p, const struct sums *s)
{
	double change = s->self[1] - s->self[0], part = p->diff.exact ? 0 : 0.02,
	       whole = fmax(p->diff.base[CALLTREE_ROOT], p->diff.head[CALLTREE_ROOT]);

	if (change == 0 || s->real * change <= 0)
		return DIRECTIONS;
	if (!s->has[0] || !s->has[1])
		return s->has[0] ? REMOVED : ADDED;
	if (fabs(change) < fmax(part * fmax(s->self[0], s->self[1]), part / 20 * whole))
		return DIRECTIONS;
	return change > 0 ? MORE : LESS;
}

static bool
is_about(const struct picture *p, const struct filter *f, uint32_t name)
{
	const struct frame_name *n = &p->names.name[name];

	switch (f->by) {
	case FILTER_FUNCTION: return p->names.function[name] == f->of;
	case FILTER_MODULE:
		return f->of != UINT32_MAX && n->module > 0 &&
		       str_equal(module_of(p, name), module_of(p, f->of));
	case FILTER_ORIGIN: return n->origin == (enum origin)f->of;
	case FILTER_LANGUAGE: return n->in_language;
	case FILTER_CHANGE: break;
	}
	return false;
}

void
viewfilter_names(const struct picture *p, const struct filter *f, uint64_t bit, uint64_t *met)
{
	struct sums *sums = f->by == FILTER_CHANGE ? sum_functions(p) : NULL;

	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (sums != NULL
			? direction_of(p, &sums[p->names.function[i]]) == (enum direction)f->of
			: is_about(p, f, i))
			met[i] |= bit;
	free(sums);
}

static void
add_name(const struct picture *p, const struct filter *f, struct text *b)
{
	struct unit_words words = summary_unit_words(p);
	const char *const change[] = {words.mark_more, words.mark_less, "new", "gone"};
	struct str module;

	switch (f->by) {
	case FILTER_FUNCTION: label_function(b, &p->names.name[f->of], 40); break;
	case FILTER_MODULE:
		module = module_of(p, f->of);
		text_puts(b, "module ");
		text_add(b, module.s, module.len);
		break;
	case FILTER_ORIGIN:
		text_printf(b, "%s code", mode_colours[MODE_ORIGIN].legend[f->of].label);
		break;
	case FILTER_LANGUAGE: languages_add_names(p->names.languages, ",", b); break;
	case FILTER_CHANGE: text_puts(b, change[f->of]); break;
	}
}

void
viewfilter_add(const struct picture *p, const struct filter *f, struct text *b)
{
	static const char *const words[] = {
	    "only stacks with ", "hidden: ", "without stacks with ", "only "};

	text_puts(b, words[f->what]);
	if (f->of == UINT32_MAX)
		text_printf(b, "a %s that is gone", f->by == FILTER_MODULE ? "module" : "function");
	else
		add_name(p, f, b);
}

/* Choices under construction. */
struct list {
	struct filter_choice *choice;
	unsigned n;
};

static void
add_choice(
    struct list *l, enum filter_by by, uint32_t of, enum filter_what only, enum filter_what without)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->choice[i].only.by == by && l->choice[i].only.of == of)
			return;
	if (l->n < VIEWFILTER_CHOICES)
		l->choice[l->n++] = (struct filter_choice){{only, by, of}, {without, by, of}};
}

static void
add_waits(struct list *l, const struct picture *p)
{
	struct waits w = waits_sum(p);

	for (unsigned i = 0; i < w.nwait && i < WAITS; i++)
		if (w.wait[i].node != 0)
			add_choice(l, FILTER_FUNCTION,
			    p->names.function[p->tree->node[w.wait[i].node].name], FILTER_FOCUS,
			    FILTER_HIDE);
	waits_free(&w);
}

unsigned
viewfilter_choices(const struct picture *p, struct filter_choice choice[VIEWFILTER_CHOICES])
{
	struct list l = {choice, 0};
	uint32_t name[LARGEST_MAX];
	size_t n;

	for (uint32_t i = 0; i <= ORIGIN_UNKNOWN; i++)
		if ((p->names.origins & 1u << i) != 0)
			add_choice(&l, FILTER_ORIGIN, i, FILTER_ONLY, FILTER_HIDE);
	if (p->names.languages != 0)
		add_choice(&l, FILTER_LANGUAGE, 0, FILTER_ONLY, FILTER_HIDE);
	n = largest_threads(p, name);
	for (size_t i = 0; i < n; i++)
		add_choice(
		    &l, FILTER_FUNCTION, p->names.function[name[i]], FILTER_FOCUS, FILTER_DROP);
	n = largest_modules(p, name);
	for (size_t i = 0; i < n; i++)
		add_choice(&l, FILTER_MODULE, name[i], FILTER_FOCUS, FILTER_HIDE);
	for (uint32_t i = 0; i < DIRECTIONS && p->mode == MODE_DIFFERENTIAL; i++)
		add_choice(&l, FILTER_CHANGE, i, FILTER_FOCUS, FILTER_HIDE);
	add_waits(&l, p);
	return l.n;
}
