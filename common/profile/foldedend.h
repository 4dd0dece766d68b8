/*
 * foldedend: the lines by which a complete folded file shows that it is complete. Its header
 * announces the last line, which has the number of stacks and the sum of all values:
 *
 *	# end: follows 0
 *	main;parse 12
 *	main;write 7
 *	# end: stacks=2 sum=19 0
 */
#ifndef FOLDEDEND_H
#define FOLDEDEND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "base/value.h"

/* Stacks since the last announcement. All zero at the start of a file. */
struct foldedend {
	bool announced; /* a last line was announced, anywhere */
	bool due; /* it is still missing */
	bool any; /* there are stacks, anywhere */
	uint64_t stacks;
	value sum;
};

/* Reads the content of a line `# end:`. False if its numbers are not those of the stacks. */
bool foldedend_read(struct foldedend *e, struct str words);

/* Takes all lines of a block of complete lines, but not their values. */
void foldedend_scan(struct foldedend *e, const char *block, size_t len);

/*
 * True at the end of a truncated file. An announcement that sort -r moved below all stacks
 * announces nothing.
 */
bool foldedend_is_missing(const struct foldedend *e);

/* Counts a stack that is written, with its values. */
void foldedend_count(struct foldedend *e, const value *v, unsigned columns);

/* Writes the announcement, and the last line for the stacks of e, with a zero for each column. */
void foldedend_announce(struct output *o, unsigned columns);
void foldedend_write(struct output *o, const struct foldedend *e, unsigned columns);

#endif
