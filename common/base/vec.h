/*
 * vec: arrays that grow. An array is a pointer and its capacity, wherever the
 * caller keeps them; it doubles, so that adding one element at a time is cheap.
 */
#ifndef VEC_H
#define VEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/cli.h"

/* The capacity of an array of `have` elements that is to hold `want`; exits with 2 above `most`. */
size_t vec_capacity(size_t have, size_t want, size_t most);

/*
 * Make room for `want` elements: vec_fit(s->item, s->cap, s->n + 1). cap is of any
 * unsigned type, which bounds it; new elements are not set to anything.
 */
#define vec_fit(array, cap, want)                                                             \
	do {                                                                                  \
		size_t vec_want = (want);                                                     \
                                                                                              \
		if (vec_want > (cap)) {                                                       \
			size_t vec_cap = vec_capacity((cap), vec_want,                        \
			    sizeof(cap) < sizeof(size_t) ? ((size_t)1 << 8 * sizeof(cap)) - 1 \
							 : SIZE_MAX);                         \
                                                                                              \
			(array) = cli_realloc((array), vec_cap, sizeof *(array));             \
			(cap) = vec_cap;                                                      \
		}                                                                             \
	} while (0)

#endif
