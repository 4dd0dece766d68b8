/*
 * viewfilter: filters of the interactive view, by kinds of frames: a function, an origin, the
 * languages, a module, the direction of a change.
 */
#ifndef VIEWFILTER_H
#define VIEWFILTER_H

#include <stdint.h>

#include "base/text.h"
#include "fg-render/picture.h"

enum filter_what {
	FILTER_FOCUS, /* only stacks with such a frame */
	FILTER_HIDE, /* stacks without these frames */
	FILTER_DROP, /* without stacks with such a frame */
	FILTER_ONLY, /* stacks without other frames */
};

enum filter_by {
	FILTER_FUNCTION, /* of: number of its first name */
	FILTER_MODULE, /* of: number of a name in it */
	FILTER_ORIGIN, /* of: enum origin */
	FILTER_LANGUAGE, /* the picture's languages */
	FILTER_CHANGE, /* of: index of its word: slower, faster, new, gone */
};

struct filter {
	enum filter_what what;
	enum filter_by by;
	uint32_t of; /* UINT32_MAX: a function or module that the picture has no more */
};

/* Sets a bit of the names that a filter is about, in `met`, which has one word by name. */
void viewfilter_names(const struct picture *p, const struct filter *f, uint64_t bit, uint64_t *met);

/* Appends a description of the filter: "only stacks with f". */
void viewfilter_add(const struct picture *p, const struct filter *f, struct text *b);

/* An entry of the legend: its two filters. */
struct filter_choice {
	struct filter only, without;
};

#define VIEWFILTER_CHOICES 26

/*
 * Fills `choice` with the origins, languages, threads, modules, directions of changes and longest
 * waits of a picture. Returns their number.
 */
unsigned viewfilter_choices(
    const struct picture *p, struct filter_choice choice[VIEWFILTER_CHOICES]);

#endif
