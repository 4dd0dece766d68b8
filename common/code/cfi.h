/*
 * cfi: what call frame information (DWARF 5, section 6.4) says of one ELF address,
 * as a small rule that is made once and then kept: where the caller's frame begins
 * (the CFA) and where the registers that it had were saved.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "code/module.h"

#define CFI_REGS 33 /* registers by DWARF number; the pc has one of its own */

/* A kind of processor: that of a recording may be another than ours. */
struct cfi_machine {
	uint8_t fp, sp, pc; /* numbers of its registers */
	uint8_t word; /* bytes of an address */
	const int8_t *perf; /* DWARF numbers of perf_event's registers (PERF_REG_*), -1 for none */
	size_t nperf;
};

extern const struct cfi_machine cfi_x86_64, cfi_i386, cfi_aarch64;

/* The machine of a name as uname(2) has it, and its narrow one for programs of 32 bits; or NULL. */
const struct cfi_machine *cfi_machine(const char *arch);
const struct cfi_machine *cfi_machine_narrow(const char *arch);

/* Ours. */

#if defined(__x86_64__)
enum { CFI_FP = 6, CFI_SP = 7, CFI_PC = 16 };
#elif defined(__aarch64__)
enum { CFI_FP = 29, CFI_SP = 31, CFI_PC = 32 };
#else
enum { CFI_FP = 0, CFI_SP = 1, CFI_PC = 2 };
#endif

/* Bases of a term beside the registers. */
enum {
	CFI_CFA = CFI_REGS, /* the frame's CFA */
	CFI_ZERO,
	CFI_BASES
};

/* base + offset, or what lies there in memory. */
struct cfi_term {
	int32_t offset;
	uint8_t base;
	bool deref;
	uint8_t reg; /* whose value in the caller this is; the CFA's term does not use it */
};

enum cfi_kind {
	CFI_NONE, /* nothing is known of this address */
	CFI_RULE, /* the terms below */
	CFI_FIRST, /* the thread's first function: it has no caller */
	CFI_EXPRESSION, /* needs cfi_evaluate each time */
};

struct cfi_rule {
	uint8_t kind; /* enum cfi_kind */
	bool signal; /* the caller was interrupted: its pc is exact */
	uint8_t nsaved; /* registers not named are as they were */
	uint8_t ra; /* the register that holds the caller's pc */
	struct cfi_term cfa;
	Dwarf_Frame *frame; /* CFI_EXPRESSION */
	struct cfi_term saved[CFI_REGS];
};

struct cfi;

struct cfi *cfi_new(const struct cfi_machine *m);
void cfi_free(struct cfi *c);

/* Removes all rules: required after modules were freed (modules_forget). */
void cfi_forget(struct cfi *c);

/*
 * The rule of an ELF address, exact when that is where an instruction begins, and else within
 * a call; valid until the next call.
 */
const struct cfi_rule *cfi_find(struct cfi *c, struct module *m, uint64_t vaddr, bool exact);

/*
 * The start of the function at an ELF address, by the sorted table of FDEs (.eh_frame_hdr, LSB
 * Core 10.6.2); 0 when there is none, or no FDE covers the address.
 */
uint64_t cfi_function(struct module *m, uint64_t vaddr);

/* The start of the function whose FDE covers most bytes; 0 when there is none. */
uint64_t cfi_largest_function(struct module *m);

/* Where expressions read a word; false when they are not known. */
typedef bool cfi_read(void *arg, uint64_t address, uint64_t *v);

/*
 * Evaluate a CFI_EXPRESSION rule at vaddr with the registers at hand, which become
 * the caller's; false when an expression cannot be evaluated.
 */
bool cfi_evaluate(const struct cfi *c, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg);

#endif
