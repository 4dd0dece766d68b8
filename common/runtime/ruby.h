/*
 * ruby: frames of CRuby, see runtime.h.
 */
#ifndef RUBY_H
#define RUBY_H

#include "runtime/runtime.h"

struct ruby_names;

extern const struct runtime runtime_ruby;

/* The address of a thread's execution context; 0: it has none, or (2.7) none that leads to it.
 * state: of runtime_ruby. */
uint64_t ruby_context(void *state, int tid);

/* The reader of its strings. state: of runtime_ruby. */
struct ruby_names *ruby_names_of(void *state);

#endif
