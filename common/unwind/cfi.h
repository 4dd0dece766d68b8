/*
 * cfi: unwind rules from call frame information (DWARF 5, section 6.4). An ELF address gives a
 * cached rule: the location of the caller's frame (the CFA) and of its saved registers.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/module.h"
#include "unwind/cfirule.h"

struct cfi;

struct cfi *cfi_new(const struct cfi_machine *m);
void cfi_free(struct cfi *c);

/* Removes all rules: required after modules_forget freed modules. */
void cfi_forget(struct cfi *c);

/*
 * The rule of an ELF address; valid until the next call. exact: vaddr is the start of an
 * instruction; otherwise it is inside a call instruction.
 */
const struct cfi_rule *cfi_find(struct cfi *c, struct module *m, uint64_t vaddr, bool exact);

/*
 * The rule of the instruction at an ELF address by the code itself, where its call frame
 * information is wrong. Not cached: it takes some 10 us. False when the code gives none.
 */
bool cfi_decode(const struct cfi *c, struct module *m, uint64_t vaddr, struct cfi_rule *r);

/*
 * Bytes from the stack pointer to the CFA at an ELF address, by the code of its function; 0: the
 * code does not show it. Not cached: it takes some 10 us.
 */
int32_t cfi_depth(const struct cfi *c, struct module *m, uint64_t vaddr);

/*
 * The start of the function at an ELF address, by the sorted table of FDEs (.eh_frame_hdr, LSB
 * Core 10.6.2) or, without it, by .eh_frame itself; 0 if no FDE covers the address.
 */
uint64_t cfi_function(struct module *m, uint64_t vaddr);

/* The start of the function with the largest FDE range; 0 when there is none. */
uint64_t cfi_largest_function(struct module *m);

/*
 * The start of the largest function with a frame at its first instruction, as handwritten code has,
 * of that many bytes or up to a frame pointer; 0 when there is none. c: of the machine of m.
 */
uint64_t cfi_largest_framed(struct cfi *c, struct module *m, int32_t bytes);

/*
 * Evaluates a CFI_EXPRESSION rule at vaddr. reg has the current frame's registers and receives
 * the caller's. False when an expression cannot be evaluated.
 */
bool cfi_evaluate(const struct cfi *c, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg);

#endif
