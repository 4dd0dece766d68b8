/*
 * markdownreport: formats a comparison as a comment for a pull request. Names are in code spans,
 * where links, HTML and mentions have no effect.
 */
#include <stdlib.h>

#include "fg-diff/figure.h"
#include "fg-diff/diffreport.h"

#define ABOVE 1000 /* bytes of headlines after which no line starts: at most 1,500 */

static void
figure_cell(struct text *t, const struct comparison *c, double x, bool plus)
{
	figure_value(t, c->unit, x, plus);
	text_puts(t, " | ");
}

static void
rows(struct text *t, const struct report *r, bool total)
{
	const struct comparison *c = r->c;
	const uint32_t *order = compare_order(c, total, r->top);
	size_t n = report_rows(r, order, total);
	const char *what = c->by == BY_STACK ? "" : total ? " (total)" : " (self)";

	if (n == 0)
		text_printf(t, "\nNothing changed%s.\n", what);
	else
		text_printf(t,
		    "\n| %s%s | base | head | change | change %% | interval | of total | noise |\n"
		    "|:--|--:|--:|--:|--:|--:|--:|:--|\n",
		    compare_row_name(c), what);
	for (size_t i = 0; i < n; i++) {
		const struct change *x = row_change(c, &c->row[order[i]], total);
		const char *bold = x->verdict == VERDICT_REAL ? "**" : "";

		text_puts(t, "| ");
		figure_code_cell(t, c->row[order[i]].name);
		text_puts(t, " | ");
		figure_cell(t, c, x->base, false);
		figure_cell(t, c, x->head, false);
		text_puts(t, bold);
		figure_value(t, c->unit, x->head - x->base, true);
		text_printf(t, "%s | ", bold);
		report_relative(t, c, x);
		text_puts(t, " | ");
		report_interval(t, c, x);
		text_puts(t, " | ");
		report_of_total(t, c, x);
		text_printf(t, " | %s |\n", report_verdict(x));
	}
}

/* Appends lines as a list: a Markdown renderer would join plain lines. */
static void
list(struct text *t, const struct text *lines)
{
	for (size_t i = 0; i < lines->len;) {
		size_t end = i;

		while (end < lines->len && lines->s[end] != '\n')
			end++;
		if (end > i) {
			text_puts(t, "- ");
			text_add(t, lines->s + i, end - i);
			text_char(t, '\n');
		}
		i = end + 1;
	}
}

/* Appends one headline: the function of the program, its new callee, and its growth. */
static void
headline(struct text *t, const struct report *r, const struct headline *h)
{
	const struct comparison *c = r->c;
	const struct change *x = h->row->total;
	size_t start;

	text_puts(t, "- ");
	figure_code_short(t, h->row->name);
	if (h->calls != NULL) {
		text_puts(t, " now calls ");
		figure_code_short(t, h->calls->name);
	}
	text_puts(t, ": ");
	figure_value(t, c->unit, x->base, false);
	text_puts(t, " \xe2\x86\x92 ");
	figure_value(t, c->unit, x->head, false);
	text_puts(t, " (");
	report_relative(t, c, x);
	start = t->len;
	text_puts(t, "; ");
	report_interval(t, c, x);
	if (t->len == start + 2)
		text_cut(t, start);
	text_puts(t, "), ");
	report_of_total(t, c, x);
	text_puts(t, " of base's total");
	if (h->engine.len > 0) {
		struct calltree_name engine = {h->engine.s, (uint32_t)h->engine.len};

		text_puts(t, ", in: ");
		if (h->engine_named)
			text_str(t, h->engine);
		else
			figure_code_short(t, &engine);
	}
	text_char(t, '\n');
}

/*
 * Counts the functions that are charged with growth and have no headline, from one on, and their
 * growth, so that the figures add up.
 */
static void
left_out(struct text *t, const struct report *r, size_t from)
{
	const struct headlines *h = r->headlines;
	const struct comparison *c = r->c;
	double growth = h->rest_growth;
	size_t n = h->rest;

	for (size_t i = from; i < h->n; i++, n++)
		growth += h->line[i].growth;
	if (n == 0)
		return;
	text_printf(t, "- %zu more function%s, together ", n, n == 1 ? "" : "s");
	figure_value(t, c->unit, growth, true);
	if (c->profile_total.base > 0) {
		text_puts(t, ", ");
		figure_percent(t, growth, c->profile_total.base, "");
		text_printf(
		    t, " of base's total%s", change_shared(c) != 0 ? " beyond what all share" : "");
	}
	text_char(t, '\n');
}

/*
 * Writes the answer and one line per regression, short enough for a comment; the rest is in
 * <details>.
 */
void
report_markdown(struct text *t, const struct report *r)
{
	struct text lines = {0};
	size_t n = r->headlines != NULL ? r->headlines->n : 0, i = 0;

	text_printf(t, "**%s**: ", answer_word[r->answer->kind]);
	text_str(t, text_as_str(&r->answer->reason));
	text_puts(t, ".\n\n");
	for (; i < n && t->len < ABOVE; i++)
		headline(t, r, &r->headlines->line[i]);
	if (r->headlines != NULL)
		left_out(t, r, i);
	text_puts(t, n > 0 ? "\n" : "");
	text_puts(t, "<details><summary>All changes, and the noise</summary>\n\n");
	text_str(&lines, text_as_str(&r->answer->more));
	report_sides(&lines, r);
	report_noise(&lines, r);
	report_detectable(&lines, r);
	report_explanation(&lines, r);
	report_hints(&lines, r);
	list(t, &lines);
	rows(t, r, false);
	if (r->c->by != BY_STACK)
		rows(t, r, true);
	text_char(t, '\n');
	text_cut(&lines, 0);
	report_words(&lines, r);
	list(t, &lines);
	text_puts(t, "\n</details>\n");
	text_free(&lines);
}
