/*
 * fileheader: the header of a recording and, for a file, the sections that it refers to.
 */
#ifndef FILEHEADER_H
#define FILEHEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "fg-collapse/perfdata/attrs.h"
#include "fg-collapse/perfdata/features.h"

struct fileheader {
	bool swapped; /* the input has the other byte order */
	bool pipe; /* pipe format: attributes and features come as records */
	uint64_t data, data_end; /* file format: range of the data section */
};

/* True if the bytes are of an output of perf archive, or of a similar archive. */
bool fileheader_is_archive(const void *bytes, size_t n);

/*
 * The file to read for an operand: PATH/data, allocated until exit, if path is a directory
 * written by perf record --threads or --kcore; else path itself.
 */
char *fileheader_file_of(char *path);

/* Reads the attributes, ids and features of a header; exits if the input is not a recording. */
void fileheader_read(
    struct fileheader *h, struct reader *r, struct attrs *attrs, struct features *features);

#endif
