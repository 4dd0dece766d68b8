/*
 * modes: the colours of each mode. A class is an index into them; palettes of flamegraph.pl have
 * classes of their own (classic.h).
 */
#ifndef MODES_H
#define MODES_H

#include "fg-render/options.h"

struct picture;

struct legend {
	unsigned class;
	const char *label;
};

struct shade {
	const char *light, *dark;
};

struct mode_colours {
	const char *name, *prefix;
	const struct shade *shade;
	unsigned n, kinds;
	unsigned pale; /* the kind that is dark in the dark theme; kinds if none */
	struct legend legend[6];
	const char *strength; /* what strong and pale colours mean; NULL: tones mean nothing */
};
extern const struct mode_colours mode_colours[]; /* by enum mode, up to MODE_PALETTE */

/* Returns the end of the modes for the viewer: the last ones need several columns. */
enum mode modes_end(const struct picture *p);

#endif
