/*
 * functions: self and total value of each function, summed over all its frames; these may
 * differ in line and annotations.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stdint.h>

#include "base/value.h"

struct picture;

struct frame_name;

/*
 * Indexed by name number. Only the first name of a function has the sums and a name.
 */
struct function {
	const struct frame_name *name; /* NULL: not the first name of its function, or the gap */
	value self, total; /* recursion counted once */
	uint32_t node; /* its widest frame; 0: none */
	uint32_t deepest; /* maximum number of its calls in one stack: see functions_sum */
};
struct function *functions_sum(const struct picture *p, unsigned k); /* the caller frees it */
uint32_t functions_at(
    const struct picture *p, uint32_t node); /* function to which a node's self value belongs */
int functions_by_self(const void *a, const void *b); /* largest first, nameless ones last */

#endif
