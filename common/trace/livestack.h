/*
 * livestack: stacks of blocked or stopped threads, unwound from their memory instead of a stack
 * copy.
 */
#ifndef LIVESTACK_H
#define LIVESTACK_H

#include <stdbool.h>

#include "trace/chain.h"
#include "trace/unwind.h"

struct livestack {
	unsigned char *bytes; /* memory of the last stack: n of them, from address on */
	size_t size, n;
	uint64_t address;
	struct native_frame *native; /* frames of the last stack: c->n - c->nkernel of them */
};

/*
 * Add the stack of thread tid to the kernel part in c. The caller sets process, is_32bit and the
 * registers in `in`; the other fields are set here. False if the thread's memory cannot be read.
 */
bool livestack_read(struct livestack *l, struct unwind *u, int tid, struct unwind_input *in,
    uint64_t sp, struct chain *c);

void livestack_free(struct livestack *l);

#endif
