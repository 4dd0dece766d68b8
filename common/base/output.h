/*
 * output: the file that -o names. A new or regular file is written without a name in
 * the directory of its resolved path, and linked there when it is complete; where the
 * file system has no files without names, under a temporary name. Anything else is
 * written in place. A write that fails is a message and exit 2, never a short file.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

#define OUTPUT_BUFFER (64 * 1024)

struct output {
	int fd;
	size_t n, size; /* bytes waiting in buf, and its capacity */
	bool lines; /* see output_lines */
	bool begun; /* others were written before them */
	char *path; /* what the user named, for messages */
	char *target; /* resolved path of the complete file, or NULL when written in place */
	char *temp; /* its name until then, or NULL when it has none */
	char *buf;
};

/* NULL or "-" is stdout. Exits with 2 when it cannot be opened. */
struct output *output_open(const char *path);
/* Over a descriptor, which output_close closes; name is for messages. */
struct output *output_fd(int fd, const char *name);
/*
 * From now on write whole lines only, also when the program exits with an error: a
 * stream ends before the first line that is not complete. For one output at a time.
 */
void output_lines(struct output *o);
void output_write(struct output *o, const void *data, size_t len);
void output_text(struct output *o, const char *s);
void output_count(struct output *o, uint64_t n);
void output_value(struct output *o, value v);
void output_printf(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void output_flush(struct output *o);
/* Another process, our child, completes it and puts it in its place: close ours. */
void output_leave(struct output *o);
/* Flush, put the file in its place, free o. Exits with 2 when any of it fails. */
void output_close(struct output *o);

static inline void
output_char(struct output *o, char c)
{
	if (o->n == o->size)
		output_flush(o);
	o->buf[o->n++] = c;
}

#endif
