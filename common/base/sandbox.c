/*
 * sandbox: the table.
 */
#include "base/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void
sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path)
{
	if (use != SANDBOX_RUN && (path == NULL || strcmp(path, "-") == 0))
		return;
	vec_fit(s->file, s->cap, s->n + 1);
	s->file[s->n++] = (struct sandbox_file){use, path};
}

void
sandbox_inputs(struct sandbox *s, int argc, char **argv, int from)
{
	for (int i = from; i < argc; i++)
		sandbox_add(s, SANDBOX_READ, argv[i]);
}

void
sandbox_enter(struct sandbox *s)
{
	free(s->file);
	*s = (struct sandbox){0};
}
