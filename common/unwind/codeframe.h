/*
 * codeframe: unwind rules for code without call frame information, by decoding its instructions
 * (of AArch64: arm64frame): forward from the pc to a return (pops), else from the
 * function's start to the pc (pushes). The code is untrusted input: inconsistent code
 * gives no rule.
 */
#ifndef CODEFRAME_H
#define CODEFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/rangemap.h"
#include "elf/elfmachine.h"
#include "unwind/cfirule.h"

/* A block of machine code, with the functions known in it. */
struct codeframe {
	const unsigned char *bytes;
	size_t n;
	uint64_t start; /* the address of bytes */
	struct rangemap functions;
	const struct elfmachine *machine;
	bool stripped; /* functions has only exported ones */
	bool haskell; /* compiled by GHC, whose return addresses are not on the C stack */
};

/* The code and functions of an ELF file; NULL when it has none. elf must outlive the result. */
struct codeframe *codeframe_open(Elf *elf);
void codeframe_close(struct codeframe *c);

/*
 * The rule of an address. exact: of the instruction at vaddr; else vaddr is a byte of a call.
 * False, with r unchanged, when the code gives no rule.
 */
bool codeframe_rule(const struct codeframe *c, uint64_t vaddr, bool exact, struct cfi_rule *r);

/*
 * Bytes from the stack pointer to the CFA at vaddr, by the instructions from its function's start
 * on; 0: they do not show it, as after alloca. For x86-64.
 */
int32_t codeframe_depth(const struct codeframe *c, uint64_t function, uint64_t vaddr);

#endif
