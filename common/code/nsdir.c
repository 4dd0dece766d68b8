/*
 * nsdir: a table of open directories, found again by mount ID (Linux 5.8) and inode.
 */
#include "code/nsdir.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DIRECTORIES_MAX 256 /* descriptors */

static struct nsdir directories[DIRECTORIES_MAX];

/* statx(2) for the mount ID and the inode, which musl has from 1.2.4 on; false if unknown. */
static bool
identify(int fd, const char *path, int flags, struct statx *st)
{
	return syscall(SYS_statx, fd, path, flags, STATX_INO | STATX_MNT_ID, st) == 0 &&
	       (st->stx_mask & STATX_MNT_ID) != 0; /* Linux 5.8 */
}

struct nsdir *
nsdir_open(const char *path, int flags)
{
	struct nsdir *unused = NULL, now = {.users = 1};
	struct statx st;

	now.fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (now.fd < 0)
		return NULL;
	if (identify(now.fd, "", AT_EMPTY_PATH, &st)) {
		now.mount = st.stx_mnt_id;
		now.inode = st.stx_ino;
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
nsdir_open_root(int pid)
{
	char path[32];
	struct statx its, our;

	snprintf(path, sizeof path, "/proc/%d/root", pid);
	if (identify(AT_FDCWD, path, 0, &its) && identify(AT_FDCWD, "/", 0, &our) &&
	    its.stx_mnt_id == our.stx_mnt_id && its.stx_ino == our.stx_ino)
		return NULL;
	return nsdir_open(path, 0);
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
