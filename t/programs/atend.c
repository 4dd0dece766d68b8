/*
 * atend: an LD_PRELOAD library that stands for hostile code in a filter: at the end of the
 * program, within its sandbox, it opens the files that ATEND names, separated by colons, and
 * reports on standard error which ones could be opened.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((destructor)) try(void)
{
	const char *list = getenv("ATEND");
	char *next = list != NULL ? strdup(list) : NULL, *path;

	while (next != NULL && (path = strsep(&next, ":")) != NULL) {
		int fd = open(path, O_RDONLY);

		fprintf(stderr, "atend: %s %s\n", strrchr(path, '/') + 1,
		    fd < 0 ? "refused" : "opened");
		if (fd >= 0)
			close(fd);
	}
}
