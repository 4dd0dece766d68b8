/*
 * options: what the command line asks fg-render for. Filled by main, then only read.
 */
#ifndef RENDER_OPTIONS_H
#define RENDER_OPTIONS_H

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

/* What decides a frame's colour. */
enum mode {
	MODE_AUTO, /* settled once the input is known */
	MODE_ORIGIN,
	MODE_FUNCTION,
	MODE_DIFFERENTIAL,
	MODE_BOTTLENECK,
	MODE_WAIT,
	MODE_PALETTE, /* a classic one, options.palette */
};

struct output_kind;

struct options {
	const struct output_kind *kind; /* what is written */
	const char *output, *title, *subtitle, *notes, *nametype;
	const char *countname; /* NULL: what the input says, or samples */
	const char *encoding; /* of names, when it is not UTF-8 */
	iconv_t from; /* the same */
	const char *fonttype;
	double fontsize, fontwidth; /* fontwidth: of one character, in font sizes */
	int width; /* pixels; 0: fluid */
	int height; /* of a row, pixels */
	double minwidth; /* of a frame in the static layer, pixels */
	bool minwidth_percent; /* ... or percent of the whole */
	value total; /* 0: the sum */
	double factor; /* for figures */
	enum mode mode;
	int palette; /* index for palette_name, -1 for none */
	const char *bgcolors[2], *searchcolor;
	const char *uicolor, *strokecolor; /* NULL: not given */
	const char *palette_map; /* file of --cp */
	const char *nameattr; /* file */
	struct base {
		const char *name;
		bool optional; /* --skip-after: stacks without it stay as they are */
	} * base; /* where stacks begin: --base and --skip-after */
	size_t nbase, capbase;
	const char *column;
	const char **resource; /* key=value, of -T otlp */
	size_t nresource, capresource;
	uint32_t max_depth; /* of -T tree and flame, rows of the still picture; 0: not given */
	double min_percent;
	unsigned rows; /* of -T top, at most; 0: all */
	bool random, colordiffusion, negate;
	enum order { ORDER_NAME, ORDER_WEIGHT, ORDER_INPUT } order; /* of siblings */
	enum chains { CHAINS_AUTO, CHAINS_FOLD, CHAINS_KEEP } chains; /* in the still picture */
	bool reverse, inverted, flamechart;
	bool truncate_right, no_javascript, open, heatmap, live;
	const char *window; /* of --live; NULL: the default */
};

#endif
