/*
 * opener: the system calls.
 */
#include "code/opener.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int
opener_file_of(int path)
{
	struct stat st, again;
	char self[32];
	int fd = -1;

	if (path < 0)
		return -1;
	if (fstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", path);
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	close(path);
	if (fd >= 0 &&
	    (fstat(fd, &again) != 0 || again.st_ino != st.st_ino || again.st_dev != st.st_dev)) {
		close(fd);
		return -1;
	}
	return fd;
}

int
opener_file(int directory, const char *path, bool follow)
{
	return opener_file_of(
	    openat(directory, path, O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)));
}

int
opener_directory(int pid, const char *below, int flags)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/root%s", pid, below);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
}

int
opener_text(int id, enum opener_text which)
{
	static const char *const name[] = {[OPENER_MAPS] = "maps", [OPENER_SYSCALL] = "syscall"};
	char path[32] = "/proc/kallsyms";

	if (which != OPENER_KALLSYMS)
		snprintf(path, sizeof path, "/proc/%d/%s", id, name[which]);
	return open(path, O_RDONLY | O_CLOEXEC);
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

ssize_t
opener_memory(int id, const struct iovec *here, const struct iovec *there, size_t n)
{
	return process_vm_readv(id, here, n, there, n, 0);
}

int
opener_event(const struct perf_event_attr *a, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}
