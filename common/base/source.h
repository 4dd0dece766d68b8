/*
 * source: reads the bytes of a file or a pipe. Input with the magic number of gzip, zstd or xz is
 * decompressed. Text is read through base/lines, which uses this; readers of binary formats use it
 * directly:
 *
 *	sequential	source_peek, source_read, source_get, source_skip
 *	random access	source_seekable? source_pread : source_whole
 *
 * One thread at a time may use a source, except for source_pread and source_progress.
 *
 * If a file cannot be opened or read, prints an error and exits with 2. Damaged or truncated
 * compressed data end the input: the bytes before the damage are valid, and source_finish reports
 * it. Readers that add up folded stacks must fail instead: see folded.h.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define SOURCE_PEEK (64 * 1024) /* maximum length of source_peek */
#define SOURCE_PAD 64 /* readable zeros after source_whole's result */

struct source;

/*
 * Opens a path; "-" is standard input, from its current offset. Reads nothing yet. path must
 * outlive the source. Enlarges pipes with F_SETPIPE_SZ.
 */
struct source *source_open(const char *path);
/*
 * Takes over an open descriptor, from its current offset. name is for messages, and must
 * outlive the source.
 */
struct source *source_fd(int fd, const char *name);
/* Takes over len bytes from malloc as a complete input. name must outlive the source. */
struct source *source_memory(char *bytes, size_t len, const char *name);
const char *source_name(const struct source *s); /* for messages: the path, or "stdin" */

/*
 * Returns the next bytes without consuming them: up to SOURCE_PEEK, perhaps fewer from a slow
 * pipe, but at least SOURCE_PEEK / 2 before the end of the input. Valid until the next read.
 */
const unsigned char *source_peek(struct source *s, size_t *len);

/* Reads up to len bytes, as soon as some are available; 0 at the end. */
size_t source_read(struct source *s, void *buf, size_t len);

/* Reads len bytes, or fewer at the end: compare with len. */
size_t source_get(struct source *s, void *buf, size_t len);

/* Like source_get, but discards the bytes; len may be far beyond the end. */
uint64_t source_skip(struct source *s, uint64_t len);

/* Number of bytes consumed: the offset of the next one in the decompressed data. */
uint64_t source_at(const struct source *s);

/* True for a regular file, compressed or not. */
bool source_regular(const struct source *s);

/* True for a path that can be read only once: standard input, or no regular file. */
bool source_is_once(const char *path);

/*
 * True if source_pread and source_size are usable: for an uncompressed regular file, and for
 * any source after source_whole.
 */
bool source_seekable(struct source *s);
uint64_t source_size(const struct source *s);

/* Reads up to len bytes at an offset; does not change source_at. Thread-safe. */
size_t source_pread(struct source *s, void *buf, size_t len, uint64_t offset);

/*
 * Returns the entire input in memory, owned by the source, with SOURCE_PAD zeros after it. Call
 * it before any read. Exits with 2 above source_bound. Readers that can work in order must not
 * call this.
 */
const unsigned char *source_whole(struct source *s, size_t *len);

/*
 * Memory limit for the decompressed data of that many compressed bytes: 1000 times as many, at
 * least 1 GiB and at most 8 GiB; or --max-size, source_max_size (0: not given).
 */
uint64_t source_bound(uint64_t compressed);
extern uint64_t source_max_size;

/* Bytes that were read from the files of all closed sources. */
uint64_t source_total(void);

/* "gzip", "zstd", "xz", or NULL for plain bytes. Reads the first bytes. */
const char *source_compression(struct source *s);

/* True when the input ended too early because compressed data are damaged. */
bool source_damaged(const struct source *s);

/*
 * At the end: appends the fault of the compressed data, with name and offset in the file, to
 * *why; false when there is none. An empty file with the suffix of a compressed file counts as
 * truncated.
 */
bool source_fault(const struct source *s, struct text *why);

/* At the end: reports a fault of the compressed data, if any; strict: exits with 2. */
void source_finish(struct source *s, bool strict);

/* Updates the progress line (cli.h). */
void source_progress(const struct source *s);

void source_close(struct source *s);

/*
 * Warns about each of n inputs that is an empty regular file, if another regular file is not:
 * perhaps it was not written to its end.
 */
void source_warn_empty(const char *const *path, size_t n);

#endif
