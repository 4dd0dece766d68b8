/*
 * picture: the profile as fg-render shows it: the tree that stacks_read reads, names as
 * clean text, columns, widths and sums.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-render/nameattr.h"
#include "fg-render/options.h"
#include "profile/calltree.h"
#include "profile/folded.h"
#include "profile/origin.h"

struct times;

/* What a static picture draws of the columns, and how wide a frame is. */
enum widths { WIDTHS_FIRST, WIDTHS_MAX, WIDTHS_SUM };

struct picture {
	const struct options *options;
	struct calltree *tree;
	struct times *times; /* NULL without --heatmap and order of time */
	struct folded_columns columns; /* all that the tree has */
	unsigned ncolumn;
	unsigned column[CALLTREE_COLUMNS]; /* those drawn, as columns of the tree */
	int noise; /* index into column of the one called noise, or -1 */
	char *unit[CALLTREE_COLUMNS]; /* of each drawn column, clean text */
	uint64_t assumed; /* the period in ns that values without a unit were taken for; 0: none */
	enum mode mode;
	enum widths widths;
	struct nameattrs attributes;
	bool annotated; /* names say _[k], _[l] or _[j]: those that do not are of a program */
	uint32_t gap; /* number of the flame chart's gap name, or 0 */

	/* By name number: valid UTF-8 without control characters. */
	struct calltree_name *text;
	struct frame_name *name;
	uint32_t nplain; /* names from here on are aliases of others (calltree_alias) */
	uint32_t *function; /* the first name, by rank, of the same function */
	uint32_t *rank; /* place in the sorted table of names; the root is 0 */
	uint16_t *class; /* colour class of a name: an index into the mode's classes */
	struct text colours; /* of --cp: "#rrggbb" per class */

	/* By node, in samples, for drawing. */
	double *width;
	double *base, *head; /* with differential */
	bool *quiet; /* with a noise column: nothing but noise below */
	uint8_t *dominant; /* with bottleneck and wait: the largest column, or one past the last */
	double whole; /* width of the root, with --total */

	uint64_t scale; /* by which self values are multiplied to make them whole */
	value sum[CALLTREE_COLUMNS]; /* by index into column, exact */
};

/* Whether a name is that of gaps, which take room but are no frames. */
static inline bool
picture_is_gap(const struct picture *p, uint32_t name)
{
	return p->gap != 0 && name == p->gap;
}

/* readtree.c */
struct calltree *stacks_read(
    const struct options *o, struct folded *folded, struct times *times, int nfile, char **file);
/* Put children into the order in which they were made. */
void stacks_order_by_appearance(struct calltree *t);
uint32_t stacks_gap(const struct calltree *t); /* the name of gaps in a flame chart, or 0 */

/* layout.c: fills p from its tree, columns and options; puts siblings in order of weight. */
void layout(struct picture *p);
/*
 * The period of samples in ns that all values of a column without a unit are multiples of,
 * as perf script and others write them: 10101010 for 99 samples a second. 0: they are not.
 */
uint64_t layout_assumed_period(const struct picture *p, unsigned column);
double layout_self(const struct picture *p, uint32_t node, unsigned k);
double *layout_totals(const struct picture *p, unsigned k); /* by node; the caller frees them */
double layout_own(const struct picture *p, uint32_t node); /* width without children */
value layout_total(const struct picture *p); /* of the first column, exact, with --total */
double layout_percent(const struct picture *p, value v); /* of that */
/* A value of drawn column k with its unit, times --factor. */
void layout_figure(const struct picture *p, unsigned k, struct text *b, value v);
/* "17.3 s, 17,339 samples", of all; of a differential "base 1.2 s -> head 1.5 s (+25 %)". */
void layout_heading(const struct picture *p, struct text *b);
value layout_whole(const struct picture *p); /* what the root's width stands for, exact */

/* names.c: fills p's text, name and function, from its tree and rank. */
void names_clean(struct picture *p);

#endif
