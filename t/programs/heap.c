/*
 * heap: functions that allocate known bytes, in blocks that are much larger than the mean distance
 * of samples, so that each of them is sampled. Prints "right" if each allocation is as expected.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024
#define NOINLINE __attribute__((noinline, noclone))
/* A call that is not the last action of its function, so that the function is in the stack. */
#define KEEP() __asm__ volatile("" ::: "memory")

static void *volatile kept[64];
static int nkept;
static int wrong;

static void
keep(void *p, size_t n)
{
	if (p == NULL)
		wrong++;
	else
		memset(p, 1, n);
	kept[__atomic_fetch_add(&nkept, 1, __ATOMIC_RELAXED)] = p;
}

static NOINLINE void
leaks(void)
{
	for (int i = 0; i < 3; i++)
		keep(malloc(100 * KIB), 100 * KIB);
	KEEP();
}

static NOINLINE void
frees(void)
{
	for (int i = 0; i < 5; i++) {
		void *volatile p = malloc(2000 * KIB);

		wrong += p == NULL;
		free(p);
	}
	KEEP();
}

static NOINLINE void
zeroes(void)
{
	unsigned char *p = calloc(50, 2 * KIB);

	for (size_t i = 0; i < 100 * KIB; i++)
		wrong += p[i] != 0;
	keep(p, 1);
	KEEP();
}

static NOINLINE void
grows(void)
{
	char *p = realloc(NULL, 100 * KIB);

	strcpy(p, "kept");
	p = realloc(p, 200 * KIB);
	p = reallocarray(p, 3, 100 * KIB);
	wrong += strcmp(p, "kept") != 0;
	keep(p, 1);
	KEEP();
}

/* A block whose realloc(3) fails stays as it is, and errno is set. */
static NOINLINE void
fails(void)
{
	void *p = malloc(70 * KIB), *volatile q;
	volatile size_t huge = SIZE_MAX / 2;

	keep(p, 1);
	errno = 0;
	q = realloc(p, huge);
	wrong += q != NULL || errno != ENOMEM;
	errno = 0;
	q = reallocarray(p, huge, 16);
	wrong += q != NULL || errno != ENOMEM;
	KEEP();
}

static NOINLINE void
aligns(void)
{
	void *p = NULL;

	wrong += posix_memalign(&p, 4096, 100 * KIB) != 0 || (uintptr_t)p % 4096 != 0;
	keep(p, 1);
	keep(p = aligned_alloc(256, 100 * KIB), 1);
	wrong += (uintptr_t)p % 256 != 0;
	keep(p = memalign(512, 100 * KIB), 1);
	wrong += (uintptr_t)p % 512 != 0;
	keep(p = valloc(100 * KIB), 1);
	wrong += (uintptr_t)p % 4096 != 0;
	KEEP();
}

static NOINLINE void *
thread(void *arg)
{
	keep(malloc(100 * KIB), 1);
	KEEP();
	return arg;
}

static void
threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		wrong += pthread_create(&t[i], NULL, thread, NULL) != 0;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

/* In a child: frees its copy of a block of its parent, and keeps one of its own. */
static NOINLINE void
child(void)
{
	free(kept[0]);
	keep(malloc(100 * KIB), 1);
	KEEP();
}

static NOINLINE void
before_exec(void)
{
	keep(malloc(100 * KIB), 1);
	KEEP();
}

static NOINLINE void
serves(void)
{
	void *volatile p = malloc(100 * KIB);

	usleep(1000);
	free(p);
	KEEP();
}

int
main(int argc, char **argv)
{
	int status = 0;

	if (argc > 1 && strcmp(argv[1], "serve") == 0)
		for (;;)
			serves();
	if (argc > 1)
		return 7;
	leaks();
	frees();
	zeroes();
	grows();
	fails();
	aligns();
	threads();
	fflush(stdout);
	if (fork() == 0) {
		child();
		_exit(wrong);
	}
	wait(&status);
	if (fork() == 0) {
		before_exec();
		execl("/proc/self/exe", argv[0], "again", NULL);
	}
	wait(&argc);
	wrong += status != 0 || WEXITSTATUS(argc) != 7;
	puts(wrong == 0 ? "right" : "wrong");
	return 5;
}
