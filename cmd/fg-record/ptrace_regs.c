/*
 * stopped: a thread that ptrace(2) has stopped in, its registers out.
 */
#include "fg-record/ptrace_regs.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "code/cfi.h"

/* Calls in which a thread does nothing but sleep. */
static const long sleeping_calls[] = {
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_futex,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_pselect6,
    SYS_wait4,
    SYS_waitid,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_accept,
    SYS_accept4,
#if defined(__x86_64__)
    SYS_poll,
    SYS_select,
    SYS_epoll_wait,
    SYS_pause,
#endif
};

/*
 * Of a stopped thread by the number and result of its system call, which may be none: it
 * slept in it, and came to run again only now.
 */
static bool
slept_in(int64_t call, int64_t result)
{
	if (call < 0)
		return false;
	/* ERESTARTSYS to ERESTART_RESTARTBLOCK of linux/errno.h: it is to go on sleeping. */
	if (result <= -512 && result >= -516)
		return true;
	for (size_t i = 0; i < sizeof sleeping_calls / sizeof *sleeping_calls; i++)
		if (call == sleeping_calls[i])
			return true;
	return false;
}

#if defined(__x86_64__)
#define USER32_CS 0x23 /* asm/segment.h of the kernel */

bool
ptrace_regs_stopped(int tid, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	struct user_regs_struct u;
	int64_t call;

	/* By their names of 64 bits, those of a program of 32 too; PTRACE_GETREGSET is not so. */
	if (ptrace(PTRACE_GETREGS, tid, NULL, &u) != 0)
		return false;
	call = (int64_t)u.orig_rax;
	*sp = u.rsp;
	in->is_32bit = u.cs == USER32_CS;
	if (in->is_32bit) { /* DWARF numbers of the System V ABI of the i386, table 2.14 */
		const uint64_t reg[] = {
		    u.rax, u.rcx, u.rdx, u.rbx, u.rsp, u.rbp, u.rsi, u.rdi, u.rip};

		memcpy(in->reg, reg, sizeof reg);
		if (call >= 0)
			call = INT64_MAX; /* calls have other numbers there */
	} else { /* of x86-64, figure 3.36 */
		const uint64_t reg[] = {u.rax, u.rdx, u.rcx, u.rbx, u.rsi, u.rdi, u.rbp, u.rsp,
		    u.r8, u.r9, u.r10, u.r11, u.r12, u.r13, u.r14, u.r15, u.rip};

		memcpy(in->reg, reg, sizeof reg);
	}
	*slept = slept_in(call, (int64_t)u.rax);
	return true;
}
#elif defined(__aarch64__)
bool
ptrace_regs_stopped(int tid, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	struct user_regs_struct u;
	int call = -1;
	struct iovec regs = {.iov_base = &u, .iov_len = sizeof u};
	struct iovec number = {.iov_base = &call, .iov_len = sizeof call};

	/* Those of a program of 32 bits are fewer, and nothing is known of such. */
	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &regs) != 0 || regs.iov_len != sizeof u)
		return false;
	memcpy(in->reg, u.regs, sizeof u.regs);
	in->reg[CFI_SP] = *sp = u.sp;
	in->reg[CFI_PC] = u.pc;
	*slept = ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &number) == 0 &&
		 slept_in(call, (int64_t)u.regs[0]);
	return true;
}
#else
bool
ptrace_regs_stopped(int tid, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	(void)tid;
	(void)in;
	*sp = 0;
	*slept = slept_in(-1, 0);
	return true;
}
#endif
