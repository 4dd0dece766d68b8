/*
 * temporary: unnamed files in TMPDIR or /tmp, which are deleted when closed.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include "base/output.h"
#include "base/source.h"

struct temporary {
	int fd;
};

const char *temporary_directory(void); /* the directory for temporary files */

/*
 * Creates a temporary file, and returns an output to it; output_close leaves the file itself
 * open. Exits 2 on error.
 */
struct output *temporary_create(struct temporary *t);
/* Reads the file from its start. Close its output first; one reader at a time. */
struct source *temporary_read(const struct temporary *t);
void temporary_close(struct temporary *t);

#endif
