/* C functions c0 to c3 that call back into a script, for the lockstep tests of t/unit/script.c. */
#include <stdlib.h>

static void (*compare_with)(int);
static int compare_depth;

void
c0(void (*f)(int), int depth)
{
	f(depth);
	__asm__ volatile(""); /* a call, not a jump */
}

static int
compare(const void *a, const void *b)
{
	(void)a;
	(void)b;
	if (compare_depth >= 0) {
		int depth = compare_depth;

		compare_depth = -1;
		compare_with(depth);
	}
	return 0;
}

void
c1(void (*f)(int), int depth)
{
	int two[2] = {2, 1};

	compare_with = f;
	compare_depth = depth;
	qsort(two, 2, sizeof two[0], compare);
	__asm__ volatile("");
}

void
c2(void (*f)(int), int depth)
{
	volatile char room[4096];

	room[depth & 4095] = 1;
	f(depth);
	room[depth & 4095]++;
}

void
c3(void (*f)(int), int depth)
{
	c0(f, depth);
	__asm__ volatile("");
}
