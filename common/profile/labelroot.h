/*
 * labelroot: the value of a label as a root frame, `KEY=VALUE`, by which files are grouped.
 */
#ifndef LABELROOT_H
#define LABELROOT_H

#include <stddef.h>

#include "base/text.h"

/*
 * Appends the values that a file has for a label, in text form (labels.h), or `[unknown]`. Reads
 * only the first bytes of the file; exits with 2 if it is not a regular file, since its stacks
 * are read later.
 */
void labelroot_values(struct text *to, const char *path, const char *key);

/*
 * Appends the values as a frame: as labelroot_values, but only bytes that could not be part of a
 * frame, or that would make two different sets of values equal, are percent-encoded.
 */
void labelroot_frame(struct text *to, const char *path, const char *key);

/*
 * Appends the n-th value of a sample's label, from 0, to its frame: KEY=VALUE,VALUE, encoded as by
 * labelroot_frame.
 */
void labelroot_add(struct text *to, const char *key, struct str decoded, size_t n);

#endif
