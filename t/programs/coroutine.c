/*
 * coroutine: the first functions of a coroutine of ucontext, or with an argument of Boost.Context,
 * each called by the one that its name says; for t/unit/steps.c, between two breakpoint
 * instructions.
 */
#include <ucontext.h>

#define APART __attribute__((noinline))

static ucontext_t back, context;
static char stack[65536] __attribute__((aligned(16)));
volatile long sum;

APART static long
leaf_in_work_in_coroutine(long n)
{
	return n + sum;
}

APART static void
work_in_coroutine(long n)
{
	sum += leaf_in_work_in_coroutine(n) + 1;
}

void coroutine(void);

void
coroutine(void)
{
	__asm__ volatile("int3");
	for (long n = 0; n < 3; n++)
		work_in_coroutine(n);
	__asm__ volatile("int3");
}

/*
 * As make_fcontext and jump_fcontext of Boost.Context do, without call frame information: the
 * return address of the first function is that of `finish`, to which no call returns.
 */
__asm__(".text\n"
	".type begin, @function\n"
	"begin:	movq %rdi, %rsp\n"
	"	leaq finish(%rip), %rbp\n"
	"	leaq coroutine(%rip), %rbx\n"
	"	jmp trampoline\n"
	"	ret\n"
	"trampoline: push %rbp\n"
	"	jmp *%rbx\n"
	"finish:	xorq %rdi, %rdi\n"
	"	call _exit@PLT\n"
	"	hlt\n"
	".size begin, . - begin\n");
void begin(void *top);

int
main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		begin(stack + sizeof stack);
	getcontext(&context);
	context.uc_stack.ss_sp = stack;
	context.uc_stack.ss_size = sizeof stack;
	context.uc_link = &back;
	makecontext(&context, coroutine, 0);
	swapcontext(&back, &context);
	return 0;
}
