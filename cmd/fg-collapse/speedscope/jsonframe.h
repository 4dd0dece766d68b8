/*
 * jsonframe: frames in the JSON of speedscope and stackprof: {"name": "a", "file": "a.rb",
 * "line": 3}.
 */
#ifndef JSONFRAME_H
#define JSONFRAME_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/shape/json.h"
#include "names/frame.h"

struct jsonframe {
	struct text function, file;
	struct text exact; /* the frame's text, if fg-render wrote it: is_exact */
	bool is_exact;
	bool named; /* it has a name, perhaps an empty one */

	/* Private. */
	uint32_t line;
	struct frame frame;
};

/* Reads a frame, which is valid until the next call. */
const struct frame *jsonframe_read(struct jsonframe *f, struct json *j);
void jsonframe_free(struct jsonframe *f);

#endif
