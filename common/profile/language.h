/*
 * language: which language a frame's function is written in, as far as its name, its source
 * and its annotation tell it, and what of it is a standard library or a package.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/frame.h"

enum language {
	LANGUAGE_UNKNOWN,
	LANGUAGE_PYTHON,
	LANGUAGE_RUBY,
	LANGUAGE_PHP,
	LANGUAGE_PERL,
	LANGUAGE_LUA,
	LANGUAGE_JAVA,
	LANGUAGE_NODE,
	LANGUAGE_ERLANG,
};

/* By its name in options: "python", "node"; LANGUAGE_UNKNOWN for none. */
enum language language_of_name(const char *name);

/* Of a frame as it stands in folded stacks. */
enum language language_of_frame(const char *s, size_t len);

/*
 * Whether code is of a language's standard library or of a package of others, by what may hold
 * a path (the whole frame) or by the function's name. kind is that of the frame.
 */
bool language_is_library(
    struct str function, struct str file, struct str path, enum frame_kind kind);

#endif
