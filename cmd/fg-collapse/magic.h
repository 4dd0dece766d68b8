/*
 * magic: the first bytes of the recordings that need libdw, for the formats that read them and for
 * noprograms.c, which refuses them.
 */
#ifndef MAGIC_H
#define MAGIC_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PERFDATA_MAGIC 8 /* bytes that identify a recording of perf */
#define TRACEDAT_MAGIC "\027\010\104tracing"

/* True if the bytes are the start of a recording of perf. */
static inline bool
magic_is_perfdata(const void *bytes, size_t n)
{
	return n >= PERFDATA_MAGIC &&
	       (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0 ||
		   memcmp(bytes, "PERFFILE", 8) == 0 || memcmp(bytes, "ELIFFREP", 8) == 0);
}

/* True if the bytes are the start of a recording of trace-cmd. */
static inline bool
magic_is_tracedat(const void *bytes, size_t n)
{
	return n >= sizeof TRACEDAT_MAGIC - 1 &&
	       memcmp(bytes, TRACEDAT_MAGIC, sizeof TRACEDAT_MAGIC - 1) == 0;
}

#endif
