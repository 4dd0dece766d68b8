/*
 * stopped: what a thread that ptrace(2) has stopped was doing.
 */
#ifndef PTRACE_REGS_H
#define PTRACE_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/unwind.h"

/*
 * Its registers into in, which is zero there, and its stack pointer. *slept: it was in a
 * system call that does nothing but sleep, and came to run again only now. False when they
 * cannot be had.
 */
bool ptrace_regs_stopped(int tid, struct unwind_input *in, uint64_t *sp, bool *slept);

#endif
