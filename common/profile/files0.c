/*
 * files0: the list in memory, with its names in one allocation.
 */
#include "profile/files0.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/source.h"
#include "base/vec.h"

char **
files0_read(const char *path, size_t *n)
{
	struct source *s = source_open(path);
	char *names, **list = NULL;
	size_t len, cap = 0;
	const unsigned char *whole = source_whole(s, &len);

	names = cli_alloc(len + 1, 1);
	memcpy(names, whole, len);
	source_close(s);
	*n = 0;
	for (char *name = names; name < names + len; name += strlen(name) + 1) {
		if (*name == '\0')
			cli_die("%s: name %zu is empty", path, *n + 1);
		if (strcmp(name, "-") == 0 && strcmp(path, "-") == 0)
			cli_die("standard input cannot be an input file: the file names are "
				"read from it");
		vec_fit(list, cap, *n + 2);
		list[(*n)++] = name;
	}
	if (*n == 0) {
		free(names);
		list = cli_alloc(1, sizeof *list);
	}
	list[*n] = NULL;
	return list;
}
