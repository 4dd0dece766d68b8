/*
 * name: what of a frame's name tells one function, module or stack from another. Names
 * are interned in trees that hold nothing else.
 */
#ifndef NAME_H
#define NAME_H

#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* Without its annotations, which two sides need not share. */
uint32_t name_intern_bare(struct calltree *names, const char *s, size_t len);

/*
 * Without source, annotations and what names a copy of it: a source line moves with every
 * edit of the file above it, and compilers make copies as they see fit.
 */
uint32_t name_intern_function(struct calltree *names, const char *s, size_t len);

/* The length of a name without a number at its end, as in `f.3`. */
size_t name_without_number(const char *s, size_t len);

/* What ``module`function`` names, or what is known of where a frame without one comes from. */
uint32_t name_intern_module(struct calltree *names, const char *s, size_t len);

#endif
