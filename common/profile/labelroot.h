/*
 * labelroot: the value of a label as a root frame, `KEY=VALUE`, by which files are grouped.
 */
#ifndef LABELROOT_H
#define LABELROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/labels.h"

/* The keys of --group-by KEY[,KEY ...]. */
struct labelroot_keys {
	const char *list;
	char **key;
	bool *known; /* by key: a file has it */
	size_t n, cap, capknown;
};

/* Parses a list; exits with 2 if it is wrong. */
void labelroot_keys(struct labelroot_keys *k, const char *keys);

/* Warns about keys that no file has, and frees. */
void labelroot_finish(struct labelroot_keys *k);

/*
 * Returns the labels of a file; the caller frees them. Reads only its first bytes; exits with 2 if
 * it is not a regular file, since its stacks are read later.
 */
struct labels *labelroot_labels(const char *path);

/*
 * Appends the values that a file has for each key, in text form (labels.h) and with a comma between
 * keys, or `[unknown]`.
 */
void labelroot_values(struct text *to, struct labelroot_keys *k, const char *path);

/* Appends KEY=VALUE for each key, with a `;` between them, which makes a frame of each. */
void labelroot_frames(struct text *to, struct labelroot_keys *k, const char *path);

/*
 * Appends the values of one label as a frame: as labelroot_values, but only bytes that could not be
 * part of a frame, or that would make two different sets of values equal, are percent-encoded.
 */
void labelroot_frame(struct text *to, const struct labels *labels, const char *key);

/*
 * Appends the n-th value of a sample's label, from 0, to its frame: KEY=VALUE,VALUE, encoded as by
 * labelroot_frame.
 */
void labelroot_add(struct text *to, const char *key, struct str decoded, size_t n);

#endif
