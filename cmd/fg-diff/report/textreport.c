/*
 * textreport: formats a comparison for a terminal. The first line is the answer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fg-diff/figure.h"
#include "fg-diff/diffreport.h"

enum { BASE, HEAD, CHANGE, PERCENT, INTERVAL, OF_WHOLE, VISIBLE, CELLS };

/* Appends a cell, right-aligned to a width in characters, not bytes. */
static void
cell(struct text *t, int width, const struct text *what)
{
	int n = 0;

	for (size_t i = 0; i < what->len; i++)
		n += (what->s[i] & 0xc0) != 0x80;
	text_printf(t, "%*s%s", width > n ? width - n : 0, "", what->len > 0 ? what->s : "");
}

static void
row(struct text *t, const struct comparison *c, const struct row *row, bool total, int width)
{
	const struct change *x = row_change(c, row, total);
	struct text a[CELLS] = {{0}};

	figure_value(&a[BASE], c->unit, x->base, false);
	figure_value(&a[HEAD], c->unit, x->head, false);
	figure_value(&a[CHANGE], c->unit, x->head - x->base, true);
	report_relative(&a[PERCENT], c, x);
	report_interval(&a[INTERVAL], c, x);
	report_of_total(&a[OF_WHOLE], c, x);
	report_limit(&a[VISIBLE], noise_visible(&c->noise, x), x->base);
	cell(t, width, &a[BASE]);
	cell(t, width + 1, &a[HEAD]);
	cell(t, width + 2, &a[CHANGE]);
	cell(t, 11, &a[PERCENT]);
	if (noise_is_modelled(&c->noise))
		cell(t, 19, &a[INTERVAL]);
	cell(t, 10, &a[OF_WHOLE]);
	text_printf(t, " %-5s", report_verdict(x));
	cell(t, 9, &a[VISIBLE]);
	text_puts(t, "  ");
	figure_name(t, row->name);
	text_char(t, '\n');
	for (int i = 0; i < CELLS; i++)
		text_free(&a[i]);
}

static void
rows(struct text *t, const struct report *r, bool total)
{
	const struct comparison *c = r->c;
	const uint32_t *order = compare_order(c, total, r->top);
	size_t n = report_rows(r, order, total);
	struct text widest = {0};
	int width;

	figure_value(&widest, c->unit, fmax(c->profile_total.base, c->profile_total.head), false);
	width = widest.len < 7 ? 7 : (int)widest.len;
	text_free(&widest);
	text_printf(t, "\n%s%s\n",
	    c->by == BY_STACK ? "Stacks"
	    : total	      ? "Total"
			      : "Self",
	    n == 0 ? ": nothing changed" : "");
	if (n > 0)
		text_printf(t, "%*s %*s %*s %10s%*s %9s %-5s %8s  %s\n", width, "base", width,
		    "head", width + 1, "change", "change %", noise_is_modelled(&c->noise) ? 19 : 0,
		    noise_is_modelled(&c->noise) ? "interval" : "", "of total", "noise", "visible",
		    compare_row_name(c));
	for (size_t i = 0; i < n; i++)
		row(t, c, &c->row[order[i]], total, width);
}

void
report_text(struct text *t, const struct report *r)
{
	text_printf(t, "%s: ", answer_word[r->answer->kind]);
	text_str(t, text_as_str(&r->answer->reason));
	text_puts(t, ".\n");
	text_str(t, text_as_str(&r->answer->more));
	report_sides(t, r);
	report_noise(t, r);
	report_detectable(t, r);
	rows(t, r, false);
	if (r->c->by != BY_STACK)
		rows(t, r, true);
	text_char(t, '\n');
	if (r->explanation != NULL) {
		report_explanation(t, r);
		text_char(t, '\n');
	}
	report_hints(t, r);
	report_words(t, r);
	if (noise_is_modelled(&r->c->noise))
		text_printf(t,
		    "visible: the smallest measured increase of this %s that would have been "
		    "called real.\n",
		    compare_row_name(r->c));
}
