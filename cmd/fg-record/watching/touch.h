/*
 * touch: makes unused pages of a stack readable for perf's stack copy.
 *
 * Pages of a stack that were never written have no memory. The kernel copies without page
 * faults, so that the stack copy ends there: a function that uses only a part of a large local
 * array hides all of its callers. Reading one byte of each such page from outside maps the
 * kernel's zero page, which costs the target no memory, and makes later copies complete. Swapped
 * pages are read in again.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#define TOUCH_THREADS 1024 /* threads whose touched ranges are remembered */

struct touch_thread {
	int tid;
	bool refused; /* its memory may not be read */
	uint64_t start, end; /* mapping of its stack; 0: none that may be touched */
	uint64_t low, high; /* range touched last */
	uint64_t time; /* ns: time of the last touch */
	unsigned n; /* touches in the current second */
	uint64_t second;
};

/* Initialize with zero. */
struct touch {
	struct touch_thread thread[TOUCH_THREADS];
	uint64_t last; /* ns: last touch of any page; 0: none */
	bool refused; /* the memory of some thread may not be read */
};

/*
 * Touches the pages of a thread's stack from `from`, where a copy ended, to `to`, within the
 * mapping of the stack pointer, if that is private, anonymous and writable. Repeats a range
 * after a second at the earliest, and is limited to a few times per thread and second.
 */
void touch_stack(struct touch *t, int pid, int tid, uint64_t sp, uint64_t from, uint64_t to);

#endif
