/*
 * limits: setrlimit(2), and the default stack of threads, which glibc sets at its start.
 */
#include "fg-record/limits.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fg-record/record.h"

#define STACK_MIN (64U << 10) /* bytes */
#define STACK_USUAL (8U << 20)

/* Sets a soft limit of the stack, and the hard one if that is lower (root). */
static bool
limit_stack(rlim_t bytes)
{
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) != 0)
		return false;
	stack.rlim_cur = bytes;
	if (stack.rlim_max < bytes) /* RLIM_INFINITY is the largest value */
		stack.rlim_max = bytes;
	return setrlimit(RLIMIT_STACK, &stack) == 0;
}

void
limits_check(void)
{
	/* cli_die needs 16 KiB, which may be more than is left. */
	static const char message[] =
	    "fg-record: the limit of the stack is too small; try ulimit -s 64\n";
	struct rlimit stack;

	if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_max >= STACK_MIN)
		return;
	if (!limit_stack(STACK_MIN)) {
		(void)!write(STDERR_FILENO, message, sizeof message - 1);
		_exit(RECORD_TROUBLE);
	}
	setrlimit(RLIMIT_STACK, &stack); /* the command's limit */
}

void
limits_raise(void)
{
	struct rlimit limit;
	pthread_attr_t thread;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_USUAL)
		return;
	if (!limit_stack(STACK_USUAL))
		limit_stack(limit.rlim_max);
	if (pthread_attr_init(&thread) == 0 && pthread_attr_setstacksize(&thread, STACK_USUAL) == 0)
		pthread_setattr_default_np(&thread);
}
