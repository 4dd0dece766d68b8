/*
 * temporary: files without a name, in TMPDIR or /tmp, which go when they are closed.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include "base/output.h"

#define TEMPORARY_PATH 32

struct temporary {
	int fd;
	char path[TEMPORARY_PATH]; /* where it can be opened as long as fd is open */
};

/* A new one, or exit 2, and an output into it that output_close closes without it. */
struct output *temporary_create(struct temporary *t);
void temporary_close(struct temporary *t);

#endif
