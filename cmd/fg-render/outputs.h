/*
 * outputs: what fg-render can write: one row each, and nothing else to add for another one.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "base/output.h"
#include "base/text.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"

enum { /* what an output needs of the picture */
	OUTPUT_LAYOUT = 1, /* clean names, widths and sums; without it only tree and columns */
	OUTPUT_COLOURS = 2, /* the colour class of each name */
	OUTPUT_ATTRIBUTES = 4, /* those of --nameattr */
	OUTPUT_TIMES = 8, /* of input with time marks: each sample with its time */
	OUTPUT_TERMINAL = 32, /* /dev/tty */
	OUTPUT_CHART_TIMES = 16, /* a flame chart is made of these times, not of the tree */
};

enum { /* which options of some outputs it takes */
	OUTPUT_DEPTH = 1, /* --max-depth */
	OUTPUT_MINIMUM = 2, /* --min-percent */
	OUTPUT_RESOURCE = 4, /* --resource */
	OUTPUT_LIVE = 16, /* --live */
	OUTPUT_PAGE = 8, /* --open, --heatmap, and --width in pixels */
};

struct output_kind {
	const char *name; /* of -T */
	void (*write)(const struct picture *p, struct output *o);
	const char *help;
	unsigned needs, takes; /* masks of the above */
};

/* The default is the first. Ends with a row without name. */
extern const struct output_kind output_kinds[];

const struct output_kind *output_kind_find(const char *name); /* or NULL */

/* The help of -T: "write TEXT instead: top (functions), ...". Valid until the program ends. */
const char *output_kinds_help(void);

/* "svg, top or tree": the names of those that take an option, or of all with 0. */
void output_kinds_list(struct text *b, unsigned takes);

void svg_write(const struct picture *p, struct output *o); /* svg.c */
#define REPORT_CELLS 120 /* of a name in a report, at most */
void report_top(const struct picture *p, struct output *o); /* top.c */
void report_tree(const struct picture *p, struct output *o); /* tree.c */
void report_flame(const struct picture *p, struct output *o); /* terminal.c */
void report_json(const struct picture *p, struct output *o); /* json.c */
void report_markdown(const struct picture *p, struct output *o); /* markdown.c */

#endif
