#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"

static int
create(void)
{
	const char *dir = getenv("TMPDIR");
	char *path;
	int fd;

	if (dir == NULL || dir[0] == '\0')
		dir = "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
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
	snprintf(t->path, sizeof t->path, "/proc/self/fd/%d", t->fd);
	return output_fd(dup(t->fd), "temporary file");
}

void
temporary_close(struct temporary *t)
{
	close(t->fd);
}
