/*
 * compat: functions and constants of Linux and glibc that FreeBSD or macOS lacks: their own name
 * for the same, or a replacement. Those that only save time do nothing there.
 */
#ifndef COMPAT_H
#define COMPAT_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__

#include <byteswap.h>
#include <endian.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#define COMPAT_DESCRIPTORS "/proc/self/fd"

/* Draws n bytes, at most 256; false if there are none yet. */
static inline bool
compat_random(void *to, size_t n)
{
	return getrandom(to, n, GRND_NONBLOCK) == (ssize_t)n;
}

/* True in /proc, whose links to open files have no path. */
static inline bool
compat_is_proc(int dir)
{
	struct statfs s;

	return fstatfs(dir, &s) == 0 && s.f_type == PROC_SUPER_MAGIC;
}

/* A file without a name in a directory that is open, or -1 and errno. */
static inline int
compat_nameless(int dir, const char *path, int flags, mode_t mode)
{
	return openat(dir, path, O_TMPFILE | O_CLOEXEC | flags, mode);
}

/* A file in memory, or -1 and errno. */
static inline int
compat_memory(const char *name)
{
	return memfd_create(name, MFD_CLOEXEC);
}

/* Number of processors that the program may use. */
static inline unsigned
compat_processors(void)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return CPU_SETSIZE; /* more than that */
	return (unsigned)CPU_COUNT(&cpus);
}

/* Enlarges a pipe; requests huge pages for a mapping; has its pages now. */
static inline void
compat_pipe_size(int fd, int size)
{
	(void)fcntl(fd, F_SETPIPE_SZ, size);
}

static inline void
compat_huge_pages(void *p, size_t size)
{
	(void)madvise(p, size, MADV_HUGEPAGE);
}

static inline void
compat_populate(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE /* since Linux 5.14 */
	(void)madvise(p, size, MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)size;
#endif
}

#else

#include <sys/random.h> /* getentropy of macOS */

#define COMPAT_DESCRIPTORS "/dev/fd"
#ifndef O_PATH
#ifdef O_SEARCH
#define O_PATH O_SEARCH
#else
#define O_PATH O_RDONLY
#endif
#endif
#ifndef CLOCK_MONOTONIC_COARSE
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#endif

static inline bool
compat_random(void *to, size_t n)
{
	return getentropy(to, n) == 0;
}

static inline bool
compat_is_proc(int dir)
{
	(void)dir;
	return false;
}

static inline int
compat_nameless(int dir, const char *path, int flags, mode_t mode)
{
	(void)dir;
	(void)path;
	(void)flags;
	(void)mode;
	errno = ENOTSUP;
	return -1;
}

static inline int
compat_memory(const char *name)
{
	FILE *f = tmpfile();
	int fd = f != NULL ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 0) : -1;

	(void)name;
	if (f != NULL)
		fclose(f);
	return fd;
}

static inline unsigned
compat_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

static inline void
compat_pipe_size(int fd, int size)
{
	(void)fd;
	(void)size;
}

static inline void
compat_huge_pages(void *p, size_t size)
{
	(void)p;
	(void)size;
}

static inline void
compat_populate(void *p, size_t size)
{
	(void)p;
	(void)size;
}

/* FreeBSD has these, macOS does not: own ones on both. */
static inline void *
compat_memrchr(const void *s, int c, size_t n)
{
	const unsigned char *at = s;

	while (n > 0)
		if (at[--n] == (unsigned char)c)
			return (void *)(uintptr_t)(at + n);
	return NULL;
}

static inline int
compat_pipe2(int fd[2], int flags)
{
	if (pipe(fd) != 0)
		return -1;
	if ((flags & O_CLOEXEC) != 0 &&
	    (fcntl(fd[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd[1], F_SETFD, FD_CLOEXEC) != 0)) {
		close(fd[0]);
		close(fd[1]);
		return -1;
	}
	return 0;
}

static inline void *
compat_reallocarray(void *p, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, all);
}

#undef memrchr
#undef pipe2
#undef reallocarray
#undef bswap_16
#undef bswap_32
#undef bswap_64
#undef be64toh
#undef le64toh
#undef htole64
#define memrchr compat_memrchr
#define pipe2 compat_pipe2
#define reallocarray compat_reallocarray
#define bswap_16 __builtin_bswap16
#define bswap_32 __builtin_bswap32
#define bswap_64 __builtin_bswap64
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define be64toh __builtin_bswap64
#define le64toh(x) ((uint64_t)(x))
#else
#define be64toh(x) ((uint64_t)(x))
#define le64toh __builtin_bswap64
#endif
#define htole64 le64toh

#endif
#endif
