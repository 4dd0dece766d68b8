/*
 * symbolrank: which of several symbols of one address names it.
 */
#ifndef SYMBOLRANK_H
#define SYMBOLRANK_H

/* Compares linker names a and b of one address; see rangemap_prefer. */
int symbolrank_prefer(const void *a, const void *b);

/* Ranks of symbol bindings, also for kernel symbols. */
enum {
	SYMBOLRANK_WEAK,
	SYMBOLRANK_LOCAL,
	SYMBOLRANK_GLOBAL,
	SYMBOLRANK_FUNCTION = 4, /* added: declared a function, not a bare label */
	SYMBOLRANK_STUB = 8, /* preferred to mold's own stub name, rand$plt */
};

#endif
