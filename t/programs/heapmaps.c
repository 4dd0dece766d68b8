/*
 * heapmaps: functions that get known bytes from mmap(2), or none, and keep or unmap parts of them.
 * Prints "right".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define MIB ((size_t)1 << 20)
#define ALONE __attribute__((noinline, noclone))
#define READY(p) __asm__ volatile("" : : "r"(p) : "memory")
#define MAP(n) mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
ALONE void
keeps(void)
{
	READY(MAP(3 * MIB));
}
ALONE void
small(void)
{
	READY(MAP(MIB));
} /* not above 1 MiB */
ALONE void
drops(void)
{
	char *p = MAP(5 * MIB);
	munmap(p, 5 * MIB);
	READY(p);
}
ALONE void
halves(void)
{
	char *p = MAP(4 * MIB);
	munmap(p, 2 * MIB);
	READY(p);
}
ALONE void
parts(void)
{
	char *p = MAP(6 * MIB);
	munmap(p + 2 * MIB, 2 * MIB);
	munmap(p, 2 * MIB);
	munmap(p + 4 * MIB, 2 * MIB);
	READY(p);
}
ALONE void
grows(void)
{
	char *p = MAP(2 * MIB);
	p = mremap(p, 2 * MIB, 7 * MIB, MREMAP_MAYMOVE);
	READY(p);
}
ALONE void
fails(void)
{
	char *p = MAP(8 * MIB);
	READY(mremap(p, 8 * MIB, (size_t)1 << 60, MREMAP_MAYMOVE));
	READY(MAP((size_t)1 << 60));
}
ALONE void
replaces(void)
{
	char *p = MAP(9 * MIB);
	mmap(p, 9 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	READY(p);
}
ALONE void
reserves(void)
{
	READY(mmap(NULL, 10 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
ALONE void
file(void)
{
	READY(mmap(NULL, 2 * MIB, PROT_READ, MAP_PRIVATE, 0, 0));
}
ALONE void
allocates(void)
{
	char *p = malloc(11 * MIB);
	READY(p);
}
static void *
thread(void *arg)
{
	keeps();
	return arg;
}
int
main(void)
{
	pthread_t t;
	keeps();
	small();
	drops();
	halves();
	parts();
	grows();
	fails();
	replaces();
	reserves();
	file();
	allocates();
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	puts("right");
	return 5;
}
