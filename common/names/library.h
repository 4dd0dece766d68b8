/*
 * library: is a function part of a language's standard library, of a package or of a runtime? The
 * one table for frames of all formats, by name, path and process.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/calltree.h"
#include "names/frame.h"

/*
 * True if code is from a standard library or package, by the function's name or by a path in the
 * frame's text. kind is the frame's kind. Only a path shows the packages of Go and Rust that are
 * not in the standard library.
 */
bool library_has(struct str function, struct str file, struct str path, enum frame_kind kind);

/* True for a function of Rust's std, core or alloc, also as <TYPE as TRAIT>::METHOD. */
bool library_has_rust(struct str function);

/*
 * Returns by name index: 1 if all stacks with the function are of an interpreter's process, as
 * named by their root frame (with reverse, their leaf): python3, php-fpm8.2, 1_scheduler of Erlang.
 * NULL if no process is an interpreter's. The caller frees the flags.
 */
uint8_t *library_hosted(const struct calltree *t, bool reverse);

/*
 * True if a function without a script as source file is a runtime's own, in a stack of an
 * interpreter's process: native code of the executable, and built-in functions among compiled code.
 */
bool library_is_runtime(struct str function, struct str file, enum frame_kind kind);

#endif
