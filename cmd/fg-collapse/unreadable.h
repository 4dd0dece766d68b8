/*
 * unreadable: identifies files that fg-collapse cannot read and suggests what to read
 * instead. Used after every format has rejected an input,
 * and for text that quotes a profile.
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

/*
 * Identifies text that may quote a profile, as manuals do, or has lines like those of one by
 * chance, as programs do. sure: confidence in the format that was found, 0 to 100. NULL for other
 * text.
 */
const struct unreadable *unreadable_document(const char *data, size_t len, int sure);

#endif
