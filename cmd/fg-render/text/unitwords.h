/*
 * unitwords: the words for a profile's values.
 */
#ifndef UNITWORDS_H
#define UNITWORDS_H

struct picture;

/* The words for values of a unit. */
struct unit_words {
	const char *own; /* "time", "memory" or the unit */
	const char *more, *less; /* "Slower", "Grew", "More" */
	const char *mark_more, *mark_less; /* "slower", "grew" in legends */
	const char *became_more, *became_less; /* "slower" in "... % of what became slower" */
	const char *than, *less_than; /* "longer", "shorter"; "larger", "smaller" */
};
struct unit_words summary_unit_words(const struct picture *p);
/* Returns the number of samples of drawn column k; 0: unknown. */
double summary_samples(const struct picture *p, unsigned k);

#endif
