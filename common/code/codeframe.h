/*
 * codeframe: where the caller of a function without call frame information is found,
 * read out of its code: the way from an address on to a return tells what is taken from
 * the stack until then, and what a function that has none, or has not come to it, has put
 * there tells the way from its begin.
 *
 * Of x86-64 alone. The code is a stranger's: what makes no sense has no rule.
 */
#ifndef CODEFRAME_H
#define CODEFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/rangemap.h"
#include "code/cfi.h"

/* Some code, and the functions in it where they are known. */
struct codeframe {
	const unsigned char *bytes;
	size_t n;
	uint64_t start; /* the address of bytes */
	struct rangemap functions;
	bool stripped; /* only those that others call are known */
	bool haskell; /* of GHC, whose functions keep what they return to in the heap */
};

/* The code and functions of an ELF file, which is needed as long; NULL when there are none. */
struct codeframe *codeframe_open(Elf *elf);
void codeframe_close(struct codeframe *c);

/*
 * The rule of an address, of the instruction that runs there when exact, else of a byte of
 * a call. False, with r as it was, when the code does not tell.
 */
bool codeframe_rule(const struct codeframe *c, uint64_t vaddr, bool exact, struct cfi_rule *r);

#endif
