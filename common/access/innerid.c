/*
 * innerid: the line NSpid of a status file has a number for each namespace, the own one last.
 */
#include "access/innerid.h"

#include <stdio.h>
#include <string.h>

int
inner_id_of(const char *line, bool *nested)
{
	int inner = 0, n = 0, length;

	if (strncmp(line, "NSpid:", 6) != 0)
		return 0;
	for (const char *at = line + 6; sscanf(at, "%d%n", &inner, &length) == 1; n++)
		at += length;
	if (nested != NULL)
		*nested = n > 1;
	return inner;
}

int
inner_id(int id, bool *nested)
{
	char path[32], line[256];
	int inner = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", id);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	while (inner == 0 && fgets(line, sizeof line, f) != NULL)
		inner = inner_id_of(line, nested);
	fclose(f);
	return inner;
}
