#include "fg-merge/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"

const char *
temporary_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir == NULL || dir[0] == '\0' ? "/tmp" : dir;
}

static int
create(void)
{
	const char *dir = temporary_directory();
	char *path;
	int fd;

	fd = compat_nameless(AT_FDCWD, dir, O_RDWR, 0600);
	if (fd >= 0)
		return fd;
	if (asprintf(&path, "%s/fg-merge.XXXXXX", dir) < 0)
		cli_die("out of memory");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		cli_die("%s: %s", path, strerror(errno));
	unlink(path);
	free(path);
	return fd;
}

struct output *
temporary_create(struct temporary *t)
{
	t->fd = create();
	return output_fd(dup(t->fd), "temporary file");
}

struct source *
temporary_read(const struct temporary *t)
{
	if (lseek(t->fd, 0, SEEK_SET) != 0)
		cli_die("temporary file: %s", strerror(errno));
	return source_fd(dup(t->fd), "temporary file");
}

void
temporary_close(struct temporary *t)
{
	close(t->fd);
}
