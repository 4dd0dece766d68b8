/*
 * origin: what a frame's name says besides its text (module, source, annotations), and
 * where its code comes from.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/frame.h"

/* Where a frame's code comes from, as far as its name and its profile tell it. */
enum origin { ORIGIN_USER, ORIGIN_LIBRARY, ORIGIN_SYSTEM, ORIGIN_UNKNOWN };

/* A frame name as a viewer reads it: what is text and what are properties. Points into the name. */
struct frame_name {
	const char *text; /* without annotations, module and source */
	uint32_t len;
	uint32_t all; /* length of the whole name */
	uint32_t bare; /* length of module and text: the name without annotations and source */
	const char *start; /* where these begin */
	uint32_t module; /* length of the module before the backtick, 0 for none */
	struct str file; /* of its source */
	unsigned line;
	enum frame_kind kind; /* of its annotation; FRAME_USER: it has none */
	bool inlined; /* _[i] */
	enum origin origin;
};

struct frame_name name_parse(const char *s, uint32_t len); /* all but its origin */

/* By the name only: a frame that inherits (name_inherits) has the origin of its caller. */
enum origin name_origin(const struct frame_name *n, bool annotated_profile);

/* Whether a frame belongs where its caller does: it is inlined, and names no module or library. */
bool name_inherits(const struct frame_name *n);

/* Whether it stands for a function without a symbol: [module], an address, [unknown]. */
bool name_is_missing(const struct frame_name *n);

/* Whether it is where a program or a thread begins: _start, clone3, start_thread. */
bool name_is_entry(const struct frame_name *n);

uint32_t name_hash(const struct frame_name *n); /* the same in every picture and in the viewer */

#endif
