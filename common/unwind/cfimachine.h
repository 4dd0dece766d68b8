/*
 * cfimachine: the registers of each processor, by DWARF number.
 */
#ifndef CFIMACHINE_H
#define CFIMACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cpu.h"

#define CFI_REGS 33 /* registers by DWARF number, pc included */

/* A CPU architecture: a recording can come from another one than ours. */
struct cfi_machine {
	uint8_t fp, sp, pc; /* DWARF register numbers */
	uint8_t word; /* bytes of an address */
	uint8_t link; /* the register in which a function gets its return address; 0: the stack */
	const int8_t *perf; /* DWARF numbers of perf_event's registers (PERF_REG_*), -1 for none */
	size_t nperf;
	bool decoded; /* code without call frame information is decoded (codeframe) */
	bool signs; /* return addresses may be signed */
};

extern const struct cfi_machine cfi_x86_64, cfi_aarch64;

/*
 * The machine with that uname(2) name, and the one for its 32-bit processes; NULL when not
 * supported.
 */
const struct cfi_machine *cfi_machine(const char *arch);
const struct cfi_machine *cfi_machine_narrow(const char *arch);

/* DWARF register numbers of this machine. */
enum { CFI_FP = CPU_FP, CFI_SP = CPU_SP, CFI_PC = CPU_PC };

#endif
