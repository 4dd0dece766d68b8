/*
 * live: a stream of folded stacks, drawn while it arrives.
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>

#include "base/output.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "profile/folded.h"

/* What of the stream is shown. */
struct live {
	double seconds; /* of a sliding window, or what halves a value; 0: all that came */
	bool decay;
};

/* "10" (seconds), "decay:10" or "all"; wrong usage otherwise. */
struct live live_parse(const char *arg);

/*
 * Read `path` to its end or until the user quits. Each complete step of the stream makes a
 * tree of what is shown; make() makes a picture of it, which is drawn on the terminal where
 * there is one, else written by the options' output.
 */
void live_run(const struct live *live, const struct options *o, struct folded *folded,
    const char *path, void (*make)(struct picture *p), struct output *out);

#endif
