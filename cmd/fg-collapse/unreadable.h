/*
 * unreadable: names files that no format of fg-collapse reads, and what to read in
 * their place. Consulted only after every format has declined an input.
 */
#ifndef UNREADABLE_H
#define UNREADABLE_H

#include <stddef.h>

struct unreadable {
	const char *what; /* "a heap dump of Java" */
	const char *instead; /* a file or output that fg-collapse reads */
};

/* What the first bytes of an input are; NULL when that is unknown. */
const struct unreadable *unreadable_find(const char *data, size_t len);

#endif
