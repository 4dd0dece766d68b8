/*
 * funcname: keys of functions, modules and stacks in a comparison, derived from frame names; and
 * the rows of a comparison, shared by both sides. Names are interned in call trees without nodes.
 */
#ifndef FUNCNAME_H
#define FUNCNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/calltree.h"

/*
 * Interns a function: its name without source, annotations and clone suffixes. Source lines
 * change with every edit above them.
 */
uint32_t funcname_intern(struct calltree *names, const char *s, size_t len);

/* Length of a name without a number at its end, as in `f.3` and Java's `A.lambda$run$3`. */
size_t funcname_without_number(const char *s, size_t len);

/* Interns the module of ``module`function``, or the kind of code by its annotation. */
uint32_t funcname_intern_module(struct calltree *names, const char *s, size_t len);

/* Rows of a comparison: one for each name of either side. */
struct funcrows {
	uint32_t *row; /* row by name; FUNCROWS_NONE: none */
	uint32_t known; /* number of entries of row */
	uint32_t *name; /* name by row */
	uint32_t n;
};

#define FUNCROWS_NONE UINT32_MAX

/*
 * Numbers the rows of all names in `names`; side[0] and side[1] have the names of base and
 * head. With functions: compilers number copies arbitrarily (`f.3`), so a copy shares f's row
 * if each side has only one of these names. Free with funcrows_free.
 */
struct funcrows funcrows_number(
    struct calltree *names, const struct calltree *const side[2], bool functions);
void funcrows_free(struct funcrows *rows);

#endif
