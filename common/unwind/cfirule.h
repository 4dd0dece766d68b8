/*
 * cfirule: where the caller's frame and the saved registers are, for one address.
 */
#ifndef CFIRULE_H
#define CFIRULE_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "unwind/cfimachine.h"

/* Bases of a term, in addition to the registers. */
enum {
	CFI_CFA = CFI_REGS, /* the frame's CFA */
	CFI_ZERO,
	CFI_BASES
};

/* base + offset, or with deref the word in memory at that address. */
struct cfi_term {
	int32_t offset;
	uint8_t base;
	bool deref;
	uint8_t reg; /* the register that gets this value; unused in the term of the CFA */
};

enum cfi_kind {
	CFI_NONE, /* no rule for this address */
	CFI_RULE, /* the terms below */
	CFI_FIRST, /* the thread's first function: it has no caller */
	CFI_FIRST_NEXT, /* a coroutine's first function, at the next byte: see byhand_return */
	CFI_EXPRESSION, /* needs cfi_evaluate each time */
};

struct cfi_rule {
	uint8_t kind; /* enum cfi_kind */
	bool signal; /* the caller was interrupted: its pc is exact */
	uint8_t nsaved; /* other registers are unchanged */
	uint8_t ra; /* the register that holds the caller's pc */
	struct cfi_term cfa;
	Dwarf_Frame *frame; /* CFI_EXPRESSION */
	struct cfi_term saved[CFI_REGS];
};

/* Reads a word of memory for an expression; false when it is unknown. */
typedef bool cfi_read(void *arg, uint64_t address, uint64_t *v);

#endif
