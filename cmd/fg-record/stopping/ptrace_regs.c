/*
 * ptrace_regs: reads registers by PTRACE_GETREGS or PTRACE_GETREGSET and maps them to DWARF
 * numbers.
 */
#include "fg-record/stopping/ptrace_regs.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "unwind/cfi.h"

/* System calls that only block. */
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
 * True if a thread stopped in this system call (-1: none) was blocked in it and runs only
 * because of the stop.
 */
static bool
slept_in(int64_t call, int64_t result)
{
	if (call < 0)
		return false;
	/* ERESTARTSYS to ERESTART_RESTARTBLOCK of linux/errno.h: the call will be restarted. */
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
	*slept = slept_in(call, (int64_t)u->rax);
}
#elif defined(__aarch64__)
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
	in->reg[CFI_SP] = *sp = r->user.sp;
	in->reg[CFI_PC] = r->user.pc;
	*slept = slept_in(r->call, (int64_t)r->user.regs[0]);
}
#else
bool
ptrace_regs_read(int tid, struct ptrace_regs *r)
{
	(void)tid;
	(void)r;
	return true;
}

void
ptrace_regs_store(const struct ptrace_regs *r, struct unwind_input *in, uint64_t *sp, bool *slept)
{
	(void)r;
	(void)in;
	*sp = 0;
	*slept = slept_in(-1, 0);
}
#endif
