/*
 * temporary: files without a name, in TMPDIR or /tmp, which go when they are closed.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include "base/output.h"
#include "base/source.h"

struct temporary {
	int fd;
};

const char *temporary_folder(void); /* where they are made */

/* A new one, or exit 2, and an output into it that output_close closes without it. */
struct output *temporary_create(struct temporary *t);
/* From its beginning, when the output is closed; one at a time. */
struct source *temporary_read(const struct temporary *t);
void temporary_close(struct temporary *t);

#endif
