/*
 * side: base or head, one run or several of the same work, read into one tree; and
 * what each run spent in each function, for reports.
 */
#ifndef SIDE_H
#define SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "profile/folded.h"

/* What a report has a row for. */
enum by {
	BY_FUNCTION,
	BY_MODULE,
	BY_STACK,
};

/* The values of functions (or modules, stacks) in each run, annotations disregarded. */
struct spent {
	enum by by;
	struct calltree *names; /* holds nothing but the interned names, which number the rest */
	struct value_array *self; /* by run */
	struct value_array *total; /* by run; recursion counts once; NULL by stack */
};

/* A run with less than a tenth of the largest of its side: a crash, a full disk. */
struct side_broken {
	const char *path;
	double whole, largest; /* profile totals */
};

struct side {
	char **path; /* of the runs' files */
	unsigned runs;
	const char *column; /* the one to take of several, or NULL */
	bool strip_hex; /* 0x12ab becomes 0x... in names */
	struct folded folded; /* what its files had */

	/* Out of side_read. */
	struct calltree *tree; /* the sum of all runs, one column, in canonical order */
	uint32_t *rank; /* of the tree's names */
	unsigned picked; /* which column that was */
	value whole; /* of all runs together */
	value *run_whole; /* of each */
	struct side_broken *broken; /* runs left out, since they have next to nothing; named in */
	unsigned nbroken; /* reports */
	bool unusable; /* as many are broken, so that none was left out: nothing can be decided */
	struct spent *spent; /* the caller sets `by`; */
	unsigned nspent; /* as many as are wanted */
};

/* Whether its values are those of a simulator, which counts each event. */
bool side_is_exact(const struct side *side);

struct align;

/* Begin to walk through two sides' trees at once, until align_end. */
void side_align(struct align *a, const struct side *base, const struct side *head);

/* Read all runs; what is read stays until side_free. Two sides may be read at once in two
 * threads. */
void side_read(struct side *side);

/* What was read; path and spent are the caller's. For those who read more than once. */
void side_free(struct side *side);

#endif
