/*
 * sampleline: parses the first line of a perf script sample, `comm pid/tid [cpu] time:
 * period event: ...`, most parts of which are optional.
 */
#ifndef SAMPLELINE_H
#define SAMPLELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pointers are into the line. */
struct sampleline {
	const char *comm; /* length 0 if the line has none */
	size_t comm_len;
	const char *pid, *tid; /* by default perf script prints only the tid */
	size_t pid_len, tid_len; /* 0 if absent */
	bool has_time;
	uint64_t time; /* ns */
	uint64_t period; /* 0 if absent */
	const char *event;
	size_t event_len;
	const char *rest; /* after the event's colon: a lone frame, or a tracepoint's fields */
};

enum sampleline_kind {
	HEADER_NONE, /* not a header line */
	HEADER_SAMPLE,
	HEADER_RECORD, /* a sideband record (mmap, comm, fork, ...) */
};

enum sampleline_kind sampleline_parse(const char *line, const char *end, struct sampleline *h);

#define HEADER_CACHE 16 /* entries */

/* Recent headers; most differ from one of them in their time only. All zero at first. */
struct sampleline_cache {
	struct cached_header {
		char text[256]; /* the line's parts before the time and from the colon after it */
		size_t before, after; /* their lengths; after 0: unused entry */
		bool open; /* white space and anything else may follow */
		enum sampleline_kind kind;
		struct sampleline header; /* pointers are into text */
	} entry[HEADER_CACHE];
};

/* Like sampleline_parse, with less work for a line that is like a recent one. */
enum sampleline_kind sampleline_parse_next(
    struct sampleline_cache *c, const char *line, const char *end, struct sampleline *h);

/* True for an empty line. */
static inline bool
sampleline_blank(const char *line, const char *end)
{
	return line == end || (line[0] == '\r' && line + 1 == end);
}

/*
 * True if a line within a sample begins the next one. Headers start in the first column
 * and frames do not, unless perf script right-aligned the comms or a script removed
 * leading white space; then a header must have a time.
 */
bool sampleline_begins(const char *line, const char *end);

#endif
