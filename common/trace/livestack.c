/* livestack: reads a part of the stack, and a larger part if the unwinder needs it. */
#include "trace/livestack.h"

#include <stdlib.h>

#include "base/cli.h"
#include "code/opener.h"

#define FIRST ((size_t)64 << 10) /* bytes to read at first */
#define MAX ((size_t)8 << 20) /* upper limit, in bytes */

bool
livestack_read(struct livestack *l, struct unwind *u, int tid, struct unwind_input *in, uint64_t sp,
    struct chain *c)
{
	const size_t nkernel = c->nkernel;

	if (l->native == NULL)
		l->native = cli_alloc(UNWIND_DEPTH, sizeof *l->native);
	in->native = l->native;
	for (size_t size = FIRST;; size *= 4) {
		struct iovec here, there = {(void *)(uintptr_t)sp, size};
		ssize_t n;

		if (size > l->size) {
			l->bytes = cli_realloc(l->bytes, size, 1);
			l->size = size;
		}
		here = (struct iovec){l->bytes, size};
		/* A shorter read means that the stack's mapping ended. */
		n = opener_memory(tid, &here, &there, 1);
		if (n <= 0)
			return false;
		in->stack = l->bytes;
		in->nstack = l->n = (size_t)n;
		l->address = sp;
		c->n = c->nkernel = nkernel;
		chain_add_stack(c, u, in);
		if (c->end != UNWIND_TRUNCATED || (size_t)n < size || size >= MAX)
			return true;
	}
}

void
livestack_free(struct livestack *l)
{
	free(l->bytes);
	free(l->native);
}
