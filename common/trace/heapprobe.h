/*
 * heapprobe: functions of a runtime that are called for some of the blocks it allocates, at
 * intervals of bytes. A hardware breakpoint on them samples the allocations of a running process.
 *
 * HotSpot calls AllocTracer for each new allocation buffer of a thread and for each object outside
 * of one, whatever its settings are. The object that begins a new buffer stands for the bytes of
 * that buffer: the chance of an object to be that one is its size / the buffer's.
 */
#ifndef HEAPPROBE_H
#define HEAPPROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/process.h"

#define HEAPPROBES \
	2 /* of a process: a thread has four breakpoints, of which a debugger needs some */

struct heapprobe {
	uint64_t address; /* in the process; 0: none */
	unsigned char total; /* number of the argument with the bytes that the block stands for */
	unsigned char size; /* of the one with the block's own bytes */
};

struct heapprobes {
	struct heapprobe probe[HEAPPROBES];
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

/* The probe at an address; NULL: none. */
const struct heapprobe *heapprobe_at(const struct heapprobes *p, uint64_t address);

#endif
