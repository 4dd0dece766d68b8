/*
 * recordsplit: splits blocks of bytes into records.
 */
#include "fg-collapse/perfdata/recordsplit.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define BLOCK (512 * 1024)
#define LIKELY 3 /* consecutive valid records that are not there by chance */

#define SPARE 8 /* blocks kept for later input, since their pages are in memory */

size_t block_held, block_flying;

static struct block *spare[SPARE];
static unsigned nspare;

static struct block *
block_new(size_t size)
{
	struct block *b;

	if (size == BLOCK && nspare > 0) {
		b = spare[--nspare];
	} else {
		b = cli_realloc(NULL, 1, sizeof *b);
		b->bytes = cli_realloc(NULL, size, 1);
		b->size = size;
	}
	b->users = 1;
	b->flying = 0;
	block_held += size;
	return b;
}

static void
block_free(struct block *b)
{
	if (b->size == BLOCK && nspare < SPARE) {
		spare[nspare++] = b;
		return;
	}
	free(b->bytes);
	free(b);
}

void
block_hold(struct block *b)
{
	b->users++;
}

void
block_release(struct block *b)
{
	if (b == NULL || --b->users > 0)
		return;
	block_held -= b->size;
	if (b->flying > 0)
		block_flying += b->size;
	else
		block_free(b);
}

void
block_fly(struct block *b)
{
	b->flying++;
}

void
block_landed(struct block *b)
{
	if (--b->flying > 0 || b->users > 0)
		return;
	block_flying -= b->size;
	block_free(b);
}

unsigned char *
recordsplit_space(struct recordsplit *c, size_t *space)
{
	if (c->block == NULL || c->block->size - c->end < RECORD_MAX) {
		struct block *old = c->block;
		size_t left = c->end - c->at;

		c->block = block_new(BLOCK);
		if (left > 0)
			memcpy(c->block->bytes, old->bytes + c->at, left);
		c->at = 0;
		c->end = left;
		block_release(old);
	}
	*space = c->block->size - c->end;
	return c->block->bytes + c->end;
}

void
recordsplit_filled(struct recordsplit *c, size_t n)
{
	c->end += n;
}

const unsigned char *
recordsplit_rest(const struct recordsplit *c, size_t *n)
{
	*n = c->end - c->at;
	return c->block == NULL ? NULL : c->block->bytes + c->at;
}

void
recordsplit_skip(struct recordsplit *c, size_t n)
{
	c->at += n;
	if (!c->still)
		c->offset += n;
}

struct perf_event_header
recordsplit_header(const struct recordsplit *c, const unsigned char *at)
{
	struct perf_event_header h;

	memcpy(&h, at, sizeof h);
	if (c->swapped) {
		h.type = bswap_32(h.type);
		h.misc = bswap_16(h.misc);
		h.size = bswap_16(h.size);
	}
	return h;
}

enum cut
recordsplit_next(struct recordsplit *c, struct record *r)
{
	size_t left;
	const unsigned char *at = recordsplit_rest(c, &left);
	struct perf_event_header h;

	block_release(c->odd);
	c->odd = NULL;
	if (left < sizeof h)
		return CUT_MORE;
	h = recordsplit_header(c, at);
	if (h.size < sizeof h)
		return CUT_BAD;
	if (left < h.size)
		return CUT_MORE;
	r->offset = c->offset;
	if ((c->at & 7) == 0) {
		r->block = c->block;
		r->h = (struct perf_event_header *)(void *)(c->block->bytes + c->at);
	} else { /* the data before had an odd size: copy to align */
		r->block = c->odd = block_new(h.size);
		memcpy(c->odd->bytes, at, h.size);
		r->h = (struct perf_event_header *)(void *)c->odd->bytes;
	}
	*r->h = h;
	recordsplit_skip(c, h.size);
	return CUT_RECORD;
}

bool
recordsplit_sensible(
    const struct recordsplit *c, const unsigned char *at, size_t left, size_t *size)
{
	struct perf_event_header h;

	if (left < sizeof h)
		return false;
	h = recordsplit_header(c, at);
	*size = h.size;
	return ((h.type >= PERF_RECORD_MMAP && h.type < 32) || (h.type >= 64 && h.type < 96)) &&
	       h.size >= 2 * sizeof h && h.size % 8 == 0;
}

bool
recordsplit_resume(struct recordsplit *c, bool last)
{
	size_t left, size;
	const unsigned char *at = recordsplit_rest(c, &left);

	for (size_t i = 8; i + 8 <= left; i += 8) {
		size_t next = i;
		unsigned n = 0;

		while (n < LIKELY && recordsplit_sensible(c, at + next, left - next, &size)) {
			n++;
			next += size;
			if (next >= left)
				break;
		}
		/* The last LIKELY records may be fewer, if the data end after one of them. */
		if (n == LIKELY || (n > 0 && (last ? next == left : next >= left))) {
			recordsplit_skip(c, i);
			return true;
		}
	}
	recordsplit_skip(c, left > 8 ? (left - 8) & ~(size_t)7 : last ? left : 0);
	return false;
}

void
recordsplit_free(struct recordsplit *c)
{
	block_release(c->block);
	block_release(c->odd);
	c->block = c->odd = NULL;
	c->at = c->end = 0;
}
