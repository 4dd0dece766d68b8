/*
 * heapsample: the samples of libfgheap.so's calls (heapabi), or of a runtime's (heapprobe): their
 * arguments, by registers, and their stacks without the library's frames.
 */
#ifndef HEAPSAMPLE_H
#define HEAPSAMPLE_H

#include <stdbool.h>

#include "trace/chain.h"
#include "trace/heap.h"
#include "trace/heapprobe.h"
#include "trace/perfevent.h"
#include "trace/unwind.h"

/* The report of a call. */
enum heapsample {
	HEAPSAMPLE_NONE, /* it is not a call of these functions, or lacks the registers */
	HEAPSAMPLE_ALLOCATED, /* *b is complete */
	HEAPSAMPLE_FREED, /* *b has pid, address and time */
	HEAPSAMPLE_RESTORED, /* the same */
};

/* Reads the arguments of the call that e, of format f, is a sample of. */
enum heapsample heapsample_read(const struct unwind *u, const struct heapprobes *probes,
    const struct perfevent_format *f, const struct perfevent *e, struct heap_block *b);

/* True if e is a sample of an allocation, so that its stack is needed. */
bool heapsample_has_stack(const struct heapprobes *probes, const struct perfevent *e);

/*
 * Removes the leaf frames of the library; the last frame stays. allocator: removes all frames that
 * its functions have called, too, which an allocator without symbols needs.
 */
void heapsample_strip(struct chain *c, bool allocator);

#endif
