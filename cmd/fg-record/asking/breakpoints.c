#include "fg-record/asking/breakpoints.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdint.h>
#include <unistd.h>

#include "access/opener.h"
#include "kernel/perfabi.h"
#include "trace/heapabi.h"

__attribute__((noinline)) static void
fire(void)
{
	__asm__ volatile("");
}

/* True if a breakpoint stops a call here: some virtual machines accept it, and it never does. */
static bool
breakpoints_fire(struct perf_event_attr a)
{
	uint64_t count = 1;
	int fd;

	a.bp_addr = (uintptr_t)fire;
	a.disabled = 0;
	fd = opener_event(&a, getpid(), -1);
	if (fd < 0)
		return true; /* the caller's two are open */
	fire();
	if (read(fd, &count, sizeof count) != (ssize_t)sizeof count)
		count = 1;
	close(fd);
	return count > 0;
}

bool
breakpoints_available(void)
{
	struct perf_event_attr a = {.type = PERF_TYPE_BREAKPOINT,
	    .size = sizeof a,
	    .sample_period = 1,
	    .disabled = 1,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	    .bp_type = HW_BREAKPOINT_X,
	    .bp_addr = HEAPABI_ALLOC,
	    .bp_len = sizeof(long)};
	const int first = opener_event(&a, 0, -1);
	int second, error = errno;

	a.bp_addr = HEAPABI_FREE;
	second = first >= 0 ? opener_event(&a, 0, -1) : -1;
	error = first >= 0 ? errno : error;
	if (second >= 0 && !breakpoints_fire(a)) {
		close(second);
		second = -1;
		error = ENODEV;
	}
	if (first >= 0)
		close(first);
	if (second >= 0)
		close(second);
	errno = error;
	return second >= 0;
}
