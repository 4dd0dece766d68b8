/*
 * seriesreport: formats the changes in a series of profiles. In text and Markdown the first line is
 * the answer; in tab-separated values it is the last row.
 */
#include <math.h>

#include "base/text.h"
#include "fg-diff/figure.h"
#include "fg-diff/series.h"
#include "names/nosymbol.h"

const char *
series_answer(const struct series *s)
{
	if (series_slower(s) != NULL)
		return "FAIL";
	if (series_drift(s) != NULL)
		return "DRIFTS";
	if (s->changes > 0)
		return "CHANGED";
	return s->correlated ? "CANNOT TELL" : "NO CHANGE";
}

static const struct calltree_name *
name_of(const struct series *s, const struct series_change *x)
{
	return &s->names->name[x->function];
}

static struct calltree_name
file_of(const struct series *s, const struct series_change *x)
{
	const char *path = s->path[s->file[x->step.at]];

	return (struct calltree_name){path, (uint32_t)strlen(path)};
}

/* Appends "+39.2 %, +22 to +56 %". */
static void
relative(struct text *t, const struct series *s, const struct series_change *x, bool interval)
{
	struct interval i = series_interval(s, x, false);

	figure_percent(t, x->step.after - x->step.before, x->step.before, "added");
	if (interval && isfinite(i.high))
		text_printf(t, "%s%+.3g to %+.3g %%", t->len > 0 ? ", " : "", i.low, i.high);
}

static const char *
then(const struct series_change *x)
{
	return x->drifts ? "drifts" : x->stayed ? "stayed" : "went away";
}

/* Reports the largest lasting regression, else the largest drift, else the number of changes. */
void
series_reason(struct text *t, const struct series *s, figure_namer *name)
{
	const struct series_change *most = series_slower(s), *drift = series_drift(s);

	if (most != NULL) {
		struct calltree_name file = file_of(s, most);

		name(t, name_of(s, most));
		text_puts(t, " is slower since ");
		name(t, &file);
		text_printf(t, " and has stayed slower: %.3g %% of the total, then %.3g %% (",
		    100 * most->step.before, 100 * most->step.after);
		relative(t, s, most, true);
		text_puts(t, ")");
	} else if (drift != NULL) {
		name(t, name_of(s, drift));
		text_printf(t, " drifts from %.3g %% of the total to %.3g %% over %zu profiles (",
		    100 * drift->step.before, 100 * drift->step.after, s->length);
		relative(t, s, drift, true);
		text_puts(t, ")");
	} else if (s->changes > 0) {
		text_printf(t, "%zu change%s, but none was a lasting slowdown", s->changes,
		    text_form(s->changes, "", "s"));
	} else if (s->correlated) {
		text_puts(t, "neighbouring profiles are too similar to distinguish a step from "
			     "chance; record longer intervals");
	} else {
		text_puts(t, "no function changed beyond noise");
	}
}

static void
describe_terms(struct text *t, const struct series *s)
{
	text_printf(t,
	    "Compared: %zu profiles in time order, %zu %s with %g %% of the total or "
	    "more, as shares of the unchanged functions.\n",
	    s->length, s->functions, text_form(s->functions, "function", "functions"),
	    100 * SERIES_FAMILY);
	text_printf(t,
	    "A change is reported if its probability by chance is below %g %% in all of them "
	    "together",
	    100 * SEGMENT_LEVEL);
	if (s->looks > 1)
		text_printf(t, ", over %g analyses", s->looks);
	text_puts(t, ".\n");
	if (s->correlated && s->changes > 0)
		text_puts(t, "Neighbouring profiles are similar: only abrupt changes are reported, "
			     "and no drifts.\n");
	if (s->length < s->n)
		text_printf(t, "Empty profiles left out: %zu.\n", s->n - s->length);
}

static void
words(struct text *t)
{
	text_puts(t,
	    "stayed: the last level is nearer to the new one than to the old one. went away: it "
	    "is nearer to the old one. drifts: a line from the first profile to the "
	    "last, not a step.\n");
	text_printf(t,
	    "interval: confidence interval of change %%, at %g %% for all functions "
	    "together.\n",
	    100 * (1 - SEGMENT_LEVEL));
	text_puts(t,
	    "moved: below an unchanged caller, the cost came from or went to another function. "
	    "real: it did not.\n");
}

/* Appends the functions that are modules without symbols. */
static void
modules(struct text *t, const struct series *s, figure_namer *namer)
{
	for (size_t i = 0; i < s->functions; i++) {
		const struct calltree_name *name = &s->names->name[s->tested[i]];

		if (!nosymbol_is_module((struct str){name->s, name->len}))
			continue;
		namer(t, name);
		text_puts(t, " stands for its functions without symbols; " NOSYMBOL_ADVICE ".\n");
	}
}

void
series_text(struct text *t, const struct series *s)
{
	text_printf(t, "%s: ", series_answer(s));
	series_reason(t, s, figure_name);
	text_puts(t, ".\n");
	describe_terms(t, s);
	modules(t, s, figure_name);
	if (s->changes > 0)
		text_printf(t, "\n%8s %8s %10s %20s %-9s %-5s  %s\n", "before", "after", "change %",
		    "interval", "then", "cause", "function, since");
	for (size_t i = 0; i < s->changes; i++) {
		const struct series_change *x = &s->change[i];
		struct calltree_name file = file_of(s, x);
		struct interval in = series_interval(s, x, false);
		struct text change = {0}, interval = {0};

		relative(&change, s, x, false);
		if (isfinite(in.high))
			text_printf(&interval, "%+.3g to %+.3g %%", in.low, in.high);
		text_printf(t, "%7.3g%% %7.3g%% %10s %20s %-9s %-5s  ", 100 * x->step.before,
		    100 * x->step.after, change.s, interval.len > 0 ? interval.s : "", then(x),
		    x->moved ? "moved" : "real");
		text_free(&interval);
		figure_name(t, name_of(s, x));
		text_puts(t, ", ");
		figure_name(t, &file);
		if (x->caller != 0) {
			text_puts(t, " (below ");
			figure_name(t, &s->names->name[x->caller]);
			text_char(t, ')');
		}
		text_char(t, '\n');
		text_free(&change);
	}
	text_char(t, '\n');
	words(t);
}

void
series_tsv(struct text *t, const struct series *s)
{
	text_puts(t,
	    "kind\tbefore_percent\tafter_percent\tchange_percent\tp\tthen\tcause\tsince\t"
	    "caller\tfunction\tlow_percent\thigh_percent\tmarginal_low_percent\tmarginal_high_percent\n");
	for (size_t i = 0; i < s->changes; i++) {
		const struct series_change *x = &s->change[i];
		struct calltree_name file = file_of(s, x);

		text_printf(t, "change\t%.6g\t%.6g\t", 100 * x->step.before, 100 * x->step.after);
		if (x->step.before > 0)
			text_printf(t, "%.6g", 100 * (x->step.after / x->step.before - 1));
		text_printf(t, "\t%.3g\t%s\t%s\t", x->step.p, then(x), x->moved ? "moved" : "real");
		figure_name(t, &file);
		text_char(t, '\t');
		if (x->caller != 0)
			figure_name(t, &s->names->name[x->caller]);
		text_char(t, '\t');
		figure_name(t, name_of(s, x));
		for (int marginal = 0; marginal < 2; marginal++) {
			struct interval in = series_interval(s, x, marginal);

			if (isfinite(in.high))
				text_printf(t, "\t%.6g\t%.6g", in.low, in.high);
			else
				text_puts(t, "\t\t");
		}
		text_char(t, '\n');
	}
	text_printf(t, "verdict\t\t\t\t\t\t%s\t\t\t", series_answer(s));
	series_reason(t, s, figure_name);
	text_puts(t, "\t\t\t\t\n");
}

void
series_markdown(struct text *t, const struct series *s)
{
	text_printf(t, "**%s**: ", series_answer(s));
	series_reason(t, s, figure_code);
	text_puts(t, ".\n\n");
	describe_terms(t, s);
	modules(t, s, figure_code);
	if (s->changes > 0)
		text_puts(t, "\n| function | since | before | after | change % | then | cause |\n"
			     "|:--|:--|--:|--:|--:|:--|:--|\n");
	for (size_t i = 0; i < s->changes; i++) {
		const struct series_change *x = &s->change[i];
		struct calltree_name file = file_of(s, x);

		text_puts(t, "| ");
		figure_code_cell(t, name_of(s, x));
		text_puts(t, " | ");
		figure_code_cell(t, &file);
		text_printf(
		    t, " | %.3g %% | %.3g %% | ", 100 * x->step.before, 100 * x->step.after);
		relative(t, s, x, true);
		text_printf(t, " | %s | %s |\n", then(x), x->moved ? "moved" : "real");
	}
	text_char(t, '\n');
	words(t);
}
