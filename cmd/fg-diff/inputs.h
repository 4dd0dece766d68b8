/*
 * inputs: checks that base and head can be compared.
 */
#ifndef INPUTS_H
#define INPUTS_H

#include "fg-diff/side.h"

/*
 * True if a pipe is among the n files. Its writer may wait until other files are read, so no
 * thread may wait for its end.
 */
bool inputs_piped(char *const *path, size_t n);

/* True if the n files are regular and have less than 1 MB together: reading needs no threads. */
bool inputs_small(char *const *path, size_t n);

/*
 * Reports malformed lines and empty inputs of both sides together. Exits with 2 if their columns
 * or units differ, or with amounts their sampling rates; warns about different labels, roots and
 * magnitudes.
 */
void inputs_check(struct side *base, struct side *head, bool shares);

/* Exits with an error if the sides differ in unit, or in sampling rate for counts of samples. */
void inputs_check_units(const struct side *base, const struct side *head, bool shares);

#endif
