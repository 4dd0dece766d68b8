/*
 * reader: what a format works with: an input's lines one by one, the sampler that
 * its samples go to, and the one way to say that something in it is malformed.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "profile/sample.h"

struct options;

/* Of all inputs together. */
struct faults {
	uint64_t n; /* what was left out; the first was named */
};

struct reader {
	const struct options *options;
	struct sampler *sampler;
	struct faults *faults;
	struct lines *lines;
	uint64_t stacks; /* that came folded and went past the sampler's events */

	/* For reader_line. */
	uint64_t number; /* of the line at hand, from 1 */
	struct str line;
	bool again;
};

/*
 * The next line, without its newline, a CR before that and blanks at its end; false
 * after the last. It stays until the next call.
 */
bool reader_line(struct reader *r, struct str *line);

/* Let the next reader_line give the line at hand once more. */
void reader_again(struct reader *r);

/* Something at the line at hand is left out: the first of all is named, with --strict exit 2. */
void reader_malformed(struct reader *r, const char *why);

/* The same for n of them, of which the first is in that line. */
void reader_malformed_at(struct reader *r, uint64_t line, uint64_t n, const char *why);

#endif
