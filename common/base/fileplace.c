/*
 * fileplace: opens the directory of each symbolic link relative to the one before.
 */
#include "base/fileplace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "kernel/compat.h"

#define LINKS 40 /* as in the kernel */

/* Opens the directory of a path relative to dir, which it closes; *name is the rest of the path. */
static int
open_parent(int dir, char *path, const char **name)
{
	char *slash = strrchr(path, '/');
	int parent;

	*name = slash != NULL ? slash + 1 : path;
	if (**name == '\0')
		*name = ".";
	if (slash != NULL)
		*slash = '\0';
	parent = openat(dir,
	    slash == NULL   ? "."
	    : slash == path ? "/"
			    : path,
	    O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0)
		close(dir);
	return parent;
}

/* True if dir has the descriptors of this process, and the name is a number. */
static bool
is_descriptor(int dir, const char *name)
{
	struct stat of, own;

	return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0' &&
	       fstat(dir, &of) == 0 && stat(COMPAT_DESCRIPTORS, &own) == 0 &&
	       of.st_dev == own.st_dev && of.st_ino == own.st_ino;
}

static bool
may_follow(int dir, const char *name)
{
	struct stat of, link;

	if (fstat(dir, &of) != 0 || fstatat(dir, name, &link, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	return link.st_uid == geteuid() || link.st_uid == of.st_uid ||
	       (of.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH);
}

bool
fileplace_find(struct fileplace *p, const char *path)
{
	char at[PATH_MAX], link[PATH_MAX];
	const char *name;
	int dir = AT_FDCWD;

	errno = path[0] == '\0' ? ENOENT : ENAMETOOLONG;
	if (path[0] == '\0' || strlcpy(at, path, sizeof at) >= sizeof at)
		return false;
	for (int links = 0; links <= LINKS; links++) {
		ssize_t n;

		dir = open_parent(dir, at, &name);
		if (dir < 0)
			return false;
		if (is_descriptor(dir, name)) {
			*p = (struct fileplace){dir, cli_strdup(name), (int)strtol(name, NULL, 10)};
			return true;
		}
		n = readlinkat(dir, name, link, sizeof link - 1);
		if (n < 0 || compat_is_proc(dir)) {
			*p = (struct fileplace){dir, cli_strdup(name), -1};
			return true;
		}
		if (!may_follow(dir, name)) {
			close(dir);
			errno = EACCES;
			return false;
		}
		link[n] = '\0';
		strlcpy(at, link, sizeof at);
	}
	close(dir);
	errno = ELOOP;
	return false;
}

void
fileplace_free(struct fileplace *p)
{
	if (p->dir >= 0)
		close(p->dir);
	free(p->name);
	*p = (struct fileplace){-1, NULL, -1};
}
