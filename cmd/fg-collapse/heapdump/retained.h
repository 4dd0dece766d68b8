/*
 * retained: the values of a heap dump. Input: objects, classes and roots. Output: samples of two
 * events: retained, whose stacks are the classes of an object's dominators, then its own; and
 * shallow, with the object's class only. Consecutive objects of one class are one frame.
 */
#ifndef RETAINED_H
#define RETAINED_H

#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/heapdump/classes.h"
#include "fg-collapse/heapdump/objects.h"
#include "fg-collapse/reader.h"

struct retained {
	uint64_t *root; /* IDs */
	size_t nroot, caproot;
	/* Threads, and roots that belong to one: its number and the ID. */
	struct retained_thread {
		uint32_t number;
		uint64_t id;
	} * thread, *local;
	size_t nthread, capthread, nlocal, caplocal;
};

void retained_root(struct retained *t, uint64_t id);
void retained_thread(struct retained *t, uint64_t id, uint32_t number);
void retained_local(struct retained *t, uint64_t id, uint32_t thread);

/* Passes all samples to the reader's sampler. */
void retained_give(
    struct retained *t, struct objects *o, struct classes *l, struct reader *r, unsigned id_size);

void retained_free(struct retained *t);

#endif
