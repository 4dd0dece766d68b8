/*
 * unwindwalk: the walk along one stack, shared by unwind and unwindjit. Functions that step to
 * a frame's caller return false where its return address cannot be read.
 */
#ifndef UNWINDWALK_H
#define UNWINDWALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/cfi.h"
#include "trace/stackinput.h"

/*
 * No memory is mapped below this address. As the return address of a stack's first function, argc
 * or 0 is found.
 */
#define NO_CODE 4096

#define FRAME_MAX 65536 /* limit of an interpreter frame's arguments, in bytes */

struct unwind {
	const struct cfi_machine *machine[2]; /* 64-bit, 32-bit; or NULL */
	struct cfi *cfi[2];
	struct livecode *live; /* created at the first use */
	uint64_t undecoded; /* stacks that ended because no decoder was built in */
	uint64_t needed; /* bytes of the last stack, see unwind_needed */
	uint64_t missing; /* see unwind_missing */
	bool unmapped; /* see unwind_unmapped */
};

/* State of the walk along one stack. */
struct walk {
	const struct cfi_machine *machine;
	uint64_t reg[CFI_BASES];
	uint64_t base; /* address of stack[0] */
	const unsigned char *stack;
	size_t nstack;
	const struct unwind_input *in; /* for the stack above the copy */
	bool fp_unknown; /* so far: see `few' of struct unwind_input */
	bool truncated; /* the copy ended, or code could not be decoded */
	bool switched; /* see UNWIND_SWITCHED */
	bool below; /* a signal interrupted a function on a stack below: the copy is another one */
	bool unmapped; /* a return address was in no mapping */
	uint64_t missing; /* last address without bytes; 0: none */
	uint64_t shared; /* start of the function that has the last frame, see step_shared; or 0 */
};

/* Reads a word of the stack; arg: struct walk. */
bool walk_read(void *arg, uint64_t address, uint64_t *v);

bool walk_rule(struct walk *w, const struct cfi_rule *r);
bool walk_frame_pointer(struct walk *w);

/* Over a frame of that size, see frame_size of struct runtime; FRAME_LINKED: only of a leaf. */
bool walk_frame_size(struct walk *w, uint64_t size);

#endif
