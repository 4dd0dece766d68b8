/*
 * origins: the origin of each function of a profile, by its name and its callers: native
 * code of an interpreter's process is the interpreter's, an inlined function is a part of another.
 */
#ifndef ORIGINS_H
#define ORIGINS_H

#include <stdbool.h>
#include <stdint.h>

#include "names/origin.h"
#include "profile/calltree.h"

/*
 * Sets the origins of a profile's names, by name index, each by name_parse. reverse: stacks are
 * leaf first. Returns true if names are annotated: then those without an annotation are user code.
 */
bool origins_of_names(const struct calltree *t, struct frame_name *name, bool reverse);

/*
 * Returns by node its origin: that of its name, or of an inlined one the origin of the function
 * that it is a part of, not of another inlined one: a program's closure in a library's inlined fold
 * is the program's. The caller frees it.
 */
uint8_t *origins_of_nodes(const struct calltree *t, const struct frame_name *name);

/* Origins of a list of words, "user,library", as bits of enum origin; 0 if one is unknown. */
unsigned origins_of_words(const char *list);

#endif
