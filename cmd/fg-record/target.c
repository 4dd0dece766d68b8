/*
 * target: options in, opened events and their rings out.
 *
 * The rule is an event for each thread and CPU, inherited by the threads and
 * children that it starts; the events of one CPU share a ring, so that the rings
 * do not grow with the threads. Where that would take too many files, or with
 * --per-thread, each thread gets one event and one ring on whatever CPU it runs,
 * which the kernel does not let its children inherit: those are opened when a
 * record tells of them.
 */
#include "target.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cli.h"
#include "proc.h"
#include "sampler.h"

#define SPARE_FILES 256 /* for modules and whatever else is open */
#define RING_THREAD ((size_t)2 * 1024 * 1024) /* with --per-thread */

static void
add_ring(struct target *t, int fd)
{
	if (!ring_add(&t->rings, fd))
		cli_die("cannot map a ring of %zu KB: %s; try a larger 'ulimit -l', or "
			"sudo sysctl kernel.perf_event_mlock_kb=2048",
		    t->rings.size / 1024, strerror(errno));
}

/* Threads end while they are looked at, and CPUs may be offline. */
static bool
is_gone(int error)
{
	return error == ESRCH || error == ENODEV;
}

/* The event of one thread on one CPU; the first of a CPU brings its ring. */
static void
open_on_cpu(struct target *t, pid_t tid, int cpu)
{
	int fd = event_open(t->event, tid, cpu);

	if (fd < 0 && is_gone(errno))
		return;
	if (fd < 0)
		cli_die("cannot sample %s %d: %s", tid < 0 ? "CPU" : "thread", tid < 0 ? cpu : tid,
		    errno == EACCES || errno == EPERM ? "it is not yours: try sudo fg-record ..."
						      : strerror(errno));
	if (t->cpu_ring[cpu] < 0) {
		add_ring(t, fd);
		t->cpu_ring[cpu] = fd;
	} else {
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, t->cpu_ring[cpu]) != 0)
			cli_die("cannot share a ring: %s", strerror(errno));
		ids_add(&t->opened, fd);
	}
	if (!t->event->attr.enable_on_exec)
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void
open_on_any(struct target *t, pid_t tid)
{
	int fd = event_open(t->event, tid, -1);

	if (fd < 0 && is_gone(errno))
		return;
	if (fd < 0)
		cli_die("cannot sample thread %d: %s%s", tid, strerror(errno),
		    errno == EMFILE ? "; try a larger 'ulimit -n'" : "");
	add_ring(t, fd);
	if (!t->event->attr.enable_on_exec)
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void
open_thread(struct target *t, pid_t tid)
{
	if (t->per_thread) {
		open_on_any(t, tid);
		return;
	}
	for (int cpu = 0; cpu < t->cpus; cpu++)
		open_on_cpu(t, tid, cpu);
}

/*
 * All threads of a running process. Those that appear while it is read have
 * inherited the events when their maker had them already; then the ring holds the
 * record of their fork, which is written just after they can be seen.
 */
static void
attach_process(struct target *t, int pid)
{
	struct ids known = {0};
	bool grown;

	do {
		struct ids now = proc_threads(pid);

		if (known.n > 0) {
			usleep(1000);
			target_drain(t, record_now());
		}
		grown = false;
		for (size_t i = 0; i < now.n; i++) {
			if (ids_have(&known, now.id[i]))
				continue;
			ids_add(&known, now.id[i]);
			if (ids_have(&t->forked, now.id[i]))
				continue;
			open_thread(t, now.id[i]);
			grown = true;
		}
		free(now.id);
	} while (grown);
	if (known.n == 0)
		cli_die("no process %d", pid);
	free(known.id);
	processes_read(t->recording->processes, pid);
}

static void
attach_thread(struct target *t, int tid)
{
	int pid = proc_pid(tid);

	if (pid == 0)
		cli_die("no thread %d", tid);
	if (ids_have(&t->recording->options->pids, pid))
		return; /* with its process */
	open_thread(t, tid);
	processes_read(t->recording->processes, pid);
}

static void
attach_all(struct target *t)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int pid;

	for (int cpu = 0; cpu < t->cpus; cpu++)
		open_on_cpu(t, -1, cpu);
	while (d != NULL && (e = readdir(d)) != NULL)
		if ((pid = atoi(e->d_name)) > 0)
			processes_read(t->recording->processes, pid);
	if (d != NULL)
		closedir(d);
}

/* Whether an event for each thread and CPU may be opened, with the files that are allowed. */
static bool
fits_per_cpu(const struct target *t, const struct options *o)
{
	size_t threads = o->tids.n;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		files.rlim_cur = 1024;
	for (size_t i = 0; i < o->pids.n; i++) {
		struct ids ids = proc_threads(o->pids.id[i]);

		threads += ids.n;
		free(ids.id);
	}
	return threads * (size_t)t->cpus + SPARE_FILES <= files.rlim_cur;
}

static void
set_inheritance(struct target *t, const struct options *o, pid_t command)
{
	struct perf_event_attr *a = &t->event->attr;

	t->per_thread = o->per_thread || (command == 0 && !o->all && !fits_per_cpu(t, o));
	a->enable_on_exec = command != 0;
	a->inherit = !t->per_thread && !o->all && o->tids.n == 0;
}

static void
set_ring_size(struct target *t, const struct options *o)
{
	struct perf_event_attr *a = &t->event->attr;

	/* How many threads there will be nobody knows: small ones, of which a few fit for sure. */
	if (t->per_thread)
		t->rings.size = ring_size(o->ring_size != 0 ? o->ring_size : RING_THREAD, 8);
	else
		t->rings.size = ring_size(o->ring_size, (size_t)t->cpus);
	/* Enough to take at once, with room for what comes meanwhile. */
	a->watermark = 1;
	a->wakeup_watermark = (uint32_t)(t->rings.size / 4);
}

/*
 * A large machine copies stacks faster than one reader can take them; and a ring
 * must hold a few.
 */
static void
set_stack_size(struct target *t, const struct options *o)
{
	struct perf_event_attr *a = &t->event->attr;

	if (t->cpus > 8 && !o->stack_given && a->sample_stack_user != 0) {
		a->sample_stack_user = 16 * 1024;
		cli_note(
		    "%ld CPUs: copying 16 KB of each stack (--stack-size 65528 for more)", t->cpus);
	}
	if (a->sample_stack_user > t->rings.size / 4) {
		a->sample_stack_user = (uint32_t)(t->rings.size / 4);
		cli_note("buffers of %zu KB: copying %u KB of each stack (for more: ulimit -l)",
		    t->rings.size / 1024, a->sample_stack_user / 1024);
	}
}

void
target_open(struct target *t, struct event *ev, struct recording *r, pid_t command)
{
	const struct options *o = r->options;

	*t = (struct target){.event = ev, .recording = r};
	t->cpus = sysconf(_SC_NPROCESSORS_CONF);
	t->cpu_ring = cli_alloc((size_t)t->cpus, sizeof *t->cpu_ring);
	for (long i = 0; i < t->cpus; i++)
		t->cpu_ring[i] = -1;
	t->rings.format = ev->format;
	set_inheritance(t, o, command);
	set_ring_size(t, o);
	set_stack_size(t, o);
	if (command != 0)
		open_thread(t, command);
	for (size_t i = 0; i < o->pids.n; i++)
		attach_process(t, o->pids.id[i]);
	for (size_t i = 0; i < o->tids.n; i++)
		attach_thread(t, o->tids.id[i]);
	if (o->all)
		attach_all(t);
	if (t->rings.n == 0)
		cli_die("nothing to sample: it has ended");
}

void
target_look_for_sleepers(struct target *t)
{
	const struct options *o = t->recording->options;

	for (size_t i = 0; i < o->pids.n; i++) {
		struct ids ids = proc_threads(o->pids.id[i]);

		for (size_t j = 0; j < ids.n; j++)
			sampler_asleep(t->recording, o->pids.id[i], ids.id[j]);
		free(ids.id);
	}
	for (size_t i = 0; i < o->tids.n; i++) {
		int pid = proc_pid(o->tids.id[i]);

		if (pid != 0)
			sampler_asleep(t->recording, pid, o->tids.id[i]);
	}
}

static void
take(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (e->type == PERF_RECORD_FORK)
		ids_add(&t->forked, (int)e->tid);
	sampler_record(t->recording, e);
}

void
target_drain(struct target *t, uint64_t until)
{
	t->forked.n = 0;
	ring_drain(&t->rings, until, take, t);
	t->recording->count.malformed = t->rings.malformed;
	if (t->per_thread && t->recording->options->tids.n == 0) {
		t->event->attr.enable_on_exec = 0;
		for (size_t i = 0; i < t->forked.n; i++)
			open_thread(t, t->forked.id[i]);
	}
	if (t->per_thread && t->rings.hung) /* others write to no ring of a thread's */
		ring_close_hung(&t->rings);
}

void
target_stop(struct target *t)
{
	for (size_t i = 0; i < t->rings.n; i++)
		ioctl(t->rings.ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < t->opened.n; i++)
		ioctl(t->opened.id[i], PERF_EVENT_IOC_DISABLE, 0);
}

void
target_close(struct target *t)
{
	for (size_t i = 0; i < t->opened.n; i++)
		close(t->opened.id[i]);
	ring_close(&t->rings);
	free(t->opened.id);
	free(t->forked.id);
	free(t->cpu_ring);
}
