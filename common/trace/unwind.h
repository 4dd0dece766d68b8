/*
 * unwind: from a thread's registers and stack copy to its frames, leaf first, as modules and ELF
 * addresses. The call frame information (DWARF 5, section 6.4) of an address is cached as a small
 * rule, so that a frame costs one look-up; code without it is unwound by frame pointers.
 *
 * Supports x86-64, i386 and AArch64 on any of these machines. On others only the leaf is known.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/module.h"
#include "trace/stackinput.h"

/* Registers to request from perf_event: perf_event_attr.sample_regs_user. */
extern const uint64_t unwind_mask;

/* module is NULL if nothing is mapped; then vaddr is the pc. */
struct unwind_frame {
	struct module *module;
	uint64_t vaddr; /* of the call instruction, not of the return address */
};

enum unwind_end {
	UNWIND_COMPLETE, /* reached the thread's first function */
	UNWIND_TRUNCATED, /* the stack copy ended first, or there were too many frames */
	UNWIND_BROKEN, /* neither a rule nor a frame pointer finds the caller */
	UNWIND_SWITCHED, /* the caller is more than UNWIND_FAR above the copy: on another stack */
	UNWIND_OTHER_STACK, /* reached generated code with a stack of its own: process.own_stack */
};

struct unwind; /* the cached rules */

/* State for a machine type (as uname -m); NULL: this machine. */
struct unwind *unwind_new(const char *arch);
void unwind_free(struct unwind *u);

/* Drop all cached rules: modules have been freed. */
void unwind_forget(struct unwind *u);

/*
 * Set in->reg and is_32bit from the values that the kernel recorded for a mask of PERF_REG_*,
 * lowest bit first, of a process with that PERF_SAMPLE_REGS_ABI_*. False if the mask lacks the pc
 * or the stack pointer, or the machine is not supported.
 */
bool unwind_registers(const struct unwind *u, struct unwind_input *in, uint64_t abi, uint64_t mask,
    const uint64_t *values);

/* True if code of the machine may sign its return addresses: see processes.signs. */
bool unwind_signs(const struct unwind *u);

/*
 * The value of the link register, which a function gets its return address in; 0 if it is
 * not recorded, or the machine has none. abi, mask and values are those of unwind_registers;
 * values may be NULL.
 */
uint64_t unwind_link(const struct unwind *u, uint64_t abi, uint64_t mask, const uint64_t *values);

/*
 * True if the function that executes at pc still has its return address in the link register: a
 * call chain of frame pointers lacks this caller.
 */
bool unwind_is_linked(struct unwind *u, struct process *p, uint64_t pc);

/* Registers to request with call chains of frame pointers, for unwind_link; 0: none. */
uint64_t unwind_link_mask(void);

/* The stack pointer in in->reg; 0 if the machine is not supported. */
uint64_t unwind_stack_pointer(const struct unwind *u, const struct unwind_input *in);

/*
 * Add n further parts of the stack, lowest first, without overlap. The bytes between them are
 * missing. All are ignored if one of them disagrees with the copy where they overlap. The caller
 * owns them.
 */
void unwind_above(
    const struct unwind *u, struct unwind_input *in, const struct stack_part *part, size_t n);

/*
 * Number of stacks so far that ended as UNWIND_TRUNCATED at code without call frame information
 * because this build has no Zydis to decode it; 0 with Zydis.
 */
uint64_t unwind_undecoded(const struct unwind *u);

/* Bytes above the stack pointer that the last stack needed; 0 unless it was UNWIND_COMPLETE. */
uint64_t unwind_needed(const struct unwind *u);

/*
 * The address outside of the copy where the last stack was UNWIND_TRUNCATED or UNWIND_SWITCHED; 0:
 * not for lack of bytes.
 */
uint64_t unwind_missing(const struct unwind *u);

/*
 * True if the size of a frame in the last stack led to no mapping: the mappings may be older than
 * code that a runtime compiled since. The caller was then searched in other ways.
 */
bool unwind_unmapped(const struct unwind *u);

/* Unwind one stack, leaf first; returns the number of frames. */
size_t unwind_stack(struct unwind *u, const struct unwind_input *in,
    struct unwind_frame frame[UNWIND_DEPTH], enum unwind_end *end);

#endif
