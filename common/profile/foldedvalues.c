/*
 * foldedvalues: files of other programs and of older versions have no line. Samples are recognized
 * by unit or period, events of simulators by name. Times are never exact: they vary between runs
 * even if each is measured.
 */
#include "profile/foldedvalues.h"

#include <string.h>

#include "profile/foldedheader.h"
#include "profile/unit.h"

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

enum foldedheader_fit
foldedheader_join_values(
    struct folded_columns *c, const struct foldedheader *a, bool complete, bool scaled)
{
	if (a->nvalues > 1 && a->nvalues != c->n)
		return FOLDEDHEADER_INVALID;
	for (unsigned i = 0; i < c->n; i++) {
		enum folded_values own = a->columns.values[a->nvalues == 1 ? 0 : i];

		if (own == FOLDED_VALUES_UNSET && complete)
			own = FOLDED_UNKNOWN;
		else if (own != FOLDED_VALUES_UNSET && scaled)
			own = folded_values_join(own, FOLDED_ESTIMATED);
		c->values[i] = folded_values_join(c->values[i], own);
	}
	return FOLDEDHEADER_FITS;
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

enum folded_values
folded_values_of(const struct folded_columns *c, unsigned column)
{
	const char *unit = c->unit[column], *name = c->name[column];
	enum folded_values values = c->values[column];
	bool weighed = folded_sample_weight(c, column) > 0;

	/* Sampled times and events vary little in weight, bytes and numbers of objects much. */
	if (values == FOLDED_ESTIMATED ||
	    (values == FOLDED_SAMPLED && unit != NULL && unit_bytes(unit) > 0))
		return weighed ? values : FOLDED_UNKNOWN;
	if (values == FOLDED_EXACT || values == FOLDED_SAMPLED)
		return values;
	if (c->compared != NULL && strcmp(c->compared, FOLDED_COMPARED_EXACT) == 0)
		return FOLDED_EXACT;
	/* A plain file has no column name, and base and head none of their own. */
	if (folded_values_simulated(name) ||
	    ((name == NULL || folded_columns_compared(c)) && folded_values_simulated(unit)))
		return FOLDED_EXACT;
	if (unit == NULL || unit_is_time(unit) || weighed)
		return FOLDED_SAMPLED;
	return FOLDED_UNKNOWN;
}
