/*
 * python: frames of CPython, see runtime.h.
 */
#ifndef PYTHON_H
#define PYTHON_H

#include "runtime/runtime.h"

extern const struct runtime runtime_python;

#endif
