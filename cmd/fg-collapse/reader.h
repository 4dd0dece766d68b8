/*
 * reader: the context of a format: the lines of an input, the sampler for its samples, and
 * the functions that report malformed data.
 *
 * A stack is complete or not there: a stack with a frame that could not be parsed is one malformed
 * unit, with its weight, and none of its frames is folded (reader_broken). A tree with a malformed
 * branch is malformed up to its root.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/lines.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/stack.h"
#include "sample/sampler.h"

struct reader {
	const struct options *options;
	struct sampler *sampler;
	struct lines *lines;
	struct text *header; /* for --header: metadata of the inputs */
	uint64_t stacks; /* folded stacks, which bypass the sampler's events */
	uint64_t malformed; /* malformed units of this input; the first was reported */
	uint64_t before; /* units of earlier inputs, without folded stacks */

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

/*
 * Counts the current line as a malformed unit. Reports the first one; with --strict exits with 2.
 */
void reader_malformed(struct reader *r, const char *why);

/* reader_malformed for a line of a stack, which makes the stack one malformed unit. */
void reader_broken(struct reader *r, struct stack *s, const char *why);

/*
 * Exits with 2 at a line or byte: nothing of the block that it announces can be read, or a
 * required part of the format is missing.
 */
_Noreturn void reader_refuse(const struct reader *r, uint64_t line, const char *why);
_Noreturn void reader_refuse_byte(const struct reader *r, uint64_t offset, const char *why);

/* reader_malformed for n lines, of which the first is `line`. */
void reader_malformed_at(struct reader *r, uint64_t line, uint64_t n, const char *why);

/* reader_malformed for a binary format: offset in the (decompressed) input. */
void reader_malformed_byte(struct reader *r, uint64_t offset, const char *why);
void reader_malformed_bytes(struct reader *r, uint64_t offset, uint64_t n, const char *why);
/* reader_malformed_byte for a file that belongs to the input. */
void reader_malformed_in(struct reader *r, const char *name, uint64_t offset, const char *why);

/*
 * Warns of a file with a newer version than that of the row in versions.def; exits with 2 if the
 * row refuses it. reader_version_text: of a version as written, `1.2`.
 */
enum version {
#define VERSION(id, ...) VERSION_##id,
#include "fg-collapse/versions.def"
};
void reader_version(const struct reader *r, enum version v, uint64_t major, uint64_t minor);
void reader_version_text(const struct reader *r, enum version v, struct str s);

/* Numbers of units of all inputs so far. */
struct reader_account {
	uint64_t folded, left_out, malformed;
};
struct reader_account reader_account(const struct sampler *s, uint64_t stacks);

/*
 * At the end of an input: with -v notes its numbers of units, those since `before`. Exits with 2
 * if more of them are malformed than not.
 */
void reader_check(const struct reader *r, const struct reader_account *before, uint64_t stacks);

/*
 * At the end of an input: reports its stacks with missing frames (sample_missing), which the
 * sampler accounts for.
 */
void reader_missing(struct reader *r);

/* Called once all periods are known: sets the unit of perf's events whose period is not 1. */
void reader_resolve_units(struct reader *r);

#endif
