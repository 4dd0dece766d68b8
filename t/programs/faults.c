/*
 * faults: an LD_PRELOAD library that makes one call of a program fail. FAULT is `KIND N`:
 *
 *	malloc N  the N-th allocation returns NULL
 *	read N    the N-th read moves at most one byte
 *	write N   the N-th write moves at most one byte
 *	eintr N   the N-th read or write is interrupted before it moves any
 *
 * FAULT_PROGRAM limits this to programs of that name. A process that the program forks counts on
 * from its parent's number. FAULT_COUNT names a file that holds the highest number of calls of
 * that kind in any of them, as a native 64-bit integer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long calls;
static long nth;
static char kind[16];
static _Atomic int64_t *most; /* mapped from FAULT_COUNT, shared with forked processes */

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("FAULT"), *only = getenv("FAULT_PROGRAM");
	const char *count = getenv("FAULT_COUNT");
	int fd;

	if (only != NULL && strcmp(only, program_invocation_short_name) != 0)
		return;
	if (count != NULL && (fd = open(count, O_RDWR | O_CREAT, 0666)) >= 0) {
		void *p = ftruncate(fd, sizeof *most) == 0
			      ? mmap(NULL, sizeof *most, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
			      : MAP_FAILED;

		if (p != MAP_FAILED)
			most = p;
		close(fd);
	}
	if (fault == NULL || sscanf(fault, "%15s %ld", kind, &nth) < 1)
		kind[0] = '\0';
}

static bool
hit(const char *what)
{
	long n;
	int64_t highest;

	if (strcmp(kind, what) != 0)
		return false;
	n = ++calls;
	if (most != NULL)
		for (highest = *most;
		     highest < n && !atomic_compare_exchange_weak(most, &highest, n);)
			;
	return n == nth;
}

static void *
none(void)
{
	errno = ENOMEM;
	return NULL;
}

void *
malloc(size_t n)
{
	return hit("malloc") ? none() : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return hit("malloc") ? none() : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return hit("malloc") ? none() : __libc_realloc(p, n);
}

ssize_t
read(int fd, void *buf, size_t n)
{
	static ssize_t (*real)(int, void *, size_t);

	if (real == NULL)
		real = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	if (hit("eintr")) {
		errno = EINTR;
		return -1;
	}
	return real(fd, buf, hit("read") && n > 1 ? 1 : n);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);

	if (real == NULL)
		real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	if (hit("eintr")) {
		errno = EINTR;
		return -1;
	}
	return real(fd, buf, hit("write") && n > 1 ? 1 : n);
}
