/*
 * reader: what a format works with: an input's lines one by one, the sampler that
 * its samples go to, and the one way to say that something in it is malformed.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
	struct text *header; /* for --header: what the inputs say of themselves */
	uint64_t stacks; /* that came folded and went past the sampler's events */

	/* For reader_line and reader_raw. */
	uint64_t number; /* of the line at hand, from 1 */
	struct str line;
	bool again;
	struct lines_block block;
	const char *at, *end; /* in it */
	uint32_t block_lines; /* of it, that were given */
};

/*
 * The next line, without its newline, a CR before that and blanks at its end; false
 * after the last. It stays until the next call.
 */
bool reader_line(struct reader *r, struct str *line);

/* For reader_raw: another block. */
bool reader_fill(struct reader *r);

/*
 * The next line as it stands, without its newline: quicker, for formats that remember
 * lines. An input is read with this or with reader_line, not with both.
 */
static inline bool
reader_raw(struct reader *r, struct str *line)
{
	const char *newline;

	if (r->at == r->end && !reader_fill(r))
		return false;
	newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	*line = (struct str){r->at, (size_t)(newline - r->at)};
	r->at = newline + 1;
	r->block_lines++;
	r->number++;
	return true;
}

/*
 * For readers that find a line's end themselves: where the next line begins, NULL after
 * the last; then, past its newline, which counts it, or past the last of n newlines.
 */
static inline const char *
reader_at(struct reader *r)
{
	if (r->at == r->end && !reader_fill(r))
		return NULL;
	return r->at;
}

static inline void
reader_past_lines(struct reader *r, const char *newline, uint32_t n)
{
	r->at = newline + 1;
	r->block_lines += n;
	r->number += n;
}

static inline void
reader_past(struct reader *r, const char *newline)
{
	reader_past_lines(r, newline, 1);
}

/* Whether the line that reader_raw gave is the last that stays: the next one is in another block.
 */
static inline bool
reader_last(const struct reader *r)
{
	return r->at == r->end;
}

/* Let the next reader_line give the line at hand once more. */
void reader_again(struct reader *r);

/* Something at the line at hand is left out: the first of all is named, with --strict exit 2. */
void reader_malformed(struct reader *r, const char *why);

/* The same for n of them, of which the first is in that line. */
void reader_malformed_at(struct reader *r, uint64_t line, uint64_t n, const char *why);

/* The same in a binary format: what is at that byte of the (unpacked) input. */
void reader_malformed_byte(struct reader *r, uint64_t offset, const char *why);

/* Once all periods are known: those of perf's events that are not 1 each have a unit. */
void reader_settle_units(struct reader *r);

#endif
