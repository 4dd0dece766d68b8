#include "profile/foldedvalues.h"

#include <string.h>

static const char *const word[] = {
    [FOLDED_VALUES_UNSET] = "-",
    [FOLDED_EXACT] = "exact",
    [FOLDED_SAMPLED] = "sampled",
    [FOLDED_ESTIMATED] = "estimated",
    [FOLDED_UNKNOWN] = "-",
};

const char *
folded_values_word(enum folded_values values)
{
	return word[values];
}

bool
folded_values_parse(struct str s, enum folded_values *values)
{
	for (*values = FOLDED_EXACT; *values <= FOLDED_UNKNOWN; ++*values)
		if (str_equal(s, str_of(word[*values])))
			return true;
	return false;
}

enum folded_values
folded_values_join(enum folded_values a, enum folded_values b)
{
	return a > b ? a : b;
}

bool
folded_values_simulated(const char *event)
{
	/* Columns of fg-collapse --bottleneck, and events of callgrind and cachegrind. */
	static const char *const known[] = {"instruction", "cache", "memory", "Ir", "Dr", "Dw",
	    "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim", NULL};

	for (const char *const *k = known; event != NULL && *k != NULL; k++)
		if (strcmp(event, *k) == 0)
			return true;
	return false;
}
