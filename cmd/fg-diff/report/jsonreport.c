/*
 * jsonreport: a comparison as one JSON object; its schema is in fg-diff(1).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fg-diff/groups.h"
#include "fg-diff/growth.h"
#include "fg-diff/diffreport.h"
#include "fg-diff/report/repeat.h"
#include "fg-diff/series.h"

#define SCHEMA 1

static void
key(struct text *t, const char *name)
{
	if (t->s[t->len - 1] != '{')
		text_char(t, ',');
	text_char(t, '"');
	text_puts(t, name);
	text_puts(t, "\":");
}

/* Appends a number, or null for NAN and infinities. */
static void
number(struct text *t, const char *name, double x)
{
	key(t, name);
	if (isfinite(x))
		text_printf(t, "%.15g", x);
	else
		text_puts(t, "null");
}

static void
word(struct text *t, const char *name, const char *s)
{
	key(t, name);
	if (s != NULL)
		text_json(t, str_of(s));
	else
		text_puts(t, "null");
}

static void
interval(struct text *t, const char *name, bool known, struct interval i)
{
	double bound[] = {i.low, i.high};

	key(t, name);
	text_char(t, '[');
	for (int k = 0; k < 2; k++) {
		if (known && isfinite(bound[k]))
			text_printf(t, "%.6g", bound[k]);
		else
			text_puts(t, "null");
		text_char(t, k == 0 ? ',' : ']');
	}
}

static void
numbers(struct text *t, const struct comparison *c, const struct change *x, double visible)
{
	double profile_total = c->profile_total.base;
	bool tested = x->tests > 0 || !noise_is_modelled(&c->noise);

	number(t, "base", x->base);
	number(t, "head", x->head);
	number(t, "change", x->head - x->base);
	number(t, "change_percent", x->base > 0 ? change_percent(c, x) : INFINITY);
	number(t, "whole_percent", change_of_total(c, x));
	number(t, "own_percent",
	    profile_total > 0 ? 100 * change_own(c, x) / profile_total : INFINITY);
	word(t, "verdict", report_verdict(x));
	number(t, "p", x->p);
	interval(t, "interval_percent", tested && x->base > 0, change_interval(c, x));
	interval(t, "marginal_percent", x->base > 0, change_marginal(c, x));
	if (x->base == 0 && x != &c->profile_total)
		interval(t, "head_interval", tested, noise_new(&c->noise, x, 0));
	number(t, "visible", visible);
	text_char(t, '}');
}

static void
rows(struct text *t, const struct report *r, bool total)
{
	const struct comparison *c = r->c;
	const uint32_t *order = compare_order(c, total, 0);
	struct repeat known = repeat_new();
	bool first = true;

	key(t, total ? "total" : "self");
	text_char(t, '[');
	for (size_t i = 0; i < c->n; i++) {
		const struct row *row = &c->row[order[i]];
		const struct change *x = row_change(c, row, total);
		size_t at;

		if (x->base == 0 && x->head == 0)
			continue;
		report_flush(t, r);
		text_puts(t, first ? "\n{" : ",\n{");
		first = false;
		key(t, "name");
		text_json(t, (struct str){row->name->s, row->name->len});
		if (repeat_add(&known, t, x))
			continue;
		at = t->len;
		numbers(t, c, x, noise_visible(&c->noise, x));
		repeat_keep(&known, t, at, x);
	}
	text_puts(t, "]\n");
	repeat_free(&known);
}

static void
side(struct text *t, const struct comparison *c, int k)
{
	const struct side *s = c->side[k];

	key(t, k == 0 ? "base" : "head");
	text_char(t, '{');
	number(t, "total", k == 0 ? c->profile_total.base : c->profile_total.head);
	key(t, "runs");
	text_char(t, '[');
	for (unsigned r = 0; r < s->runs; r++) {
		text_puts(t, r > 0 ? "," : "");
		text_json(t, str_of(s->path[r]));
	}
	text_puts(t, "]}");
}

/* Appends lines as an array of strings. */
static void
lines(struct text *t, const char *name, const struct text *text)
{
	bool first = true;

	key(t, name);
	text_char(t, '[');
	for (size_t i = 0, end; i < text->len; i = end + 1) {
		for (end = i; end < text->len && text->s[end] != '\n';)
			end++;
		if (end == i)
			continue;
		text_puts(t, first ? "" : ",");
		first = false;
		text_json(t, (struct str){text->s + i, end - i});
	}
	text_char(t, ']');
}

static void
explanation(struct text *t, const struct report *r)
{
	const struct explanation *e = r->explanation;

	key(t, "explanation");
	text_char(t, '[');
	for (size_t i = 0; e != NULL && i < e->n; i++) {
		const struct explained *x = &e->part[i];

		text_puts(t, i > 0 ? ",{" : "{");
		key(t, "name");
		text_json(t, (struct str){x->row->name->s, x->row->name->len});
		word(t, "of", x->below ? "total" : "self");
		number(t, "base", x->base);
		number(t, "head", x->head);
		text_char(t, '}');
	}
	text_char(t, ']');
}

void
report_json(struct text *t, const struct report *r)
{
	static const char *const model[] = {"auto", "none", "counts", "runs"};
	const struct comparison *c = r->c;
	struct text notes = {0};

	text_char(t, '{');
	word(t, "format", "fg-diff");
	number(t, "version", SCHEMA);
	word(t, "verdict", answer_word[r->answer->kind]);
	word(t, "reason", r->answer->reason.s);
	lines(t, "more", &r->answer->more);
	word(t, "by", compare_row_name(c));
	word(t, "unit", c->unit);
	word(t, "noise", model[c->noise.kind]);
	number(t, "confidence", c->noise.confidence);
	number(t, "period", c->noise.period);
	word(t, "compared", c->noise.shares ? "shares" : "amounts");
	number(t, "shared_percent", 100 * change_shared(c));
	number(t, "unchanged_percent", 100 * c->noise.unchanged_part);
	side(t, c, 0);
	side(t, c, 1);
	report_noise(&notes, r);
	report_detectable(&notes, r);
	report_hints(&notes, r);
	lines(t, "notes", &notes);
	text_puts(t, ",\n\"whole\":{");
	numbers(t, c, &c->profile_total, c->profile_total_limit);
	explanation(t, r);
	text_char(t, '\n');
	rows(t, r, false);
	if (c->by != BY_STACK)
		rows(t, r, true);
	text_puts(t, "}\n");
	text_free(&notes);
}

void
series_json(struct text *t, const struct series *s)
{
	struct text reason = {0};

	text_char(t, '{');
	word(t, "format", "fg-diff series");
	number(t, "version", SCHEMA);
	word(t, "verdict", series_answer(s));
	series_reason(&reason, s, figure_name);
	word(t, "reason", reason.s);
	number(t, "profiles", (double)s->length);
	number(t, "functions", (double)s->functions);
	number(t, "looks", s->looks);
	key(t, "changes");
	text_char(t, '[');
	for (size_t i = 0; i < s->changes; i++) {
		const struct series_change *x = &s->change[i];
		const struct calltree_name *name = &s->names->name[x->function];
		const char *since = s->path[s->file[x->step.at]];

		text_puts(t, i > 0 ? ",\n{" : "\n{");
		key(t, "name");
		text_json(t, (struct str){name->s, name->len});
		word(t, "since", since);
		number(t, "before_percent", 100 * x->step.before);
		number(t, "after_percent", 100 * x->step.after);
		number(t, "p", x->step.p);
		word(t, "then", x->drifts ? "drifts" : x->stayed ? "stayed" : "went away");
		word(t, "cause", x->moved ? "moved" : "real");
		interval(t, "interval_percent", true, series_interval(s, x, false));
		interval(t, "marginal_percent", true, series_interval(s, x, true));
		text_char(t, '}');
	}
	text_puts(t, "]}\n");
	text_free(&reason);
}

static void
growth_row(struct text *t, const struct growth *g, const struct growth_row *row)
{
	struct calltree_name since = growth_since(g, row);

	text_char(t, '{');
	word(t, "kind", row->name == NULL ? "whole" : row->total ? "total" : "self");
	if (row->name != NULL) {
		key(t, "name");
		text_json(t, (struct str){row->name->s, row->name->len});
	}
	word(t, "verdict", growth_word(g, row));
	word(t, "since", since.s);
	number(t, "first", row->first);
	number(t, "last", row->last);
	number(t, "growth", row->trend.slope);
	number(t, "p", row->trend.p);
	interval(t, "interval", true, growth_interval(g, row, false));
	interval(t, "marginal", true, growth_interval(g, row, true));
	text_char(t, '}');
}

void
growth_json(struct text *t, const struct growth *g)
{
	struct text reason = {0};

	text_char(t, '{');
	word(t, "format", "fg-diff growth");
	number(t, "version", SCHEMA);
	word(t, "verdict", growth_answer(g));
	growth_reason(&reason, g, figure_name);
	word(t, "reason", reason.s);
	word(t, "unit", g->unit);
	word(t, "column", g->column);
	number(t, "profiles", g->n);
	number(t, "profiles_an_hour", g->hour > 0 ? g->hour : NAN);
	number(t, "least", g->whole.trend.least);
	key(t, "whole");
	growth_row(t, g, &g->whole);
	key(t, "functions");
	text_char(t, '[');
	for (size_t i = 0; i < g->rows; i++) {
		text_puts(t, i > 0 ? ",\n" : "\n");
		growth_row(t, g, &g->row[i]);
	}
	text_puts(t, "]}\n");
	text_free(&reason);
}

void
groups_json(struct text *t, const struct groups *g)
{
	text_char(t, '{');
	word(t, "format", "fg-diff groups");
	number(t, "version", SCHEMA);
	word(t, "group_by", g->key);
	word(t, "verdict", answer_word[g->kind]);
	word(t, "reason", g->reason.s);
	for (int k = 0; k < 2; k++) {
		bool first = true;

		key(t, k == 0 ? "only_base" : "only_head");
		text_char(t, '[');
		for (size_t i = 0; i < g->nalone; i++) {
			if (g->alone[i].in_head != (k == 1))
				continue;
			text_puts(t, first ? "" : ",");
			text_json(t, str_of(g->alone[i].root));
			first = false;
		}
		text_char(t, ']');
	}
	key(t, "groups");
	text_char(t, '[');
	for (size_t i = 0; i < g->n; i++) {
		text_puts(t, i > 0 ? ",\n{" : "\n{");
		word(t, "group", g->pair[i].root);
		key(t, "report");
		text_str(t, text_as_str(&g->pair[i].report));
		text_char(t, '}');
	}
	text_puts(t, "]}\n");
}
