/*
 * reader: the context of a format: the lines of an input, the sampler for its samples, and
 * the functions that report malformed data.
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

/* Malformed data of all inputs. */
struct faults {
	uint64_t n; /* skipped lines or records; the first was reported */
};

struct reader {
	const struct options *options;
	struct sampler *sampler;
	struct faults *faults;
	struct lines *lines;
	struct text *header; /* for --header: metadata of the inputs */
	uint64_t stacks; /* folded stacks, which bypass the sampler's events */

	/* State of reader_line and reader_raw. */
	uint64_t number; /* line number of the current line, from 1 */
	struct str line;
	bool again;
	struct lines_block block;
	const char *at, *end; /* unread part of the block */
	uint32_t block_lines; /* lines of the block that were returned */
};

/*
 * Reads the next line, without its newline, a preceding CR and trailing blanks; false
 * after the last. Valid until the next call.
 */
bool reader_line(struct reader *r, struct str *line);

/* Reads the next block, for reader_raw. */
bool reader_fill(struct reader *r);

/*
 * Reads the next line unchanged, without its newline; faster, for formats that cache
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
 * For readers that find line ends themselves: reader_at returns the start of the next
 * line, NULL after the last. The reader then finds the newline and calls reader_past, or,
 * after n lines at once, reader_past_lines with the last newline.
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

/* True if the line from reader_raw is the last of its block: the next call overwrites the
 * block. */
static inline bool
reader_last(const struct reader *r)
{
	return r->at == r->end;
}

/* Makes the next reader_line return the current line again. */
void reader_again(struct reader *r);

/* Counts the current line as malformed. Reports the first one; with --strict exits with 2. */
void reader_malformed(struct reader *r, const char *why);

/* reader_malformed for n lines, of which the first is `line`. */
void reader_malformed_at(struct reader *r, uint64_t line, uint64_t n, const char *why);

/* reader_malformed for a binary format: offset in the (decompressed) input. */
void reader_malformed_byte(struct reader *r, uint64_t offset, const char *why);
/* reader_malformed_byte for a file that belongs to the input. */
void reader_malformed_in(struct reader *r, const char *name, uint64_t offset, const char *why);

/* Called once all periods are known: sets the unit of perf's events whose period is not 1. */
void reader_resolve_units(struct reader *r);

#endif
