/* ptrace_aarch64: reads registers of AArch64, which the kernel has in the order of DWARF. */
#include "fg-record/stopping/ptrace_regs.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "kernel/cpu.h"

#ifdef CPU_AARCH64
bool
ptrace_regs_read(int tid, struct ptrace_regs *r)
{
	struct iovec regs = {.iov_base = &r->user, .iov_len = sizeof r->user};
	struct iovec number = {.iov_base = &r->call, .iov_len = sizeof r->call};

	/* A 32-bit process has a smaller set, which is not supported. */
	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &regs) != 0 ||
	    regs.iov_len != sizeof r->user)
		return false;
	if (ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &number) != 0)
		r->call = -1;
	return true;
}

void
ptrace_regs_store(const struct ptrace_regs *r, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	memcpy(in->reg, r->user.regs, sizeof r->user.regs);
	in->reg[CPU_SP] = *sp = r->user.sp;
	in->reg[CPU_PC] = r->user.pc;
	*slept = ptrace_slept_in(r->call, (int64_t)r->user.regs[0]);
}
#endif
