/*
 * header: the first bytes of a recording, and of a file the sections that they lead to.
 */
#ifndef HEADER_H
#define HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "attrs.h"
#include "features.h"

struct header {
	bool swapped; /* of the other byte order */
	bool pipe; /* attributes and features come as records */
	uint64_t data, data_end; /* of the file, where it is none */
};

#define HEADER_MAGIC 8 /* bytes that tell a recording */

/* Whether bytes begin one. */
bool header_is(const void *bytes, size_t n);

/* Whether they are of what perf archive packs, or of something packed like it. */
bool header_is_archive(const void *bytes, size_t n);

/* Exits where an operand is a folder that perf record --threads or --kcore makes. */
void header_refuse_folder(const char *path);

/* The sections' attributes, ids and features; exits where that is no recording. */
void header_read(
    struct header *h, struct reader *r, struct attrs *attrs, struct features *features);

#endif
