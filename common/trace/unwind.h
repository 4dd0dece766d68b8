/*
 * unwind: a thread's registers and a copy of its stack go in, its frames come
 * out, leaf first, as modules and ELF addresses. What the call frame information
 * (DWARF 5, section 6.4) says of one address is remembered as a small rule, so
 * that a frame costs one look-up; code without any is unwound by frame pointers.
 *
 * Programs of x86-64, i386 and AArch64, whichever of them this is; of others only
 * the leaf is known.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/module.h"
#include "code/runtime.h"
#include "trace/process.h"

#define UNWIND_DEPTH 4096 /* frames of one stack, at most */
#define UNWIND_REGS 33 /* registers, by DWARF number, and the pc */

/* The registers to ask perf_event for: perf_event_attr.sample_regs_user. */
extern const uint64_t unwind_mask;

struct unwind_input {
	struct process *process;
	uint64_t reg[UNWIND_REGS]; /* from unwind_registers, or by DWARF number */
	bool is_32bit; /* a 32-bit process */
	const unsigned char *stack; /* from the stack pointer up */
	size_t nstack;
	const unsigned char *above; /* and what lies above, see unwind_above; NULL: nothing */
	uint64_t above_at;
	size_t nabove;
	/* UNWIND_DEPTH elements for the frames with their registers; NULL: not requested. */
	struct native_frame *native;
};

/* module is NULL where nothing is mapped; then vaddr is the pc. */
struct unwind_frame {
	struct module *module;
	uint64_t vaddr; /* of the call, not of what follows it */
};

enum unwind_end {
	UNWIND_COMPLETE, /* reached the thread's first function */
	UNWIND_TRUNCATED, /* the copy of the stack ended before, or there were too many frames */
	UNWIND_BROKEN, /* no rule and no frame pointer leads on */
};

struct unwind; /* the rules */

/* For machines of that name (uname -m), NULL for ours. */
struct unwind *unwind_new(const char *arch);
void unwind_free(struct unwind *u);

/* Modules have been freed. */
void unwind_forget(struct unwind *u);

/*
 * in->reg and is_32bit from the values that the kernel recorded for a mask of PERF_REG_*,
 * lowest bit first, of a program of that PERF_SAMPLE_REGS_ABI_*; false when the mask lacks
 * the pc or the stack pointer, or nothing is known of such programs.
 */
bool unwind_registers(const struct unwind *u, struct unwind_input *in, uint64_t abi, uint64_t mask,
    const uint64_t *values);

/* The stack pointer among in->reg; 0 when nothing is known of such programs. */
uint64_t unwind_stack_pointer(const struct unwind *u, const struct unwind_input *in);

/*
 * Add a second part of the stack, which begins within the first or at its end; nothing is
 * added when the two do not agree where they overlap.
 */
void unwind_above(const struct unwind *u, struct unwind_input *in, const unsigned char *bytes,
    uint64_t at, size_t n);

/*
 * Stacks so far that ended, as UNWIND_TRUNCATED, at code without call frame information
 * because this build has no Zydis to decode it; always 0 where it has.
 */
uint64_t unwind_undecoded(const struct unwind *u);

/* The frames of one stack, leaf first; returns how many. */
size_t unwind_stack(struct unwind *u, const struct unwind_input *in,
    struct unwind_frame frame[UNWIND_DEPTH], enum unwind_end *end);

#endif
