/*
 * touch: pages of a stack that were never written have no memory, and perf's copy of the stack
 * ends there, since the kernel copies without faulting. A function whose large local array is
 * only partly used thus hides all of its callers. Reading one byte of each such page from
 * outside maps the kernel's zero page, which costs the target no memory, and makes later
 * copies complete. Pages that were swapped out come back.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#define TOUCH_THREADS 1024 /* of the last threads it is known what was touched */

struct touch_thread {
	int tid;
	bool refused; /* its memory may not be read */
	uint64_t start, end; /* its stack's mapping; 0: none that may be touched */
	uint64_t low, high; /* addresses that were touched last, and */
	uint64_t time; /* ns: when */
	unsigned n; /* times in the current second */
	uint64_t second;
};

/* All zero is an empty one. */
struct touch {
	struct touch_thread thread[TOUCH_THREADS];
	uint64_t last; /* ns: when any page was touched last, or 0 */
	bool refused; /* the memory of some thread may not be read */
};

/*
 * Touch the pages of a thread's stack from `from`, where a copy ended, up to `to`, as far as they
 * belong to the mapping of the stack pointer and that is private, anonymous and writable. Done
 * once per region and second, and a few times per thread and second.
 */
void touch_stack(struct touch *t, int pid, int tid, uint64_t sp, uint64_t from, uint64_t to);

#endif
