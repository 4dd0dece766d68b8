/*
 * foldedvalues: the kind of a column's values, by the header line `# values:` of folded(5) or by
 * unit and period. It decides whether a difference is a fact, may be noise, or has no verdict, in
 * all programs.
 */
#ifndef FOLDEDVALUES_H
#define FOLDEDVALUES_H

#include <stdbool.h>

#include "base/text.h"

/* From strong to weak. Sums and comparisons have the weakest kind of their parts. */
enum folded_values {
	FOLDED_VALUES_UNSET, /* no line, or no file yet */
	FOLDED_EXACT, /* all events were counted: differences are facts */
	FOLDED_SAMPLED, /* each sample stands for the period */
	FOLDED_ESTIMATED, /* computed from samples or by a model */
	FOLDED_UNKNOWN /* some parts have no line */
};

/* The weaker one; FOLDED_VALUES_UNSET is ignored. */
enum folded_values folded_values_join(enum folded_values a, enum folded_values b);

/* The word of the header line, "-" if unknown or not set; and the reverse, false for any other. */
const char *folded_values_word(enum folded_values values);
bool folded_values_parse(struct str word, enum folded_values *values);

/* True for the name of an event that valgrind's simulators count. */
bool folded_values_simulated(const char *event);

#endif
