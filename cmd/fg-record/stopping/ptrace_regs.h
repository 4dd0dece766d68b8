/*
 * ptrace_regs: registers of a thread that ptrace(2) has stopped.
 */
#ifndef PTRACE_REGS_H
#define PTRACE_REGS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/user.h>

#include "trace/unwind.h"

struct ptrace_regs {
	struct user_regs_struct user;
	int call; /* the system call that it stopped in; -1: none. x86-64 has it in `user` */
};

/* Reads the registers; false if they cannot be read. */
bool ptrace_regs_read(int tid, struct ptrace_regs *r);

/*
 * Stores registers in *in, which must be zero, and the stack pointer in *sp. *slept: the thread
 * was blocked in a sleeping system call and runs only because of the stop.
 */
void ptrace_regs_store(
    const struct ptrace_regs *r, struct unwind_input *in, uint64_t *sp, bool *slept);

/*
 * True if a thread stopped in this system call (-1: none), with that result, was blocked in it and
 * runs only because of the stop.
 */
bool ptrace_slept_in(int64_t call, int64_t result);

#endif
