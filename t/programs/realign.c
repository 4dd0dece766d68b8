/*
 * realign: functions that realign the stack, each called by the one that its name says; for
 * t/unit/steps.c, between two breakpoint instructions.
 */
#include <alloca.h>
#include <string.h>

#define APART __attribute__((noinline))

volatile long sum;

APART static long
leaf_in_dynamic_in_main(long n)
{
	return n + sum;
}

/* GCC keeps a pointer to the arguments of this function in r10 (ecx). */
APART static long
dynamic_in_main(long n)
{
	volatile char aligned[192] __attribute__((aligned(64)));
	char *volatile more = alloca((size_t)n);

	aligned[n] = (char)n;
	memset(more, 1, (size_t)n);
	sum += leaf_in_dynamic_in_main(n);
	return aligned[n] + more[1];
}

APART static long
leaf_in_arguments_in_main(long n)
{
	return n - sum;
}

APART static long
arguments_in_main(long a, long b, long c, long d, long e, long f, long g, long h)
{
	volatile long aligned[8] __attribute__((aligned(64))) = {a, b, c, d, e, f, g, h};

	return leaf_in_arguments_in_main(aligned[sum & 7]) + aligned[1];
}

#ifndef __clang__
APART static long
outer_in_main(long n)
{
	volatile long kept = n;

	/* Called with a static chain in r10, so that the pointer to the arguments is in r13. */
	APART long inner_in_outer_in_main(long m)
	{
		volatile char aligned[64] __attribute__((aligned(64)));
		char *volatile more = alloca((size_t)m);

		aligned[m & 63] = more[0] = (char)m;
		kept += aligned[m & 63];
		return m + kept;
	}

	sum += inner_in_outer_in_main(n);
	return kept;
}
#endif

int
main(void)
{
	__asm__ volatile("int3");
	for (long n = 20; n < 23; n++) {
		sum += dynamic_in_main(n);
		sum += arguments_in_main(1, 2, 3, 4, 5, 6, 7, n);
#ifndef __clang__
		sum += outer_in_main(n);
#endif
	}
	__asm__ volatile("int3");
	return 0;
}
