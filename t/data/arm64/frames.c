/*
 * Functions whose frames t/perfdata-arm64.t unwinds. Compiled by ./update for AArch64, with and
 * without call frame information; the results are stored, since few machines have the compiler.
 */
volatile long sink;

__attribute__((noinline)) void
leaf(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) void
middle(long n)
{
	leaf(n);
	sink++;
}

/* It saves more registers than the frame record, and calls twice. */
__attribute__((noinline)) long
many(long n, long a, long b, long c)
{
	leaf(n);
	sink += a * b;
	middle(n);
	return a + b + c + n + sink;
}

/* Its frame is larger than the offset of a pair's store. */
__attribute__((noinline)) long
large(long n)
{
	volatile char space[5000];

	space[n] = 1;
	middle(n);
	return space[n + 1];
}

/* Its frame's size is known at run time only. */
__attribute__((noinline)) long
varying(long n)
{
	volatile char space[n];

	space[0] = 1;
	middle(n);
	return space[n - 1];
}

/* Returns early without a frame; the compiler makes it for the other path only. */
__attribute__((noinline)) long
wrapped(long n)
{
	if (sink > n)
		return n;
	middle(n);
	sink++;
	return n + 1;
}

__attribute__((noinline)) long
root(long n)
{
	return many(n, n + 1, n + 2, n + 3) + large(n) + varying(n) + wrapped(n);
}
