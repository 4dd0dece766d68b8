/*
 * chain: the stack of one decoded sample, as frames of modules and ELF addresses. It is read from
 * registers and a stack copy, from a call chain, or from branch records.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/perfevent.h"
#include "trace/process.h"
#include "trace/unwind.h"

/* More than any call chain has: kernel.perf_event_max_stack is 127 by default. */
#define CHAIN_KERNEL 1024

/* How much of a sample's user stack was read. */
enum chain_reach {
	CHAIN_NO_USER, /* it is missing, or the thread is one of the kernel */
	CHAIN_COMPLETE, /* to the thread's first function */
	/* Truncated: */
	CHAIN_DEEPER, /* than the stack copy, or than the kernel's limit */
	CHAIN_REDUCED, /* deeper than a copy that was made smaller than others */
	CHAIN_UNTOUCHED, /* see chain.untouched */
	CHAIN_UNCOPIED, /* see chain.uncopied */
	CHAIN_UNREAD, /* see chain.unread */
	CHAIN_LIMITED, /* see chain.limited */
	/* Broken: */
	CHAIN_GENERATED, /* in JIT code, which any of its frames is in */
	CHAIN_HASKELL, /* in code of GHC */
	CHAIN_SWITCHED, /* UNWIND_SWITCHED */
	CHAIN_OUTSIDE, /* as below, of a process outside of the recorder's PID namespace */
	CHAIN_UNMAPPED, /* its only address is in no mapping, as during execve(2) */
	CHAIN_BROKEN,
	CHAIN_REACHES,
};

/* A stack, leaf first: kernel frames, then user frames. */
struct chain {
	struct native_frame *native; /* see unwind_input.native; set by the caller */
	bool calls; /* call chains have addresses of calls, not return addresses; set by the caller
		     */
	struct unwind_frame frame[CHAIN_KERNEL + UNWIND_DEPTH];
	size_t n;
	size_t nkernel; /* of these, kernel frames */
	struct unwind *unwind; /* for the caller of a leaf without a frame: */
	uint64_t link; /* the value of the link register; 0: unknown */
	size_t listed; /* addresses in the sample's call chain, kernel and user */
	bool maps_suspect; /* an address was in no mapping: the mappings may be outdated */
	bool unwound; /* the user part was unwound from a stack copy: */
	enum unwind_end end; /* how the unwinding ended */
	/*
	 * The copy of a truncated stack ended at a page without memory: the kernel copies without
	 * faulting, and a page of a large local array may never have been written.
	 */
	bool untouched;
	/*
	 * The copy of a truncated stack has no byte: execve(2) had released the program's memory,
	 * or the page at the stack pointer was swapped out.
	 */
	bool uncopied;
	bool outside; /* the process is outside of the recorder's PID namespace: it has no ID */
	bool unread; /* truncated at a script frame in memory that could not be read */
	bool limited; /* truncated at the limit of script frames, SCRIPT_FRAMES or SCRIPT_GROUPS */
	bool deferred; /* the user part will arrive later, see chain_deferred: */
	uint64_t cookie;
};

/*
 * Read the stack of a sample in process p from the best source that its format has: a stack copy,
 * which is unwound; else the CPU's branch records; else the user part of the call chain.
 */
void chain_read(struct chain *c, struct unwind *u, const struct perfevent_format *f,
    const struct perfevent *e, struct process *p);

/* Add the user part, which came in a later record, to the kernel part in c. */
void chain_deferred(struct chain *c, const struct perfevent_deferred *d, struct process *p);

/*
 * How much of the stack was read. limit: of the kernel's call chains, in addresses, 0: unknown.
 * copied: bytes of the sample's stack copy, and of the largest copies.
 */
enum chain_reach chain_reach(
    const struct chain *c, size_t limit, uint64_t copied, uint64_t largest);

static inline bool
chain_is_truncated(enum chain_reach reach)
{
	return reach >= CHAIN_DEEPER && reach <= CHAIN_LIMITED;
}

/* Make the chain empty. */
void chain_clear(struct chain *c);

/* Unwind a user stack and add it to the kernel part in c. */
void chain_add_stack(struct chain *c, struct unwind *u, const struct unwind_input *in);

#endif
