/*
 * stackcache: adds samples of perf script to a call tree; remembers the nodes of known
 * stacks and the frames of known lines. One per thread.
 */
#ifndef STACKCACHE_H
#define STACKCACHE_H

#include "fg-collapse/perfscript/frameline.h"
#include "fg-collapse/perfscript/header.h"
#include "fg-collapse/shape/memo.h"
#include "profile/sample.h"

/* A frame line; points into the block. */
struct item {
	const char *line, *end;
	struct frameline frame; /* source and inlined; the other fields if split */
	bool split;
	bool bad; /* not a frame line: not part of the stack */
	struct memo_key key; /* hash of the frame, without address and offset */
	struct memo_key prefix; /* hash of all frames from the root to this one */
};

struct sample {
	struct header header;
	struct item *item; /* leaf first; freed by the caller */
	size_t n, cap;
};

/* A recent line, found by its address: the same line often comes again soon. */
struct known_line {
	struct memo_key key; /* hash of its frame */
	uint32_t text, len; /* its bytes in seen_text; len 0: unused entry */
};

#define SEEN 4096
#define SEEN_MAX 1024 /* bytes of a line */
#define SEEN_TEXT (1u << 20)

struct stackcache {
	struct sampler *sampler; /* owned by the caller */
	struct known_line seen[SEEN];
	char *seen_text; /* bytes of the lines in seen */
	uint32_t seen_len;
	struct memo prefixes, lines;
	uint32_t *many; /* lines with several frames: their number, then the names */
	uint32_t nmany, capmany;
	struct text module; /* of the last hashed line */
	struct memo_key module_key;
	struct text function; /* scratch buffer */
};

/* st is all zero; small inputs touch little of it. */
void stackcache_init(struct stackcache *st, struct sampler *sampler);
void stackcache_free(struct stackcache *st);

void sample_grow(struct sample *s); /* makes space for one more line */

/* Adds a line at the root end of a sample. */
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
 * Computes the keys of all lines and prefixes of s and prefetches the memo slots that
 * stackcache_node reads first. Returns the number of bad lines.
 */
size_t stackcache_key(struct stackcache *st, struct sample *s);

/* The leaf node of a sample with keys; the root node if its stack is empty. */
uint32_t stackcache_node(struct stackcache *st, struct sample *s);

#endif
