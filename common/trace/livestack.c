/* livestack: reads a part of the stack, and a larger part if the unwinder needs it. */
#include "trace/livestack.h"

#include <stdlib.h>

#include "base/cli.h"
#include "access/opener.h"

#define FIRST                                                                             \
	((size_t)64 << 10) /* bytes of the part at the stack pointer; others are twice as \
			      large as the one before */
#define PAGE UINT64_C(4096)

/* Reads a part of the stack from `at` on; NULL if it cannot be read. m: see livestack_read. */
static struct stack_part *
read_part(struct livestack *l, struct memory_reader *m, int tid, uint64_t at, size_t size)
{
	struct stack_part *part = &l->part[l->npart];
	struct iovec here, there = {(void *)(uintptr_t)at, size};
	ssize_t n = 0;

	if (l->bytes[l->npart] == NULL)
		l->bytes[l->npart] = cli_alloc(size, 1);
	here = (struct iovec){l->bytes[l->npart], size};
	/* A shorter read means that the stack's mapping ended. */
	if (m != NULL)
		n = (ssize_t)memory_fetch(m, at, l->bytes[l->npart], size);
	if (n <= 0)
		n = opener_memory(tid, &here, &there, 1);
	if (n <= 0)
		return NULL;
	*part = (struct stack_part){at, l->bytes[l->npart++], (size_t)n};
	return part;
}

bool
livestack_read(struct livestack *l, struct unwind *u, struct memory_reader *m, int tid,
    struct unwind_input *in, uint64_t sp, struct chain *c)
{
	const size_t nkernel = c->nkernel;
	const struct stack_part *part;

	if (l->native == NULL)
		l->native = cli_alloc(UNWIND_DEPTH, sizeof *l->native);
	in->native = l->native;
	l->npart = 0;
	part = read_part(l, m, tid, sp, FIRST);
	if (part == NULL)
		return false;
	in->stack = part->bytes;
	in->nstack = part->n;
	in->above = l->part + 1;
	for (;;) {
		uint64_t at;

		in->nabove = l->npart - 1;
		c->n = c->nkernel = nkernel;
		chain_add_stack(c, u, in);
		if ((c->end != UNWIND_TRUNCATED && c->end != UNWIND_SWITCHED) ||
		    l->npart == LIVESTACK_PARTS)
			return true;
		/*
		 * The caller of a function with a large array is far above it. On another stack, it
		 * may be anywhere: below an alternate signal stack.
		 */
		at = unwind_missing(u) & -PAGE;
		if (c->end == UNWIND_TRUNCATED && at < part->at + part->n)
			at = part->at + part->n;
		if (unwind_missing(u) < at ||
		    (part = read_part(l, NULL, tid, at, FIRST << l->npart)) == NULL)
			return true;
	}
}

void
livestack_free(struct livestack *l)
{
	for (size_t i = 0; i < LIVESTACK_PARTS; i++)
		free(l->bytes[i]);
	free(l->native);
}
