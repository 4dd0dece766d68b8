/* heapsample: registers by the calling convention of each processor. */
#include "trace/heapsample.h"

#include <string.h>

#include "trace/heapabi.h"

#define SIZE_MOST (UINT64_C(1) << 48) /* bytes: more than an address space has */

/* DWARF numbers of the registers of the first four arguments. */
#if defined(__aarch64__)
static const unsigned char argument[] = {0, 1, 2, 3};
#else
static const unsigned char argument[] = {5, 4, 1, 2}; /* rdi, rsi, rdx, rcx */
#endif

enum heapsample
heapsample_read(const struct unwind *u, const struct perfevent_format *f, const struct perfevent *e,
    struct heap_block *b)
{
	struct unwind_input in;
	uint64_t flags;

	if ((e->sample.ip != HEAPABI_ALLOC && e->sample.ip != HEAPABI_FREE) ||
	    e->sample.regs_user == NULL ||
	    !unwind_registers(u, &in, e->sample.regs_abi, f->regs_user, e->sample.regs_user) ||
	    in.is_32bit)
		return HEAPSAMPLE_NONE;
	*b = (struct heap_block){.pid = e->pid, .address = in.reg[argument[0]], .time = e->time};
	if (e->sample.ip == HEAPABI_FREE)
		return HEAPSAMPLE_FREED;
	flags = in.reg[argument[3]];
	if (flags & HEAPABI_RESTORED)
		return HEAPSAMPLE_RESTORED;
	b->size = in.reg[argument[1]];
	b->mean = in.reg[argument[2]];
	b->untracked = (flags & HEAPABI_UNTRACKED) != 0;
	if (b->size == 0 || b->size > SIZE_MOST || b->mean == 0 || b->mean > SIZE_MOST)
		return HEAPSAMPLE_NONE; /* the library never reports that: it is not the caller */
	return HEAPSAMPLE_ALLOCATED;
}

void
heapsample_strip(struct chain *c)
{
	size_t n = 0;

	if (c->nkernel > 0)
		return;
	while (n + 1 < c->n && c->frame[n].module != NULL &&
	       strcmp(c->frame[n].module->name, HEAPABI_LIBRARY) == 0)
		n++;
	c->n -= n;
	memmove(c->frame, c->frame + n, c->n * sizeof *c->frame);
}
