/*
 * heapprobe: functions of a runtime that are called for some of the blocks it allocates, at
 * intervals of bytes. A hardware breakpoint on them samples the allocations of a running process.
 *
 * HotSpot calls AllocTracer for each new allocation buffer of a thread and for each object outside
 * of one, whatever its settings are. The object that begins a new buffer stands for the bytes of
 * that buffer: the chance of an object to be that one is its size / the buffer's. In Go's runtime
 * it is the block that needs a new span; a span that has blocks already counts as empty.
 */
#ifndef HEAPPROBE_H
#define HEAPPROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"
#include "trace/process.h"

#define HEAPPROBES \
	2 /* of a process: a thread has four breakpoints, of which a debugger needs some */

#define HEAPPROBE_CLASSES 128 /* Go has 68 classes of sizes */

struct heapprobe {
	uint64_t address; /* in the process; 0: none */
	bool go; /* arguments are passed as Go does, not C */
	bool is_class; /* the argument is a class, see heapprobes */
	unsigned char total; /* number of the argument with the bytes that the block stands for */
	unsigned char size; /* of the one with the block's own bytes */
};

struct heapprobes {
	struct heapprobe probe[HEAPPROBES];
	/* Go: by class of sizes, bytes of a block and of a span, the memory for many of them */
	uint32_t block[HEAPPROBE_CLASSES], span[HEAPPROBE_CLASSES];
};

/* A runtime that does not get the memory of its objects from malloc(3). */
struct heapruntime {
	const char *file; /* base name of its program or library; NULL: Go, by a section */
	const char *objects; /* "objects of JavaScript" */
	const char *instead; /* the way to record them */
};

/* The runtime in a file that was mapped; NULL if it is none of them. */
const struct heapruntime *heapruntime_of(struct module *m);

/*
 * Finds the functions of a process, whose mappings are known. False if it has none, or if their
 * file has no symbols.
 */
bool heapprobe_find(struct heapprobes *to, struct process *p);

/* The program of a process that is one of Go; false: it is not, or is not mapped. */
bool heapprobe_go(struct runtime_module *m, struct process *p);

/*
 * Finds the functions of a Go program, which are called when a class of sizes needs new memory, and
 * for each large block. False: it has no symbols, or is older than Go 1.17.
 */
bool heapprobe_find_go(struct heapprobes *to, const struct runtime_module *m);

/* The probe at an address; NULL: none. */
const struct heapprobe *heapprobe_at(const struct heapprobes *p, uint64_t address);

#endif
