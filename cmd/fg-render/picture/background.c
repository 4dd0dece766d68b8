#include "fg-render/picture/background.h"

#include <stddef.h>
#include <string.h>

bool
palette_colour(const char *s)
{
	size_t n = strspn(s + (s[0] == '#'), "0123456789abcdefABCDEF");

	return s[0] == '#' && s[n + 1] == '\0' && (n == 3 || n == 6);
}

bool
palette_background(const char *name, const char *stop[2])
{
	static const char *const gradient[][3] = {
	    {"yellow", "#eeeeee", "#eeeeb0"},
	    {"blue", "#eeeeee", "#e0e0ff"},
	    {"green", "#eef2ee", "#e0ffe0"},
	    {"grey", "#f8f8f8", "#e8e8e8"},
	    {"gray", "#f8f8f8", "#e8e8e8"},
	};

	for (size_t i = 0; i < sizeof gradient / sizeof gradient[0]; i++)
		if (strcmp(gradient[i][0], name) == 0) {
			stop[0] = gradient[i][1];
			stop[1] = gradient[i][2];
			return true;
		}
	stop[0] = stop[1] = name;
	return palette_colour(name);
}
