/*
 * logprefix: prefixes that containers and loggers put before each line of a program's output:
 *
 *	web-1  | goroutine 1 [running]:				docker compose
 *	2026-01-05T06:31:54.841Z goroutine 1 [running]:		kubectl logs --timestamps
 *	[pod/web-0/app] goroutine 1 [running]:			kubectl logs --prefix
 *	Jan  5 06:31:54 host app[17]: goroutine 1 [running]:	journalctl
 */
#ifndef LOGPREFIX_H
#define LOGPREFIX_H

#include <stddef.h>

#define LOGPREFIX_LAYERS 3 /* prefixes before a prefix */

/* The shapes of the prefixes of all lines, outermost first; 0: no further one. */
struct logprefix {
	unsigned char shape[LOGPREFIX_LAYERS];
};

/* Finds the shapes that all complete lines of the first bytes have. */
struct logprefix logprefix_find(const char *data, size_t len);

/* Length of the prefix of a line; 0 if the line does not have it. `prefix`: a struct logprefix. */
size_t logprefix_length(const void *prefix, const char *line, size_t len);

#endif
