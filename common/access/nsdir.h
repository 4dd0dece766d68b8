/*
 * nsdir: directories in the mount namespaces of processes, held open. Their files can be opened
 * after the process has ended, and in the sandbox, which refuses /proc/PID/root of other
 * processes.
 */
#ifndef NSDIR_H
#define NSDIR_H

#include <stddef.h>
#include <stdint.h>

#include "base/sandbox.h"

struct nsdir {
	size_t users; /* 0: closed */
	int fd; /* O_PATH */
	uint64_t mount, inode; /* statx(2); 0: unknown */
	char path[32]; /* /proc/self/fd/FD */
};

/*
 * Opens a directory below the root directory of a process, or returns the open one of the same
 * mount; NULL when there is none, or too many are open. flags: more of open(2). The caller
 * releases it.
 */
struct nsdir *nsdir_open(int pid, const char *below, int flags);

/* Opens the root directory of a process; NULL also if it is ours. */
struct nsdir *nsdir_open_root(int pid);

/* Releases a directory; NULL is ignored. */
void nsdir_release(struct nsdir *d);

/* Adds the directories that are open now to the table, for reading. */
void nsdir_allow(struct sandbox *s);

#endif
