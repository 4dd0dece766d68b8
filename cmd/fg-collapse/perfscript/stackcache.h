/*
 * stacks: samples of perf script on their way into a call tree. One for each
 * thread.
 */
#ifndef STACKS_H
#define STACKS_H

#include "fg-collapse/perfscript/frameline.h"
#include "fg-collapse/perfscript/header.h"
#include "fg-collapse/shape/memo.h"
#include "profile/sample.h"

/* A frame line; points into the block. */
struct item {
	const char *line, *end;
	struct frameline frame; /* of which the source is known, and the rest when split */
	bool split;
	bool bad; /* it is no frame line, and no part of the stack */
	struct memo_key key; /* of what the frame is */
	struct memo_key prefix; /* of all frames from the root down to this one */
};

struct sample {
	struct header header;
	struct item *item; /* the leaf first; freed by the caller */
	size_t n, cap;
};

/* A line, by its address: the same one comes again soon. */
struct seen {
	struct memo_key key; /* of what it says of its frame */
	uint32_t text, len; /* its place in seen_text; 0 bytes for none */
};

#define SEEN 4096
#define SEEN_MAX 1024 /* bytes of a line */
#define SEEN_TEXT (1u << 20)

struct stacks {
	struct sampler *sampler; /* the caller's */
	struct seen seen[SEEN];
	char *seen_text; /* the lines */
	uint32_t seen_len;
	struct memo prefixes, lines;
	uint32_t *many; /* of lines that are more than one frame: how many, then their names */
	uint32_t nmany, capmany;
	struct text module; /* of the last line that was hashed */
	struct memo_key module_key;
	struct text function; /* at hand */
};

void stacks_init(struct stacks *st, struct sampler *sampler);
void stacks_free(struct stacks *st);

void sample_grow(struct sample *s); /* for one line more */

/* Add a line at the end of a sample, towards the root. */
static inline void
sample_line(struct sample *s, const char *line, const char *end)
{
	struct item *item;

	if (s->n == s->cap)
		sample_grow(s);
	item = &s->item[s->n++];
	item->line = line;
	item->end = end;
	item->frame.source = (struct str){line, 0};
	item->frame.inlined = item->split = item->bad = false;
}

/*
 * Make the keys of all lines and prefixes of s, and ask for the memory that stacks_node will
 * look at first. Returns how many lines are bad.
 */
size_t stacks_key(struct stacks *st, struct sample *s);

/* The node at which the stack of a sample with keys ends; the root when it has nothing. */
uint32_t stacks_node(struct stacks *st, struct sample *s);

#endif
