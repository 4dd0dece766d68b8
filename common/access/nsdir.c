/*
 * nsdir: a table of open directories, found again by mount ID (Linux 5.8) and inode.
 */
#include "access/nsdir.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "kernel/syscalls.h"
#include "access/opener.h"

#define DIRECTORIES_MAX 256 /* descriptors */

static struct nsdir directories[DIRECTORIES_MAX];

/* statx(2) for the mount ID and the inode, which musl has from 1.2.4 on; false if unknown. */
static bool
identify(int fd, const char *path, int flags, struct syscalls_statx *st)
{
	return syscall(SYS_statx, fd, path, flags, SYSCALLS_STATX_INODE | SYSCALLS_STATX_MOUNT,
		   st) == 0 &&
	       (st->mask & SYSCALLS_STATX_MOUNT) != 0; /* Linux 5.8 */
}

/* Adds an open directory to the table, or closes it and returns the same one; takes fd over. */
static struct nsdir *
add(int fd, const struct syscalls_statx *st)
{
	struct nsdir *unused = NULL, now = {.users = 1, .fd = fd};

	if (st != NULL) {
		now.mount = st->mount;
		now.inode = st->inode;
	}
	for (size_t i = 0; i < DIRECTORIES_MAX; i++) {
		struct nsdir *d = &directories[i];

		if (d->users == 0) {
			unused = unused == NULL ? d : unused;
		} else if (d->inode != 0 && d->mount == now.mount && d->inode == now.inode) {
			close(now.fd);
			d->users++;
			return d;
		}
	}
	if (unused == NULL) {
		close(now.fd);
		return NULL;
	}
	snprintf(now.path, sizeof now.path, "/proc/self/fd/%d", now.fd);
	*unused = now;
	return unused;
}

struct nsdir *
nsdir_open(int pid, const char *below, int flags)
{
	int fd = opener_directory(pid, below, flags);
	struct syscalls_statx st;

	return fd < 0 ? NULL : add(fd, identify(fd, "", AT_EMPTY_PATH, &st) ? &st : NULL);
}

struct nsdir *
nsdir_open_root(int pid)
{
	int fd = opener_directory(pid, "", 0);
	struct syscalls_statx its, our;
	bool known;

	if (fd < 0)
		return NULL;
	known = identify(fd, "", AT_EMPTY_PATH, &its);
	if (known && identify(AT_FDCWD, "/", 0, &our) && its.mount == our.mount &&
	    its.inode == our.inode) {
		close(fd);
		return NULL;
	}
	return add(fd, known ? &its : NULL);
}

void
nsdir_release(struct nsdir *d)
{
	if (d != NULL && --d->users == 0)
		close(d->fd);
}

void
nsdir_allow(struct sandbox *s)
{
	for (size_t i = 0; i < DIRECTORIES_MAX; i++)
		if (directories[i].users > 0)
			sandbox_add(s, SANDBOX_READ_BELOW, directories[i].path);
}
