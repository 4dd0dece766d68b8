/*
 * options: fg-render's command-line options. Filled by main, then read-only.
 */
#ifndef RENDER_OPTIONS_H
#define RENDER_OPTIONS_H

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "profile/folded.h"

/* Meaning of the frames' colours. */
enum mode {
	MODE_AUTO, /* chosen from the input's columns */
	MODE_ORIGIN,
	MODE_FUNCTION,
	MODE_DIFFERENTIAL,
	MODE_BOTTLENECK,
	MODE_WAIT,
	MODE_PALETTE, /* a palette of flamegraph.pl, options.palette */
};

struct output_kind;

/* The part of a stream that is shown. */
struct live {
	double seconds; /* sliding window, or half-life with decay; 0: everything */
	bool decay;
};

struct options {
	const struct output_kind *kind; /* the output of -T */
	struct folded folded; /* the input, as read */
	const char *output, *title, *subtitle, *notes, *nametype;
	const char *countname; /* unit; NULL: from the input's header, else samples */
	const char *encoding; /* of names; NULL: UTF-8 */
	iconv_t from; /* converter from that encoding */
	const char *fonttype;
	double fontsize, fontwidth; /* fontwidth: width of a character / fontsize */
	int width; /* pixels; 0: fluid */
	int height; /* of a row, in pixels */
	double minwidth; /* of a drawn frame, in pixels */
	bool minwidth_percent; /* minwidth is in percent of the profile total */
	value total; /* profile total; 0: the sum of all stacks */
	double factor; /* printed values are multiplied by it */
	enum mode mode;
	int palette; /* index for palette_name, -1 for none */
	const char *bgcolors[2], *searchcolor;
	const char *uicolor, *strokecolor; /* NULL: not given */
	const char *palette_map; /* file of --cp */
	const char *nameattr; /* file */
	struct base {
		const char *name;
		bool optional; /* --skip-after: stacks without it stay as they are */
	} * base; /* --base and --skip-after: functions at which stacks start */
	size_t nbase, capbase;
	const char *column;
	const char **resource; /* key=value, for -T otlp */
	size_t nresource, capresource;
	uint32_t max_depth; /* for -T tree and flame, and rows of the static SVG; 0: not given */
	double min_percent;
	unsigned rows; /* limit for -T top; 0: all */
	unsigned columns; /* width of its lines, cells; 0: any */
	bool random, colordiffusion, negate;
	enum order { ORDER_NAME, ORDER_WEIGHT, ORDER_INPUT } order; /* of siblings */
	enum chains { CHAINS_AUTO, CHAINS_FOLD, CHAINS_KEEP } chains; /* in the static SVG */
	bool reverse, inverted, flamechart;
	bool truncate_right, no_javascript, open, heatmap, live;
	struct live window; /* of --live */
};

#endif
