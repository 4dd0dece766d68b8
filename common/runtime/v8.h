/*
 * v8: frames of JavaScript functions in V8 (node), see runtime.h.
 */
#ifndef V8_H
#define V8_H

#include "runtime/runtime.h"

extern const struct runtime runtime_v8;

#endif
