/*
 * vec: memory with huge pages, and the growth of arrays.
 */
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/message.h"
#include "kernel/compat.h"

#define PAGE 4096u /* bytes */
#define POPULATED (64u << 10) /* bytes; smaller blocks have few page faults */
#define HUGE_BLOCK (4u << 20) /* bytes; smaller blocks have few page faults */
#define LARGE (1 << 20) /* bytes; of blocks that are returned */
#define FEWEST 16

size_t
vec_capacity(size_t have, size_t want, size_t most)
{
	size_t cap = have < FEWEST ? FEWEST : have > most / 2 ? most : 2 * have;

	if (want > most)
		cli_die("more than %zu elements", most);
	return cap < want ? want : cap > most ? most : cap;
}

/*
 * Requests huge pages for a large block: filling it takes less time than its page faults, one for
 * every 4 KiB. The range has all of the first and the last page, so that a mapped block remains one
 * mapping for mremap(2). Where pages are larger, madvise(2) refuses, which costs nothing.
 */
static void *
with_huge_pages(void *p, size_t size)
{
	const size_t before = (uintptr_t)p % PAGE;

	if (size >= HUGE_BLOCK) /* the kernel rounds the end up to a page */
		compat_huge_pages((char *)p - before, before + size);
	return p;
}

void
cli_populate(void *p, size_t size)
{
	const size_t before = (uintptr_t)p % PAGE;

	if (size >= POPULATED)
		compat_populate((char *)p - before, (before + size) & ~((size_t)PAGE - 1));
}

void *
cli_pages(size_t size)
{
	const size_t huge = (size_t)2 << 20, all = size & ~(huge - 1);
	void *p;

	if (posix_memalign(&p, all != 0 ? huge : sizeof(uint64_t), size) != 0)
		return NULL;
	if (all != 0)
		compat_huge_pages(p, all);
	cli_populate((char *)p + all, size - all);
	return p;
}

void
cli_return_large(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void *
cli_alloc(size_t n, size_t size)
{
	void *p = calloc(n != 0 ? n : 1, size);

	if (p == NULL)
		cli_die("out of memory");
	return with_huge_pages(p, n * size);
}

void *
cli_alloc_ready(size_t n, size_t size)
{
	void *p = cli_alloc(n, size);

	cli_populate(p, n * size);
	return p;
}

void *
cli_realloc(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n != 0 ? n : 1, size);
	if (p == NULL)
		cli_die("out of memory");
	return with_huge_pages(p, n * size);
}

char *
cli_strdup(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		cli_die("out of memory");
	return copy;
}
