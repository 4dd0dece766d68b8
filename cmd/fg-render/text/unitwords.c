#include "fg-render/text/unitwords.h"

#include <string.h>

#include "fg-render/picture.h"
#include "profile/foldedheader.h"
#include "profile/labels.h"
#include "profile/unit.h"

double
summary_samples(const struct picture *p, unsigned k)
{
	const struct folded_period *period = &p->columns.period[p->drawn.column[k]];
	double profile_total = value_double(p->drawn.sum[k]);

	if (strcmp(p->drawn.unit[k], FOLDED_SAMPLES) == 0)
		return profile_total;
	if (period->number != 0 && !period->mixed && unit_is_same(period->unit, p->drawn.unit[k]))
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
	const struct folded_period *period = &p->columns.period[p->drawn.column[0]];
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
	struct unit_words count = {p->drawn.unit[0], "More", "Fewer", "more", "fewer",
	    "became more", "became fewer", "more", "less"};

	if (strcmp(p->drawn.unit[0], FOLDED_SAMPLES) == 0)
		return samples_are_events(p) ? count : time;
	if (unit_is_time(p->drawn.unit[0]))
		return time;
	return unit_is_count(p->drawn.unit[0]) ? count : memory;
}
