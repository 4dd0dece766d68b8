/*
 * lines: text from a source, as blocks of complete records or line by line, with line numbers.
 * Removes byte order marks and converts UTF-16 to UTF-8. Uses read(2): a mapped file was slower
 * and stays in memory.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "base/text.h"

#define LINES_BLOCK (256 * 1024) /* bytes per read(2) */
#define LINES_PAD 64 /* readable bytes after a block's end */
#define LINES_MAX (64 * 1024 * 1024) /* longer lines are skipped and counted as malformed */

struct lines;

/*
 * A caller's buffer, reused for each block; all zero at first. Several threads may read one
 * input, each with its own block.
 */
struct lines_block {
	char *data; /* complete lines; a missing final newline is added */
	size_t len;
	uint64_t seq; /* 0 for the first block of this input */
	size_t size; /* allocated */
};

/*
 * Returns how many bytes of data[0..len) are complete records; 0: none yet. data ends with a
 * newline.
 */
typedef size_t lines_cut(const char *data, size_t len);

/* Every line is a record. */
lines_cut lines_cut_line;

/*
 * Open a path by source_open, or take over an unread source, which lines_close closes. The
 * output has no byte order mark.
 */
struct lines *lines_open(const char *path, lines_cut *cut);
struct lines *lines_over(struct source *source, lines_cut *cut);

/*
 * The source of the lines, for readers that found by lines_peek that the input is not text.
 * Nothing was read from it before the first lines_next.
 */
struct source *lines_source(struct lines *in);

/*
 * Reads the next block; false at the end. Exits with 2 on read errors; damaged compressed data
 * end after the last complete record. Thread-safe. Updates the progress line (cli.h).
 */
bool lines_next(struct lines *in, struct lines_block *b);

/*
 * Removes a prefix from each line: length returns that of a line, without its newline; state is
 * passed to it. Call it before the first lines_next; several threads may read.
 */
typedef size_t lines_prefix(const void *state, const char *line, size_t len);
void lines_strip(struct lines *in, lines_prefix *length, const void *state);

/* Changes the record splitter, once lines_peek has shown the format. */
void lines_cut_with(struct lines *in, lines_cut *cut);

/*
 * Instead of lines_next, for one thread: returns the next line without newline or CR LF, valid
 * until the next call; false at the end. lines_at is its number.
 */
bool lines_line(struct lines *in, struct str *line);
uint64_t lines_at(const struct lines *in);

/*
 * Instead of lines_next, for one thread and text without a line structure: up to len bytes, at
 * least 4; 0 at the end.
 */
size_t lines_bytes(struct lines *in, char *buf, size_t len);

/*
 * Returns the first bytes (source_peek) without consuming them; call before the first
 * lines_next.
 */
const char *lines_peek(struct lines *in, size_t *len);

/*
 * Splits the rest of a regular file into at most n parts of about equal size, for n threads:
 * neighbouring stacks are similar, so threads find more known names than with alternating
 * blocks. part[0] is `in`, which owns the others. Returns the number of parts, 1 for a pipe.
 */
unsigned lines_split(struct lines *in, struct lines **part, unsigned n);

/*
 * After lines_split, when `in` is at the end of its part: closes the other parts. `in` is then at
 * the start of the part `from`, or with NULL at the end of the file. `lines` were read in between.
 */
void lines_unsplit(struct lines *in, const struct lines *from, uint64_t lines);

/*
 * A second reader of the lines of a regular file, before the first lines_next; NULL for others,
 * which cannot be read twice. To be closed before `in`.
 */
struct lines *lines_ahead(struct lines *in);

/*
 * Line numbers when many threads read blocks: each reports the number of lines of its block
 * after use; then the number of any line is known.
 */
void lines_count(struct lines *in, uint64_t seq, uint32_t lines);
uint64_t lines_number(
    const struct lines *in, uint64_t seq, uint32_t line); /* line: from 0 in its block */

const char *lines_name(const struct lines *in); /* for messages: the path, or "stdin" */

/* True at the end of a regular file without a final newline: it may be incomplete. */
bool lines_unterminated(const struct lines *in);

/*
 * At the end: reports overlong lines and damaged compressed data; strict: exits with 2. Returns
 * the number of overlong lines.
 */
uint64_t lines_finish(const struct lines *in, bool strict);
void lines_block_free(struct lines_block *b);
void lines_close(struct lines *in);

#endif
