/*
 * sandbox: one point in each filter between "every file and folder is known" and "the
 * first byte is read". main collects the files in a table, makes the one call, and
 * opens none but these from then on; t/sandbox.t holds it to that. The call itself does
 * nothing yet.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stddef.h>

enum sandbox_use {
	SANDBOX_READ, /* a file */
	SANDBOX_WRITE, /* a file: also the folder that it is in, for what is renamed to it */
	SANDBOX_READ_BELOW, /* a folder and all that is in it */
	SANDBOX_WRITE_IN, /* new files in a folder */
	SANDBOX_RUN, /* some other program, afterwards: path is NULL */
};

struct sandbox_file {
	enum sandbox_use use;
	const char *path; /* the caller's, as it will be opened */
};

/* All zero is an empty one. */
struct sandbox {
	struct sandbox_file *file;
	size_t n, cap;
};

/* NULL and "-", which are standard input or output, are no files. */
void sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path);

/* The operands argv[from] to argv[argc - 1], to be read. */
void sandbox_inputs(struct sandbox *s, int argc, char **argv, int from);

/* From here on nothing but what is in the table; frees the table. */
void sandbox_enter(struct sandbox *s);

#endif
