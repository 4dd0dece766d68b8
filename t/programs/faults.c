/*
 * faults: an LD_PRELOAD library that makes one call of a program fail. FAULT is `KIND N`:
 *
 *	malloc N  the N-th allocation returns NULL
 *	read N    the N-th read moves at most one byte
 *	write N   the N-th write moves at most one byte
 *	eintr N   the N-th read or write is interrupted before it moves any
 *
 * FAULT_COUNT names a file to which the number of calls of that kind is written at exit.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long calls;
static long nth;
static char kind[16];
static const char *count;

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("FAULT");

	if (fault == NULL || sscanf(fault, "%15s %ld", kind, &nth) < 1)
		kind[0] = '\0';
	count = getenv("FAULT_COUNT");
}

__attribute__((destructor)) static void
end(void)
{
	char line[32];
	int fd = count == NULL ? -1 : open(count, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		return;
	kind[0] = '\0';
	if (write(fd, line, (size_t)sprintf(line, "%ld\n", (long)calls)) < 0)
		_exit(3);
	close(fd);
}

static bool
hit(const char *what)
{
	return strcmp(kind, what) == 0 && ++calls == nth;
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
