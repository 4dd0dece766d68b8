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
#include "fg-render/reading/nameattr.h"
#include "fg-render/options.h"
#include "profile/calltree.h"
#include "profile/folded.h"
#include "names/origin.h"

struct times;

/*
 * How the columns give the width of a frame: the first column, the largest of base and head,
 * or the sum of columns.
 */
enum widths { WIDTHS_FIRST, WIDTHS_MAX, WIDTHS_SUM };

struct picture {
	const struct options *options;
	struct calltree *tree;
	struct times *times; /* NULL unless the output needs the time of each sample */
	struct folded_columns columns; /* all columns of the tree */
	unsigned ncolumn;
	unsigned column[CALLTREE_COLUMNS]; /* the drawn columns, as indices of the tree's */
	int noise; /* index into column of the column "noise", or -1 */
	bool exact; /* in differentials: the values are exact, so changes have no noise */
	bool judged; /* that column is from changes_mark, not from the input */
	struct numbering *numbering; /* of functions by changes_mark, or NULL */
	char *unit[CALLTREE_COLUMNS]; /* unit of each drawn column, clean text */
	uint64_t assumed; /* period in ns assumed for values without a unit; 0: none */
	enum mode mode;
	enum widths widths;
	struct nameattrs attributes;
	bool annotated; /* some names have _[k], _[l] or _[j]; those without are user code */
	uint32_t gap; /* name number of gaps in a flame chart, or 0 */

	/* Indexed by name number; text is valid UTF-8 without control characters. */
	struct calltree_name *text;
	struct frame_name *name;
	uint32_t nplain; /* names from here on are aliases (calltree_alias) */
	uint32_t *function; /* first name, by rank, of the same function */
	uint32_t *rank; /* index in the sorted table of names; the root is 0 */
	uint16_t *class; /* colour class: an index into the mode's classes */
	unsigned origins; /* 1 << enum origin for each origin of the names */
	unsigned languages; /* bits of language.h that have functions */
	struct text colours; /* with --cp: "#rrggbb" per class */

	uint32_t *stack, nstack; /* nodes but the root where stacks end, ascending */
	bool nested; /* calltree_is_nested */
	uint32_t deepest; /* number of levels below the root */

	/* Indexed by node, in the profile's unit, for drawing. */
	double *width;
	double *base, *head; /* in differentials */
	double steepest; /* in differentials: the largest layout_steepness of a node */
	bool *quiet; /* with a noise column: the node's change is not that of significant stacks */
	uint8_t *dominant; /* with bottleneck and wait: the largest column; ncolumn if none */
	double profile_total; /* width of the root, including --total */
	bool off[CALLTREE_COLUMNS]; /* by drawn column: it is off-CPU time */

	uint64_t scale; /* factor that makes all self values integers */
	value sum[CALLTREE_COLUMNS]; /* profile totals by index into column, exact */
};

/* True for the name of gaps, which have a width but are not frames. */
static inline bool
picture_is_gap(const struct picture *p, uint32_t name)
{
	return p->gap != 0 && name == p->gap;
}

/*
 * readtree.c. Returns the tree of the input. Its siblings are in the order of the input if the
 * options request that, else unsorted; then stacks_sort sorts them by rank (calltree_ranks).
 */
bool stacks_in_input_order(const struct options *o);
void stacks_sort(const struct options *o, struct calltree *t, const uint32_t *rank);
struct calltree *stacks_read(
    const struct options *o, struct folded *folded, struct times *times, int nfile, char **file);
/* Orders siblings by creation. */
void stacks_order_by_appearance(struct calltree *t);
uint32_t stacks_gap(const struct calltree *t); /* name of gaps in a flame chart, or 0 */

/*
 * layout.c: computes widths and sums of p from its tree, columns and options; sorts siblings
 * by weight if requested.
 */
void layout(struct picture *p);
/*
 * Guesses the sampling period of a column without a unit, as perf script and others write it:
 * in ns, if all values are multiples of it, such as 10101010 for 99 samples per second. Returns
 * 0 if there is no such period.
 */
uint64_t layout_assumed_period(const struct picture *p, unsigned column);
double layout_self(const struct picture *p, uint32_t node, unsigned k);
/* In differentials: the size of a node's change of self; 0 if it is marked as noise. */
double layout_steepness(const struct picture *p, uint32_t node);
/* Zeroed memory for passes over all nodes, with that size for each; the caller frees it. */
void *layout_by_node(const struct calltree *t, size_t size);
double *layout_totals(const struct picture *p, unsigned k); /* by node; the caller frees it */
double layout_own(const struct picture *p, uint32_t node); /* width minus that of the children */
/* True if a stack of a drawn column other than the first ends at the node. */
bool layout_has_other(const struct picture *p, uint32_t node);
value layout_total(const struct picture *p); /* total of column 0, or a larger --total */
double layout_percent(const struct picture *p, value v); /* percentage of layout_total */
/* Appends a value of drawn column k with its unit, times --factor. */
void layout_figure(const struct picture *p, unsigned k, struct text *b, value v);
/*
 * Appends the profile total, "17.3 s, 17,339 samples"; for a differential "base 1.2 s -> head
 * 1.5 s (+25 %)".
 */
void layout_heading(const struct picture *p, struct text *b);
value layout_profile_total(const struct picture *p); /* value of the root's width, exact */

/* names.c: fills text, name and function of p from its tree and rank. */
void names_clean(struct picture *p);

#endif
