/*
 * summary_text: formats the words, names and values of a summary.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "fg-render/picture.h"
#include "fg-render/text/summary.h"
#include "profile/foldedheader.h"
#include "profile/labels.h"
#include "profile/unit.h"

static struct summary_part *
new_part(struct summary *s)
{
	vec_fit(s->part, s->cap, s->n + 1);
	s->part[s->n] = (struct summary_part){.begin = s->words.len, .end = s->words.len};
	return &s->part[s->n++];
}

void
summary_add(struct summary *s, const char *fmt, ...)
{
	struct summary_part *part = s->n > 0 ? &s->part[s->n - 1] : NULL;
	char words[512];
	va_list ap;

	if (part == NULL || part->kind != SUMMARY_WORDS)
		part = new_part(s);
	va_start(ap, fmt);
	vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	text_puts(&s->words, words);
	part->end = s->words.len;
}

void
summary_add_figure(const struct picture *p, struct summary *s, unsigned k, value v)
{
	struct text b = {0};

	layout_figure(p, k, &b, v);
	summary_add(s, "%s", b.s);
	text_free(&b);
}

void
summary_add_name(struct summary *s, uint32_t name, uint32_t node)
{
	struct summary_part *part = new_part(s);

	part->kind = SUMMARY_NAME;
	part->name = name;
	part->node = node;
}

void
summary_add_stack(struct summary *s, uint32_t node)
{
	struct summary_part *part = new_part(s);

	part->kind = SUMMARY_STACK;
	part->node = node;
}

void
summary_end_sentence(struct summary *s)
{
	summary_add(s, ".");
	new_part(s)->kind = SUMMARY_END;
}

double
summary_samples(const struct picture *p, unsigned k)
{
	const struct folded_period *period = &p->columns.period[p->column[k]];
	double profile_total = value_double(p->sum[k]);

	if (strcmp(p->unit[k], FOLDED_SAMPLES) == 0)
		return profile_total;
	if (period->number != 0 && !period->mixed && strcmp(period->unit, p->unit[k]) == 0)
		return profile_total / value_double(period->number);
	return 0;
}

/* True for an event that occurs at the rate of a clock: its samples are of time. */
static bool
event_is_clock(const char *event)
{
	return unit_is_time(event) || strstr(event, "cycles") != NULL ||
	       strstr(event, "clock") != NULL;
}

/* True if samples are of events, by their period or, without one, by the label event. */
static bool
samples_are_events(const struct picture *p)
{
	const struct folded_period *period = &p->columns.period[p->column[0]];
	const struct label *event = labels_find(p->columns.labels, "event");

	if (period->unit != NULL && !period->mixed)
		return !event_is_clock(period->unit);
	for (unsigned i = 0; event != NULL && i < event->n; i++)
		if (event_is_clock(event->value[i]))
			return false;
	return event != NULL && event->n > 0;
}

struct unit_words
summary_unit_words(const struct picture *p)
{
	static const struct unit_words time = {"time", "Slower", "Faster", "slower", "faster",
	    "became slower", "became faster", "longer", "shorter"};
	static const struct unit_words memory = {
	    "memory", "Grew", "Shrank", "grew", "shrank", "grew", "shrank", "larger", "smaller"};
	struct unit_words count = {p->unit[0], "More", "Fewer", "more", "fewer", "became more",
	    "became fewer", "more", "less"};

	if (strcmp(p->unit[0], FOLDED_SAMPLES) == 0)
		return samples_are_events(p) ? count : time;
	if (unit_is_time(p->unit[0]))
		return time;
	return unit_is_count(p->unit[0]) ? count : memory;
}

void
summary_add_number(struct summary *s, uint32_t n, const char *what, const char *after)
{
	struct text b = {0};

	unit_figure(&b, what, n);
	summary_add(s, "%s%s%s", b.s, text_form(n, "", "s"), after);
	text_free(&b);
}

void
summary_free(struct summary *s)
{
	for (unsigned i = 0; i < s->nrow; i++)
		for (int k = 0; k < 3; k++)
			text_free(&s->row[i].cell[k]);
	text_free(&s->words);
	free(s->part);
	free(s->verdict);
}
