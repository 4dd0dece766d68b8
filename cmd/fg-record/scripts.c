/*
 * scripts: seizes threads, each with an event and a small ring buffer; at a stop, drains the
 * ring buffer and adds one sample for each record in it.
 *
 * If a thread takes several samples in one system call, they send one signal: the ring buffer
 * has their kernel stacks, and all of them get the user stack at the stop.
 */
#include "fg-record/scripts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "code/opener.h"
#include "fg-record/proc.h"
#include "fg-record/stopped.h"
#include "fg-record/stopsignal.h"

#define OPTIONS PTRACE_O_TRACECLONE /* child processes are found by their records */
#define RING_PAGES 2 /* pages of records, beside the header page */
#define ENDING UINT64_C(1000000000) /* ns before threads that cannot stop are left */
#define TICK 1 /* ms */
#define WATCH 250 /* ms between checks of the watchdog */
#define PROOF UINT64_C(5000000) /* ns between checks of new threads */

static const char early[] = "the samples were taken before the interpreter was detected";
static const char young[] = "their thread was new";

struct scripts_thread {
	int tid, pid;
	int fd; /* its event; -1: could not be opened */
	struct ids others; /* of the other tracepoints, which write into the same ring */
	int signal;
	uint64_t since, until; /* ns: start and end of the samples taken here */
	unsigned char *ring; /* NULL: kernel stacks are not available */
	bool unproven; /* it blocked the signal at its start, and has not stopped by it yet */
	bool ended;
};

static size_t
ring_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE) * (1 + RING_PAGES);
}

void
scripts_open(struct scripts *s, struct record *r, const struct event *ev, struct command *command)
{
	struct perf_event_attr *a = &s->attr;

	*s = (struct scripts){
	    .record = r, .command = command, .attr = ev->sampled, .tracepoints = &ev->tracepoints};
	a->sample_type =
	    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	a->sample_type |= ev->sampled.sample_type & PERF_SAMPLE_PERIOD;
	if (r->options->weight_field != NULL)
		a->sample_type |= PERF_SAMPLE_RAW;
	a->exclude_callchain_user = 1;
	a->sample_regs_user = 0;
	a->sample_stack_user = 0;
	a->branch_sample_type = 0;
	a->read_format = 0;
	a->inherit = a->enable_on_exec = a->sample_id_all = 0;
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->context_switch = 0;
	a->ksymbol = a->bpf_event = a->build_id = 0;
	a->disabled = 1;
	a->watermark = 0;
	a->wakeup_events = 1;
	s->format = (struct perfevent_format){.sample_type = a->sample_type};
}

bool
scripts_active(const struct scripts *s)
{
	return s->n > 0;
}

bool
scripts_covers(const struct scripts *s, int pid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->pid == pid)
			return true;
	return false;
}

/*
 * Starts a process that continues fg-record if only fg-record is stopped: the threads that it
 * traces would stop with it. A stop of the complete job stops the watchdog too.
 */
static void
start_watchdog(struct scripts *s)
{
	const int watched = getpid();
	int stopped = 0;

	s->watchdog = fork();
	if (s->watchdog != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTSTP, SIG_DFL);
	while (getppid() == watched) {
		poll(NULL, 0, WATCH);
		stopped = proc_state(watched) == 'T' ? stopped + 1 : 0;
		if (stopped >= 2)
			kill(watched, SIGCONT);
	}
	_exit(0);
}

/* Opens an event of a thread, which sends it a signal for each sample; -1 on error. */
static int
open_event(const struct perf_event_attr *a, int tid, int signal)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	int fd = signal == 0 ? -1 : opener_event(a, tid, -1);

	if (fd < 0)
		return -1;
	if (fcntl(fd, F_SETOWN_EX, &owner) != 0 || fcntl(fd, F_SETSIG, signal) != 0 ||
	    fcntl(fd, F_SETFL, O_ASYNC) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Opens the events of the tracepoints after the first one. */
static void
open_others(const struct scripts *s, struct scripts_thread *t)
{
	struct perf_event_attr a = s->attr;

	for (size_t i = 1; i < s->tracepoints->n; i++) {
		int fd;

		a.config = s->tracepoints->list[i].id;
		fd = open_event(&a, t->tid, t->signal);
		if (fd < 0)
			continue;
		ids_add(&t->others, fd);
		ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, t->fd);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

/* Starts the samples of a traced thread; false if it could not get an event or signal (0). */
static bool
start_samples(const struct scripts *s, struct scripts_thread *t, int signal)
{
	void *ring;

	t->signal = signal;
	t->fd = open_event(&s->attr, t->tid, t->signal);
	if (t->fd < 0)
		return false;
	ring = mmap(NULL, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	t->ring = ring == MAP_FAILED ? NULL : ring;
	t->since = record_now();
	t->until = UINT64_MAX;
	ioctl(t->fd, PERF_EVENT_IOC_ENABLE, 0);
	open_others(s, t);
	return true;
}

size_t
scripts_unsampled(struct scripts *s, int *tid, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->fd < 0 &&
		    !start_samples(s, s->all[i], stopsignal_choose(s->all[i]->tid)) && n++ < max)
			tid[n - 1] = s->all[i]->tid;
	return n;
}

static struct scripts_thread *
add(struct scripts *s, int tid, int pid)
{
	struct scripts_thread *t = intmap_get(&s->thread, (uint64_t)tid);

	if (t != NULL && !t->ended)
		return t;
	if (t == NULL) {
		t = cli_alloc(1, sizeof *t);
		*intmap_at(&s->thread, (uint64_t)tid) = t;
	}
	*t = (struct scripts_thread){.tid = tid, .pid = pid, .since = UINT64_MAX};
	vec_fit(s->all, s->cap, s->n + 1);
	s->all[s->n++] = t;
	start_samples(s, t, stopsignal_choose(tid));
	return t;
}

static void
close_event(struct scripts_thread *t)
{
	if (t->ring != NULL)
		munmap(t->ring, ring_size());
	if (t->fd >= 0)
		close(t->fd);
	for (size_t i = 0; i < t->others.n; i++)
		close(t->others.id[i]);
	free(t->others.id);
	t->others = (struct ids){0};
	t->ring = NULL;
	t->fd = -1;
	t->until = record_now();
	t->unproven = false;
}

static void
drop(struct scripts *s, struct scripts_thread *t)
{
	if (t == NULL || t->ended)
		return;
	close_event(t);
	t->ended = true;
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i] == t) {
			s->all[i] = s->all[--s->n];
			break;
		}
}

/* Copies a record that may wrap around the end of the ring. */
static const struct perf_event_header *
record_at(const struct scripts_thread *t, uint64_t at, unsigned char *copy, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = page * RING_PAGES;
	const unsigned char *data = t->ring + page;
	struct perf_event_header h;

	for (size_t i = 0; i < sizeof h; i++)
		((unsigned char *)&h)[i] = data[(at + i) % n];
	if (h.size < sizeof h || h.size > size)
		return NULL;
	for (size_t i = 0; i < h.size; i++)
		copy[i] = data[(at + i) % n];
	return (const struct perf_event_header *)copy;
}

static void
take_sample(struct scripts *s, struct scripts_thread *t, const struct perfevent *e)
{
	struct record *r = s->record;
	const uint64_t fixed = r->recording.options.sample_weight;
	const struct recording_event *of = NULL;
	const bool varies = e != NULL && (s->format.sample_type & PERF_SAMPLE_PERIOD) != 0;
	uint64_t weight = fixed != 0 ? fixed : varies ? e->sample.period : r->period;

	if (r->options->weight_field != NULL) {
		if (e != NULL)
			of = tracepoints_event(s->tracepoints, e);
		if (of == NULL || !recording_weight(of, e, false, &weight)) {
			r->recording.count.malformed++;
			return;
		}
	}
	if (weight != 0 && stopped_sample(r, t->pid, t->tid, &s->format, e, weight, NULL))
		r->recording.count.samples++;
}

/* Adds all samples since the last stop. */
static void
take_samples(struct scripts *s, struct scripts_thread *t)
{
	struct perf_event_mmap_page *head = (void *)t->ring;
	static _Alignas(8) unsigned char copy[UINT16_MAX + 1];
	const struct perf_event_header *h;
	struct perfevent e;
	uint64_t end;

	s->sampled = record_now();
	if (t->ring == NULL) {
		take_sample(s, t, NULL);
		return;
	}
	end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	for (uint64_t at = head->data_tail; at < end; at += h->size) {
		h = record_at(t, at, copy, sizeof copy);
		if (h == NULL || !perfevent_decode(&s->format, h, &e))
			break;
		if (e.type == PERF_RECORD_SAMPLE && !s->leaving)
			take_sample(s, t, &e);
		else if (e.type == PERF_RECORD_LOST)
			s->record->recording.count.lost += e.lost;
	}
	__atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);
}

/* The number of records in the ring buffer of a thread. */
static uint64_t
pending(const struct scripts_thread *t)
{
	const struct perf_event_mmap_page *head = (const void *)t->ring;
	static _Alignas(8) unsigned char copy[UINT16_MAX + 1];
	const struct perf_event_header *h;
	uint64_t n = 0, end;

	if (t->ring == NULL)
		return 0;
	end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	for (uint64_t at = head->data_tail; at < end; at += h->size, n++)
		if ((h = record_at(t, at, copy, sizeof copy)) == NULL)
			break;
	return n;
}

/*
 * A new thread that blocks its signal longer than its start takes would have no samples: the other
 * event samples it again. Samples for which it has not stopped are lost.
 */
static void
check_new_threads(struct scripts *s)
{
	uint64_t n;

	if (record_now() - s->checked < PROOF)
		return;
	s->checked = record_now();
	for (size_t i = 0; i < s->n; i++) {
		struct scripts_thread *t = s->all[i];

		if (!t->unproven || (n = pending(t)) == 0 || !stopsignal_blocked(t->tid, t->signal))
			continue;
		close_event(t);
		s->record->recording.count.lost += n;
	}
}

/* The thread whose event sent a signal; after an exec its ID may have changed. */
static struct scripts_thread *
of_signal(struct scripts *s, int tid, int signal)
{
	siginfo_t info;

	if ((signal != SIGURG && signal != SIGWINCH) ||
	    ptrace(PTRACE_GETSIGINFO, tid, NULL, &info) != 0 ||
	    (info.si_code != POLL_IN && info.si_code != POLL_HUP))
		return NULL;
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->fd >= 0 && s->all[i]->signal == signal &&
		    (s->all[i]->fd == info.si_fd || ids_have(&s->all[i]->others, info.si_fd)))
			return s->all[i];
	return NULL;
}

static void
add_new(struct scripts *s, int tid)
{
	const struct scripts_thread *t = intmap_get(&s->thread, (uint64_t)tid);

	if (t == NULL || t->ended)
		add(s, tid, proc_pid(tid));
}

/*
 * Adds a thread that a traced one created; it is traced from its first instruction on.
 * pthread_create blocks all signals until the new thread has set the mask of its creator, so the
 * signal is that of the creator.
 */
static void
take_new_thread(struct scripts *s, int maker)
{
	const struct scripts_thread *m = intmap_get(&s->thread, (uint64_t)maker);
	unsigned long tid = 0;
	int pid = proc_pid(maker);
	struct scripts_thread *t;

	if (ptrace(PTRACE_GETEVENTMSG, maker, NULL, &tid) != 0 || tid == 0)
		return;
	t = add(s, (int)tid, pid);
	if (t->fd < 0 && m != NULL && m->fd >= 0)
		t->unproven = start_samples(s, t, m->signal);
}

/* Detaches from a thread and delivers its pending signal. */
static void
detach(struct scripts *s, int tid, int signal)
{
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal);
	drop(s, intmap_get(&s->thread, (uint64_t)tid));
}

/* Handles a stop of a traced thread, by our signal or for another reason. */
static void
stopped(struct scripts *s, int tid, int signal, int event)
{
	struct scripts_thread *t = event == 0 ? of_signal(s, tid, signal) : NULL;

	if (t != NULL) {
		t->tid = tid;
		t->unproven = false;
		take_samples(s, t);
		signal = 0;
	}
	if (event == PTRACE_EVENT_CLONE)
		take_new_thread(s, tid);
	if (s->leaving) {
		detach(s, tid, event == 0 ? signal : 0);
		return;
	}
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) { /* by job control: leave it so */
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return;
	}
	if (t == NULL) /* its first stop may precede its creator's */
		add_new(s, tid);
	ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)(event == 0 ? signal : 0));
}

/* Handles the end of a child or of a traced thread. */
static void
ended(struct scripts *s, int tid, int status)
{
	drop(s, intmap_get(&s->thread, (uint64_t)tid));
	if (s->command != NULL && tid == s->command->pid) {
		s->command->ended = true;
		s->command->status = status;
	}
}

bool
scripts_step(struct scripts *s)
{
	int status, tid;
	bool any = false;

	if (s->n == 0)
		return false;
	while ((tid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (WIFSTOPPED(status))
			stopped(s, tid, WSTOPSIG(status), status >> 16);
		else
			ended(s, tid, status);
		any = true;
	}
	check_new_threads(s);
	return any;
}

/*
 * Traces all threads of a process; threads created during this are traced by their creator's
 * options.
 */
static bool
seize_process(struct scripts *s, int pid)
{
	size_t before;

	do {
		struct ids ids = proc_threads(pid);

		before = s->n;
		for (size_t i = 0; i < ids.n; i++) {
			const struct scripts_thread *t =
			    intmap_get(&s->thread, (uint64_t)ids.id[i]);

			if (t != NULL && !t->ended)
				continue;
			if (ptrace(PTRACE_SEIZE, ids.id[i], NULL, (void *)(intptr_t)OPTIONS) == 0)
				add(s, ids.id[i], pid);
		}
		free(ids.id);
	} while (s->n > before);
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->pid == pid)
			return true;
	return false;
}

/*
 * Starts to trace a process with an interpreter. Returns why this sample has native frames only,
 * for the counts.
 */
static const char *
begin_to_trace(struct scripts *s, int pid)
{
	const char *why = scripts_covers(s, pid) ? young : early;
	char state = proc_state(pid), path[32];
	struct stat st;

	if (s->record->options->all)
		return "fg-record -a does not stop threads to read them; try -p PID";
	if (s->leaving || state == 0 || state == 'Z')
		return why;
	snprintf(path, sizeof path, "/proc/%d", pid);
	if (stat(path, &st) == 0 && st.st_uid != geteuid())
		return "the process belongs to another user";
	if (opener_is_linked())
		return "processes of other users are recorded too, so no thread is stopped";
	if (!ids_have(&s->refused, pid)) {
		if (s->watchdog == 0)
			start_watchdog(s);
		if (seize_process(s, pid))
			return why;
		ids_add(&s->refused, pid);
	}
	if (proc_tracer(pid) != 0)
		return "another program traces the process";
	return "no permission to trace the process; try sudo fg-record ..., or sudo sysctl "
	       "kernel.yama.ptrace_scope=0";
}

bool
scripts_take(struct scripts *s, const struct perfevent *e)
{
	struct record *r = s->record;
	struct scripts_thread *known = intmap_get(&s->thread, e->tid);
	struct process_thread *t;
	struct script_process *sp;

	if (known != NULL && e->time >= known->since && e->time <= known->until)
		return true;
	t = processes_thread(r->recording.processes, (int)e->pid, (int)e->tid);
	sp = script_find(r->recording.script, t->process);
	if (sp == NULL || (known != NULL && !known->ended && known->fd >= 0))
		return false;
	if (!script_needs_stop(sp))
		return false;
	if (known != NULL && !known->ended) {
		script_missed(r->recording.script, sp, e->time,
		    start_samples(s, known, stopsignal_choose(known->tid))
			? young
			: "its threads block all signals that could be used");
		return false;
	}
	script_missed(r->recording.script, sp, e->time, begin_to_trace(s, (int)e->pid));
	return false;
}

/* Interrupts the threads that are still traced, except ended ones and zombies. */
static void
interrupt_all(struct scripts *s)
{
	for (size_t i = s->n; i-- > 0;) {
		struct scripts_thread *t = s->all[i];
		char state = proc_state(t->tid);

		if (state == 0 || state == 'Z' || state == 'X')
			drop(s, t);
		else
			ptrace(PTRACE_INTERRUPT, t->tid, NULL, NULL);
	}
}

static void
disable(const struct scripts_thread *t)
{
	ioctl(t->fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < t->others.n; i++)
		ioctl(t->others.id[i], PERF_EVENT_IOC_DISABLE, 0);
}

void
scripts_close(struct scripts *s)
{
	uint64_t patience = record_now() + ENDING;

	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->fd >= 0)
			disable(s->all[i]);
	scripts_step(s); /* the last samples */
	s->leaving = true;
	while (s->n > 0 && record_now() < patience) {
		interrupt_all(s);
		if (!scripts_step(s))
			poll(NULL, 0, TICK);
	}
	if (s->watchdog > 0) {
		kill(s->watchdog, SIGKILL);
		waitpid(s->watchdog, NULL, 0);
	}
	s->watchdog = 0;
}
