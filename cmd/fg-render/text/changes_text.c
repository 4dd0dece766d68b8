/* changes_text: the sentences and rows of a differential's summary. */
#include "fg-render/text/changes_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fg-render/layout/figures.h"
#include "fg-render/picture.h"
#include "fg-render/text/facts.h"
#include "fg-render/text/changes.h"
#include "fg-render/text/sentences.h"
#include "fg-render/text/unitwords.h"
#include "profile/folded.h"
#include "profile/unit.h"

#define EXPLAINS 0.8 /* share of the change to explain by naming functions */

/* The total that percentages of changes refer to: base's, or head's if base is empty. */
static double
whole_of(const struct picture *p)
{
	return value_double(p->drawn.sum[0] != 0 ? p->drawn.sum[0] : p->drawn.sum[1]);
}

/* Appends a change as an amount, and in percent of base's total. */
static void
figures(const struct picture *p, double delta, struct text *amount, struct text *rate)
{
	text_puts(amount, unit_sign(delta));
	layout_figure(p, 0, amount, (value)(fabs(delta) * (double)VALUE_ONE + 0.5));
	unit_change(rate, whole_of(p) > 0 ? 100 * delta / whole_of(p) : 0, 2);
	text_puts(rate, " %");
}

/* "new" or "gone"; an empty string for a function of both sides. */
static const char *
in_one_side(const struct change_of *c)
{
	return c->base == 0 ? "new" : c->head == 0 ? "gone" : "";
}

/* Appends the limits of an interval, in percent, with a word between them. */
static void
add_interval(struct text *b, double low, double high, const char *between)
{
	int digits = fabs(low) < 10 && fabs(high) < 10 ? 1 : 0;

	unit_change(b, low, digits);
	text_puts(b, between);
	unit_change(b, high, digits);
	text_puts(b, " %");
}

/* Appends the interval of a function's change, which is in percent of it, in percent of base. */
static void
add_interval_of(
    const struct picture *p, const struct change_of *c, struct text *b, const char *between)
{
	double part = value_double(c->base) / whole_of(p);

	add_interval(b, c->low * part, c->high * part, between);
}

/* Appends the function of a change, or the module if this has no symbols. */
static void
add_changed(const struct picture *p, struct summary *s, const struct change_of *c)
{
	const struct frame_name *name = &p->names.name[c->name];
	struct str module = facts_module(name);

	if (!name_is_missing(name)) {
		summary_add_name(s, c->name, c->node);
		return;
	}
	summary_add(s, "code without symbols in ");
	if (module.len == 0)
		summary_add(s, "an unknown module");
	else if (name_start_module(name).len > 0)
		summary_add(s, "%.*s", (int)module.len, module.s);
	else
		summary_add_name(s, c->name, c->node);
}

/* first: of a sentence; it has the words for what percentages refer to. */
static void
add_change(const struct picture *p, struct summary *s, const struct change_of *c, bool first)
{
	uint32_t caller = facts_caller(p, c->node);
	struct text amount = {0}, rate = {0};

	figures(p, c->delta, &amount, &rate);
	add_changed(p, s, c);
	summary_add(s, " %s (%s%s%s", amount.s, in_one_side(c), *in_one_side(c) != '\0' ? ", " : "",
	    rate.s);
	if (first)
		summary_add(s, p->drawn.sum[0] != 0 ? " of base's total" : " of head's total");
	text_free(&amount);
	text_free(&rate);
	if (changes_interval(c)) {
		summary_add(s, ", between ");
		add_interval_of(p, c, &s->words, " and ");
	}
	if (caller != CALLTREE_ROOT) {
		summary_add(s, ", called by ");
		summary_add_name(s, p->tree->node[caller].name, caller);
	}
	summary_add(s, ")");
}

/*
 * True if all functions changed by about the same ratio, *ratio = head / base. *apart is the
 * total variation distance of the functions' shares, 0 to 1.
 */
static bool
is_scaled(const struct picture *p, const struct changes *c, double *ratio, double *apart)
{
	double base = value_double(p->drawn.sum[0]), head = value_double(p->drawn.sum[1]), most = 0;

	*apart = 0;
	if (base == 0 || head == 0)
		return false;
	*ratio = head / base;
	for (uint32_t i = 0; i < c->n; i++) {
		double share = value_double(c->of[i].head) / head;

		*apart += fabs(share - value_double(c->of[i].base) / base) / 2;
		most = fmax(most, share);
	}
	/* if one function has nearly all of the profile, the change is that function's */
	return most < 0.9 && fabs(*ratio - 1) >= 0.05 && *apart <= 0.02 &&
	       *apart < fabs(*ratio - 1) / 10;
}

/* Adds words and the interval of the total's change if this may be noise; false if not. */
static bool
add_total(struct summary *s, const struct changes *c, const char *words)
{
	if (c->total_low >= c->total_high)
		return false;
	summary_add(s, "%s (", words);
	add_interval(&s->words, c->total_low, c->total_high, " to ");
	summary_add(s, ")");
	return true;
}

static void
add_scaled(
    const struct picture *p, struct summary *s, const struct changes *c, double ratio, double apart)
{
	struct unit_words words = summary_unit_words(p);

	summary_add(s, "Head is %.0f %% %s in total; the functions' shares ", 100 * fabs(ratio - 1),
	    ratio > 1 ? words.than : words.less_than);
	if (100 * apart < 0.1)
		summary_add(s, "are equal");
	else
		summary_add(s, "are equal within %.1f %% of the total", 100 * apart);
	summary_end_sentence(s);
	if (add_total(s, c, "The change of the total may be noise"))
		summary_end_sentence(s);
}

static bool
counts(const struct changes *c, const struct change_of *f, bool slower)
{
	return f->delta != 0 && (f->delta > 0) == slower && (!c->tested || f->verdict != 0);
}

/*
 * Lists the functions with the largest increases (or decreases): all that have a verdict, up to
 * SUMMARY_NAMES. Without verdicts, until they explain EXPLAINS of the sum. The others are one
 * figure, so that all figures of the summary add up to the change of the total.
 */
static void
add_direction(const struct picture *p, struct summary *s, const struct changes *c, bool slower)
{
	struct unit_words words = summary_unit_words(p);
	double all = 0, explained = 0;
	uint32_t n = 0, more = 0;

	for (uint32_t i = 0; i < c->n; i++)
		if (counts(c, &c->of[i], slower))
			all += c->of[i].delta;
	for (uint32_t i = 0; i < c->n; i++) {
		if (!counts(c, &c->of[i], slower))
			continue;
		if (n == SUMMARY_NAMES || (!c->tested && fabs(explained) >= EXPLAINS * fabs(all))) {
			more++;
			continue;
		}
		if (n++ > 0)
			summary_add(s, ", ");
		else if (c->tested)
			summary_add(s, "%s: ", slower ? words.more : words.less);
		else
			summary_add(
			    s, "Largest %s, not tested: ", slower ? "increases" : "decreases");
		add_change(p, s, &c->of[i], n == 1);
		explained += c->of[i].delta;
	}
	if (n == 0 && (!c->tested || p->diff.exact))
		return;
	if (n == 0)
		summary_add(
		    s, "Nothing %s beyond noise", slower ? words.became_more : words.became_less);
	if (more > 0) {
		struct text amount = {0}, rate = {0};

		figures(p, all - explained, &amount, &rate);
		summary_add(
		    s, "; %u other%s by %s (%s)", more, text_form(more, "", "s"), amount.s, rate.s);
		text_free(&amount);
		text_free(&rate);
	}
	summary_end_sentence(s);
}

/* Makes the ranked list: the largest changes of functions in both directions. */
static void
add_rows(const struct picture *p, struct summary *s, const struct changes *c)
{
	s->over = p->drawn.sum[0] == 0 ? "Largest changes of self"
		  : c->tested	       ? "Largest changes of self, in % of base's total"
			      : "Largest changes of self, not tested, in % of base's total";
	for (uint32_t i = 0; i < c->n && s->nrow < SUMMARY_NAMES; i++) {
		const struct change_of *of = &c->of[i];
		struct summary_row *r = &s->row[s->nrow];

		if (!counts(c, of, of->delta > 0) || name_is_missing(&p->names.name[of->name]))
			continue;
		if (s->nrow > 0 && fabs(of->delta) < 0.01 * fabs(s->row[0].size))
			break;
		*r = (struct summary_row){of->name, of->node, of->delta, {{0}}};
		figures(p, of->delta, &r->cell[0], &r->cell[1]);
		text_puts(&r->cell[2], in_one_side(of));
		if (changes_interval(of))
			add_interval_of(p, of, &r->cell[2], " to ");
		s->nrow++;
	}
}

/* Reports the changes within noise, or why nothing was tested. */
static void
add_noise(const struct picture *p, struct summary *s, const struct changes *c)
{
	const char *compared = p->columns.compared, *runs = FOLDED_COMPARED_RUNS;
	double sum = 0;
	uint32_t n = 0;
	bool other = false; /* functions changed beyond noise too */

	if (!c->tested && compared == NULL) {
		summary_add(s, "No verdict: the file has no line # values: and may be exact or "
			       "sampled");
		summary_end_sentence(s);
		return;
	}
	if (!c->tested) {
		if (strncmp(compared, runs, strlen(runs)) == 0)
			summary_add(
			    s, "Base and head are means of several runs, which hides noise");
		else
			summary_add(s, "Base and head are %.40s, which hides noise", compared);
		summary_add(
		    s, ": write the differential with fg-diff --mark-noise to get a verdict");
		summary_end_sentence(s);
		return;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		if (c->of[i].delta != 0 && c->of[i].verdict == 0) {
			sum += c->of[i].delta;
			n++;
		}
		other |= c->of[i].verdict != 0;
	}
	if (n == 0) {
		if (add_total(s, c, "The change of the total may be noise"))
			summary_end_sentence(s);
		return;
	}
	summary_add_number(s, n, other ? "other function" : "function", "");
	summary_add(s, " changed within noise, together by %s", unit_sign(sum));
	summary_add_figure(p, s, 0, (value)(fabs(sum) * (double)VALUE_ONE));
	add_total(s, c, "; the change of the total may be noise, too");
	summary_end_sentence(s);
}

void
summarize_changes(const struct picture *p, struct summary *s)
{
	struct changes c = changes_find(p);
	bool slower = p->drawn.sum[1] >= p->drawn.sum[0];
	double ratio, apart;

	if (is_scaled(p, &c, &ratio, &apart)) {
		add_scaled(p, s, &c, ratio, apart);
	} else {
		add_rows(p, s, &c);
		add_direction(p, s, &c, slower);
		add_direction(p, s, &c, !slower);
		add_noise(p, s, &c);
	}
	s->verdict = c.direction;
	free(c.of);
}
