/*
 * sandbox: the table; base/confine limits the process to it.
 */
#include "base/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/vec.h"

void
sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path)
{
	if (use != SANDBOX_NETWORK && use != SANDBOX_RECORDER &&
	    (path == NULL || strcmp(path, "-") == 0))
		return;
	vec_fit(s->file, s->cap, s->n + 1);
	s->file[s->n++] = (struct sandbox_file){.use = use, .path = path};
}

void
sandbox_take(struct sandbox *s, enum sandbox_use use, char *path)
{
	vec_fit(s->file, s->cap, s->n + 1);
	s->file[s->n++] = (struct sandbox_file){use, path, path};
}

void
sandbox_inputs(struct sandbox *s, int argc, char **argv, int from)
{
	for (int i = from; i < argc; i++)
		sandbox_add(s, SANDBOX_READ, argv[i]);
}

bool
sandbox_is_off(void)
{
	const char *how = getenv("FG_SANDBOX");

	return how != NULL && strcmp(how, "off") == 0;
}

void
sandbox_enter(struct sandbox *s)
{
	struct confine_needs needs = {0};

	for (size_t i = 0; i < s->n; i++) {
		enum sandbox_use use = s->file[i].use;

		needs.network |= use == SANDBOX_NETWORK;
		needs.recorder |= use == SANDBOX_RECORDER;
		needs.write |= use != SANDBOX_READ && use != SANDBOX_READ_BELOW;
		if (use == SANDBOX_WRITE)
			output_prepare(s->file[i].path);
	}
	if (!sandbox_is_off())
		confine(s, &needs);
	for (size_t i = 0; i < s->n; i++)
		free(s->file[i].own);
	free(s->file);
	*s = (struct sandbox){0};
}
