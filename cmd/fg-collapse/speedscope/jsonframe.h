/*
 * jsonframe: frames in the JSON of speedscope and stackprof, whose objects can have other
 * keys too: {"name": "a", "file": "a.rb", "line": 3}.
 *
 *	jsonframe_begin(&f);
 *	while (json_key(j, &key))
 *		if (!jsonframe_take(&f, j, key))
 *			json_skip(j);
 *	sample_frame(s, jsonframe_end(&f));
 */
#ifndef JSONFRAME_H
#define JSONFRAME_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/shape/json.h"
#include "names/frame.h"

struct jsonframe {
	struct frame frame;
	struct text function, file;
};

void jsonframe_begin(struct jsonframe *f);
/* True if the key belongs to a frame; then reads its value. */
bool jsonframe_take(struct jsonframe *f, struct json *j, struct str key);
/* The frame; valid until the next jsonframe_begin. */
const struct frame *jsonframe_end(struct jsonframe *f);
void jsonframe_free(struct jsonframe *f);

#endif
