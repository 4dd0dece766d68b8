/*
 * stacks: samples of perf script on their way into a call tree. One for each
 * thread.
 */
#ifndef STACKS_H
#define STACKS_H

#include "profile/sample.h"
#include "header.h"
#include "memo.h"

/* A frame line, with the source lines that follow it; points into the block. */
struct item {
	const char *line, *end;
	struct memo_key key;
	struct memo_key prefix; /* of all frames from the root down to this one */
};

struct sample {
	struct header header;
	struct item *item; /* the leaf first; freed by the caller */
	size_t n, cap;
	struct memo_key seed; /* of the root, before its frames */
};

struct stacks {
	struct sampler *sampler; /* the caller's */
	struct memo prefixes, lines;
	uint32_t *many; /* of lines that are not one frame: how many, then their names */
	uint32_t nmany, capmany;
	uint64_t malformed; /* lines that are no frame */
	const char *malformed_line; /* the first of them */
};

void stacks_init(struct stacks *st, struct sampler *sampler);
void stacks_free(struct stacks *st);

/* Add a line at the end of a sample, towards the root. */
void sample_line(struct sample *s, const char *line, const char *end);

/*
 * Make the keys of all lines and prefixes of s, with the help of the sample before it
 * (or NULL), and ask for the memory that stacks_node will look at first.
 */
void stacks_key(struct stacks *st, struct sample *s, const struct sample *last);

/* The node at which the stack of a sample with keys ends; the root when it has nothing. */
uint32_t stacks_node(struct stacks *st, const struct sample *s);

#endif
