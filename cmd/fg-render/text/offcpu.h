/*
 * offcpu: the function that a stack's time is charged to. On-CPU time belongs to the last frame.
 * The last frame of off-CPU time is the kernel's scheduler; it is charged to the program's function
 * that blocks.
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "names/waitreason.h"
#include "profile/calltree.h"

struct picture;

struct wait {
	enum wait_reason why;
	value v;
	uint32_t node; /* the frame that waits longest for this reason; 0: none */
	bool others; /* other functions wait for it too */
	uint32_t waker; /* the last frame of the most frequent waker; 0: not recorded */
};
struct waits {
	bool charged; /* false: no value is, and self is the array of the drawn column */
	struct value_array self; /* by node, over all drawn columns */
	struct value_array each[CALLTREE_COLUMNS]; /* with WIDTHS_SUM: self by drawn column */
	value profile_total, waited; /* sum of self; of this, off-CPU */
	struct wait wait[WAIT_REASONS]; /* largest first */
	unsigned nwait;
};
void waits_find(struct picture *p); /* sets off of p; needs sum */
struct waits waits_sum(const struct picture *p);
void waits_free(struct waits *w);
/* True for a frame with the process's or thread's name, which fg-record and others put first. */
bool waits_is_process(const struct picture *p, uint32_t node);

#endif
