/*
 * source: the bytes of a file or a pipe, with gzip, zstd and xz undone by their
 * magic as they are read. Text is read through base/lines, which stands on this;
 * a reader of a binary format stands on it directly:
 *
 *	in order	source_peek, source_read, source_get, source_skip
 *	at any place	source_seekable? source_pread : source_whole
 *
 * One thread at a time, but for source_pread and source_progress.
 *
 * A file that cannot be opened or read is a message and exit 2. Compressed data that
 * are damaged or truncated are the end of the input; source_finish reports it, and what
 * was read before stays good. Sums must not use it: see folded.h.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define SOURCE_PEEK (64 * 1024) /* what source_peek shows at most */
#define SOURCE_PAD 64 /* readable zeros after what source_whole returns */

struct source;

/*
 * A path, "-" for standard input, which begins where its descriptor stands. Nothing
 * is read yet; path has to stay. Pipes are widened with F_SETPIPE_SZ.
 */
struct source *source_open(const char *path);
/*
 * The same of a descriptor that is open, from where it stands; source_close closes it.
 * name is for messages and has to stay.
 */
struct source *source_fd(int fd, const char *name);
const char *source_name(const struct source *s); /* for messages: the path, or "stdin" */

/*
 * The next bytes without taking them: as many as there are up to SOURCE_PEEK, perhaps
 * fewer from a slow pipe, but at least SOURCE_PEEK / 2 before the end of the input.
 * Good until the next call that takes some.
 */
const unsigned char *source_peek(struct source *s, size_t *len);

/* Up to len bytes, as soon as there are some; 0 at the end. */
size_t source_read(struct source *s, void *buf, size_t len);

/* All of len bytes, or as many as there are before the end: compare with len. */
size_t source_get(struct source *s, void *buf, size_t len);

/* As source_get, thrown away; len may be far beyond the end. */
uint64_t source_skip(struct source *s, uint64_t len);

/* How many bytes were taken: the offset of the next one in what source_read gives. */
uint64_t source_at(const struct source *s);

/* True for a regular file, compressed or not. */
bool source_regular(const struct source *s);

/*
 * Whether source_pread and source_size are there: for a regular file that is not
 * compressed, and for any source once source_whole was called.
 */
bool source_seekable(struct source *s);
uint64_t source_size(const struct source *s);

/* Bytes from an offset on, as many as there are; leaves source_at. For several threads at once. */
size_t source_pread(struct source *s, void *buf, size_t len, uint64_t offset);

/*
 * The whole input in memory, owned by the source, with SOURCE_PAD zeros after it; to
 * be called before anything was taken. A message and exit 2 when it is larger than
 * source_bound. A reader that can do its work in order must not call this.
 */
const unsigned char *source_whole(struct source *s, size_t *len);

/*
 * What may be held of an input of which so many bytes were read as they lie in the
 * file: the larger of 1 GiB and 1000 times these, never above 8 GiB; or what
 * --max-size says: source_max_size, 0 for not given.
 */
uint64_t source_bound(uint64_t packed);
extern uint64_t source_max_size;

/* "gzip", "zstd", "xz", or NULL for plain bytes. Reads the first bytes. */
const char *source_compression(struct source *s);

/* True when the input ended too early, since compressed data are damaged. */
bool source_damaged(const struct source *s);

/*
 * At the end: adds what is wrong with the compressed data, with name and offset in the
 * file, to *why; false when nothing is. An empty file with the suffix of compressed
 * files counts as truncated.
 */
bool source_fault(const struct source *s, struct text *why);

/* At the end: reports what is wrong with compressed data, if anything; strict: exit 2. */
void source_finish(struct source *s, bool strict);

/* Says how far reading is where a progress line is wanted (cli.h). */
void source_progress(const struct source *s);

void source_close(struct source *s);

#endif
