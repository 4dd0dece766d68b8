/*
 * heapabi: what libfgheap.so (share/heap) and fg-record agree on.
 *
 * The library calls an empty function for each sampled allocation, and another one when such a
 * block is freed. The recorder samples these calls with hardware breakpoints. It opens them before
 * the program starts, so the page with both functions is mapped at the same address in each
 * process.
 */
#ifndef HEAPABI_H
#define HEAPABI_H

#include <stdint.h>

#include "kernel/cpu.h"

#define HEAPABI_PAGE CPU_HEAP_PAGE
#define HEAPABI_ALIGNMENT CPU_HEAP_ALIGNMENT

/* fg_heap_alloc(pointer, size, mean, flags): a block of `size` bytes was allocated and sampled. */
#define HEAPABI_ALLOC (HEAPABI_PAGE + 0)
/* fg_heap_free(pointer): such a block will be freed. */
#define HEAPABI_FREE (HEAPABI_PAGE + 64)

/* Flags of fg_heap_alloc. */
#define HEAPABI_UNTRACKED 1 /* the library has no space to notice when it is freed */
#define HEAPABI_RESTORED 2 /* realloc(3) failed: the block is allocated still */

/*
 * Where breakpoints are refused, the library itself writes its samples, into memory that the
 * recorder maps too: calls into slots with a stack copy, ends of blocks into small slots. A writer
 * owns a slot from HEAPABI_WRITING to HEAPABI_READY. Writers are untrusted: the recorder copies a
 * slot before it reads it.
 */
#define HEAPABI_SHARED "FG_HEAP_SHARED" /* environment: the path of that memory; absent: none */
#define HEAPABI_CALLS 2048
#define HEAPABI_ENDS 65536
#define HEAPABI_COPY 16384 /* bytes of a stack copy, at most */
#define HEAPABI_REGISTERS 33 /* by perf's number: PERF_REG_X86_*, PERF_REG_ARM64_* */

enum { HEAPABI_FREE_SLOT, HEAPABI_WRITING, HEAPABI_READY };

struct heapabi_call {
	uint32_t state; /* atomic */
	uint32_t pid, tid;
	uint32_t nstack; /* bytes */
	uint64_t time; /* ns, CLOCK_MONOTONIC */
	uint64_t pointer, size, mean, flags; /* the arguments */
	uint64_t reg[HEAPABI_REGISTERS];
	unsigned char stack[HEAPABI_COPY]; /* from the stack pointer on */
};

struct heapabi_end {
	uint32_t state; /* atomic */
	uint32_t pid, tid, unused;
	uint64_t time; /* ns */
	uint64_t pointer;
};

struct heapabi_shared {
	uint32_t next_call,
	    next_end; /* atomic: where to look for a free slot, modulo their number */
	uint32_t
	    full; /* atomic: 1 once a writer found no free slot for long; the recorder clears it */
	uint32_t unused;
	uint64_t lost; /* atomic: calls without a free slot */
	struct heapabi_end end[HEAPABI_ENDS];
	struct heapabi_call call[HEAPABI_CALLS];
};

#define HEAPABI_LIBRARY "libfgheap.so"
#define HEAPABI_MEAN "FG_HEAP_MEAN" /* environment: mean bytes between samples */
#define HEAPABI_MEAN_DEFAULT 524288
#define HEAPABI_MAPPINGS "FG_HEAP_MAPPINGS" /* environment; present: mappings are counted, too */

#endif
