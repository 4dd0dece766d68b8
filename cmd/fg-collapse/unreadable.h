/*
 * unreadable: identifies files that fg-collapse cannot read and suggests what to read
 * instead. Used only after every format has rejected an input.
 */
#ifndef UNREADABLE_H
#define UNREADABLE_H

#include <stddef.h>

struct unreadable {
	const char *what; /* "a heap dump of Java" */
	const char *instead; /* a file or output that fg-collapse reads */
};

/* Identifies an input by its first bytes; NULL if unknown. */
const struct unreadable *unreadable_find(const char *data, size_t len);

#endif
