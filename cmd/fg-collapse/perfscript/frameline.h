/*
 * frameline: parses one frame line of perf script into frame names.
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include "sample/sampler.h"

#define FRAMELINE_MAX 64 /* frames of one line: inlined Java methods, a->b->c */

/*
 * `address symbol+offset (module)`, and the source from the next line if perf script was
 * run with -F +srcline. Address and offset are not part of a frame's identity, except
 * with --addrs. Points into the lines.
 */
struct frameline {
	const char *address; /* white space, then hexadecimal digits */
	struct str symbol; /* without its offset */
	struct str module; /* without its brackets; empty if absent */
	struct str source; /* file:line; empty if absent */
	bool inlined; /* from the source line */
};

/*
 * Parses [line, end); false if it is not a frame line. Does not set source and inlined.
 * *likely is the module of the previous line (empty at first), tried first because
 * neighbours usually share it; it becomes this line's module.
 */
bool frameline_split(struct frameline *f, const char *line, const char *end, struct str *likely);

/* Reads source and inlined from the line that follows the frame line. */
struct str frameline_source(const char *line, const char *end, bool *inlined);

/*
 * Interns the names of the line's frames in s, outermost first; returns their number.
 * java: the process is a JVM. work: a scratch buffer of the caller.
 */
size_t frameline_names(struct sampler *s, const struct frameline *line, bool java,
    struct text *work, uint32_t name[FRAMELINE_MAX]);

/* True if a line begins with white space, a hexadecimal address and a space. */
bool frameline_begins(const char *line, const char *end);

#endif
