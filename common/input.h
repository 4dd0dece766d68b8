/*
 * input: blocks of bytes from a file or a pipe, each a number of whole records,
 * with the line number at which it begins. Read with read(2): a mapped file was
 * slower and stays in memory.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_BLOCK (256 * 1024) /* bytes asked of read(2) at a time */
#define INPUT_PAD 64		 /* readable bytes after a block's end */
#define INPUT_LINE_MAX (64 * 1024 * 1024) /* a longer line is cut out and counted as malformed */

struct input;

/*
 * A caller's buffer; all zero at first, used again for each block. Several
 * threads may take blocks from one input, each into a block of its own.
 */
struct input_block {
	char *data;	/* whole lines; the last one ends with a newline, added where it was missing */
	size_t len;
	uint64_t seq;	/* 0 for the first block of this input */
	size_t size;	/* allocated */
};

/*
 * How many bytes of data[0..len) are whole records, 0 for none yet. The data end
 * with a newline.
 */
typedef size_t input_cut(const char *data, size_t len);

/* Every line is a record. */
input_cut input_cut_line;

/*
 * Open a path, "-" for standard input; pipes are widened with F_SETPIPE_SZ. A
 * UTF-16 or UTF-8 byte order mark is dealt with: what comes out is bytes without
 * one. Exits with 2 and a message when it cannot be opened.
 */
struct input *input_open(const char *path, input_cut *cut);

/*
 * The next block; false at the end. Read errors exit with 2. May be called from
 * several threads. Says how far it is where a progress line is wanted (cli.h).
 */
bool input_next(struct input *in, struct input_block *b);

/* Cut otherwise from now on: for programs that learn the format from input_peek. */
void input_cut_with(struct input *in, input_cut *cut);

/* Before the first input_next: up to 64 KB of what comes first, without taking it. */
const char *input_peek(struct input *in, size_t *len);

/*
 * Cut what is left of a regular file into at most n parts of about the same size,
 * for as many threads: what lies together in a profile is alike, so that each
 * thread finds more that it knows than if they took blocks in turn. part[0] is `in`
 * itself, which owns the others. Returns how many there are, 1 for a pipe.
 */
unsigned input_split(struct input *in, struct input **part, unsigned n);

/*
 * Line numbers when blocks are read by many threads: each tells how many lines
 * its block had when it is done with it, and afterwards any line can be named.
 */
void input_lines(struct input *in, uint64_t seq, uint32_t lines);
uint64_t input_line(const struct input *in, uint64_t seq, uint32_t line); /* line: from 0 in its block */

const char *input_name(const struct input *in); /* for messages: the path, or "stdin" */
/* At the end: how many lines were cut out for their length, which is said, or exit 2 when strict. */
uint64_t input_overlong(const struct input *in, bool strict);
void input_block_free(struct input_block *b);
void input_close(struct input *in);

#endif
