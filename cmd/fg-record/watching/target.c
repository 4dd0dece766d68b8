/*
 * target: opens the events and their rings.
 *
 * The default is an event for each thread and CPU, inherited by the threads and children that
 * the thread creates. The events of one CPU share a ring, so that the number of rings does not
 * depend on the threads. If that needs too many files, or with --per-thread, each thread has one
 * event and one ring on all CPUs. The kernel does not let children inherit such an event: theirs
 * are opened when a record reports them.
 *
 * A thread's event on a CPU samples first after the thread has run there for a whole period. Of
 * thousands of threads that run briefly, most would never be sampled. So all CPUs are sampled
 * where the user may do that, and records of other processes are skipped.
 */
#include "fg-record/watching/target.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "access/opener.h"
#include "fg-record/watching/admit.h"
#include "fg-record/watching/heapshared.h"
#include "fg-record/watching/opening.h"
#include "fg-record/watching/ringreader.h"
#include "fg-record/asking/proc.h"
#include "fg-record/stopping/sleepers.h"
#include "fg-record/stopping/stopped.h"

#define SPARE_FILES 256 /* for modules and other files */
#define PATIENCE UINT64_C(100000000) /* ns before switches count as rare */
#define RING_AMPLE ((size_t)8 * 1024 * 1024)
#define BURST 1000 /* tracepoints that occur before the rings are read */
#define PATIENCE_FILL UINT64_C(250000000) /* ns before rings count as empty enough */
#define DRAIN_EACH UINT64_C(10000000) /* ns between drains while events are opened */
#define WIDE_FROM 500 /* threads from which all CPUs are sampled */
#define EARLY_PART 20 /* of a second: time whose samples before an execve are held */
#define RING_THREAD ((size_t)2 * 1024 * 1024) /* per ring, with --per-thread */
#define RING_TIMED ((size_t)64 * 1024 * 1024) /* thousands of switches come at once */

/*
 * Drains the rings while events are opened, which may take seconds: the first threads sample
 * already. Adds the threads that records reported to `born`.
 */
static void
drain_meanwhile(struct target *t, uint64_t until)
{
	target_drain(t, until);
	for (size_t i = 0; i < t->forked.n; i++)
		ids_add(&t->born, t->forked.id[i]);
}

static void
drain_if_due(struct target *t)
{
	if (record_now() - t->drained >= DRAIN_EACH)
		drain_meanwhile(t, record_now() - DRAIN_EACH / 10);
}

static void
open_thread(struct target *t, pid_t tid)
{
	if (t->per_thread) {
		opening_on_any(t, tid);
		return;
	}
	for (int cpu = 0; cpu < t->cpus; cpu++) {
		drain_if_due(t);
		opening_on_cpu(t, tid, cpu);
	}
}

/*
 * Opens events for all threads of a running process. Threads created during this have inherited the
 * events if their creator had them; then the ring has the record of their fork, written just after
 * they become visible. A process that has ended is an error only if its number was given.
 */
static void
attach_process(struct target *t, int pid)
{
	const struct options *o = t->record->options;
	struct ids known = {0};
	bool grown;

	t->born.n = 0;
	do {
		struct ids now = proc_threads(pid);

		if (known.n > 0) {
			usleep(1000);
			drain_meanwhile(t, record_now());
		}
		grown = false;
		for (size_t i = 0; i < now.n; i++) {
			if (ids_have(&known, now.id[i]))
				continue;
			ids_add(&known, now.id[i]);
			drain_if_due(t);
			if (ids_have(&t->born, now.id[i]))
				continue;
			open_thread(t, now.id[i]);
			if (t->shortlived.period != 0)
				shortlived_begin(&t->shortlived, (uint32_t)now.id[i]);
			grown = true;
		}
		free(now.id);
	} while (grown);
	if (known.n == 0 && !o->every && !o->with_children && o->cgroup == NULL)
		cli_die("no process %d", pid);
	free(known.id);
	processes_read(t->record->recording.processes, pid);
}

static void
attach_thread(struct target *t, int tid)
{
	int pid = proc_pid(tid);

	if (pid == 0)
		cli_die("no thread %d", tid);
	if (ids_have(&t->record->options->pids, pid))
		return; /* opened with its process */
	open_thread(t, tid);
	processes_read(t->record->recording.processes, pid);
}

/*
 * Chooses the size of stack copies, in the reader's thread, or before rings are read in place; not
 * before the command's exec, which enables events that were disabled for another size too.
 */
static void
choose_size(void *arg, uint64_t fill, uint64_t late)
{
	struct target *t = arg;

	if (options_timed(t->record->options) || t->record->started == 0)
		return;
	t->copy.late = late > t->copy.late ? late : t->copy.late;
	copysize_by_fill(
	    &t->copy, fill, t->rings.size, __atomic_load_n(&t->lost, __ATOMIC_RELAXED));
}

void
target_read_ahead(struct target *t)
{
	if (!t->per_thread && t->rings.reader == NULL)
		ring_read_ahead(&t->rings, choose_size, t);
}

static void
attach_all(struct target *t)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int pid;

	for (int cpu = 0; cpu < t->cpus; cpu++)
		opening_on_cpu(t, -1, cpu);
	target_read_ahead(t); /* reading /proc takes a while */
	while (d != NULL && (e = readdir(d)) != NULL)
		if ((pid = atoi(e->d_name)) > 0)
			processes_read(t->record->recording.processes, pid);
	if (d != NULL)
		closedir(d);
}

/* Records processes by events on all CPUs, from now on. */
static void
attach_wide(struct target *t, const struct ids *pids)
{
	for (int cpu = 0; cpu < t->cpus; cpu++)
		opening_on_cpu(t, -1, cpu);
	target_read_ahead(t);
	for (size_t i = 0; i < pids->n; i++) {
		processes_read(t->record->recording.processes, pids->id[i]);
		processes_find(t->record->recording.processes, pids->id[i])->wanted = true;
	}
}

static size_t
count_threads(const struct options *o)
{
	size_t threads = o->tids.n;

	for (size_t i = 0; i < o->pids.n; i++) {
		struct ids ids = proc_threads(o->pids.id[i]);

		threads += ids.n;
		free(ids.id);
	}
	return threads;
}

static bool
may_be_wide(const struct target *t)
{
	int fd = opener_event(&t->event->attr, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* True if the limit of open files allows an event for each thread and CPU. */
static bool
fits_per_cpu(const struct target *t, size_t threads)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		files.rlim_cur = 1024;
	threads *= 1 + (t->event->nalso + 1) * event_each(t->event);
	return threads * (size_t)t->cpus + SPARE_FILES <= files.rlim_cur;
}

static void
set_inheritance(struct target *t, const struct options *o, pid_t command)
{
	struct perf_event_attr *a = &t->event->attr;
	size_t threads = count_threads(o);

	t->wide = threads * event_each(t->event) >= WIDE_FROM && o->tids.n == 0 && !o->per_thread &&
		  may_be_wide(t);
	t->per_thread =
	    o->per_thread || (command == 0 && !o->all && !t->wide && !fits_per_cpu(t, threads));
	a->enable_on_exec = command != 0;
	a->inherit = !t->per_thread && !o->all && !t->wide && o->tids.n == 0;
	for (size_t i = 0; i < t->event->nalso; i++)
		t->event->also[i].inherit = a->inherit;
	t->event->freed.inherit = a->inherit;
	if (a->inherit && strcmp(t->event->unit, "ns") == 0 && !options_timed(o)) {
		t->shortlived.period = t->event->period;
		a->inherit_stat = t->event->nalso == 0;
		for (size_t i = 0; i < t->event->nalso; i++)
			t->event->also[i].inherit_stat = 1;
	}
	if ((o->all || t->wide) && o->frequency != 0 && !options_timed(o) && !o->sample.time_order)
		t->early.most = (uint32_t)(o->frequency / EARLY_PART + 1);
	t->event->freed.enable_on_exec = a->enable_on_exec;
}

static void
set_ring_size(struct target *t, const struct options *o)
{
	struct perf_event_attr *a = &t->event->attr;

	/*
	 * The number of threads is unknown: use small rings, sized so that at least 8 can be
	 * mapped.
	 */
	if (t->per_thread)
		t->rings.size = ring_size(o->ring_size != 0 ? o->ring_size : RING_THREAD, 8);
	else
		t->rings.size =
		    ring_size(o->ring_size != 0 || !options_timed(o) ? o->ring_size : RING_TIMED,
			(size_t)t->cpus);
	/* Enough to read at once, with space for records that arrive during the read. */
	a->watermark = 1;
	a->wakeup_watermark = (uint32_t)(t->rings.size / 4);
	for (size_t i = 0; i < t->event->nalso; i++) {
		t->event->also[i].watermark = 1;
		t->event->also[i].wakeup_watermark = a->wakeup_watermark;
	}
	t->event->freed.watermark = 1;
	t->event->freed.wakeup_watermark = a->wakeup_watermark;
	t->event->waking.watermark = 1;
	t->event->waking.wakeup_watermark = a->wakeup_watermark;
}

static void
limit_copy(struct perf_event_attr *a, uint64_t most)
{
	if (a->sample_stack_user > most)
		a->sample_stack_user = (uint32_t)most;
}

/*
 * Limits the stack copy: a large machine copies stacks faster than one reader can process them,
 * and a ring must hold several.
 */
static void
set_stack_size(struct target *t, const struct options *o)
{
	struct event *ev = t->event;
	struct perf_event_attr *largest = ev->nalso > 0 ? &ev->also[ev->nalso - 1] : &ev->attr;
	const bool many = t->cpus > 8 && !o->stack_given && !options_timed(o);

	t->record->copy_fits = largest->sample_stack_user <= t->rings.size / 4;
	limit_copy(&ev->attr, many ? 16384 : t->rings.size / 4);
	for (size_t i = 0; i < ev->nalso; i++) {
		limit_copy(&ev->also[i], t->rings.size / (options_timed(o) ? 32 : 4));
		if (many)
			limit_copy(&ev->also[i], 16384);
		t->copy.bytes[i] = ev->also[i].sample_stack_user;
	}
	t->copy.measured = t->record->deep && options_timed(o) && ev->nalso > 1;
	if (t->copy.measured)
		t->copy.bytes[ev->nalso - 1] += WALKER_MEAN;
	t->record->recording.copied = largest->sample_stack_user;
}

/* Tells why the stacks above the copies are not recorded. */
static void
tell_refusal(int error)
{
	const char *unsupported = walker_unsupported();

	if (unsupported != NULL)
		cli_note("--deep-stacks: %s; recording without", unsupported);
	else
		cli_note("--deep-stacks: %s; it needs root and a kernel with BPF and BTF "
			 "(/sys/kernel/btf/vmlinux)",
		    strerror(error));
}

/*
 * Deep stacks need small copies only. While records come too fast even so, the copies have half
 * that size: the BPF program begins where they end. While threads switch too often even so, it does
 * not run at switches, and only the small copies are made.
 */
static void
set_deep(struct target *t, const struct options *o)
{
	struct event *ev = t->event;
	uint32_t copied = o->stack_given     ? o->stack_size
			  : options_timed(o) ? WALKER_COPY_SWITCH
					     : WALKER_COPY;

	if (copied > t->rings.size / 4)
		copied = (uint32_t)(t->rings.size / 4);
	t->walker = WALKER_CLOSED;
	t->record->deep = walker_open(&t->walker, t->cpus, copied);
	if (t->record->deep) {
		t->above = cli_alloc((size_t)t->cpus, sizeof *t->above);
		if (ev->nalso > 2)
			ev->nalso = 2;
		if (ev->nalso == 2 && !options_timed(o))
			ev->also[0].sample_stack_user = copied / 2;
		if (ev->attr.sample_stack_user > copied)
			ev->attr.sample_stack_user = copied;
		(ev->nalso > 0 ? &ev->also[ev->nalso - 1] : &ev->attr)->sample_stack_user = copied;
	} else if (o->deep_stacks)
		tell_refusal(errno);
}

/*
 * The size to start with. Records are lost before the loss is reported: small copies, unless the
 * rings hold 100 large ones of samples, or 1000 of tracepoints, which come in bursts.
 */
static size_t
first_level(const struct target *t)
{
	const struct event *ev = t->event;
	size_t level = 0;

	if (ev->tracepoints.n == 0)
		return ev->nalso > 0 && t->rings.size >= RING_AMPLE ? ev->nalso - 1 : 0;
	while (
	    level + 1 < ev->nalso && t->rings.size / ev->also[level + 1].sample_stack_user >= BURST)
		level++;
	return level;
}

static void
set_levels(struct target *t, const struct options *o)
{
	struct copysize *c = &t->copy;

	pthread_mutex_init(&c->lock, NULL);
	c->levels = t->event->nalso;
	if (!options_timed(o))
		c->level = first_level(t);
	else if (t->record->deep && c->levels > 0)
		c->level = c->levels - 1;
	for (size_t i = 0; i < c->levels; i++)
		t->event->also[i].enable_on_exec = t->event->attr.enable_on_exec && i == c->level;
	c->useful = c->levels == 0 ? 0 : t->event->tracepoints.n > 0 ? c->level : c->levels - 1;
	c->waits = c->levels > 0 && !options_timed(o);
	c->patience = options_timed(o) ? PATIENCE : PATIENCE_FILL;
	c->since = c->read = record_now();
}

void
target_open(struct target *t, struct event *ev, struct record *r, pid_t command)
{
	const struct options *o = r->options;

	*t = (struct target){.event = ev, .record = r};
	t->cpus = sysconf(_SC_NPROCESSORS_CONF);
	t->cpu_ring = cli_alloc((size_t)t->cpus, sizeof *t->cpu_ring);
	for (long i = 0; i < t->cpus; i++)
		t->cpu_ring[i] = -1;
	t->rings.format = ev->of_attr.format;
	r->recording.arg = t;
	r->recording.truncated = admit_truncated;
	r->recording.held = admit_early;
	set_inheritance(t, o, command);
	set_ring_size(t, o);
	if (ev->deep && !t->per_thread)
		set_deep(t, o);
	set_levels(t, o);
	set_stack_size(t, o);
	r->tracepoint = ev->tracepoints.n > 0;
	if (r->tracepoint && ev->sampled.sample_period == 1)
		counted_begin(&t->counted, ev->tracepoints.n);
	t->copy.follows = (o->all && !r->deep && !options_timed(o)) || r->tracepoint;
	if (t->shortlived.period != 0)
		charged_begin(
		    &t->charged, command != 0 ? &(struct ids){.id = &command, .n = 1} : &o->pids);
	if (command != 0) {
		t->command = command;
		shortlived_begin(&t->shortlived, (uint32_t)command);
		open_thread(t, command);
	}
	for (size_t i = 0; i < o->pids.n && !t->wide; i++)
		attach_process(t, o->pids.id[i]);
	if (t->wide)
		attach_wide(t, &o->pids);
	for (size_t i = 0; i < o->tids.n; i++)
		attach_thread(t, o->tids.id[i]);
	if (o->all)
		attach_all(t);
	if (o->heap_shared != NULL && t->rings.n > 0)
		heapshared_open(o->heap_shared, &t->rings);
	if (t->rings.n == 0)
		cli_die("nothing to sample: the target has ended");
	for (int cpu = 0; ev->wakings && cpu < t->cpus; cpu++)
		if (t->cpu_ring[cpu] >= 0 || t->rings.reader == NULL) /* cannot add a ring */
			opening_waking(t, cpu);
	for (int cpu = 0; r->deep && cpu < t->cpus; cpu++)
		opening_deep_output(t, cpu);
	if (command == 0)
		target_read_ahead(t);
	if (command == 0 && t->copy.waits)
		copysize_set(&t->copy, t->copy.level);
	if (command == 0 && ev->nalso > 1)
		counted_enable(&t->counted, true);
}

static void
look_for_sleepers(struct target *t, int pid)
{
	struct ids ids = proc_threads(pid);

	for (size_t i = 0; i < ids.n; i++)
		sleepers_find(t->record, pid, ids.id[i]);
	free(ids.id);
}

/* Reads the stacks of blocked threads of all processes, except kernel threads. */
static void
look_for_all_sleepers(struct target *t)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int pid;

	while (d != NULL && (e = readdir(d)) != NULL)
		if ((pid = atoi(e->d_name)) > 0 && pid != getpid() && proc_has_program(pid))
			look_for_sleepers(t, pid);
	if (d != NULL)
		closedir(d);
}

void
target_look_for_sleepers(struct target *t)
{
	const struct options *o = t->record->options;

	if (o->all)
		look_for_all_sleepers(t);
	for (size_t i = 0; i < o->pids.n; i++)
		look_for_sleepers(t, o->pids.id[i]);
	for (size_t i = 0; i < o->tids.n; i++) {
		int pid = proc_pid(o->tids.id[i]);

		if (pid != 0)
			sleepers_find(t->record, pid, o->tids.id[i]);
	}
}

void
target_stop_threads(struct target *t, struct scripts *s)
{
	t->scripts = s;
	s->counted = &t->counted;
	if (t->record->deep)
		s->walker = &t->walker;
	if (!t->wide && !t->record->tracepoint &&
	    !options_timed(t->record->options)) /* each tracepoint counts, also of a new process */
		takeover_open(&t->takeover, s, &t->copy);
}

static void
drain_rings(struct target *t, uint64_t until)
{
	struct heapshared *h = t->record->options->heap_shared;
	bool all;

	do {
		all = h == NULL || t->rings.n == 0 || heapshared_fill(h, &t->rings);
		ring_drain(&t->rings, until, admit_record, t);
	} while (!all && until == UINT64_MAX);
	if (h != NULL)
		t->record->recording.count.lost += heapshared_lost(h);
}

void
target_drain(struct target *t, uint64_t until)
{
	t->forked.n = 0;
	t->drained = record_now();
	if (t->rings.reader == NULL && !t->stopped)
		choose_size(t, ring_fill(&t->rings), 0);
	drain_rings(t, until);
	stopped_take(t->record, until);
	if (!t->stopped)
		takeover_step(&t->takeover);
	t->record->recording.count.malformed = t->rings.malformed;
	if (options_timed(t->record->options)) {
		sleepers_charge(t->record);
		if (!t->stopped && t->record->started != 0)
			copysize_by_switches(&t->copy, (size_t)t->cpus);
	}
	if (t->per_thread && t->record->options->tids.n == 0) {
		t->event->attr.enable_on_exec = 0;
		for (size_t i = 0; i < t->forked.n; i++) {
			int pid = options_timed(t->record->options) ? proc_pid(t->forked.id[i]) : 0;

			open_thread(t, t->forked.id[i]);
			if (pid != 0)
				sleepers_find(t->record, pid, t->forked.id[i]);
		}
	}
	if (t->per_thread && t->rings.hung) /* only that thread writes to its ring */
		ring_close_hung(&t->rings);
}

void
target_read_charged(struct target *t, uint64_t now, bool last)
{
	if (t->shortlived.period != 0 && now >= t->record->started + t->record->options->delay &&
	    (last || now >= t->charged.next))
		charged_read(&t->charged, now, counted_sum(&t->clocks), t->shortlived.expected);
}

/* CPU time of the target and its children by the kernel; 0: unknown. */
static uint64_t
used_time(struct target *t, uint64_t counted)
{
	if (t->record->used != 0 && !t->charged.orphaned && !charged_any_alive(&t->charged))
		return t->record->used;
	return counted + (uint64_t)(charged_scale(&t->charged) * (double)t->shortlived.expected);
}

void
target_add_unsampled(struct target *t, uint64_t time)
{
	shortlived_charge(&t->shortlived, charged_scale(&t->charged));
	shortlived_add(&t->shortlived, &t->record->recording, time);
	t->record->unsampled = t->shortlived.samples;
	early_end(&t->early, t->record->recording.rawtree);
}

void
target_stop(struct target *t)
{
	ring_end_reader(&t->rings); /* it would enable events of another size */
	t->stopped = true;
	counted_enable(&t->counted, false);
	for (size_t i = 0; i < t->rings.n; i++)
		ioctl(t->rings.ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < t->opened.n; i++)
		ioctl(t->opened.id[i], PERF_EVENT_IOC_DISABLE, 0);
}

/*
 * Records that were lost in a ring are counted already, if another record followed them. All lost
 * ones are missing.
 */
static void
count_missing(struct target *t)
{
	struct recording_count *c = &t->record->recording.count;
	const uint64_t missing = counted_missing(&t->counted), lost = c->lost + c->lost_samples;

	t->record->unread_samples = missing > lost ? missing - lost : 0;
	c->lost_samples += t->record->unread_samples;
}

static void
end_shortlived(struct target *t)
{
	const uint64_t counted = counted_sum(&t->clocks);

	shortlived_end(&t->shortlived, &t->record->recording, counted, used_time(t, counted));
}

void
target_close(struct target *t)
{
	if (t->shortlived.period != 0)
		end_shortlived(t);
	count_missing(t);
	counted_free(&t->counted);
	target_add_unsampled(t, t->record->ended);
	shortlived_free(&t->shortlived);
	for (size_t i = 0; i < t->opened.n; i++)
		close(t->opened.id[i]);
	ring_close(&t->rings);
	t->record->target_refused = t->touch.refused;
	if (t->record->deep) {
		for (long i = 0; i < t->cpus; i++) {
			free(t->above[i].part);
			free(t->above[i].bytes);
			free(t->above[i].joined);
			copies_free(&t->above[i].copies);
		}
		free(t->above);
		walker_close(&t->walker);
	}
	free(t->opened.id);
	free(t->clocks.id);
	charged_free(&t->charged);
	for (size_t i = 0; i < COPYSIZE_LEVELS; i++)
		free(t->copy.fds[i].id);
	free(t->forked.id);
	free(t->born.id);
	free(t->cpu_ring);
}
