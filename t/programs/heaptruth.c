/*
 * heaptruth: allocates known bytes in functions of different mixtures of sizes, and prints for each
 * function, column and mean distance of samples the true value and the variance of its estimate.
 *
 *	heaptruth MEAN
 *
 * An allocation of n bytes is sampled with probability p = 1 - exp(-n / MEAN) and weighs n / p: the
 * variance is the sum of n * n * (1 - p) / p.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" ::: "memory")

static double mean;
static void *volatile sink;

struct figures {
	const char *name;
	double bytes[2], variance[2], blocks, blocks_variance; /* [0]: allocated, [1]: live */
};

static void
took(struct figures *f, size_t n, int live)
{
	const double p = -expm1(-(double)n / mean);

	for (int k = 0; k <= live; k++) {
		f->bytes[k] += (double)n;
		f->variance[k] += (double)n * (double)n * (1 - p) / p;
	}
	f->blocks += 1;
	f->blocks_variance += (1 - p) / p;
}

static void
print(const struct figures *f)
{
	printf("%s allocated %.0f %.0f\n", f->name, f->bytes[0], f->variance[0]);
	printf("%s allocations %.0f %.0f\n", f->name, f->blocks, f->blocks_variance);
	printf("%s live %.0f %.0f\n", f->name, f->bytes[1], f->variance[1]);
}

/* Allocates n blocks of sizes from `least` to `most`, and keeps each `kept`-th one. */
#define FUNCTION(function, least, most, n, kept)                            \
	static NOINLINE void function(struct figures *f)                    \
	{                                                                   \
		unsigned x = 1;                                             \
		f->name = #function;                                        \
		for (int i = 0; i < (n); i++) {                             \
			size_t size;                                        \
			void *p;                                            \
			x = x * 1103515245 + 12345;                         \
			size = (least) + (x >> 8) % ((most) - (least) + 1); \
			p = malloc(size);                                   \
			sink = p;                                           \
			took(f, size, i % (kept) == 0);                     \
			if (i % (kept) != 0)                                \
				free(p);                                    \
		}                                                           \
		KEEP();                                                     \
	}
FUNCTION(bytes, 1, 1, 300000, 3)
FUNCTION(tiny, 16, 48, 300000, 4)
FUNCTION(mixed, 1, 8000, 5000, 2)
FUNCTION(large, 50000, 500000, 100, 5)
FUNCTION(huge, 1000000, 30000000, 10, 2)

static NOINLINE void
grows(struct figures *f)
{
	f->name = "grows";
	for (int k = 0; k < 20; k++) {
		void *p = NULL;

		for (size_t n = 64; n < 1000000; n *= 2) {
			p = realloc(p, n);
			took(f, n, 2 * n >= 1000000);
		}
		sink = p;
	}
	KEEP();
}

int
main(int argc, char **argv)
{
	void (*const functions[])(struct figures *) = {bytes, tiny, mixed, large, huge, grows};

	mean = argc > 1 ? atof(argv[1]) : 524288;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		struct figures f = {0};

		functions[i](&f);
		print(&f);
	}
	return 0;
}
