/*
 * limits: setrlimit(2), and the default stack of threads, which glibc sets at its start.
 */
#include "fg-record/asking/limits.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fg-record/record.h"

#define STACK_MIN (64U << 10) /* bytes */
#define STACK_USUAL (8U << 20)

static struct rlimit given; /* of the stack, when fg-record was started */
static bool raised;

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
	struct rlimit now;
	pthread_attr_t thread;

	if (getrlimit(RLIMIT_STACK, &given) != 0 || given.rlim_cur >= STACK_USUAL)
		return;
	raised = limit_stack(STACK_USUAL) || limit_stack(given.rlim_max);
	if (getrlimit(RLIMIT_STACK, &now) == 0 && now.rlim_cur < STACK_MIN) {
		(void)!write(STDERR_FILENO, message, sizeof message - 1);
		_exit(RECORD_TROUBLE);
	}
	if (pthread_attr_init(&thread) == 0 && pthread_attr_setstacksize(&thread, STACK_USUAL) == 0)
		pthread_setattr_default_np(&thread);
}

void
limits_give_back(void)
{
	if (raised)
		setrlimit(RLIMIT_STACK, &given);
}

void
limits_raise(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}
