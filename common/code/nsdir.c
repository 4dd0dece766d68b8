/*
 * nsdir: a table of open directories, found again by mount ID (Linux 5.8) and inode.
 */
#include "code/nsdir.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORIES_MAX 256 /* descriptors */

static struct nsdir directories[DIRECTORIES_MAX];

struct nsdir *
nsdir_open(const char *path, int flags)
{
	struct nsdir *unused = NULL, now = {.users = 1};
	struct statx st;

	now.fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (now.fd < 0)
		return NULL;
	if (statx(now.fd, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &st) == 0 &&
	    (st.stx_mask & STATX_MNT_ID) != 0) { /* Linux 5.8 */
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
	if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_MNT_ID, &its) == 0 &&
	    statx(AT_FDCWD, "/", 0, STATX_INO | STATX_MNT_ID, &our) == 0 &&
	    (its.stx_mask & our.stx_mask & STATX_MNT_ID) != 0 && its.stx_mnt_id == our.stx_mnt_id &&
	    its.stx_ino == our.stx_ino)
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
