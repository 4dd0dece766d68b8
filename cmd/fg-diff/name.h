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

/* Without source and annotations: a source line moves with every edit of the file above it. */
uint32_t name_intern_function(struct calltree *names, const char *s, size_t len);

/* What ``module`function`` names, or what is known of where a frame without one comes from. */
uint32_t name_intern_module(struct calltree *names, const char *s, size_t len);

#endif
