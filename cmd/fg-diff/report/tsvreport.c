/*
 * tsvreport: formats a comparison as tab-separated values for programs. The first row names the
 * fields, the second is the profile total, the last one the answer.
 */
#include <math.h>
#include <stdlib.h>

#include "fg-diff/figure.h"
#include "fg-diff/diffreport.h"
#include "fg-diff/report/repeat.h"

/* Appends a number with all significant digits, in a form that any program reads. */
static void
number(struct text *t, double x)
{
	text_char(t, '\t');
	if (!isinf(x))
		text_printf(t, "%.15g", x);
}

/* Appends the interval in percent of base; empty if base is 0, and for unknown bounds. */
static void
intervals(struct text *t, const struct comparison *c, const struct change *x)
{
	struct interval both[2] = {change_interval(c, x), change_marginal(c, x)};

	for (int k = 0; k < 2; k++) {
		bool known =
		    x->base > 0 && (k == 1 || x->tests > 0 || !noise_is_modelled(&c->noise));

		number(t, known ? both[k].low : INFINITY);
		number(t, known ? both[k].high : INFINITY);
	}
}

/* Parts of rows that repeat: before and after the name. */
struct parts {
	struct repeat before, after;
};

static void
before_name(struct text *t, const struct comparison *c, const struct change *x, double smallest)
{
	number(t, x->base);
	number(t, x->head);
	number(t, x->head - x->base);
	number(t, x->base > 0 ? 100 * (x->head - x->base) / x->base : INFINITY);
	number(t, change_of_total(c, x));
	text_printf(t, "\t%s\t%.3g", report_verdict(x), x->p);
	number(t, smallest);
	text_char(t, '\t');
}

static void
after_name(struct text *t, const struct comparison *c, const struct change *x)
{
	number(t,
	    c->profile_total.base > 0 ? 100 * change_own(c, x) / c->profile_total.base : INFINITY);
	intervals(t, c, x);
	text_char(t, '\n');
}

static void
row(struct text *t, const struct comparison *c, struct parts *known, const char *kind,
    const struct change *x, const struct calltree_name *name)
{
	size_t at;

	text_puts(t, kind);
	at = t->len;
	if (!repeat_add(&known->before, t, x)) {
		before_name(t, c, x, noise_visible(&c->noise, x));
		repeat_keep(&known->before, t, at, x);
	}
	figure_name(t, name);
	at = t->len;
	if (!repeat_add(&known->after, t, x)) {
		after_name(t, c, x);
		repeat_keep(&known->after, t, at, x);
	}
}

void
report_tsv(struct text *t, const struct report *r)
{
	const struct comparison *c = r->c;
	struct parts known = {repeat_new(), repeat_new()};

	text_printf(t,
	    "kind\tbase\thead\tchange\tchange_percent\twhole_percent\tverdict\tp\tvisible\t%s\town_percent\tlow_percent\t"
	    "high_percent\tmarginal_low_percent\tmarginal_high_percent\n",
	    compare_row_name(c));
	text_puts(t, "whole");
	before_name(t, c, &c->profile_total, c->profile_total_limit);
	after_name(t, c, &c->profile_total);
	for (int total = 0; total < (c->by == BY_STACK ? 1 : 2); total++) {
		const uint32_t *order = compare_order(c, total, 0);

		for (size_t i = 0; i < c->n; i++) {
			const struct row *at = &c->row[order[i]];
			const struct change *x = row_change(c, at, total);

			report_flush(t, r);
			if (x->base > 0 || x->head > 0)
				row(t, c, &known,
				    c->by == BY_STACK ? "stack"
				    : total	      ? "total"
						      : "self",
				    x, at->name);
		}
	}
	repeat_free(&known.before);
	repeat_free(&known.after);
	for (size_t i = 0; r->explanation != NULL && i < r->explanation->n; i++) {
		const struct explained *x = &r->explanation->part[i];
		struct change change = *(x->below ? x->row->total : x->row->self);

		change.base = x->base;
		change.head = x->head;
		text_puts(t, x->below ? "explains_total" : "explains_self");
		before_name(t, c, &change, INFINITY);
		figure_name(t, x->row->name);
		after_name(t, c, &change);
	}
	text_printf(t, "verdict\t\t\t\t\t\t%s\t\t\t", answer_word[r->answer->kind]);
	text_str(t, text_as_str(&r->answer->reason));
	text_puts(t, "\t\t\t\t\t\n");
}
