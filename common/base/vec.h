/*
 * vec: memory, and growing arrays. An array is a pointer and a capacity, stored by the caller; the
 * capacity doubles, so that adding single elements is cheap.
 */
#ifndef VEC_H
#define VEC_H

#include <stddef.h>
#include <stdint.h>

/* malloc and others; they exit with 2 when out of memory, and check array sizes for overflow. */
void *cli_alloc(size_t n, size_t size); /* zeroed */
/*
 * Requests all pages of memory that is written next: one call takes less time than a page fault
 * for each. If only a part of an array may be written, populate it in steps.
 */
void cli_populate(void *p, size_t size);
void *cli_alloc_ready(size_t n, size_t size); /* zeroed, populated */
/*
 * Memory for free(3) whose `size` bytes are all written next, in huge pages as far as possible;
 * NULL if there is not enough.
 */
void *cli_pages(size_t size);

/*
 * Lets free(3) return each large block to the system: glibc keeps more, the larger the blocks were
 * that were freed before. For programs that need different large blocks one after another.
 */
void cli_return_large(void);

void *cli_realloc(void *p, size_t n, size_t size);
char *cli_strdup(const char *s);

/* New capacity for `want` elements of an array with capacity `have`; exits with 2 above `most`. */
size_t vec_capacity(size_t have, size_t want, size_t most);

/*
 * Ensures capacity for `want` elements: vec_fit(s->item, s->cap, s->n + 1). cap has any
 * unsigned type, which bounds it; new elements are uninitialized.
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
