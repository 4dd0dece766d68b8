/*
 * opening: opens events through the opener (access/opener), maps the ring of the first one on a
 * CPU, and directs the others into it.
 */
#include "fg-record/watching/opening.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/cli.h"
#include "access/opener.h"
#include "fg-record/asking/check.h"

static void
add_ring(struct target *t, int fd)
{
	if (!ring_add(&t->rings, fd))
		cli_die("cannot map a ring of %zu KB: %s; try a larger 'ulimit -l', or "
			"sudo sysctl kernel.perf_event_mlock_kb=2048; " CHECK_HINT,
		    t->rings.size / 1024, strerror(errno));
}

/* Directs an event into the ring of another one. */
static void
share_ring(struct target *t, int fd, int ring)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) != 0)
		cli_die("cannot share a ring: %s", strerror(errno));
	ids_add(&t->opened, fd);
}

/* Enables an event that owns a ring now, unless the command's exec enables it. */
static void
enable(const struct target *t, int fd)
{
	if (!t->event->attr.enable_on_exec)
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

/* Opens an event of a thread, or of a CPU if tid is negative; -1 if that is gone. */
static int
open_event(const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	const int fd = opener_event(attr, tid, cpu);
	const char *reason = strerror(errno);

	if (fd >= 0 || errno == ESRCH || errno == ENODEV)
		return fd;
	if (errno == EACCES || errno == EPERM)
		reason = "it belongs to another user; try sudo fg-record ...; " CHECK_HINT;
	else if (errno == EMFILE)
		reason = "too many open files; try a larger 'ulimit -n'";
	cli_die("cannot sample %s %d: %s", tid < 0 ? "CPU" : "thread", tid < 0 ? cpu : tid, reason);
}

/* Adds an event that samples a tracepoint as its counter. */
static void
add_counting(struct target *t, size_t i, int fd)
{
	if (t->counted.n > 0 && t->event->tracepoints.list[i].countable)
		counted_add(&t->counted, i, fd);
}

/*
 * Opens the counter of a tracepoint of a thread; returns false if the thread is gone. A counter is
 * enabled with the events that sample, by the command's exec or at the end of target_open.
 */
static bool
open_counter(struct target *t, size_t i, pid_t tid, int cpu)
{
	struct perf_event_attr a = t->event->also[0];
	int fd;

	a.config = t->event->tracepoints.list[i].id;
	a.sample_period = 0;
	a.sample_type = 0;
	a.sample_stack_user = 0;
	a.watermark = a.wakeup_watermark = 0;
	a.disabled = 1;
	a.enable_on_exec = t->event->attr.enable_on_exec;
	fd = open_event(&a, tid, cpu);
	if (fd < 0)
		return false;
	ids_add(&t->opened, fd);
	counted_add(&t->counted, i, fd);
	if (t->record->started != 0)
		enable(t, fd);
	return true;
}

/* Runs the BPF program at an event's samples, if these have stack copies. */
static void
walk(struct target *t, int fd, pid_t tid, uint32_t copied)
{
	if (t->record->deep && copied > 0 && !walker_follow(&t->walker, fd, copied))
		cli_note("cannot copy deep stacks of %d: %s", tid, strerror(errno));
}

/* Opens one of the events of a thread that write into another event's ring; false if it is gone. */
static bool
open_also(struct target *t, size_t level, size_t which, const struct perf_event_attr *a, pid_t tid,
    int cpu, int ring)
{
	const int fd = open_event(a, tid, cpu);

	if (fd < 0)
		return false;
	share_ring(t, fd, ring);
	ids_add(&t->copy.fds[level], fd);
	ids_add(&t->clocks, fd);
	if (t->event->nalso == 1)
		add_counting(t, which, fd);
	if (level == t->copy.level && !t->copy.paused &&
	    (t->record->started != 0 || !t->copy.waits))
		enable(t, fd);
	if (level + 1 == t->event->nalso || !options_timed(t->record->options))
		walk(t, fd, tid, a->sample_stack_user);
	return true;
}

/*
 * Opens the events of the same thread with each size of stack copies, for each tracepoint. Samples
 * start at the end of target_open: reading /proc may take a second.
 */
static void
open_all_also(struct target *t, pid_t tid, int cpu, int ring)
{
	const struct event *ev = t->event;
	const struct tracepoints *ts = &ev->tracepoints;

	/* If the size is fixed, the sampling event is also the counter. */
	for (size_t k = 0; ev->nalso > 1 && k < t->counted.n; k++)
		if (ts->list[k].countable && !open_counter(t, k, tid, cpu))
			return;
	for (size_t i = 0; i < ev->nalso; i++)
		for (size_t k = 0; k < event_each(ev); k++) {
			struct perf_event_attr a = ev->also[i];

			if (ts->n > 0)
				a.config = ts->list[k].id;
			if (!open_also(t, i, k, &a, tid, cpu, ring))
				return;
		}
}

/* --heap: opens the event of the ends of blocks. */
static void
open_freed(struct target *t, pid_t tid, int cpu, int ring)
{
	const int fd = t->event->frees ? open_event(&t->event->freed, tid, cpu) : -1;

	if (fd < 0)
		return;
	share_ring(t, fd, ring);
	walk(t, fd, tid, t->event->freed.sample_stack_user);
	enable(t, fd);
}

void
opening_deep_output(struct target *t, int cpu)
{
	struct perf_event_attr a = walker_output(&t->event->attr);
	int fd;

	if (t->cpu_ring[cpu] < 0)
		return;
	fd = opener_event(&a, -1, cpu);
	if (fd < 0)
		return;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, t->cpu_ring[cpu]) != 0 ||
	    !walker_add_output(&t->walker, cpu, fd))
		cli_die("cannot share a ring: %s", strerror(errno));
	ids_add(&t->opened, fd);
}

void
opening_waking(struct target *t, int cpu)
{
	const int fd = open_event(&t->event->waking, -1, cpu);

	if (fd < 0)
		return;
	if (t->cpu_ring[cpu] < 0)
		add_ring(t, fd);
	else
		share_ring(t, fd, t->cpu_ring[cpu]);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void
opening_on_cpu(struct target *t, pid_t tid, int cpu)
{
	const int fd = open_event(&t->event->attr, tid, cpu);

	if (fd < 0)
		return;
	if (t->cpu_ring[cpu] < 0) {
		add_ring(t, fd);
		t->cpu_ring[cpu] = fd;
	} else {
		share_ring(t, fd, t->cpu_ring[cpu]);
	}
	if (t->event->nalso == 0) {
		add_counting(t, 0, fd);
		ids_add(&t->clocks, fd);
	}
	open_freed(t, tid, cpu, t->cpu_ring[cpu]); /* before the first block is sampled */
	open_all_also(t, tid, cpu, t->cpu_ring[cpu]);
	walk(t, fd, tid, t->event->attr.sample_stack_user);
	enable(t, fd);
}

void
opening_on_any(struct target *t, pid_t tid)
{
	const int fd = open_event(&t->event->attr, tid, -1);

	if (fd < 0)
		return;
	add_ring(t, fd);
	if (t->event->nalso == 0)
		add_counting(t, 0, fd);
	open_freed(t, tid, -1, fd);
	open_all_also(t, tid, -1, fd);
	enable(t, fd);
}
