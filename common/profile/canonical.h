/*
 * canonical: one name for one function, whatever profiler saw it. Compilers and runtimes
 * decorate the names of their symbols; profilers remove different parts of that.
 */
#ifndef CANONICAL_H
#define CANONICAL_H

#include "base/text.h"

/*
 * Adds the canonical form of a function's name to t: without a symbol version
 * (@@GLIBC_2.34), Go's .abi0, Rust's hash (::h0123456789abcdef), and with [...] in place of
 * Go's instantiation ([go.shape.int_0]), as Go's own profiles have it. A name that would
 * be nothing stays.
 */
void canonical_add(struct text *t, struct str name);

/* True if canonical_add would change the name. */
bool canonical_changes(const char *s, size_t len);

#endif
