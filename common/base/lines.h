/*
 * lines: text over a source, as blocks of whole records or line by line, with line
 * numbers. Byte order marks are taken off and UTF-16 becomes UTF-8. Read with read(2):
 * a mapped file was slower and stays in memory.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "base/text.h"

#define LINES_BLOCK (256 * 1024) /* bytes asked of read(2) at a time */
#define LINES_PAD 64 /* readable bytes after a block's end */
#define LINES_MAX (64 * 1024 * 1024) /* a longer line is cut out and counted as malformed */

struct lines;

/*
 * A caller's buffer; all zero at first, used again for each block. Several
 * threads may take blocks from one input, each into a block of its own.
 */
struct lines_block {
	char *data; /* whole lines; the last one ends with a newline, added where it was missing */
	size_t len;
	uint64_t seq; /* 0 for the first block of this input */
	size_t size; /* allocated */
};

/*
 * How many bytes of data[0..len) are whole records, 0 for none yet. The data end
 * with a newline.
 */
typedef size_t lines_cut(const char *data, size_t len);

/* Every line is a record. */
lines_cut lines_cut_line;

/*
 * Over source_open(path), or over a source of which nothing was taken and that
 * lines_close closes. What comes out is bytes without a byte order mark.
 */
struct lines *lines_open(const char *path, lines_cut *cut);
struct lines *lines_over(struct source *source, lines_cut *cut);

/*
 * What the lines come from; for a reader that has learned from lines_peek that the
 * input is no text. Nothing was taken from it before the first lines_next.
 */
struct source *lines_source(struct lines *in);

/*
 * The next block; false at the end. Read errors exit with 2; where compressed data
 * are damaged, the last whole record before is the end. May be called from several
 * threads. Says how far it is where a progress line is wanted (cli.h).
 */
bool lines_next(struct lines *in, struct lines_block *b);

/* Cut otherwise from now on: for programs that learn the format from lines_peek. */
void lines_cut_with(struct lines *in, lines_cut *cut);

/*
 * Instead of lines_next, for one thread: the next line, without its newline and a
 * carriage return before it, good until the next call; false at the end. lines_at is
 * its number.
 */
bool lines_line(struct lines *in, struct str *line);
uint64_t lines_at(const struct lines *in);

/*
 * Instead of lines_next, for one thread and text whose lines say nothing, however long:
 * up to len bytes, at least 4, as they come; 0 at the end.
 */
size_t lines_bytes(struct lines *in, char *buf, size_t len);

/* Before the first lines_next: what comes first (source_peek), without taking it. */
const char *lines_peek(struct lines *in, size_t *len);

/*
 * Cut what is left of a regular file into at most n parts of about the same size,
 * for as many threads: what lies together in a profile is alike, so that each
 * thread finds more that it knows than if they took blocks in turn. part[0] is `in`
 * itself, which owns the others. Returns how many there are, 1 for a pipe.
 */
unsigned lines_split(struct lines *in, struct lines **part, unsigned n);

/*
 * Line numbers when blocks are read by many threads: each tells how many lines
 * its block had when it is done with it, and afterwards any line can be named.
 */
void lines_count(struct lines *in, uint64_t seq, uint32_t lines);
uint64_t lines_number(
    const struct lines *in, uint64_t seq, uint32_t line); /* line: from 0 in its block */

const char *lines_name(const struct lines *in); /* for messages: the path, or "stdin" */

/*
 * At the end of a regular file: true when its last line has no newline, as if it had
 * not been written completely.
 */
bool lines_unterminated(const struct lines *in);

/*
 * At the end: says what was left out, lines for their length and what damaged
 * compressed data hid; strict: exit 2. Returns how many lines were too long.
 */
uint64_t lines_finish(const struct lines *in, bool strict);
void lines_block_free(struct lines_block *b);
void lines_close(struct lines *in);

#endif
