/*
 * unwind: unwinds its own stack repeatedly. Without an argument, prints which of its functions
 * are on the stack and how the walk ended; with a number N, prints nanoseconds per frame over N
 * walks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "symbol/symbol.h"
#include "trace/unwind.h"

#if defined(__x86_64__)

#define TABLE                                                                               \
	".rept 2000; nop; .cfi_adjust_cfa_offset 8; nop; .cfi_adjust_cfa_offset -8; .endr;" \
	".rept 200; nop; .cfi_remember_state; nop; .cfi_restore_state; .endr"

static volatile int counter;
static struct unwind_frame frame[UNWIND_DEPTH];

static void
registers(uint64_t reg[UNWIND_REGS], const ucontext_t *context)
{
	/* General registers of ucontext_t by DWARF number. */
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP,
	    REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		reg[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

static void
say(size_t n, enum unwind_end end)
{
	static const char *const ends[] = {"whole", "truncated", "lost"};
	const struct symbol_frame *f;

	for (size_t i = 0; i < n; i++) {
		size_t found = frame[i].module == NULL
				   ? 0
				   : symbol_resolve(frame[i].module, frame[i].vaddr, 0, 0, &f);

		printf("%s\n", found > 0 ? f->function : "?");
	}
	printf("%s\n", ends[end]);
}

static void
measure(struct unwind *u, const struct unwind_input *in, long rounds)
{
	struct timespec begin, end;
	enum unwind_end how;
	uint64_t frames = 0;

	unwind_stack(u, in, frame, &how);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < rounds; i++)
		frames += unwind_stack(u, in, frame, &how);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.1f\n",
	    ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
		(double)frames);
}

/* Copies through a system call, since a sanitizer forbids reads between variables. */
static size_t
copy_stack(void *to, size_t size, uintptr_t sp)
{
	struct iovec here = {to, size}, there = {(void *)sp, size};
	ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	return n > 0 ? (size_t)n : 0;
}

__attribute__((noinline)) static void
look(long rounds)
{
	static unsigned char copy[1 << 16];
	struct processes *ps = processes_new(modules_new(&symsource_live));
	struct unwind *u = unwind_new(NULL);
	struct unwind_input in = {.stack = copy};
	enum unwind_end end;
	ucontext_t context;

	processes_read(ps, getpid());
	in.process = processes_find(ps, getpid());
	getcontext(&context);
	registers(in.reg, &context);
	in.nstack = copy_stack(copy, sizeof copy, (uintptr_t)context.uc_mcontext.gregs[REG_RSP]);
	if (rounds > 0) {
		measure(u, &in, rounds);
	} else {
		size_t n = unwind_stack(u, &in, frame, &end);

		say(n, end);
	}
	unwind_free(u);
	processes_free(ps);
}

/* Frames of several sizes, each with registers saved. */
__attribute__((noinline)) static void
descend(int depth, long rounds)
{
	volatile char room[64];

	room[depth] = (char)depth;
	if (depth > 0)
		descend(depth - 1, rounds);
	else
		look(rounds);
	counter += room[depth];
}

/*
 * Has 25 KB of call frame information, and stores 400 states, as parts of GCC, node and perl do.
 */
__attribute__((noinline)) static void
describe(long rounds)
{
	__asm__ volatile(TABLE);
	descend(20, rounds);
	__asm__ volatile(TABLE);
}

static int
compare(const void *a, const void *b)
{
	(void)a;
	(void)b;
	if (counter++ == 0)
		describe(*(const long *)a);
	return 0;
}

int
main(int argc, char **argv)
{
	long pair[2];

	pair[0] = pair[1] = argc > 1 ? atol(argv[1]) : 0;
	qsort(pair, 2, sizeof pair[0], compare);
	return 0;
}

#else

int
main(void)
{
	return 77; /* skip: unsupported machine */
}

#endif
