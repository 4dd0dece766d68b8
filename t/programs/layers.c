/*
 * layers: stacks of known shapes without a C library, so that a recording needs this file only:
 * an inlined call, recursion, and system calls. Ends after half a second of CPU time.
 */
#include <asm/unistd.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned counter;

APART static long
ask(int clock, struct timespec *t)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(__NR_clock_gettime), "D"(clock), "S"(t)
			 : "rcx", "r11", "memory");
	return result;
}

APART static unsigned
burn(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		counter += i;
	return counter + 1;
}

static inline __attribute__((always_inline)) unsigned
middle(unsigned n)
{
	return burn(n) + 1;
}

APART static unsigned
outer(unsigned n)
{
	return middle(n) + 1;
}

APART static unsigned
descend(int depth)
{
	return (depth == 0 ? burn(100000) : descend(depth - 1)) + 1;
}

APART static long
asks(void)
{
	struct timespec t;
	long bad = 0;

	for (int i = 0; i < 150; i++)
		bad += ask(CLOCK_PROCESS_CPUTIME_ID, &t);
	return bad;
}

int main(void);
int
main(void)
{
	struct timespec t;

	do {
		outer(100000);
		descend(20);
		asks();
		ask(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_nsec < 500000000 && t.tv_sec == 0);
	return 0;
}

void _start(void);
void
_start(void)
{
	int status = main();

	__asm__ volatile("syscall" ::"a"(__NR_exit_group), "D"(status));
	__builtin_unreachable();
}
