/*
 * match: patterns in the names of frames.
 */
#ifndef MATCH_H
#define MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/text.h"
#include "profile/calltree.h"

/* The replacement text of --rename. */
struct replacement {
	const char *text;
	bool all; /* every match, not only the first */
};

/* True if a frame matches, with its annotations or without. */
bool match_name(const struct pattern *p, const char *s, size_t len);
/* Returns by name index: 1 if the name matches. The caller frees it. */
uint8_t *match_names(const struct pattern *p, const struct calltree *t);
/* Returns by name index: 1 if the name has the kernel annotation. The caller frees it. */
uint8_t *match_kernel(const struct calltree *t);
/*
 * Stores in *out a frame's name with its matches replaced and its annotations kept. A name in which
 * matches cannot be located, see PATTERN_LOCATED, stays as it is; the first one is reported.
 */
void match_replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out);

#endif
