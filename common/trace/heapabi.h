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

#define HEAPABI_LIBRARY "libfgheap.so"
#define HEAPABI_MEAN "FG_HEAP_MEAN" /* environment: mean bytes between samples */
#define HEAPABI_MEAN_DEFAULT 524288

#endif
