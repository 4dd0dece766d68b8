/*
 * runtimes: all readers of interpreters and virtual machines, in the order in which they are tried,
 * and those that a file may hold: by its name or, of a program, by a symbol.
 */
#ifndef RUNTIMES_H
#define RUNTIMES_H

#include "base/intmap.h"
#include "runtime/runtime.h"

extern const struct runtime *const runtimes[]; /* ends with NULL */

/* The bit of a runtime in runtime_process.kinds. */
uint64_t runtimes_bit(const struct runtime *r);

/* True if a file may hold a runtime, an index of runtimes[], by its name. */
bool runtimes_is_named(const struct module *m, size_t kind);

/*
 * The runtimes that a file may hold, a bit for each index of runtimes[]. known is a table of
 * results by module, empty at first.
 */
uint64_t runtimes_kinds(struct intmap *known, struct module *m);

/* True if a program has no symbols, so that a runtime in it is not found. */
bool runtimes_is_nameless(struct module *m);

#endif
