/*
 * stackinput: the registers and copied bytes of a stack that is to be unwound.
 */
#ifndef STACKINPUT_H
#define STACKINPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"
#include "trace/process.h"

#define UNWIND_DEPTH 4096 /* limit of the frames of one stack */
#define UNWIND_REGS 33 /* registers, by DWARF number, and the pc */

/* Bytes above the copy: beyond is another stack, since RLIMIT_STACK is smaller nearly everywhere.
 */
#define UNWIND_FAR (UINT64_C(1) << 30)

/* Bytes of a stack from address `at` on. */
struct stack_part {
	uint64_t at;
	const unsigned char *bytes;
	size_t n;
};

struct unwind_input {
	struct process *process;
	uint64_t reg[UNWIND_REGS]; /* from unwind_registers, or by DWARF number */
	bool is_32bit; /* a 32-bit process */
	bool few; /* reg has the pc and the stack pointer only, as /proc shows them */
	const unsigned char *stack; /* copy of the stack, from the stack pointer upwards */
	size_t nstack;
	const struct stack_part *above; /* stack above the copy, see unwind_above; NULL: none */
	size_t nabove;
	/* UNWIND_DEPTH elements for the frames with their registers; NULL: not requested. */
	struct native_frame *native;
};

#endif
