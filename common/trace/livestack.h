/*
 * livestack: stacks of blocked or stopped threads, unwound from their memory instead of a stack
 * copy.
 */
#ifndef LIVESTACK_H
#define LIVESTACK_H

#include <stdbool.h>

#include "runtime/memory.h"
#include "trace/chain.h"
#include "trace/unwind.h"

/* The part at the stack pointer, and others up to 8 MiB each */
#define LIVESTACK_PARTS 8

struct livestack {
	struct stack_part part[LIVESTACK_PARTS]; /* of the last stack, in ascending order */
	size_t npart;
	unsigned char *bytes[LIVESTACK_PARTS]; /* memory for them; NULL: never needed */
	struct native_frame *native; /* frames of the last stack: c->n - c->nkernel of them */
};

/*
 * Add the stack of thread tid to the kernel part in c. The caller sets process, is_32bit and the
 * registers in `in`; the other fields are set here. m: a reader of the process, whose cache
 * is filled as well (memory_fetch); or NULL. False if the thread's memory cannot be read.
 */
bool livestack_read(struct livestack *l, struct unwind *u, struct memory_reader *m, int tid,
    struct unwind_input *in, uint64_t sp, struct chain *c);

void livestack_free(struct livestack *l);

#endif
