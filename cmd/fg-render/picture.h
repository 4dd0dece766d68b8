/*
 * picture: the profile as fg-render shows it: the tree from stacks_read, names as clean text,
 * columns, widths and sums.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-render/options.h"
#include "fg-render/reading/nameattr.h"
#include "profile/calltree.h"
#include "profile/folded.h"
#include "names/origin.h"

struct times;

/*
 * How the columns give the width of a frame: the first column, the largest of base and head,
 * or the sum of columns.
 */
enum widths { WIDTHS_FIRST, WIDTHS_MAX, WIDTHS_SUM };

/* The drawn columns, by their number k. */
struct drawn {
	unsigned n;
	unsigned column[CALLTREE_COLUMNS]; /* indices of the tree's */
	char *unit[CALLTREE_COLUMNS]; /* clean text */
	bool off[CALLTREE_COLUMNS]; /* it is off-CPU time */
	value sum[CALLTREE_COLUMNS]; /* profile totals, exact */
	uint64_t scale; /* factor that makes all self values integers */
	uint64_t assumed; /* period in ns assumed for values without a unit; 0: none */
};

/* A differential; by node in the profile's unit. */
struct differential {
	int noise; /* index into drawn.column of the column "noise", or -1 */
	bool exact; /* the values are exact, so changes have no noise */
	bool judged; /* the noise column is from changes_mark, not from the input */
	struct numbering *numbering; /* of functions by changes_mark, or NULL */
	double *base, *head;
	double steepest; /* the largest layout_steepness of a node */
	bool *quiet; /* with a noise column: the node's change is not that of significant stacks */
};

/* Indexed by name number; text is valid UTF-8 without control characters. */
struct names {
	struct calltree_name *text;
	struct frame_name *name;
	uint32_t nplain; /* names from here on are aliases (calltree_alias) */
	uint32_t *function; /* first name, by rank, of the same function */
	uint32_t *rank; /* index in the sorted table of names; the root is 0 */
	uint16_t *class; /* colour class: an index into the mode's classes */
	struct text colours; /* with --cp: "#rrggbb" per class */
	unsigned origins; /* 1 << enum origin for each origin of the names */
	unsigned languages; /* bits of language.h that have functions */
	bool annotated; /* some names have _[k], _[l] or _[j]; those without are user code */
	uint8_t
	    *own; /* by name: own code; NULL if the profile cannot separate it from other code */
	uint32_t gap; /* name number of gaps in a flame chart, or 0 */
};

struct stacks {
	uint32_t *node, n; /* nodes but the root where stacks end, ascending */
	bool nested; /* calltree_is_nested */
	uint32_t deepest; /* number of levels below the root */
};

struct picture {
	const struct options *options;
	struct calltree *tree;
	struct times *times; /* NULL unless the output needs the time of each sample */
	struct folded_columns columns; /* all columns of the tree */
	struct drawn drawn; /* those that are drawn */
	struct differential diff; /* base and head */
	struct names names;
	struct stacks stacks;
	struct nameattrs attributes;
	enum mode mode;
	enum widths widths;

	/* Indexed by node, in the profile's unit, for drawing. */
	double *width;
	uint8_t *dominant; /* with bottleneck and wait: the largest column; drawn.n if none */
	double profile_total; /* width of the root, including --total */
};

/* True for the name of gaps, which have a width but are not frames. */
static inline bool
picture_is_gap(const struct picture *p, uint32_t name)
{
	return p->names.gap != 0 && name == p->names.gap;
}

#endif
