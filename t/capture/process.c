/*
 * process: children of fg-record, and stops of threads. In a replay, a child that has no part in it
 * exits at once, and others have the numbers that they had.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"

#define CHILDREN 64

/* Replay: children by the numbers that they had. */
static struct child {
	pid_t recorded, real;
	bool works; /* symbolizes or opens files; false: ends at once */
} children[CHILDREN];
static size_t nchild;

static const struct child *
child_of(pid_t recorded)
{
	for (size_t i = nchild; i-- > 0;)
		if (children[i].recorded == recorded)
			return &children[i];
	return NULL;
}

pid_t
fork(void)
{
	const struct answer *a = capture_mode == CAPTURE_REPLAY ? archive_event("fork") : NULL;
	const struct answer *first;
	const bool known =
	    a != NULL && archive_range(key_of("idle %lld", (long long)a->result), &first) == 0;
	const pid_t pid = REAL(fork)();

	if (capture_mode == CAPTURE_OFF)
		return pid;
	if (pid == 0) {
		capture_in_main = false;
		return pid;
	}
	if (capture_mode == CAPTURE_RECORD)
		return (pid_t)keep("fork", pid, NULL, 0);
	if (nchild == CHILDREN)
		capture_die("too many children");
	children[nchild++] =
	    (struct child){a != NULL ? (pid_t)a->result : pid, pid, known || a == NULL};
	return children[nchild - 1].recorded;
}

/* A child of fg-record that has no part in a replay: the command, a watchdog. */
static void
be_idle(void)
{
	if (capture_mode == CAPTURE_RECORD)
		log_add(key_of("idle %d", (int)SYS(getpid)), 0, NULL, 0);
	else
		_exit(0);
}

int
execvp(const char *file, char *const argv[])
{
	if (capture_mode != CAPTURE_OFF) {
		const int null = (int)SYS(openat, AT_FDCWD, "/dev/null", O_RDWR);

		be_idle();
		dup2(null, STDOUT_FILENO); /* the notes are only fg-record's */
		dup2(null, STDERR_FILENO);
	}
	return REAL(execvp)(file, argv);
}

int
prctl(int option, ...)
{
	unsigned long arg[4];
	va_list args;

	va_start(args, option);
	for (size_t i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_SET_PDEATHSIG && capture_mode != CAPTURE_OFF)
		be_idle();
	return (int)SYS(prctl, option, arg[0], arg[1], arg[2], arg[3]);
}

/* Replay: a stop, or the end of one child. */
static pid_t
replay_wait(pid_t pid, int *status, int options)
{
	const struct child *c = child_of(pid);
	const struct answer *a;

	if (c != NULL && c->works)
		return SYS(wait4, c->real, status, options, NULL) == c->real ? pid : -1;
	if (pid < 0) {
		a = archive_barrier('s');
		if (a == NULL && (options & WNOHANG) == 0) {
			archive_barrier('w'); /* none precedes: whatever remains is passed over */
			a = archive_barrier('s');
		}
		if (a != NULL)
			ring_sync();
	} else {
		const char *key = key_of("waitpid %d", pid);
		const struct answer *first;

		a = archive_event(key);
		if (a == NULL && (options & WNOHANG) == 0 && archive_range(key, &first) > 0)
			a = first; /* recorded in a later step */
	}
	if (a == NULL) {
		errno = ECHILD;
		return (options & WNOHANG) != 0 ? 0 : -1;
	}
	if (status != NULL)
		memcpy(status, a->bytes, sizeof *status);
	return (pid_t)a->result;
}

/* A capture does not have the CPU time of a child: it is 0. */
pid_t
wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int how = 0;
	pid_t got;

	if (usage != NULL)
		memset(usage, 0, sizeof *usage);
	if (capture_mode == CAPTURE_REPLAY && capture_in_main)
		return replay_wait(pid, status, options);
	got = (pid_t)SYS(wait4, pid, &how, options, capture_mode == CAPTURE_OFF ? usage : NULL);
	if (capture_mode == CAPTURE_RECORD && capture_in_main && got > 0) {
		log_add(pid < 0 ? "stop" : key_of("waitpid %d", pid), got, &how, sizeof how);
		if (pid < 0)
			ring_sync();
	}
	if (status != NULL)
		*status = how;
	return got;
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

int
kill(pid_t pid, int signal)
{
	const struct child *c = child_of(pid);

	if (capture_mode != CAPTURE_REPLAY)
		return (int)SYS(kill, pid, signal);
	return c != NULL && c->works ? (int)SYS(kill, c->real, signal) : 0;
}

/* Bytes that a request writes to its last argument, as pointed to by it. */
static void *
written_by(long request, void *address, void *data, size_t *n)
{
	struct iovec *set = data;

	(void)address;
	*n = 0;
	switch (request) {
#if defined(__x86_64__)
	case PTRACE_GETREGS: *n = sizeof(struct user_regs_struct); return data;
#endif
	case PTRACE_GETREGSET: *n = set->iov_len; return set->iov_base;
	case PTRACE_GETSIGINFO: *n = sizeof(siginfo_t); return data;
	case PTRACE_GETEVENTMSG: *n = sizeof(unsigned long); return data;
	default: return NULL;
	}
}

long
ptrace(enum __ptrace_request request, ...)
{
	va_list args;
	pid_t pid;
	void *address, *data, *to;
	const char *key;
	size_t n;
	long result;

	va_start(args, request);
	pid = va_arg(args, pid_t);
	address = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (capture_mode == CAPTURE_OFF)
		return SYS(ptrace, (long)request, pid, address, data);
	to = written_by((long)request, address, data, &n);
	key = key_of("ptrace %lx %d", (long)request, pid);
	if (capture_mode == CAPTURE_RECORD) {
		result = SYS(ptrace, (long)request, pid, address, data);
		return keep(key, result, to, result >= 0 ? n : 0);
	}
	result = recall(key, to, n, ESRCH);
	if (result >= 0 && request == PTRACE_GETSIGINFO && ((siginfo_t *)to)->si_code > 0)
		((siginfo_t *)to)->si_fd = object_renumber(((siginfo_t *)to)->si_fd);
	return result;
}
