/* request: process IDs may be used again, so a signal goes through a descriptor of the process. */
#include "fg-record/asking/request.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "base/cli.h"
#include "kernel/syscalls.h"
#include "fg-record/asking/proc.h"

void
request_cover(struct request_scope *s, int id)
{
	const int pid = proc_pid(id);

	if (pid == 0 || ids_have(&s->pids, pid))
		return;
	ids_add(&s->pids, pid);
	s->standing = cli_realloc(s->standing, s->pids.n, sizeof *s->standing);
	s->standing[s->pids.n - 1] = standing_of(pid);
}

bool
request_covers(const struct request_scope *s, int id)
{
	struct standing its;
	int pid;

	if (s->all || id <= 0)
		return true;
	pid = proc_pid(id);
	if (pid == 0)
		return false;
	its = standing_of(pid);
	for (size_t i = 0; i < s->pids.n; i++)
		if (!standing_exceeds(&its, &s->standing[i]))
			return true;
	for (; pid > 0; pid = proc_parent(pid))
		if (ids_have(&s->pids, pid))
			return true;
	return false;
}

static int64_t
milliseconds(const struct timespec *t)
{
	return t->tv_sec * INT64_C(1000) + t->tv_nsec / 1000000;
}

void
request_begin(struct timespec *begin, struct timespec *last)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (begin->tv_nsec < 0 || begin->tv_nsec >= 1000000000 || begin->tv_sec < last->tv_sec ||
	    begin->tv_sec > now.tv_sec || milliseconds(begin) <= milliseconds(last) ||
	    milliseconds(begin) > milliseconds(&now))
		*begin = now;
	*last = *begin;
}

int
request_kill(pid_t parent, pid_t child, int signal)
{
	int fd = (int)syscall(SYS_pidfd_open, child, 0), error;

	if (fd < 0 && errno != ENOSYS) /* before Linux 5.3 */
		return errno;
	/* If the child ended after pidfd_open, another process may have its ID, not its descriptor.
	 */
	if (proc_parent(child) != parent)
		error = ESRCH;
	else if (fd < 0)
		error = kill(child, signal) == 0 ? 0 : errno;
	else
		error = syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0 ? 0 : errno;
	if (fd >= 0)
		close(fd);
	return error;
}
