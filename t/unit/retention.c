/*
 * retention PATTERN N: reads lines "PRESENT write NAME" and "PRESENT find NAME", which make a file,
 * and after each "write" removes all but the newest N files at the present time PRESENT; both are
 * times in place of PATTERN's %T. `find` is a file of another recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-record/telling/retention.h"

static char *
name_of(const char *pattern, const char *time)
{
	const char *t = strstr(pattern, "%T");
	char *name;

	if (t == NULL || asprintf(&name, "%.*s%s%s", (int)(t - pattern), pattern, time, t + 2) < 0)
		cli_die("no %%T, or no memory");
	return name;
}

int
main(int argc, char **argv)
{
	struct retention r = {0};
	char line[256], present[64], what[16], time[64];

	while (argc == 3 && fgets(line, sizeof line, stdin) != NULL) {
		char *name, *now;
		FILE *f;

		if (sscanf(line, "%63s %15s %63s", present, what, time) != 3)
			return 2;
		name = name_of(argv[1], time);
		now = name_of(argv[1], present);
		if ((f = fopen(name, "we")) == NULL ||
		    fputs("# recorded: by fg-record 0\n", f) < 0 || fclose(f) != 0)
			cli_die("%s: not written", name);
		if (strcmp(what, "write") == 0) {
			retention_written(&r, name);
			retention_newest(&r, argv[1], now, strtoul(argv[2], NULL, 10));
		}
		free(name);
		free(now);
	}
	for (size_t i = 0; i < r.n; i++)
		free(r.written[i]);
	free(r.written);
	return 0;
}
