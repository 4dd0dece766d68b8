/* ptrace_regs: which system calls sleep. The registers are in a file for each processor. */
#include "fg-record/stopping/ptrace_regs.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "kernel/cpu.h"

/* System calls that only block. */
static const long sleeping_calls[] = {
    SYS_nanosleep, SYS_clock_nanosleep, SYS_futex, SYS_epoll_pwait, SYS_ppoll, SYS_pselect6,
    SYS_wait4, SYS_waitid, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_accept, SYS_accept4,
#ifdef CPU_SLEEPING_CALLS
    CPU_SLEEPING_CALLS
#endif
};

bool
ptrace_slept_in(int64_t call, int64_t result)
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

#if !defined(CPU_X86_64) && !defined(CPU_AARCH64)
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
	*slept = ptrace_slept_in(-1, 0);
}
#endif
