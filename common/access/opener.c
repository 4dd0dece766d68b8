/*
 * opener: the system calls; with a link, requests for them. Descriptors of the memory of processes
 * are cached, since one sample may need several reads.
 */
#include "access/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "access/openlink.h"

#define MEMORIES 64 /* descriptors in the cache, a power of two */
#define MEMORY_AGE UINT64_C(1000000000) /* ns that one is used: the ID may be reused */

static int link_end = -1; /* -1: this process makes the calls itself */
static pthread_mutex_t link_lock = PTHREAD_MUTEX_INITIALIZER;
static bool exhausted; /* a file was not opened: too many open files */

static struct memory {
	int id; /* 0: none */
	int fd; /* of /proc/ID/mem */
	uint64_t until; /* ns */
} memories[MEMORIES];

void
opener_through(int end)
{
	if (link_end >= 0)
		close(link_end);
	link_end = end;
}

bool
opener_is_linked(void)
{
	return link_end >= 0;
}

bool
opener_ask(const struct openlink_message *m, int fd, int *got)
{
	static bool warned;
	struct openlink_message reply = {.error = EPIPE};
	int its = -1;

	pthread_mutex_lock(&link_lock);
	if (!openlink_send(link_end, m, fd) || !openlink_receive(link_end, &reply, &its)) {
		if (!warned && m->kind < OPENLINK_OWN)
			cli_warn("the process that opens files of other processes has ended; some "
				 "names and stacks are missing");
		warned = true;
		reply.error = EPIPE;
	}
	pthread_mutex_unlock(&link_lock);
	if (got != NULL)
		*got = its;
	else if (its >= 0)
		close(its);
	errno = reply.error;
	return reply.error == 0;
}

int
opener_link(void)
{
	int end;

	return opener_is_linked() &&
		       opener_ask(&(struct openlink_message){.kind = OPENLINK_LINK}, -1, &end)
		   ? end
		   : -1;
}

/* Sends a request for a descriptor; returns it, or -1 and errno. */
static int
ask(const struct openlink_message *m, int directory)
{
	int fd;

	return opener_ask(m, directory, &fd) ? fd : -1;
}

/* Opens the regular file of an O_PATH descriptor, which remains; -1 and errno on failure. */
static int
open_again(int path)
{
	struct stat st, again;
	char self[32];
	int fd = -1;

	errno = ENOENT;
	if (fstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", path);
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	if (fd >= 0 &&
	    (fstat(fd, &again) != 0 || again.st_ino != st.st_ino || again.st_dev != st.st_dev)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Requests a file. A path that leads through an open directory is relative to that. */
static int
ask_for_file(int directory, const char *path, bool follow)
{
	static const char own[] = "/proc/self/fd/";
	struct openlink_message m = {.kind = OPENLINK_FILE, .flag = follow};

	if (strncmp(path, own, sizeof own - 1) == 0) {
		char *end;
		long fd = strtol(path + sizeof own - 1, &end, 10);

		if (*end == '/' && fcntl((int)fd, F_GETFD) >= 0) {
			directory = (int)fd;
			path = end + strspn(end, "/");
		}
	}
	if (!openlink_put_text(&m, path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return ask(&m, directory == AT_FDCWD ? -1 : directory);
}

/* Returns fd, and notes it if it is -1 because too many files are open. */
static int
noted(int fd)
{
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		__atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
	return fd;
}

/* True if errno is that of a call that another process may make. */
static bool
is_refused(void)
{
	return opener_is_linked() && (errno == EACCES || errno == EPERM);
}

int
opener_file_of(int path)
{
	int fd;

	if (path < 0)
		return -1;
	fd = open_again(path);
	if (fd < 0 && is_refused())
		fd = ask_for_file(path, "", true);
	close(path);
	return noted(fd);
}

bool
opener_is_exhausted(void)
{
	return __atomic_load_n(&exhausted, __ATOMIC_RELAXED);
}

int
opener_file(int directory, const char *path, bool follow)
{
	int at = openat(directory, path, O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
	int fd = at < 0 ? -1 : open_again(at);

	if (at >= 0)
		close(at);
	if (fd < 0 && is_refused())
		fd = ask_for_file(directory, path, follow);
	return noted(fd);
}

int
opener_directory(int pid, const char *below, int flags)
{
	char path[64];

	if (opener_is_linked()) {
		struct openlink_message m = {.kind = OPENLINK_DIRECTORY, .id = pid, .flag = flags};

		openlink_put_text(&m, below);
		return ask(&m, -1);
	}
	snprintf(path, sizeof path, "/proc/%d/root%s", pid, below);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
}

int
opener_text(int id, enum opener_text which)
{
	static const char *const name[] = {[OPENER_MAPS] = "maps", [OPENER_SYSCALL] = "syscall"};
	char path[32] = "/proc/kallsyms";

	if (opener_is_linked())
		return noted(ask(
		    &(struct openlink_message){
			.kind = OPENLINK_TEXT, .id = id, .flag = (int32_t)which},
		    -1));
	if (which != OPENER_KALLSYMS)
		snprintf(path, sizeof path, "/proc/%d/%s", id, name[which]);
	return noted(open(path, O_RDONLY | O_CLOEXEC));
}

FILE *
opener_stream(int id, enum opener_text which)
{
	int fd = opener_text(id, which);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && f == NULL)
		close(fd);
	return f;
}

static struct memory *
memory_of(int id)
{
	return &memories[(unsigned)id & (MEMORIES - 1)];
}

static void
close_memory(struct memory *m)
{
	if (m->id != 0)
		close(m->fd);
	*m = (struct memory){0};
}

void
opener_forget(int id)
{
	struct memory *m = memory_of(id);

	if (m->id == id)
		close_memory(m);
}

/* The cache entry of a process or thread, opened; NULL and errno on failure. */
static const struct memory *
open_memory(int id)
{
	struct memory *m = memory_of(id);
	const uint64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);
	int fd;

	if (m->id == id && now < m->until)
		return m;
	fd = ask(&(struct openlink_message){.kind = OPENLINK_MEMORY, .id = id}, -1);
	if (fd < 0)
		return NULL;
	close_memory(m);
	*m = (struct memory){id, fd, now + MEMORY_AGE};
	return m;
}

/* Reads through a descriptor; it has no bytes if the process has ended or called exec. */
static ssize_t
read_memory(int id, const struct iovec *here, const struct iovec *there, size_t n)
{
	const struct memory *m = open_memory(id);
	ssize_t sum = 0;

	if (m == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		ssize_t got = pread(
		    m->fd, here[i].iov_base, here[i].iov_len, (off_t)(uintptr_t)there[i].iov_base);

		sum += got > 0 ? got : 0;
		if (got < 0 || (size_t)got < here[i].iov_len) {
			errno = got == 0 ? ESRCH : errno == EIO ? EFAULT : errno;
			return sum > 0 ? sum : -1;
		}
	}
	return sum;
}

ssize_t
opener_memory(int id, const struct iovec *here, const struct iovec *there, size_t n)
{
	if (opener_is_linked())
		return read_memory(id, here, there, n);
	return process_vm_readv(id, here, n, there, n, 0);
}

int
opener_event(const struct perf_event_attr *a, pid_t pid, int cpu)
{
	if (opener_is_linked()) {
		struct openlink_message m = {.kind = OPENLINK_EVENT, .id = pid, .flag = cpu};

		openlink_put(&m, a, sizeof *a);
		return ask(&m, -1);
	}
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}
