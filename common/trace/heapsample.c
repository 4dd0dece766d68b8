/* heapsample: the arguments of calls, by the processor's calling convention. */
#include "trace/heapsample.h"

#include <string.h>

#include "kernel/cpu.h"
#include "trace/heapabi.h"

#define SIZE_MOST (UINT64_C(1) << 48) /* bytes: more than an address space has */

/* DWARF numbers of the registers of the first five arguments. */
static const unsigned char argument[] = {CPU_ARGUMENTS};
static const unsigned char go_argument[] = {CPU_GO_ARGUMENTS};

static bool
is_size(uint64_t bytes)
{
	return bytes > 0 && bytes <= SIZE_MOST;
}

bool
heapsample_has_stack(const struct heapprobes *probes, const struct perfevent *e)
{
	return e->sample.ip == HEAPABI_ALLOC || heapprobe_at(probes, e->sample.ip) != NULL;
}

enum heapsample
heapsample_read(const struct unwind *u, const struct heapprobes *probes,
    const struct perfevent_format *f, const struct perfevent *e, struct heap_block *b)
{
	const struct heapprobe *probe = heapprobe_at(probes, e->sample.ip);
	struct unwind_input in;
	uint64_t flags;

	if ((!heapsample_has_stack(probes, e) && e->sample.ip != HEAPABI_FREE) ||
	    e->sample.regs_user == NULL ||
	    !unwind_registers(u, &in, e->sample.regs_abi, f->regs_user, e->sample.regs_user) ||
	    in.is_32bit)
		return HEAPSAMPLE_NONE;
	*b = (struct heap_block){.pid = e->pid, .address = in.reg[argument[0]], .time = e->time};
	if (probe != NULL) {
		const unsigned char *of = probe->go ? go_argument : argument;

		b->size = in.reg[of[probe->size]];
		b->weight = in.reg[of[probe->total]];
		if (probe->is_class) {
			const size_t class = (uint8_t)b->size >> 1; /* a byte, and a flag */

			b->size = class < HEAPPROBE_CLASSES ? probes->block[class] : 0;
			b->weight = class < HEAPPROBE_CLASSES ? probes->span[class] : 0;
		}
		return is_size(b->size) && is_size(b->weight) ? HEAPSAMPLE_ALLOCATED
							      : HEAPSAMPLE_NONE;
	}
	if (e->sample.ip == HEAPABI_FREE)
		return HEAPSAMPLE_FREED;
	flags = in.reg[argument[3]];
	if (flags & HEAPABI_RESTORED)
		return HEAPSAMPLE_RESTORED;
	b->size = in.reg[argument[1]];
	b->mean = in.reg[argument[2]];
	b->untracked = (flags & HEAPABI_UNTRACKED) != 0;
	if (!is_size(b->size) || !is_size(b->mean))
		return HEAPSAMPLE_NONE; /* the library never reports that: it is not the caller */
	return HEAPSAMPLE_ALLOCATED;
}

static bool
is_ours(const struct unwind_frame *f)
{
	return f->module != NULL && strcmp(f->module->name, HEAPABI_LIBRARY) == 0;
}

void
heapsample_strip(struct chain *c, bool allocator)
{
	size_t n = 0;

	if (c->nkernel > 0)
		return;
	while (n + 1 < c->n && is_ours(&c->frame[n]))
		n++;
	for (size_t i = n; allocator && i + 1 < c->n; i++)
		if (is_ours(&c->frame[i]))
			n = i + 1;
	c->n -= n;
	memmove(c->frame, c->frame + n, c->n * sizeof *c->frame);
}
