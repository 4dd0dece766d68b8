/*
 * foldedtest: one positive test whether an input is folded stacks. It knows folded
 * stacks only, no other format. Text whose lines happen to end in numbers must not
 * pass: a picture of it looks right and means nothing.
 */
#ifndef FOLDEDTEST_H
#define FOLDEDTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "base/text.h"

/* Bytes of the input that decide, so that a file and a pipe get the same answer. */
#define FOLDEDTEST_HEAD (SOURCE_PEEK / 4)

struct foldedtest {
	int sure; /* 0: not folded stacks; up to 100 */
	uint64_t line; /* from 1: the first line that is not a stack; 0: all are */
	struct str text; /* that line, within the data */
	const char *why; /* what is wrong with it */
};

/*
 * Test the first bytes of an input (UTF-8, as lines_peek has them). `columns` is true
 * when lines may end in several values (--columns). An input without a single line, or
 * with comments only, gets 1 since nothing contradicts.
 */
struct foldedtest foldedtest(const char *data, size_t len, bool columns);

/* Before the first line is read: exit 2 with the first offending line when not folded. */
void foldedtest_refuse(struct lines *in, bool columns);

#endif
