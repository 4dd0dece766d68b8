/*
 * outputkind: an output format of -T.
 */
#ifndef OUTPUTKIND_H
#define OUTPUTKIND_H

#include "base/output.h"

struct picture;

enum { /* data that an output needs in the picture */
	OUTPUT_LAYOUT = 1, /* clean names, widths, sums; without it only tree and columns */
	OUTPUT_COLOURS = 2, /* the colour class of each name */
	OUTPUT_ATTRIBUTES = 4, /* attributes of --nameattr */
	OUTPUT_TIMES = 8, /* if the input has time marks: each sample with its time */
	OUTPUT_TERMINAL = 32, /* /dev/tty */
	OUTPUT_LOSES_TIMES = 64, /* a profile without the times of samples */
	OUTPUT_CHART_TIMES = 16, /* with --flamechart, the times replace the tree */
};

enum { /* options that only some outputs take */
	OUTPUT_DEPTH = 1, /* --max-depth */
	OUTPUT_MINIMUM = 2, /* --min-percent */
	OUTPUT_RESOURCE = 4, /* --resource */
	OUTPUT_LIVE = 16, /* --live */
	OUTPUT_PAGE = 8, /* --open, --heatmap, and --width in pixels */
};

struct output_kind {
	const char *name; /* argument of -T */
	void (*write)(const struct picture *p, struct output *o);
	const char *help;
	unsigned needs, takes; /* masks of the two enums above */
};

#endif
