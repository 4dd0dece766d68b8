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

/* Parses "10" or "1m", "decay:10" or "all"; exits with a usage error otherwise. */
struct live live_parse(const char *arg);

/* Limits -T top to the size of the terminal, if standard output is one. */
void live_fit(struct options *o);

/*
 * Reads `path` to its end or until the user quits. After each complete step, make() turns the
 * tree of the window into a picture. It is drawn on the terminal if there is one, otherwise
 * written by the selected output.
 */
void live_run(const struct live *live, const struct options *o, struct folded *folded,
    const char *path, void (*make)(struct picture *p), struct output *out);

#endif
