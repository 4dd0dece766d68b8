/*
 * lines: blocks of bytes from a file or a pipe, each a number of whole records,
 * with the line number at which it begins. Read with read(2): a mapped file was
 * slower and stays in memory.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * Open a path, "-" for standard input; pipes are widened with F_SETPIPE_SZ. A
 * UTF-16 or UTF-8 byte order mark is dealt with: what comes out is bytes without
 * one. Exits with 2 and a message when it cannot be opened.
 */
struct lines *lines_open(const char *path, lines_cut *cut);

/*
 * The next block; false at the end. Read errors exit with 2. May be called from
 * several threads. Says how far it is where a progress line is wanted (cli.h).
 */
bool lines_next(struct lines *in, struct lines_block *b);

/* Cut otherwise from now on: for programs that learn the format from lines_peek. */
void lines_cut_with(struct lines *in, lines_cut *cut);

/* Before the first lines_next: up to 64 KB of what comes first, without taking it. */
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
/* At the end: how many lines were cut out for their length, which is said, or exit 2 when strict.
 */
uint64_t lines_overlong(const struct lines *in, bool strict);
void lines_block_free(struct lines_block *b);
void lines_close(struct lines *in);

#endif
