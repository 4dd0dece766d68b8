/*
 * frame: what a frame's name holds besides the function: annotations (`_[k]`
 * and the like), the module (module`function) and the source (` (file:line)`),
 * as folded(5) has them; and the parts of a function's name that are no name.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>

/* The length of a frame without annotations and source at its end, in whichever order they are. */
size_t frame_body(const char *s, size_t len);

/* Whether it has the annotation `_[which]`. */
bool frame_annotated(const char *s, size_t len, char which);

/* Take its annotations out, in place; returns its new length. */
size_t frame_drop_annotations(char *s, size_t len);

/*
 * Its module and, in *n, that one's length: what stands before the `, or the
 * name of the frame within [ ], where no more than the module is known; else NULL.
 */
const char *frame_module(const char *s, size_t len, size_t *n);

/*
 * The length of a function's name without its trailing argument list, the
 * qualifiers of a member function and ` [clone ...]`. Kept are operator(), Go's
 * pkg.(*T), an anonymous namespace, and a name that would be nothing.
 */
size_t frame_without_arguments(const char *s, size_t len);

/* The length of a name without the hash that Rust puts at its end: `a::h0123456789abcdef`. */
size_t frame_without_hash(const char *s, size_t len);

#endif
