/*
 * output: the file of -o. A new or regular file is written without a name in the directory of
 * its resolved path, and linked there when complete; on file systems without nameless files,
 * under a temporary name. Anything else is written in place. An existing file keeps its mode, and
 * with root its owner; it is refused if another user made it where all may make files. A failed
 * write is reported with exit 2; no incomplete file remains.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fileplace.h"
#include "base/value.h"

#define OUTPUT_BUFFER (64 * 1024)

struct output {
	int fd;
	size_t n, size; /* bytes in buf, and its capacity */
	bool lines; /* see output_lines */
	bool begun; /* bytes were written before */
	char *path; /* the user's name for it, for messages */
	bool synced; /* see output_try_close */
	bool is_new; /* output_fd of a file that had no bytes, so that output_rewind may empty it */
	struct fileplace place; /* directory and name of the file */
	char *target; /* the name there, or NULL when written in place */
	char *temp; /* temporary name until then, or NULL */
	char *buf;
};

/*
 * Creates the file of a path that output_open will open later, with its mode and owner, so that it
 * needs no right but to link and rename in its directory, whose descriptor is returned. -1 if it
 * will need more: for files that are written in place, and where this failed; then output_open
 * reports the error.
 */
int output_prepare(const char *path);
/* Opens a path; NULL or "-" is stdout. Exits with 2 on failure. */
struct output *output_open(const char *path);
/* Opens a path like output_open; NULL and errno on failure. */
struct output *output_try(const char *path);
/* An output to a descriptor, which output_close closes; name is for messages. */
struct output *output_fd(int fd, const char *name);
/*
 * Writes only complete lines from now on, also when the program exits with an error: the stream
 * ends before the first incomplete line. For one output at a time.
 */
void output_lines(struct output *o);
void output_write(struct output *o, const void *data, size_t len);
/* Like output_write(), without a copy of data of a page or more in the buffer. */
void output_direct(struct output *o, const void *data, size_t len);
void output_text(struct output *o, const char *s);
void output_count(struct output *o, uint64_t n);
void output_value(struct output *o, value v);
void output_printf(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void output_flush(struct output *o);
/* Closes our copy, already flushed; the process that opened it puts it in place. */
void output_leave(struct output *o);
/* Empties a file that is not in place yet, and that another process wrote in part. */
void output_rewind(struct output *o);
/* Flushes, puts the file in place, frees o. Exits with 2 when any of it fails. */
void output_close(struct output *o);
/*
 * Like output_close, of an output that another process has written, and waits until the bytes and
 * the name are on the disk: after a power failure the file is there with all of its bytes, or not
 * there. False and errno if the file cannot be put in place: no file remains.
 */
bool output_try_close(struct output *o);
/* Frees o without a file. */
void output_discard(struct output *o);

static inline void
output_char(struct output *o, char c)
{
	if (o->n == o->size)
		output_flush(o);
	o->buf[o->n++] = c;
}

#endif
