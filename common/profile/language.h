/*
 * language: the language of a frame's function, by its name, source and annotation; and whether
 * it is part of a standard library or package.
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

/* The language with that option name, such as "python", "node"; LANGUAGE_UNKNOWN for none. */
enum language language_of_name(const char *name);

/* The language of a frame of a folded stack. */
enum language language_of_frame(const char *s, size_t len);

/*
 * True if code is from a language's standard library or from a package, by the function's name or
 * by a path in the frame's text. kind is the frame's kind.
 */
bool language_is_library(
    struct str function, struct str file, struct str path, enum frame_kind kind);

#endif
