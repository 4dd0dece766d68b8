/*
 * foldedtest: positive test for folded stacks; it knows no other format. Text with lines that
 * happen to end in numbers must not pass: its picture would look right but mean nothing.
 */
#ifndef FOLDEDTEST_H
#define FOLDEDTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "base/text.h"

/* Bytes of the input that are tested, so that a file and a pipe get the same answer. */
#define FOLDEDTEST_HEAD (SOURCE_PEEK / 4)

struct foldedtest {
	int sure; /* 0: not folded stacks; up to 100 */
	bool flat; /* stacks of one frame only, without header lines */
	uint64_t line; /* first line that is not a stack, from 1; 0: all are */
	struct str text; /* that line, within the data */
	const char *why; /* why that line is not a stack */
};

/*
 * Tests the first bytes of an input (UTF-8, as from lines_peek). `columns`: lines may end in
 * several values (--columns). An input without lines, or with comments only, gets 1: nothing
 * contradicts.
 */
struct foldedtest foldedtest(const char *data, size_t len, bool columns);

/* Call before the first line is read: exits with 2 and the first offending line when not folded. */
void foldedtest_refuse(struct lines *in, bool columns);

#endif
