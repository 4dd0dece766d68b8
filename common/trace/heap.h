/*
 * heap: sampled allocations by stack: bytes and blocks allocated, bytes live at the end, and bytes
 * live when most were.
 *
 * Input: blocks that were sampled with probability 1 - exp(-size / mean), each with the node of its
 * stack in a rawtree, and the ends of such blocks, nearly in time order. Output: estimates of the
 * four values for each stack, as columns of the rawtree. A sampled block of n bytes stands for
 * n / (1 - exp(-n / mean)) bytes (the Horvitz-Thompson estimator), without bias for any mixture of
 * sizes.
 *
 * Blocks are those of their process: a child's copies of its parent's blocks do not count.
 */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/rawtree.h"

enum heap_column {
	HEAP_ALLOCATED, /* bytes */
	HEAP_ALLOCATIONS, /* blocks */
	HEAP_LIVE, /* bytes that were not freed, also of processes that have ended */
	HEAP_PEAK, /* bytes live in running processes when their sum was largest */
	HEAP_COLUMNS
};
extern const char *const heap_column[HEAP_COLUMNS];
extern const char *const heap_unit[HEAP_COLUMNS];

struct heap;

struct heap_block {
	uint32_t pid;
	uint64_t address;
	uint64_t size, mean; /* bytes */
	uint64_t weight; /* bytes, from a runtime that reports no ends; or 0 */
	uint64_t time; /* ns */
	bool untracked; /* its end will not be reported */
};

struct heap *heap_new(void);
void heap_free(struct heap *h);

/* Adds a sampled block of the stack that ends at node. */
void heap_allocated(struct heap *h, const struct heap_block *b, uint32_t node);

/* A block ends; one that is unknown, or was allocated after `time`, is not one of ours. */
void heap_freed(struct heap *h, uint32_t pid, uint64_t address, uint64_t time);

/*
 * A block that was reported as freed is not: realloc(3) failed. It is found among the last ones
 * that its process freed.
 */
void heap_restored(struct heap *h, uint32_t pid, uint64_t address);

/* A process has the page of libfgheap.so, so that its allocations are sampled from now on. */
void heap_loaded(struct heap *h, uint32_t pid);

/* A process has a runtime whose objects are not blocks of malloc(3). */
struct heapruntime;
void heap_has_runtime(struct heap *h, const struct heapruntime *r);

/*
 * A runtime's own sums of a stack: blocks allocated since the last heap_write, and live blocks.
 * heap_recount begins the next values of all stacks; peaks are unknown.
 */
struct heap_sums {
	double blocks;
	uint64_t allocated, live; /* bytes */
	uint64_t mean; /* bytes between samples */
};
void heap_recount(struct heap *h);
void heap_counted(struct heap *h, uint32_t node, const struct heap_sums *s);

/*
 * A process ends, or execve(2) replaces its program (replaced), so that its blocks are gone, too:
 * those of a process that ends are live in HEAP_LIVE still.
 */
void heap_gone(struct heap *h, uint32_t pid, bool replaced);

/*
 * Adds the values since the last call to the columns of p, whose nodes are those of the blocks.
 * With `to`, stacks of live blocks are copied to that tree, whose nodes are used from now on.
 */
void heap_write(struct heap *h, struct rawtree *p, struct rawtree *to);

/* Sums since heap_new; bytes are estimates. */
struct heap_totals {
	double allocations; /* blocks */
	uint64_t allocated; /* bytes */
	uint64_t live;
	uint64_t peak; /* the largest of all intervals */
	uint64_t untracked; /* of blocks whose end is not noticed: they count as live */
	uint64_t mean; /* bytes between samples, as the library reports it; 0: none, or it varies */
	const struct heapruntime *runtime; /* of heap_has_runtime, the first one; NULL: none */
	/* HEAP_LIVE: a runtime did not report ends of blocks; HEAP_PEAK: it sums them itself */
	enum heap_column columns; /* number of the ones that are known */
	uint64_t programs; /* that execve(2) started */
	uint64_t unloaded; /* of these, without libfgheap.so */
};
struct heap_totals heap_totals(const struct heap *h);

#endif
