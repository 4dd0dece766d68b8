/*
 * frameline: one frame line of perf script to the names of its frames.
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include "profile/sample.h"

#define FRAMELINE_MAX 64 /* the most frames one line stands for: inlined Java methods a->b->c */

/*
 * `address symbol+offset (module)`, and what the line below it says where perf script was
 * run with -F +srcline. What a frame is depends on neither the address nor the offset,
 * unless a user asked for addresses. Points into the lines.
 */
struct frameline {
	const char *address; /* white space, then its digits */
	struct str symbol; /* without its offset */
	struct str module; /* without its brackets; empty where there is none */
	struct str source; /* file:line; empty where there is none */
	bool inlined; /* as the line below says */
};

/*
 * Take [line, end) apart; false when it is no frame line. Leaves source and inlined
 * alone. *likely is the module of a line before, empty at first: mostly it is this
 * one's too. It becomes this one's.
 */
bool frameline_split(struct frameline *f, const char *line, const char *end, struct str *likely);

/* The same for the line below. */
void frameline_source(struct frameline *f, const char *line, const char *end);

/*
 * The names of its frames in s, the outermost first; returns how many there are.
 * java says that the process is Java's. work is the caller's, to be used again.
 */
size_t frameline_names(struct sampler *s, const struct frameline *line, bool java,
    struct text *work, uint32_t name[FRAMELINE_MAX]);

/* Whether a line begins as a frame line does: white space, a hexadecimal address, a space. */
bool frameline_begins(const char *line, const char *end);

#endif
