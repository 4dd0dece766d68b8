/*
 * cfiexpr: converts libdw's description of a frame into a rule's terms, or into register
 * values.
 */
#ifndef CFIEXPR_H
#define CFIEXPR_H

#include "unwind/cfirule.h"

/*
 * Sets the CFA and the saved registers of r from the frame of vaddr; r->ra is input. False when
 * an expression does not have the form of a term.
 */
bool cfiexpr_terms(
    const struct cfi_machine *machine, Dwarf_Frame *frame, uint64_t vaddr, struct cfi_rule *r);

/* See cfi_evaluate. */
bool cfiexpr_evaluate(const struct cfi_machine *machine, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg);

#endif
