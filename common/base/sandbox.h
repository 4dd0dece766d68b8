/*
 * sandbox: gives up all rights that a program does not need any more. main collects the
 * files of its command line in a table and makes the one call between "every file is known"
 * and "the first byte is read".
 *
 * From then on the process and its threads
 * - open, make, rename and remove nothing but what the table allows (Landlock),
 * - make only the system calls of a list: none that runs a program, makes a socket or a
 *   process, traces or signals another one, mounts, or loads code into the kernel (seccomp),
 * - get no rights from set-user-ID programs (no_new_privs),
 * - have no capabilities but those to read any file (DAC_READ_SEARCH, SYSLOG for
 *   /proc/kallsyms) and, if the table has rows for writing, to write it (DAC_OVERRIDE, FOWNER,
 *   CHOWN).
 *
 * A call that is refused fails with EACCES (Landlock), EPERM or ENOSYS. A kernel without
 * Landlock or seccomp, or a sandbox around this one that refuses them, leaves the rest in
 * force, without a message. In the environment, FG_SANDBOX=off turns all of it off, and
 * FG_SANDBOX=seccomp leaves Landlock out, as on a kernel without it.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stddef.h>

enum sandbox_use {
	SANDBOX_READ, /* a file; a directory to list, without its files */
	SANDBOX_WRITE, /* a file: also to create, rename and remove files beside it */
	SANDBOX_READ_BELOW, /* a directory and all that is in it */
	SANDBOX_WRITE_IN, /* a directory: create, read, write and remove files in it */
	SANDBOX_NETWORK, /* sockets of any kind; and a directory for downloads, or NULL */
};

struct sandbox_file {
	enum sandbox_use use;
	const char *path; /* owned by the caller; as it will be opened */
};

/* All zero when empty. */
struct sandbox {
	struct sandbox_file *file;
	size_t n, cap;
};

/* Adds a row. NULL and "-", which are standard input or output, are not files. */
void sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path);

/* Adds the operands argv[from] to argv[argc - 1] as SANDBOX_READ. */
void sandbox_inputs(struct sandbox *s, int argc, char **argv, int from);

/*
 * Limits the process to the table, and frees it. A second call can only restrict: rows in both
 * tables remain. Call it with a single thread, or for the caller's own threads.
 */
void sandbox_enter(struct sandbox *s);

/* What this build can use: "Landlock and seccomp", or NULL for neither. */
extern const char *const sandbox_built_in;

#endif
