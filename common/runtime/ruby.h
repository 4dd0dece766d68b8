/*
 * ruby: frames of CRuby, see runtime.h.
 */
#ifndef RUBY_H
#define RUBY_H

#include "runtime/runtime.h"

extern const struct runtime runtime_ruby;

#endif
