#include "unwind/cfimachine.h"

#include <string.h>

/*
 * DWARF numbers of PERF_REG_X86_*: ax, bx, cx, dx, si, di, bp, sp, ip, then flags and segment
 * registers (-1), then r8 to r15 (System V ABI, figure 3.36; i386: table 2.14).
 */
static const int8_t perf_x86_64[] = {
    0, 3, 2, 1, 4, 5, 6, 7, 16, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};
static const int8_t perf_i386[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};
/* PERF_REG_ARM64_* are x0 to x30, sp and pc, in DWARF's order. */
static const int8_t perf_aarch64[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

const struct cfi_machine cfi_x86_64 = {
    6, 7, 16, 8, 0, perf_x86_64, sizeof perf_x86_64, true, false};
static const struct cfi_machine cfi_i386 = {
    5, 4, 8, 4, 0, perf_i386, sizeof perf_i386, false, false};
const struct cfi_machine cfi_aarch64 = {
    29, 31, 32, 8, 30, perf_aarch64, sizeof perf_aarch64, true, true};

const struct cfi_machine *
cfi_machine(const char *arch)
{
	if (strcmp(arch, "x86_64") == 0)
		return &cfi_x86_64;
	return strcmp(arch, "aarch64") == 0 ? &cfi_aarch64 : NULL;
}

const struct cfi_machine *
cfi_machine_narrow(const char *arch)
{
	/* i386 to i686: only 32-bit processes */
	if (strcmp(arch, "x86_64") == 0 ||
	    (arch[0] == 'i' && strlen(arch) == 4 && strcmp(arch + 2, "86") == 0))
		return &cfi_i386;
	return NULL;
}
