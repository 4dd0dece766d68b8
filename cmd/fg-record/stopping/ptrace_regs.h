/*
 * ptrace_regs: registers of a thread that ptrace(2) has stopped.
 */
#ifndef PTRACE_REGS_H
#define PTRACE_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/unwind.h"

/*
 * Reads the registers into *in, which must be zero, and the stack pointer into *sp. *slept: the
 * thread was blocked in a sleeping system call and runs only because of the stop. False if the
 * registers cannot be read.
 */
bool ptrace_regs_stopped(int tid, struct unwind_input *in, uint64_t *sp, bool *slept);

#endif
