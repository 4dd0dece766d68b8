/*
 * sandbox: gives up all rights that a program no longer needs. main collects the files of its
 * command line in a table, and enters the sandbox once all files are known, before it reads the
 * first byte of input.
 *
 * From then on the process and its threads
 * - open, create, rename and remove only files that the table allows, and read the directories
 *   of shared libraries, for lazy/library (Landlock),
 * - use only the system calls of a list: none that runs a program, creates a socket or a
 *   process, traces or signals another one, mounts, or loads code into the kernel (seccomp);
 *   with a row SANDBOX_RECORDER and without SANDBOX_NETWORK none that writes to a file by name,
 * - change no file's mode or owner, and create none with a special mode (seccomp),
 * - have no descriptors that their parent left open, but standard ones and those in the table,
 * - get no rights from set-user-ID programs (no_new_privs),
 * - have no capabilities but those to read any file (DAC_READ_SEARCH, SYSLOG for
 *   /proc/kallsyms) and, if the table has rows for writing, to write it (DAC_OVERRIDE,
 *   FOWNER); with a row SANDBOX_RECORDER none, or IPC_LOCK if `ulimit -l` limits ring buffers.
 *
 * A refused call fails with EACCES (Landlock), EPERM or ENOSYS. If the kernel lacks Landlock or
 * seccomp, or an outer sandbox refuses them, the other restrictions apply, without a message.
 * Other systems limit less (base/confine). The environment variable FG_SANDBOX=off disables the
 * sandbox; with FG_SANDBOX=seccomp it is without Landlock, and with FG_SANDBOX=landlock without
 * seccomp, as on such kernels.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>

#include "base/confine.h"

/* Adds a row. NULL and "-", which are standard input or output, are not files. */
void sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path);

/* Like sandbox_add, of an allocated path, which it takes over. */
void sandbox_take(struct sandbox *s, enum sandbox_use use, char *path);

/* Adds the operands argv[from] to argv[argc - 1] as SANDBOX_READ. */
void sandbox_inputs(struct sandbox *s, int argc, char **argv, int from);

/* True if FG_SANDBOX=off disables the sandbox. */
bool sandbox_is_off(void);

/*
 * Limits the calling thread, and threads that it creates later, to the table; frees the table.
 * After a second call only rows that are in both tables remain.
 */
void sandbox_enter(struct sandbox *s);

#endif
