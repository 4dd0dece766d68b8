/*
 * payload: data for the viewer, compressed and in base 91, in elements of the SVG.
 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "fg-render/picture.h"

struct payload { /* state of one compression */
	const struct text *raw;
	unsigned char *zipped;
	size_t len;
	pthread_t thread;
	bool threaded;
};
void payload_begin(struct payload *k, const struct text *raw); /* keeps raw until payload_end */
void payload_end(struct payload *k, const char *name, struct output *o);
void payload_write(struct output *o, const char *name, const struct text *raw); /* begin and end */
void payload_gzip(struct output *o, const struct text *raw); /* writes raw as a gzip file */
/* Writes gzip data in base 91, as base91.awk makes it at build time. */
void payload_constant(struct output *o, const char *name, const char *base91);

#define PAYLOAD_VARINT 10 /* maximum length of a varint in bytes */

/* Writes v as LEB128; returns the end. */
static inline char *
payload_put(char *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (char)(v | 0x80);
	*to++ = (char)v;
	return to;
}

/* Appends v as LEB128. */
static inline void
payload_varint(struct text *b, uint64_t v)
{
	if (b->cap - b->len <= PAYLOAD_VARINT)
		text_reserve(b, PAYLOAD_VARINT);
	b->len = (size_t)(payload_put(b->s + b->len, v) - b->s);
}

/* metadata.c */
void payload_options(const struct picture *p, struct output *o);

/* columns.c */
struct columns {
	struct text runs, ids, value[CALLTREE_COLUMNS];
	struct payload payload[2 + CALLTREE_COLUMNS]; /* in the order runs, ids, value[] */
};
void columns_build(const struct picture *p, struct columns *c); /* compresses in threads */
void columns_write(const struct picture *p, struct columns *c, struct output *o);
void columns_free(struct columns *c);
void columns_names(const struct picture *p, struct output *o);
uint64_t columns_integer(const struct picture *p, value v); /* self value in the viewer's units */
uint32_t columns_units(
    const char *s, size_t len); /* length of clean text in UTF-16, JavaScript's unit */

/*
 * viewerscript.c: the viewer itself. From that many frames on it decodes them in a worker, which
 * takes as long to start as to decode fewer.
 */
#define VIEWER_WORKER 100000
/* From that many frames on the viewer draws the reversed tree before all of it is known. */
#define VIEWER_ROUGH 10000
void script_write(const struct picture *p, struct output *o);

/* viewertables.c: data on names and colours for the viewer */
void tables_write(const struct picture *p, struct output *o);

#endif
