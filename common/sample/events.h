/*
 * events: the events of an input and the columns that they fill; before its first sample.
 */
#ifndef SAMPLE_EVENTS_H
#define SAMPLE_EVENTS_H

#include "sample/sampler.h"

/*
 * Returns the number of the event with that name; adds it if new. The unit is that of its
 * weights: "samples" for numbers of samples; empty for the event's name, or for samples if each
 * weighs 1.
 */
uint32_t sampler_event(struct sampler *s, struct str name, struct str unit);

/*
 * Call before sampler_input. single: each weight is one sample's, so an equal weight of all
 * samples is the period. Otherwise weights are sums, from which no period follows. values: kind of
 * the values of all events; FOLDED_VALUES_UNSET: unknown, or set by sampler_values.
 */
void sampler_weights(struct sampler *s, bool single, enum folded_values values);

/* Sets the kind of the values of an event; of several calls the weakest counts. */
void sampler_values(struct sampler *s, uint32_t event, enum folded_values values);

/*
 * Sets an event's period from the profile, for weights that are sums; of: its unit, NULL:
 * unknown.
 */
void sampler_period(struct sampler *s, uint32_t event, value period, const char *of);

/*
 * Sets the event to read if the user named none; the default is the event of the first sample.
 * No effect once the event is chosen.
 */
void sampler_default(struct sampler *s, uint32_t event);

/*
 * Reads n events, each into a column of that name; call before an input's first sample. Exits
 * with 2 when the previous input had other columns.
 */
void sampler_columns(struct sampler *s, const char *const *name, const uint32_t *event, unsigned n);

/*
 * For folded input, which has no events: returns the tree, with n columns of these names (NULL
 * for one). Exits like sampler_columns.
 */
struct calltree *sampler_tree(struct sampler *s, char *const *name, unsigned n);
/* Like sampler_tree, for a tree already read, if the sampler has none: takes ownership of it. */
void sampler_adopt(struct sampler *s, struct calltree *t, char *const *name);

#endif
