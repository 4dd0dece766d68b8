/*
 * stackcache: adds samples of perf script to a call tree; remembers the frames of known lines.
 * One per thread.
 */
#ifndef STACKCACHE_H
#define STACKCACHE_H

#include "fg-collapse/perfscript/frameline.h"
#include "fg-collapse/perfscript/sampleline.h"
#include "fg-collapse/perfscript/tails.h"
#include "fg-collapse/shape/memo.h"
#include "sample/sampler.h"

/* A line of a frame; points into the block. */
struct item {
	const char *line, *end;
	struct str source; /* from the next line; empty if absent */
	bool inlined; /* by the next line */
	bool bad; /* not a frame line: not part of the stack */
	uint32_t *recent; /* its entry in recent; NULL: none */
	uint32_t at; /* number of the line in its block, from 0 */
};

struct sample {
	struct sampleline header;
	uint32_t root; /* node above its frames */
	bool java; /* the process is a JVM */
	struct item *item; /* leaf first; freed by the caller */
	size_t n, cap;
	const struct tail *tail; /* an earlier sample with the same outer frames; NULL: none */
	uint32_t same; /* number of the frames that tail has */
	const char *end; /* the empty line after its last line, or NULL */
	uint32_t lines; /* number of that line in its block */
	size_t bad; /* number of lines without a frame; set by stackcache_node */
};

/*
 * A frame line without its address and offset: text has the symbol and the rest of the line.
 * Lines with equal text have equal names.
 */
struct known_line {
	uint32_t number; /* of its frame or frames */
	uint16_t symbol, rest; /* bytes in text; symbol 0: the text is not stored */
	bool java;
	char text[];
};

#define RECENT_FEW 1024 /* entries for few lines */
#define RECENT 32768 /* entries for more */
#define RECENT_MAX 1024 /* bytes of a line */

struct stackcache {
	struct sampler *sampler; /* owned by the caller */
	uint32_t *recent, places; /* entries: places in known, plus 1; 0: unused */
	struct memo lines; /* the same */
	char *known; /* lines, each at a multiple of its alignment */
	uint32_t nknown, capknown; /* bytes */
	uint32_t *many; /* lines with several frames: their number, then the names */
	uint32_t nmany, capmany;
	struct text module; /* of the last hashed line */
	struct memo_key module_key;
	struct text comm; /* of the last sample; and its root and java, if one follows from it */
	uint32_t root;
	bool java, has_root;
	struct text function; /* scratch buffer */
	struct tails tails;
};

/* st is all zero; small inputs touch little of it. */
void stackcache_init(struct stackcache *st, struct sampler *sampler);
void stackcache_free(struct stackcache *st);

void sample_grow(struct sample *s); /* makes space for one more line */

/* Adds a line at the root end of a sample. */
static inline void
sample_line(struct sample *s, const char *line, const char *end, uint32_t at)
{
	struct item *item;

	if (s->n == s->cap)
		sample_grow(s);
	item = &s->item[s->n++];
	item->line = line;
	item->end = end;
	item->source = (struct str){line, 0};
	item->inlined = item->bad = false;
	item->at = at;
}

/* Sets root and java from the sample's header. */
void stackcache_begin(struct stackcache *st, struct sample *s);

/* The leaf node of a sample; the root node if its stack is empty. */
uint32_t stackcache_node(struct stackcache *st, struct sample *s);

#endif
