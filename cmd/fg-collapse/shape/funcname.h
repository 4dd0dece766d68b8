/*
 * funcname: a function's name as every format writes it: without the arguments at
 * its end, Rust's mangling undone, Java's descriptors gone.
 */
#ifndef FUNCNAME_H
#define FUNCNAME_H

#include <stdbool.h>

#include "base/text.h"

/* Add the name to t. java: it is of a Java method, or may be one. */
void funcname_add(struct text *t, struct str name, bool java);

/*
 * Where a name begins that stands with its arguments behind a blank, as in gdb's
 * `f<int (*)(char)> (x=1) at a.c:3`: the length up to the ` (` outside of all
 * brackets; all of it when there is none.
 */
size_t funcname_before_arguments(struct str text);

/* The length without an offset at its end: +0x1f or +31, and /0x40 behind it. */
size_t funcname_without_offset(struct str name);

#endif
