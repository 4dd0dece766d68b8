/*
 * cfi: unwind rules from call frame information (DWARF 5, section 6.4). An ELF address gives a
 * cached rule: the location of the caller's frame (the CFA) and of its saved registers.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "elf/module.h"

#define CFI_REGS 33 /* registers by DWARF number, pc included */

/* A CPU architecture: a recording can come from another one than ours. */
struct cfi_machine {
	uint8_t fp, sp, pc; /* DWARF register numbers */
	uint8_t word; /* bytes of an address */
	uint8_t link; /* the register in which a function gets its return address; 0: the stack */
	const int8_t *perf; /* DWARF numbers of perf_event's registers (PERF_REG_*), -1 for none */
	size_t nperf;
};

extern const struct cfi_machine cfi_x86_64, cfi_i386, cfi_aarch64;

/*
 * The machine with that uname(2) name, and the one for its 32-bit processes; NULL when not
 * supported.
 */
const struct cfi_machine *cfi_machine(const char *arch);
const struct cfi_machine *cfi_machine_narrow(const char *arch);

/* DWARF register numbers of this machine. */

#if defined(__x86_64__)
enum { CFI_FP = 6, CFI_SP = 7, CFI_PC = 16 };
#elif defined(__aarch64__)
enum { CFI_FP = 29, CFI_SP = 31, CFI_PC = 32 };
#else
enum { CFI_FP = 0, CFI_SP = 1, CFI_PC = 2 };
#endif

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
 * The start of the function at an ELF address, by the sorted table of FDEs (.eh_frame_hdr, LSB
 * Core 10.6.2) or, without it, by .eh_frame itself; 0 if no FDE covers the address.
 */
uint64_t cfi_function(struct module *m, uint64_t vaddr);

/* The start of the function with the largest FDE range; 0 when there is none. */
uint64_t cfi_largest_function(struct module *m);

/* Reads a word of memory for an expression; false when it is unknown. */
typedef bool cfi_read(void *arg, uint64_t address, uint64_t *v);

/*
 * Evaluates a CFI_EXPRESSION rule at vaddr. reg has the current frame's registers and receives
 * the caller's. False when an expression cannot be evaluated.
 */
bool cfi_evaluate(const struct cfi *c, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg);

#endif
