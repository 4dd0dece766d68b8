/*
 * diffreport: the sentences that the formats share.
 */
#include "fg-diff/diffreport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-diff/figure.h"
#include "fg-diff/unusable.h"
#include "names/funcname.h"
#include "profile/unit.h"
#include "names/frame.h"

#define LENGTHS 1.5 /* profile totals with a larger ratio are hardly of equal work */
#define COUNTED_WITH 3 /* limit of names of copies to list */
#define RENAMES_LISTED 5

const char *
report_verdict(const struct change *x)
{
	static const char *const word[] = {"small", "noise", "real", "unknown"};

	return word[x->verdict];
}

void
report_relative(struct text *t, const struct comparison *c, const struct change *x)
{
	if (x->head == 0 && x->base > 0)
		text_puts(t, "removed");
	else if (x->base == 0)
		text_puts(t, x->head > 0 ? "added" : "");
	else
		text_printf(t, "%+.2f %%", change_percent(c, x));
}

void
report_of_total(struct text *t, const struct comparison *c, const struct change *x)
{
	double percent = change_of_total(c, x);

	if (isfinite(percent))
		text_printf(t, "%+.2f %%", percent);
}

/* Appends a bound in percent, with its significant digits. */
static void
bound(struct text *t, double x)
{
	double size = fabs(x);

	text_printf(t, "%+.*f", size >= 10 || size == 0 ? 0 : size >= 1 ? 1 : 2, x);
}

void
report_interval(struct text *t, const struct comparison *c, const struct change *x)
{
	bool added = x->base == 0 && x != &c->profile_total;
	struct interval i;

	if (!noise_is_modelled(&c->noise) || x->tests == 0 || x->head == x->base)
		return;
	i = added ? noise_new(&c->noise, x, 0) : change_interval(c, x);
	if (!added && i.low <= -100 && isinf(i.high)) {
		text_puts(t, "unknown");
		return;
	}
	if (added)
		figure_value(t, c->unit, i.low, false);
	else
		bound(t, i.low);
	if (isinf(i.high)) {
		text_puts(t, added ? " or more" : " % or more");
		return;
	}
	text_puts(t, " to ");
	if (added)
		figure_value(t, c->unit, i.high, false);
	else
		bound(t, i.high);
	text_puts(t, added ? "" : " %");
}

void
report_limit(struct text *t, double increase, double base)
{
	if (isinf(increase) || base <= 0)
		return;
	increase *= 100 / base;
	text_printf(t, "%.*f %%",
	    increase < 0.1   ? 3
	    : increase < 10  ? 2
	    : increase < 100 ? 1
			     : 0,
	    increase);
}

void
report_flush(struct text *t, const struct report *r)
{
	if (r->out == NULL || t->len < OUTPUT_BUFFER)
		return;
	output_write(r->out, t->s, t->len);
	text_cut(t, 0);
}

size_t
report_rows(const struct report *r, const uint32_t *order, bool total)
{
	size_t n = 0;

	while (n < r->c->n && (r->top == 0 || n < r->top)) {
		const struct change *x = row_change(r->c, &r->c->row[order[n]], total);

		if (x->base == x->head)
			break;
		n++;
	}
	return n;
}

static void
one_side(struct text *t, const struct report *r, int k)
{
	const struct side *side = r->c->side[k];
	struct calltree_name path = {side->path[0], (uint32_t)strlen(side->path[0])};

	text_puts(t, k == 0 ? "base " : "head ");
	r->name(t, &path);
	if (side->runs > 1)
		text_printf(t, " and %u more", side->runs - 1);
	text_puts(t, ", ");
	figure_value(
	    t, r->c->unit, k == 0 ? r->c->profile_total.base : r->c->profile_total.head, false);
	if (r->c->unit != NULL && strcmp(r->c->unit, FOLDED_SAMPLES) == 0)
		text_puts(t, " samples");
	if (side->runs > 1)
		text_puts(t, " a run");
}

/* Returns the row with the largest significant change, in self or in total; *n counts them. */
static const struct row *
most_real(const struct comparison *c, bool total, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < c->n; i++)
		*n += row_change(c, &c->row[i], total)->verdict == VERDICT_REAL;
	return *n > 0 ? &c->row[compare_order(c, total, 1)[0]] : NULL;
}

/* Appends the significant changes, unless the answer lists them already. */
static void
beyond_noise(struct text *t, const struct report *r)
{
	const struct comparison *c = r->c;
	bool total = false;
	size_t n;
	const struct row *first = most_real(c, false, &n);

	if (n == 0) {
		total = true;
		first = most_real(c, true, &n);
	}
	if (n == 0) {
		if (r->answer->gated && noise_is_modelled(&c->noise))
			text_printf(t, "; no %s beyond noise", compare_row_name(c));
	} else if (r->answer->kind == ANSWER_PASS || r->answer->kind == ANSWER_CANNOT_TELL) {
		text_puts(t, noise_is_modelled(&c->noise) ? "; beyond noise: " : "; ");
		r->name(t, first->name);
		text_char(t, ' ');
		report_relative(t, c, row_change(c, first, total));
		if (n > 1)
			text_printf(
			    t, ", and %zu more %s%s", n - 1, compare_row_name(c), n > 2 ? "s" : "");
	}
}

static void
direction(struct text *t, const struct comparison *c)
{
	const char *more = "slower", *less = "faster";

	if (unit_is_memory(c->unit)) {
		more = "larger";
		less = "smaller";
	}
	if (c->profile_total.base == c->profile_total.head) {
		text_puts(t, "The profile totals are equal");
		return;
	}
	text_printf(t,
	    "In total, head is %s: ", c->profile_total.head > c->profile_total.base ? more : less);
	figure_value(t, c->unit, c->profile_total.head - c->profile_total.base, true);
	text_puts(t, " (");
	report_relative(t, c, &c->profile_total);
	if (c->profile_total.tests > 0 && noise_is_modelled(&c->noise)) {
		text_puts(t, "; ");
		report_interval(t, c, &c->profile_total);
	}
	text_puts(t, "), ");
	if (c->noise.shares) {
		text_puts(t, "measured relative to the unchanged functions");
	} else if (c->noise.kind == NOISE_UNKNOWN) {
		text_puts(t, "measured");
	} else if (c->profile_total.verdict == VERDICT_REAL) {
		text_puts(t, c->noise.kind == NOISE_NONE ? "exactly" : "beyond noise");
	} else {
		text_puts(t, "which may be noise");
		if (!isinf(c->profile_total_limit) && c->profile_total.base > 0) {
			text_puts(t, ": an increase below ");
			report_limit(t, c->profile_total_limit, c->profile_total.base);
			text_puts(t, " cannot be detected");
		}
	}
}

static bool
lengths_differ(const struct comparison *c)
{
	/* Shares would hide the growth of memory, and exact values are not of a length of time. */
	return !c->noise.shares && noise_is_modelled(&c->noise) && !unit_is_memory(c->unit) &&
	       (c->profile_total.head > LENGTHS * c->profile_total.base ||
		   c->profile_total.base > LENGTHS * c->profile_total.head);
}

void
report_sides(struct text *t, const struct report *r)
{
	const struct comparison *c = r->c;

	text_puts(t, "Compared: ");
	one_side(t, r, 0);
	text_puts(t, "; ");
	one_side(t, r, 1);
	text_puts(t, ".\n");
	direction(t, c);
	beyond_noise(t, r);
	text_puts(t, ".\n");
	if (lengths_differ(c))
		text_puts(t, "One profile total is more than 1.5 times the other: if the "
			     "recordings did not run equally long, compare shares (-n).\n");
}

static void
weight_line(struct text *t, const struct comparison *c)
{
	static const char *const how[] = {"from --period", "from the header",
	    "by the sizes of blocks", "values are counts", "the common divisor of all values",
	    "estimated from the differences between both sides",
	    "the value of the smallest stacks"};

	text_puts(t, "One sample weighs ");
	figure_value(t, c->unit, c->noise.period, false);
	text_printf(t, " (%s)%s.\n", how[c->period_source],
	    c->period_source >= PERIOD_DIVISOR ? "; --period overrides it" : "");
}

static void
unchanged_line(struct text *t, const struct comparison *c)
{
	const struct noise *n = &c->noise;
	const char *what = compare_row_name(c);
	double growth = change_shared(c);

	if (n->absolute && !n->shares) {
		text_puts(t, "Memory is compared as measured, not relative to other functions.\n");
		return;
	}
	if (!n->scaled && n->shares) {
		if (unusable_shares(c))
			text_printf(t,
			    "Shares cannot be compared: %.0f %% of the total is unchanged.\n",
			    100 * n->unchanged_part);
		else
			text_puts(t, "Shares differ between the runs of a side as much as between "
				     "the sides.\n");
		return;
	}
	if (n->caused) {
		text_printf(t,
		    "Values are compared as measured: one %s has nearly all of the change.\n",
		    what);
		return;
	}
	if (!n->scaled) {
		text_printf(t,
		    "Values are compared as measured: too few %ss changed alike to scale the "
		    "runs to one size. %.0f %% of the total is unchanged",
		    what, 100 * n->unchanged_part);
		if (n->nameless)
			text_printf(t, ": no %s present on both sides has a verdict", what);
		text_puts(t, ".\n");
		return;
	}
	if (n->shifted)
		text_printf(t,
		    "Most %ss changed together, by %+.3g %%, which is more than runs differ: a "
		    "change must be beyond noise both relative to that and as measured. "
		    "Estimated from ",
		    what, 100 * growth);
	else if (growth != 0)
		text_printf(t,
		    "Most %ss changed together, by %+.3g %%: each is tested for its change "
		    "beyond that. Estimated from ",
		    what, 100 * growth);
	else
		text_printf(t, "%s are relative to ", n->shares ? "Shares" : "Changes");
	text_printf(t, "%zu %s%s that did not change%s, %.0f %% of the total.\n", n->unchanged,
	    what, text_form(n->unchanged, "", "s"), growth != 0 ? " otherwise" : "",
	    100 * n->unchanged_part);
}

void
report_noise(struct text *t, const struct report *r)
{
	const struct comparison *c = r->c;
	const struct noise *n = &c->noise;

	if (!noise_is_modelled(n)) {
		text_puts(t, n->kind == NOISE_NONE
				 ? "Noise: none, the values are exact and every change is real.\n"
				 : "Noise: unknown, so are the verdicts.\n");
		return;
	}
	if (n->kind == NOISE_COUNTS)
		text_puts(t, "Noise: sampling only");
	else if (n->nbase + n->nhead == 2 && n->nhistory == 0)
		text_printf(t,
		    "Noise: sampling, and an assumed spread of %g %% between runs: one run a "
		    "side does not show it, and no change of time in the kernel",
		    100 * NOISE_SPREAD);
	else
		text_printf(t,
		    "Noise: sampling, and the spread of runs, estimated from %u of base and %u "
		    "of head",
		    n->nbase, n->nhead);
	if (n->nhistory > 0)
		text_printf(t, " and by %u earlier ones (--baseline)", n->nhistory);
	text_printf(t, ". Confidence %g %%.\n", 100 * n->confidence);
	if (c->inexact)
		text_printf(t,
		    "The values%s%s are exact, but runs of one side differ: they are compared like "
		    "samples.\n",
		    c->unit != NULL ? " of " : "", c->unit != NULL ? c->unit : "");
	weight_line(t, c);
	unchanged_line(t, c);
}

void
report_detectable(struct text *t, const struct report *r)
{
	static const int share[] = {20, 5, 1};
	const struct comparison *c = r->c;

	if (!noise_is_modelled(&c->noise))
		return;
	text_puts(t, "To be detected, ");
	for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
		double base = c->profile_total.base * share[i] / 100;
		struct change x = noise_typical(&c->noise, base, c->tested);
		double limit = noise_limit(&c->noise, &x);

		text_printf(t,
		    i == 0 ? "a %2$s with %1$d %% of the total has to grow by "
			   : ", with %d %% by ",
		    share[i], compare_row_name(c));
		if (isinf(limit) || base <= 0)
			text_puts(t, "more than is possible");
		else
			report_limit(t, limit, base);
	}
	text_puts(t, ".\n");
}

void
report_explanation(struct text *t, const struct report *r)
{
	const struct explanation *e = r->explanation;

	if (e == NULL)
		return;
	if (e->change == 0 || e->n == 0) {
		text_puts(t, e->change == 0 ? "The profile total did not change.\n"
					    : "The change of the profile total is spread over all "
					      "functions.\n");
		return;
	}
	text_printf(t,
	    "%.0f %% of the change of the profile total is explained by %zu, each counted once:\n",
	    100 * (1 - e->left / e->change), e->n);
	for (size_t i = 0; i < e->n; i++) {
		const struct explained *x = &e->part[i];

		figure_value(t, r->c->unit, x->head - x->base, true);
		text_printf(t, " (%.0f %%) ", 100 * (x->head - x->base) / e->change);
		r->name(t, x->row->name);
		text_puts(t, x->below ? " and its callees\n" : "\n");
	}
}

/* Appends names that were merged with another one, such as a compiler's copies of a function. */
static void
copies(struct text *t, const struct report *r)
{
	const struct comparison *c = r->c;
	struct calltree *names = calltree_new(0);
	size_t n = 0;

	if (c->by != BY_FUNCTION)
		goto out;
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 1; i < c->side[k]->tree->nname; i++) {
			struct calltree_name full = c->side[k]->tree->name[i], plain;
			uint32_t known = names->nname;

			full.len = (uint32_t)frame_body(full.s, full.len);
			plain = full;
			plain.len = (uint32_t)frame_without_clones(full.s, full.len);
			if (plain.len == full.len ||
			    calltree_intern(names, full.s, full.len) < known)
				continue;
			if (n++ >= COUNTED_WITH)
				continue;
			text_puts(t, n == 1 ? "" : ", ");
			r->name(t, &full);
			text_puts(t, " counted with ");
			r->name(t, &plain);
		}
	if (n > COUNTED_WITH)
		text_printf(t, " and %zu more cop%s of functions", n - COUNTED_WITH,
		    n > COUNTED_WITH + 1 ? "ies" : "y");
	if (n > 0)
		text_puts(t, ".\n");
out:
	calltree_free(names);
}

static void
name_of(struct text *t, const struct report *r, const struct calltree *names, uint32_t i)
{
	r->name(t, &names->name[i]);
}

/* Appends the modules that are one function, since their functions have no symbols. */
static void
modules(struct text *t, const struct report *r)
{
	const struct identity *id = r->c->side[0]->identity;

	for (size_t i = 0; i < id->nmodules; i++) {
		const struct nosymbol_module *m = &id->module[i];
		const struct row *row = compare_function(r->c, m->function);

		if (row == NULL || row->total->verdict == VERDICT_SMALL)
			continue;
		name_of(t, r, id->functions, m->function);
		text_printf(t, " stands for %u function%s without symbols%s", m->n,
		    text_form(m->n, "", "s"),
		    m->rebuilt ? ", whose addresses differ between the builds"
			       : ": that the builds are equal is not known");
		text_puts(t, "; " NOSYMBOL_ADVICE ".\n");
	}
}

/* Appends the files and functions that are elsewhere in head, and those of one name that are
 * merged. */
static void
elsewhere(struct text *t, const struct report *r)
{
	const struct identity *id = r->c->side[0]->identity;

	for (size_t i = 0; i < id->nmoved; i++) {
		const struct identity_move *m = &id->moved[i];

		if (i == COUNTED_WITH) {
			text_printf(t, "%zu more were moved to another file.\n", id->nmoved - i);
			break;
		}
		if (m->function != 0) {
			name_of(t, r, id->functions, m->function);
			text_puts(t, " was moved from ");
		}
		name_of(t, r, id->paths, m->from);
		text_puts(t, m->function != 0 ? " to " : " is now ");
		name_of(t, r, id->paths, m->to);
		text_puts(t, ".\n");
	}
	for (size_t i = 0; i < id->nmerged && cli_verbose; i++) {
		name_of(t, r, id->functions, id->merged[i]);
		text_puts(t, " stands for several functions of one name in one file, which "
			     "are merged: base and head do not have equally many.\n");
	}
}

void
report_hints(struct text *t, const struct report *r)
{
	size_t before = t->len;

	if (r->c->by == BY_FUNCTION && !r->c->only)
		modules(t, r);
	elsewhere(t, r);

	for (size_t i = 0; r->moves != NULL && i < r->moves->renames; i++) {
		if (i == RENAMES_LISTED) {
			text_printf(t, "%zu more were perhaps renamed.\n", r->moves->renames - i);
			break;
		}
		text_puts(t, "Perhaps ");
		r->name(t, r->moves->rename[i].gone->name);
		text_puts(t, ", now ");
		r->name(t, r->moves->rename[i].come->name);
		text_puts(t, " (same callers, similar cost).\n");
	}
	copies(t, r);
	if (t->len > before)
		text_char(t, '\n');
}

void
report_words(struct text *t, const struct report *r)
{
	if (!noise_is_modelled(&r->c->noise))
		return;
	if (change_shared(r->c) != 0)
		text_puts(t,
		    "change %: the change beyond what all functions share; 0 if its sign and that "
		    "of the measured change differ.\n");
	text_printf(t,
	    "of total: the measured change in percent of base's profile total. interval: confidence interval of change "
	    "%%, or of head if added, at %g %% for all rows together.\n",
	    100 * r->c->noise.confidence);
	text_printf(t,
	    "real: a change beyond noise, larger than two recordings of one program differ by "
	    "in %g of 100 comparisons. noise: a smaller one.\n",
	    100 * r->c->noise.confidence);
	text_printf(
	    t, "small: less than %g %% of the profile total, not tested.\n", 100 * NOISE_FAMILY);
}
