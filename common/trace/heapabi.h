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

/*
 * Bytes; below the addresses of position-independent programs, above the heaps of Go, and within
 * 39 bits on AArch64.
 */
#if defined(__aarch64__)
#define HEAPABI_PAGE 0x5000000000
#define HEAPABI_ALIGNMENT 65536 /* the largest page size */
#else
#define HEAPABI_PAGE 0x500000000000
#define HEAPABI_ALIGNMENT 4096
#endif

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
