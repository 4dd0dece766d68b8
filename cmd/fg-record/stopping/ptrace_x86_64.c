/* ptrace_x86_64: maps registers of x86-64, and of its 32-bit processes, to DWARF numbers. */
#include "fg-record/stopping/ptrace_regs.h"

#include <string.h>
#include <sys/ptrace.h>

#include "kernel/cpu.h"

#ifdef CPU_X86_64
#define USER32_CS 0x23 /* asm/segment.h of the kernel */

bool
ptrace_regs_read(int tid, struct ptrace_regs *r)
{
	/* PTRACE_GETREGS has 64-bit names for a 32-bit process too; PTRACE_GETREGSET does not. */
	r->call = -1;
	return ptrace(PTRACE_GETREGS, tid, NULL, &r->user) == 0;
}

void
ptrace_regs_store(const struct ptrace_regs *r, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	const struct user_regs_struct *u = &r->user;
	int64_t call = (int64_t)u->orig_rax;

	*sp = u->rsp;
	in->is_32bit = u->cs == USER32_CS;
	if (in->is_32bit) { /* DWARF numbers of the i386 System V ABI, table 2.14 */
		const uint64_t reg[] = {
		    u->rax, u->rcx, u->rdx, u->rbx, u->rsp, u->rbp, u->rsi, u->rdi, u->rip};

		memcpy(in->reg, reg, sizeof reg);
		if (call >= 0)
			call = INT64_MAX; /* 32-bit system calls have other numbers */
	} else { /* DWARF numbers of x86-64, figure 3.36 */
		const uint64_t reg[] = {u->rax, u->rdx, u->rcx, u->rbx, u->rsi, u->rdi, u->rbp,
		    u->rsp, u->r8, u->r9, u->r10, u->r11, u->r12, u->r13, u->r14, u->r15, u->rip};

		memcpy(in->reg, reg, sizeof reg);
	}
	*slept = ptrace_slept_in(call, (int64_t)u->rax);
}
#endif
