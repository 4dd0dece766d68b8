/*
 * plainname: normalizes function names of all formats: removes the arguments at the end,
 * Rust's mangling and Java's descriptors.
 */
#ifndef PLAINNAME_H
#define PLAINNAME_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the normalized name to t. java: it is, or may be, the name of a Java method. */
void plainname_add(struct text *t, struct str name, bool java);

/* plainname_add for a name that may be a mangled one of C++ or Rust. */
void plainname_demangle(struct text *t, struct str name);

/*
 * Length of a name that is followed by a blank and its arguments, as in gdb's `f<int
 * (*)(char)> (x=1) at a.c:3`: up to the ` (` outside all brackets, or all of text.
 */
size_t plainname_before_arguments(struct str text);

/* Length of name without an offset at its end: `+0x1f` or `+31`, optionally with `/0x40`. */
size_t plainname_without_offset(struct str name);

#endif
