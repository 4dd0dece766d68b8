/*
 * tsv: profiles as tables for SQL: a long table of samples with a dictionary of stacks.
 *
 *	profiles.tsv	profile  name                         an input
 *	labels.tsv	profile  key  value                   its labels, a row for each value
 *	stacks.tsv	stack  frames                         frames joined by `;`
 *	samples.tsv	profile  stack  time  column  value   time in seconds, or empty
 *
 * Ids are 64-bit hashes of the contents, the same in every run, so that tables of
 * different workers can be joined.
 */
#ifndef TSV_H
#define TSV_H

#include "fg-merge/merge.h"

/* Creates the directory if it does not exist; exits 2 on error. Call before the sandbox. */
void tsv_directory(const char *directory);

/* Writes the tables of all inputs into a directory. */
void tsv_write(struct merge *m, const char *directory);

#endif
