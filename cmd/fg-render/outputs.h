/*
 * outputs: table of the output formats of -T. A new format is one row.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "base/output.h"
#include "base/text.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"

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

/* The first row is the default; the last one has a NULL name. */
extern const struct output_kind output_kinds[];

const struct output_kind *output_kind_find(const char *name); /* or NULL */

/* Appends the outputs of -T for --help: "top (functions), tree (calls), ...". */
void output_kinds_help(struct text *help);

/*
 * Appends "svg, top or tree": the names of the outputs that take any of these options, or of
 * all for 0.
 */
void output_kinds_list(struct text *b, unsigned takes);

void svg_write(const struct picture *p, struct output *o); /* svg.c */
#define REPORT_CELLS 120 /* limit of a name in a report */
void report_top(const struct picture *p, struct output *o); /* top.c */
void report_tree(const struct picture *p, struct output *o); /* tree.c */
void report_flame(const struct picture *p, struct output *o); /* terminal.c */
void report_json(const struct picture *p, struct output *o); /* json.c */
void report_markdown(const struct picture *p, struct output *o); /* markdown.c */

#endif
