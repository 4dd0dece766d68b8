/*
 * growthreport: formats what grows in a series of profiles. In text and Markdown the first line is
 * the answer; in tab-separated values it is the last row.
 */
#include <math.h>
#include <string.h>

#include "fg-diff/figure.h"
#include "fg-diff/growth.h"

const char *
growth_answer(const struct growth *g)
{
	return growth_grows(g) ? "FAIL" : "NO GROWTH";
}

/* Appends "4.2 MiB a profile (4 MiB to 4.4 MiB; 50 MiB an hour)". */
static void
slope(struct text *t, const struct growth *g, const struct growth_row *row)
{
	struct interval i = growth_interval(g, row, false);

	figure_value(t, g->unit, row->trend.slope, false);
	text_puts(t, " a profile (");
	figure_value(t, g->unit, i.low, false);
	text_puts(t, " to ");
	figure_value(t, g->unit, i.high, false);
	if (g->hour > 0) {
		text_puts(t, "; ");
		figure_value(t, g->unit, row->trend.slope * g->hour, false);
		text_puts(t, " an hour");
	}
	text_char(t, ')');
}

void
growth_reason(struct text *t, const struct growth *g, figure_namer *name)
{
	const struct growth_row *row = g->culprit != NULL ? g->culprit : &g->whole;
	struct calltree_name since = growth_since(g, row);

	if (!growth_grows(g)) {
		text_puts(t, "no function grows to the end; a growth of the profile total by ");
		figure_value(t, g->unit, g->whole.trend.least, false);
		text_puts(t, " a profile would have been found");
		return;
	}
	if (row->name != NULL)
		name(t, row->name);
	else
		text_puts(t, "the profile total");
	text_puts(t, " grows by ");
	slope(t, g, row);
	text_puts(t, " since ");
	name(t, &since);
	text_puts(t, ", from ");
	figure_value(t, g->unit, row->first, false);
	text_puts(t, " to ");
	figure_value(t, g->unit, row->last, false);
	if (row->name == NULL)
		text_puts(t, ", but no single function does");
}

static void
describe_terms(struct text *t, const struct growth *g)
{
	text_printf(t, "Compared: %u profiles in time order", g->n);
	if (g->empty > 0)
		text_printf(t, " (%u empty, left out)", g->empty);
	if (g->column != NULL)
		text_printf(t, ", column %s", g->column);
	text_printf(t, ", as amounts; %zu %s of %g %% of the largest profile or more.\n", g->tested,
	    text_form(g->tested, "self value or total", "self values and totals"),
	    100 * GROWTH_FAMILY);
	text_printf(t,
	    "A growth is reported if its probability by chance is below %g %% in all of them "
	    "together, and if no step, ended rise or warm-up describes the values better.\n",
	    100 * (1 - g->confidence));
}

static void
words(struct text *t, const struct growth *g)
{
	text_printf(t,
	    "grows: to the last profile. ended: it rose, and then stayed or approached a level. "
	    "step: it rose once. small: it grows, by less than %g %% of the total in all.\n"
	    "interval: confidence interval of the growth, at %g %% for all functions together.\n",
	    100 * GROWTH_SMALL, 100 * g->confidence);
}

/* Rows to print: the rising ones, at most top. */
static size_t
rows(const struct growth *g, bool total, size_t *hidden)
{
	size_t n = 0, all = 0;

	for (size_t i = 0; i < g->rows; i++)
		if (g->row[i].total == total && g->row[i].trend.kind != TREND_LEVEL)
			all++;
	n = g->top == 0 || all < g->top ? all : g->top;
	*hidden = all - n;
	return n;
}

static void
text_row(struct text *t, const struct growth *g, const struct growth_row *row)
{
	struct interval in = growth_interval(g, row, false);
	struct calltree_name since = growth_since(g, row);
	struct text cell[5] = {{0}};
	static const int width[5] = {11, 11, 11, 11, 11};

	figure_value(&cell[0], g->unit, row->first, false);
	figure_value(&cell[1], g->unit, row->last, false);
	figure_value(&cell[2], g->unit, row->trend.slope, true);
	figure_value(&cell[3], g->unit, in.low, true);
	figure_value(&cell[4], g->unit, in.high, true);
	for (int i = 0; i < 5; i++) {
		text_printf(t, "%*s ", width[i], cell[i].s);
		text_free(&cell[i]);
	}
	text_printf(t, "%-5s  ", growth_word(g, row));
	if (row->name != NULL)
		figure_name(t, row->name);
	else
		text_puts(t, "profile total");
	text_puts(t, ", ");
	figure_name(t, &since);
	text_char(t, '\n');
}

void
growth_text(struct text *t, const struct growth *g)
{
	text_printf(t, "%s: ", growth_answer(g));
	growth_reason(t, g, figure_name);
	text_puts(t, ".\n");
	describe_terms(t, g);
	text_printf(t, "\n%11s %11s %11s %23s %-5s  %s\n", "first", "last", "a profile", "interval",
	    "does", "function, since");
	text_row(t, g, &g->whole);
	for (int total = 0; total < 2; total++) {
		size_t hidden, n = rows(g, total, &hidden);

		text_printf(
		    t, "\n%s%s\n", total ? "Total" : "Self", n == 0 ? ": nothing rose" : "");
		for (size_t i = 0; i < g->rows && n > 0; i++)
			if (g->row[i].total == total && g->row[i].trend.kind != TREND_LEVEL) {
				text_row(t, g, &g->row[i]);
				n--;
			}
		if (hidden > 0)
			text_printf(t, "%zu more (--top)\n", hidden);
	}
	text_char(t, '\n');
	words(t, g);
}

static void
tsv_row(struct text *t, const struct growth *g, const struct growth_row *row)
{
	struct calltree_name since = growth_since(g, row);

	text_printf(t, "%s\t%.15g\t%.15g\t%.15g",
	    row->name == NULL ? "whole"
	    : row->total      ? "total"
			      : "self",
	    row->first, row->last, row->trend.slope);
	for (int marginal = 0; marginal < 2; marginal++) {
		struct interval in = growth_interval(g, row, marginal);

		text_printf(t, "\t%.6g\t%.6g", in.low, in.high);
	}
	text_printf(t, "\t%.3g\t%s\t", row->trend.p, growth_word(g, row));
	figure_name(t, &since);
	text_char(t, '\t');
	if (row->name != NULL)
		figure_name(t, row->name);
	text_char(t, '\n');
}

void
growth_tsv(struct text *t, const struct growth *g)
{
	text_puts(t, "kind\tfirst\tlast\tgrowth\tlow\thigh\tmarginal_low\tmarginal_high\tp\t"
		     "verdict\tsince\tfunction\n");
	tsv_row(t, g, &g->whole);
	for (size_t i = 0; i < g->rows; i++)
		tsv_row(t, g, &g->row[i]);
	text_printf(t, "verdict\t\t\t\t\t\t\t\t\t%s\t\t", growth_answer(g));
	growth_reason(t, g, figure_name);
	text_char(t, '\n');
}

void
growth_markdown(struct text *t, const struct growth *g)
{
	text_printf(t, "**%s**: ", growth_answer(g));
	growth_reason(t, g, figure_code);
	text_puts(t, ".\n\n");
	describe_terms(t, g);
	text_puts(t, "\n| function | value | first | last | a profile | interval | does | since |\n"
		     "|:--|:--|--:|--:|--:|--:|:--|:--|\n");
	for (size_t k = 0, n = 0; k <= g->rows && (g->top == 0 || n <= 2 * g->top); k++) {
		const struct growth_row *row = k == 0 ? &g->whole : &g->row[k - 1];
		struct interval in = growth_interval(g, row, false);
		struct calltree_name since = growth_since(g, row);

		if (row->name != NULL && row->trend.kind == TREND_LEVEL)
			continue;
		n++;
		text_puts(t, "| ");
		if (row->name != NULL)
			figure_code_cell(t, row->name);
		else
			text_puts(t, "profile total");
		text_printf(t, " | %s | ", row->name == NULL || row->total ? "total" : "self");
		figure_value(t, g->unit, row->first, false);
		text_puts(t, " | ");
		figure_value(t, g->unit, row->last, false);
		text_puts(t, " | ");
		figure_value(t, g->unit, row->trend.slope, true);
		text_puts(t, " | ");
		figure_value(t, g->unit, in.low, true);
		text_puts(t, " to ");
		figure_value(t, g->unit, in.high, true);
		text_printf(t, " | %s | ", growth_word(g, row));
		figure_code_cell(t, &since);
		text_puts(t, " |\n");
	}
	text_char(t, '\n');
	words(t, g);
}
