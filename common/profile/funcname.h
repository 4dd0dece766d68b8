/*
 * funcname: the part of a frame's name that distinguishes one function, module or stack from
 * another; and the rows of a comparison, which profiles of two sides share. Names are
 * interned in call trees that hold nothing else.
 */
#ifndef FUNCNAME_H
#define FUNCNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* The number of a name without its annotations, in which two sides may differ. */
uint32_t funcname_intern_bare(struct calltree *names, const char *s, size_t len);

/*
 * The number of a function: without source, annotations and the suffixes of a compiler's copies.
 * A source line moves with every edit of the file above it.
 */
uint32_t funcname_intern(struct calltree *names, const char *s, size_t len);

/* The length of a name without a number at its end, as in `f.3`. */
size_t funcname_without_number(const char *s, size_t len);

/* The number of the module of ``module`function``, or of the annotation's kind of code. */
uint32_t funcname_intern_module(struct calltree *names, const char *s, size_t len);

/* Rows of a comparison: one for each name of either side. */
struct funcrows {
	uint32_t *row; /* by name: its row, FUNCROWS_NONE for none */
	uint32_t known; /* names that row has entries for */
	uint32_t *name; /* by row */
	uint32_t n;
};

#define FUNCROWS_NONE UINT32_MAX

/*
 * Number the rows of all names that are interned in `names`, of which side[0] and side[1] are the
 * names of base and head. Of functions, `f.3` is a copy of f whose number the compiler changes at
 * will: it shares f's row where each side has only one of these names. Freed with funcrows_free.
 */
struct funcrows funcrows_number(
    struct calltree *names, const struct calltree *const side[2], bool functions);
void funcrows_free(struct funcrows *rows);

#endif
