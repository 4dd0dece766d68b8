/*
 * innerid: the line NSpid of a status file has a number for each namespace, the own one last.
 */
#include "access/innerid.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

int
inner_id(int id, bool *nested)
{
	char path[32], line[256];
	int inner = 0, n = 0, length;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", id);
	f = fopen(path, "re");
	while (f != NULL && n == 0 && fgets(line, sizeof line, f) != NULL) {
		if (strncmp(line, "NSpid:", 6) != 0)
			continue;
		for (const char *at = line + 6; sscanf(at, "%d%n", &inner, &length) == 1; n++)
			at += length;
	}
	if (f != NULL)
		fclose(f);
	if (nested != NULL)
		*nested = n > 1;
	return inner;
}
