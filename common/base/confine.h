/*
 * confine: the table of base/sandbox, and the system's means to limit a process to it.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stddef.h>

enum sandbox_use {
	SANDBOX_READ, /* a file; a directory to list, without its files */
	SANDBOX_WRITE, /* a file for output_open: also to name and remove files beside it */
	SANDBOX_READ_BELOW, /* a directory and all that is in it */
	SANDBOX_WRITE_IN, /* a directory: create, read, write and remove files in it */
	SANDBOX_NETWORK, /* sockets of any kind; and a directory for downloads, or NULL */
	SANDBOX_RECORDER, /* no file: open perf events, child processes, its own priority */
};

struct sandbox_file {
	enum sandbox_use use;
	const char *path; /* as it will be opened */
	char *own; /* the path if the table owns it; NULL: the caller does */
};

/* All zero when empty. */
struct sandbox {
	struct sandbox_file *file;
	size_t n, cap;
};

/* Needs of a table beside reading. */
struct confine_needs {
	bool network; /* it has a row SANDBOX_NETWORK */
	bool recorder; /* it has a row SANDBOX_RECORDER */
	bool write; /* it has a row for writing */
};

/* Limits the calling thread, and threads that it creates later, as far as the system can. */
void confine(const struct sandbox *s, const struct confine_needs *needs);

/* "Landlock and seccomp", or the means of this build; NULL for nothing. */
extern const char *const sandbox_built_in;

#endif
