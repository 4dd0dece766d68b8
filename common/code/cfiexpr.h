/*
 * cfiexpr: what libdw says of a frame, to the terms of a rule, or to values.
 */
#ifndef CFIEXPR_H
#define CFIEXPR_H

#include "code/cfi.h"

/*
 * Fill in the CFA and the saved registers of r, of which ra is known, from the frame of
 * vaddr; false when an expression is no term.
 */
bool cfiexpr_terms(
    const struct cfi_machine *machine, Dwarf_Frame *frame, uint64_t vaddr, struct cfi_rule *r);

/* What cfi_evaluate does. */
bool cfiexpr_evaluate(const struct cfi_machine *machine, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg);

#endif
