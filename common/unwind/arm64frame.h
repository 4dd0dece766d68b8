/*
 * arm64frame: unwind rules for AArch64 code without call frame information, by executing its
 * instructions with symbolic values: forward from the pc to a return, else from the function's
 * start to the pc. The code is untrusted input: inconsistent code gives no rule.
 */
#ifndef ARM64FRAME_H
#define ARM64FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/cfirule.h"

/* n bytes of machine code; start is their address. */
struct arm64frame_code {
	const unsigned char *bytes;
	size_t n;
	uint64_t start;
};

/*
 * The rule of an address. exact: of the instruction at vaddr; else vaddr is a byte of a call.
 * function: the start of its function, 0 if unknown. False, with r unchanged, when the code gives
 * no rule.
 */
bool arm64frame_rule(const struct arm64frame_code *code, uint64_t function, uint64_t vaddr,
    bool exact, struct cfi_rule *r);

#endif
