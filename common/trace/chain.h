/*
 * chain: what one sample holds of a stack, registers and a copy of it, a call chain,
 * or branches, becomes its frames as modules and addresses.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/perfevent.h"
#include "trace/process.h"
#include "trace/unwind.h"

/* More than any chain has: kernel.perf_event_max_stack is 127 unless it was raised. */
#define CHAIN_KERNEL 1024

/* A stack, leaf first: kernel frames, then user frames. */
struct chain {
	struct native_frame *native; /* see unwind_input.native; set by the caller */
	struct unwind_frame frame[CHAIN_KERNEL + UNWIND_DEPTH];
	size_t n;
	size_t nkernel; /* of these */
	size_t listed; /* addresses in the sample's call chain, of either part */
	bool maps_suspect; /* an address was in no mapping: the mappings may be outdated */
	bool unwound; /* the program's part was, out of a copy of the stack: */
	enum unwind_end end; /* how that ended */
	/*
	 * The copy of a truncated stack ended at a page without memory: the kernel copies without
	 * faulting, and a page of a large local array may never have been written.
	 */
	bool untouched;
	bool deferred; /* the program's part is to follow, see chain_deferred: */
	uint64_t cookie;
};

/*
 * Read the stack of a sample in process p, by what its format has: a copy of the stack,
 * which is unwound; else the processor's record of calls; else the user's part of the
 * call chain.
 */
void chain_read(struct chain *c, struct unwind *u, const struct perfevent_format *f,
    const struct perfevent *e, struct process *p);

/* The kernel's part is in c: add the program's, which came later, in a record of its own. */
void chain_deferred(struct chain *c, const struct perfevent_deferred *d, struct process *p);

/* Whether any frame of the program is of generated code, or the last one of GHC's. */
bool chain_generated(const struct chain *c);
bool chain_haskell(const struct chain *c);

/* An empty chain. */
void chain_clear(struct chain *c);

/* Unwind a user stack and add it to the kernel's part. */
void chain_add_stack(struct chain *c, struct unwind *u, const struct unwind_input *in);

#endif
