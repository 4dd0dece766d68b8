/*
 * parts: the records of all files of a recording. A recording is one file or, after perf
 * record --threads, the file "data" and, for each ring buffer, a file data.0, data.1, ...
 * beside it, which has records only.
 */
#ifndef PARTS_H
#define PARTS_H

#include "base/sandbox.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/perfdata/attrs.h"
#include "fg-collapse/perfdata/recordstream.h"

struct part {
	struct recordstream stream;
	struct source *source; /* owned; NULL for the first part, the input itself */
	char *name; /* path, for messages; owned unless it is the first part's */
	struct record head; /* next record, if there are several parts */
	uint64_t time; /* ns: of the record, or of the previous one if it has no time */
};

struct parts {
	struct part *part; /* of the input, then of each other file by its number */
	size_t n;
	uint32_t *heap; /* indices of the parts with a record, the oldest on top */
	size_t nheap;
	bool begun;
	struct attrs *attrs;
	bool swapped;
};

/*
 * Initializes p for the input of r, whose data section is from `at` to `limit`, or 0 and 0 for
 * a pipe. directory: also opens the files data.N beside the input. attrs belongs to the caller.
 */
void parts_open(struct parts *p, struct reader *r, struct recordqueue *relay, struct attrs *attrs,
    bool swapped, uint64_t at, uint64_t limit, bool directory);

/*
 * Lets the sandbox list the directory of an input that is named `data`, and read the files data.N
 * beside it.
 */
void parts_sandbox(struct sandbox *s, const char *input);

/* Closes the files and frees all data; reports faults of compressed files. */
void parts_close(struct parts *p, bool strict);

/*
 * Reads the next record; the records of several files come in the order of their times, as
 * far as they have that order in each file. Returns its part, or NULL at the end.
 */
struct part *parts_next(struct parts *p, struct record *record);

#endif
