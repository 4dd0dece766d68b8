/*
 * unwind: a thread's registers and a copy of its stack go in, its frames come
 * out, leaf first, as modules and ELF addresses. What the call frame information
 * (DWARF 5, section 6.4) says of one address is remembered as a small rule, so
 * that a frame costs one look-up; code without any is unwound by frame pointers.
 *
 * x86-64 and AArch64; elsewhere only the leaf is known.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/module.h"
#include "trace/process.h"

#define UNWIND_DEPTH 4096 /* frames of one stack, at most */
#define UNWIND_REGS 33 /* registers, by DWARF number, and the pc */

/* The registers to ask perf_event for: perf_event_attr.sample_regs_user. */
extern const uint64_t unwind_mask;

struct unwind_input {
	struct process *process;
	uint64_t reg[UNWIND_REGS]; /* from unwind_registers */
	const unsigned char *stack; /* from the stack pointer up */
	size_t nstack;
};

/* module is NULL where nothing is mapped; then vaddr is the pc. */
struct unwind_frame {
	struct module *module;
	uint64_t vaddr; /* of the call, not of what follows it */
};

enum unwind_end {
	UNWIND_WHOLE, /* reached the thread's first function */
	UNWIND_TRUNCATED, /* the copy of the stack ended before */
	UNWIND_LOST, /* no rule and no frame pointer leads on */
};

struct unwind; /* the rules */

struct unwind *unwind_new(void);
void unwind_free(struct unwind *u);

/* Modules have been freed. */
void unwind_forget(struct unwind *u);

/*
 * reg from the values that the kernel recorded for a mask of PERF_REG_*, lowest bit
 * first; false when the mask lacks the pc or the stack pointer.
 */
bool unwind_registers(uint64_t reg[UNWIND_REGS], uint64_t mask, const uint64_t *values);

/* The frames of one stack, leaf first; returns how many. */
size_t unwind_stack(struct unwind *u, const struct unwind_input *in,
    struct unwind_frame frame[UNWIND_DEPTH], enum unwind_end *end);

#endif
