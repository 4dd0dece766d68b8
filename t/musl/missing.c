/*
 * The functions of argp, fts and obstack that elfutils is linked with and musl lacks: each fails.
 * fg calls no function of elfutils that calls one.
 */
#include "argp.h"
#include "fts.h"

error_t
argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input)
{
	(void)argp, (void)argc, (void)argv, (void)flags, (void)end, (void)input;
	return ENOTSUP;
}

void
argp_error(const struct argp_state *state, const char *format, ...)
{
	(void)state, (void)format;
}

void
argp_failure(const struct argp_state *state, int status, int number, const char *format, ...)
{
	(void)state, (void)status, (void)number, (void)format;
}

void
argp_help(const struct argp *argp, FILE *to, unsigned flags, char *name)
{
	(void)argp, (void)to, (void)flags, (void)name;
}

void
argp_state_help(const struct argp_state *state, FILE *to, unsigned flags)
{
	(void)state, (void)to, (void)flags;
}

FTS *
fts_open(char *const *path, int flags, int (*compare)(const FTSENT **, const FTSENT **))
{
	(void)path, (void)flags, (void)compare;
	errno = ENOTSUP;
	return NULL;
}

FTSENT *
fts_read(FTS *tree)
{
	(void)tree;
	return NULL;
}

int
fts_set(FTS *tree, FTSENT *entry, int what)
{
	(void)tree, (void)entry, (void)what;
	return -1;
}

int
fts_close(FTS *tree)
{
	(void)tree;
	return 0;
}

void _obstack_free(void *stack, void *object);

void
_obstack_free(void *stack, void *object)
{
	(void)stack, (void)object;
}
