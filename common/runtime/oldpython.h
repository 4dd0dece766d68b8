/*
 * oldpython: reader for CPython 3.6 to 3.10, whose frames are objects; see python.h for later ones.
 */
#ifndef OLDPYTHON_H
#define OLDPYTHON_H

#include "runtime/runtime.h"

extern const struct runtime runtime_oldpython;

#endif
