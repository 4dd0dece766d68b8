/*
 * steps: unwinds the stack of a program at each of its instructions, for t/unwind.t.
 *
 *   steps PROGRAM [ARGUMENT]
 *
 * The program is stepped from its first breakpoint instruction (int3) to its second. Its function
 * "a_in_b" is called by "b" only: another caller is printed, with the instruction's address. The
 * last line has the number of instructions, and how many stacks were complete.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbol/symbol.h"
#include "trace/unwind.h"

#if defined(__x86_64__)

static struct unwind_frame frame[UNWIND_DEPTH];

/* Sets the registers of in, and its copy of the stack. */
static void
look(struct unwind *u, struct unwind_input *in, pid_t pid)
{
	static unsigned char copy[1 << 16];
	struct user_regs_struct r;
	struct iovec here, there;
	ssize_t n;

	ptrace(PTRACE_GETREGS, pid, NULL, &r);
	{
		/* in the order of PERF_REG_X86_* */
		const uint64_t all[] = {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp,
		    r.rip, 0, 0, 0, 0, 0, 0, 0, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14,
		    r.r15};

		unwind_registers(u, in,
		    r.cs == 0x23 ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64,
		    (UINT64_C(1) << sizeof all / sizeof *all) - 1, all);
	}
	here = (struct iovec){copy, sizeof copy};
	there = (struct iovec){(void *)(uintptr_t)unwind_stack_pointer(u, in), sizeof copy};
	n = process_vm_readv(pid, &here, 1, &there, 1, 0);
	in->stack = copy;
	in->nstack = n > 0 ? (size_t)n : 0;
}

/* The name of a frame's function without a compiler's suffix; "" where there is none. */
static void
name_of(const struct unwind_frame *f, char *name, size_t size)
{
	const struct symbol_frame *s;

	*name = '\0';
	if (f->module != NULL && symbol_resolve(f->module, f->vaddr, 0, 0, &s) > 0)
		snprintf(name, size, "%.*s", (int)strcspn(s->function, "."), s->function);
}

/* True unless a function has another caller than its name says. */
static bool
is_right(uint64_t pc, size_t n)
{
	char name[256], caller[256];

	for (size_t i = 0; i < n; i++) {
		const char *in;

		name_of(&frame[i], name, sizeof name);
		if ((in = strstr(name, "_in_")) == NULL)
			continue;
		*caller = '\0';
		if (i + 1 < n)
			name_of(&frame[i + 1], caller, sizeof caller);
		if (strcmp(in + 4, caller) == 0)
			continue;
		printf("%" PRIx64 ": %s has the caller \"%s\"\n", pc, name, caller);
		return false;
	}
	return true;
}

int
main(int argc, char **argv)
{
	struct processes *ps = processes_new(modules_new(&symsource_live));
	struct unwind *u = unwind_new(NULL);
	struct unwind_input in = {0};
	unsigned steps = 0, complete = 0, wrong = 0;
	bool stepping = false;
	enum unwind_end end;
	pid_t pid = fork();
	int status;

	if (argc < 2 || pid < 0)
		return 2;
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		siginfo_t info;

		ptrace(PTRACE_GETSIGINFO, pid, NULL, &info);
		if (WSTOPSIG(status) == SIGTRAP && info.si_code == SI_KERNEL) { /* int3 */
			if (stepping)
				break;
			processes_read(ps, pid);
			in.process = processes_find(ps, pid);
			stepping = true;
		} else if (stepping) {
			size_t n;

			look(u, &in, pid);
			n = unwind_stack(u, &in, frame, &end);
			steps++;
			complete += end == UNWIND_COMPLETE;
			wrong += !is_right(frame[0].vaddr, n);
		}
		ptrace(stepping ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	unwind_free(u);
	processes_free(ps);
	printf("%u instructions, %u wrong, %u complete\n", steps, wrong, complete);
	return steps == 0 || wrong > 0;
}

#else

int
main(void)
{
	return 77; /* skip: unsupported machine */
}

#endif
