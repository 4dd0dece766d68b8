/*
 * ptrace: stops threads and unwinds them like samples of perf events.
 *
 * When a process has used another interval of CPU time, one of its threads is stopped
 * (PTRACE_INTERRUPT), but only a running or runnable one: a blocked thread uses no CPU, and the
 * stop would interrupt its system call. Other stops of traced threads are handled as if they
 * were not traced.
 */
#include "fg-record/stopping/ptrace.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/proc.h"
#include "fg-record/stopping/stopped.h"

#define FREQUENCY 99
/*
 * No record reports new mappings, so /proc/PID/maps is read again after this time (ns): a new
 * program maps its libraries at once, later mappings are rare.
 */
#define MAPS_AGE_FIRST UINT64_C(4000000)
#define MAPS_AGE_LAST UINT64_C(256000000)
#define OPTIONS_THREAD PTRACE_O_TRACEEXEC
#define OPTIONS \
	(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC)
#define LEAVING UINT64_C(1000000000) /* ns before threads that cannot be woken are left */
#define LEAVING_TICK 1 /* ms between checks for threads that ended without a wait status */
#define ENDING_TICKS 20 /* ticks in which an untraceable thread may still be ending */

static struct tracee *
find(struct tracer *t, int tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->tracee[i].tid == tid)
			return &t->tracee[i];
	return NULL;
}

/* Sets the process of e and adds its timer. If that fails, samples runnable threads from now on. */
static void
set_pid(struct tracer *t, struct tracee *e, int pid)
{
	struct record *r = t->record;

	e->pid = pid;
	if (pid == 0 || !r->by_cpu_time || t->leaving || cputimer_add(&t->timers, pid) ||
	    proc_state(pid) == 0)
		return;
	/*
	 * Without a timer for one process, none is used: CPU time and runnable time must not
	 * mix.
	 */
	r->by_cpu_time = false;
	cputimer_close(&t->timers);
}

static struct tracee *
add(struct tracer *t, int tid, int pid)
{
	struct tracee *e = find(t, tid);

	if (e != NULL)
		return e;
	vec_fit(t->tracee, t->cap, t->n + 1);
	e = &t->tracee[t->n++];
	*e = (struct tracee){.tid = tid, .maps_age = MAPS_AGE_FIRST};
	set_pid(t, e, pid);
	return e;
}

static void
drop(struct tracer *t, int tid)
{
	struct tracee *e = find(t, tid);
	struct perfevent end = {.type = PERF_RECORD_EXIT, .tid = (uint32_t)tid};

	if (e == NULL)
		return;
	end.pid = (uint32_t)e->pid;
	processes_record(t->record->recording.processes, &end);
	cputimer_remove(&t->timers, e->pid);
	*e = t->tracee[--t->n];
}

/* Takes the charge for e's sample back, since e was blocked: another sample replaces it. */
static void
owe(struct tracer *t, struct tracee *e)
{
	struct cputimer *timer = cputimer_find(&t->timers, e->pid);

	if (timer == NULL)
		return;
	timer->owed += e->weight;
	e->credit += (int64_t)(e->weight * t->tick);
}

/* Adds a sample of a thread that stopped at our request. */
static void
sample(struct tracer *t, struct tracee *e)
{
	struct record *r = t->record;
	uint64_t now = record_now();
	bool slept = false;

	if (now - e->maps_read > e->maps_age) {
		processes_read(r->recording.processes, e->pid);
		e->maps_read = now;
		if (e->maps_age < MAPS_AGE_LAST)
			e->maps_age *= 2;
	}
	if (stopped_sample(r, e->pid, e->tid, NULL, NULL, NULL,
		r->options->weight_period ? e->weight * r->period : e->weight,
		r->by_cpu_time ? &slept : NULL)) {
		r->recording.count.samples += e->weight;
		r->stops++;
	} else if (r->by_cpu_time && slept) {
		owe(t, e);
	}
}

/* Handles an exec: all other threads of the process have ended. */
static void
exec_stop(struct tracer *t, struct tracee *e)
{
	struct perfevent comm = {.type = PERF_RECORD_COMM,
	    .misc = PERF_RECORD_MISC_COMM_EXEC,
	    .pid = (uint32_t)e->pid,
	    .tid = (uint32_t)e->tid,
	    .comm = "?"};

	unsigned long before = 0;

	processes_record(t->record->recording.processes, &comm);
	e->maps_read = 0;
	e->maps_age = MAPS_AGE_FIRST;
	/* The thread that called exec now has the ID of its process. */
	if (ptrace(PTRACE_GETEVENTMSG, e->tid, NULL, &before) == 0 && (int)before != e->tid)
		drop(t, (int)before);
}

static void
new_thread(struct tracer *t, int parent)
{
	unsigned long tid = 0;

	if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &tid) == 0 && tid != 0)
		add(t, (int)tid, proc_pid((int)tid));
}

/* Detaches from a stopped thread, whatever it stopped for. */
static void
let_go(struct tracer *t, int tid, int status)
{
	int event = status >> 16;

	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE)
		new_thread(t, tid);
	/* Deliver a pending signal. */
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)(event == 0 ? WSTOPSIG(status) : 0));
	drop(t, tid);
}

/* Handles a stop of a traced thread by its reason and continues the thread. */
static void
stopped(struct tracer *t, int tid, int status)
{
	int event = status >> 16, signal = WSTOPSIG(status);
	struct tracee *e = add(t, tid, 0);

	bool requested = e->requested;

	if (e->pid == 0) /* its first stop may precede the event of its parent */
		set_pid(t, e, proc_pid(tid));
	if (requested && event != PTRACE_EVENT_STOP)
		owe(t, e);
	e->requested = false; /* any stop discards our request (ptrace_stop) */
	switch (event) {
	case 0: /* signal delivery */
		ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
		return;
	case PTRACE_EVENT_STOP:
		if (requested)
			sample(t, e);
		if (signal != SIGTRAP) { /* stopped by job control: leave it so */
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			return;
		}
		break;
	case PTRACE_EVENT_EXEC: exec_stop(t, e); break;
	default: new_thread(t, tid); break;
	}
	ptrace(PTRACE_CONT, tid, NULL, NULL);
}

/* Handles all pending stops and exits. */
static void
take_stops(struct tracer *t)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		if (WIFSTOPPED(status)) {
			(t->leaving ? let_go : stopped)(t, tid, status);
			continue;
		}
		drop(t, tid);
		if (t->command != NULL && tid == t->command->pid) {
			t->command->ended = true;
			t->command->status = status;
		}
	}
}

void
tracer_pass_on(void *arg)
{
	take_stops(arg);
}

static void
request_sample(struct tracee *e, uint64_t weight)
{
	if (ptrace(PTRACE_INTERRUPT, e->tid, NULL, NULL) != 0)
		return;
	e->requested = true;
	e->weight = weight;
}

/*
 * The thread to charge for CPU time of a process: of its running or runnable threads, the one
 * with the most CPU time since its last sample. NULL if none can be stopped.
 */
static struct tracee *
who_ran(struct tracer *t, const struct cputimer *timer)
{
	struct tracee *most = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct tracee *e = &t->tracee[i];

		if (e->pid != timer->pid)
			continue;
		if (timer->threads > 1) {
			uint64_t ran = proc_ran(e->tid);

			e->credit += ran > e->ran ? (int64_t)(ran - e->ran) : 0;
			e->ran = ran;
		}
		if ((most == NULL || e->credit > most->credit) && !e->requested &&
		    proc_state(e->tid) == 'R')
			most = e;
	}
	return most;
}

static void
sample_owed(struct tracer *t, struct cputimer *timer)
{
	struct tracee *e;

	cputimer_count(&t->timers, timer);
	if (timer->owed == 0 || (e = who_ran(t, timer)) == NULL)
		return; /* blocked by now: the next sample gets a larger weight */
	e->credit -= (int64_t)(timer->owed * t->tick);
	request_sample(e, timer->owed);
	timer->owed = 0;
}

/* True if the next tick has come; then sets the one after it. */
static bool
is_tick(struct tracer *t)
{
	uint64_t now = record_now();

	if (now < t->next)
		return false;
	t->next = t->next + t->tick > now ? t->next + t->tick : now + t->tick;
	return true;
}

static void
sample_by_cpu_time(struct tracer *t)
{
	struct cputimer *timer;

	while ((timer = cputimer_next(&t->timers)) != NULL)
		sample_owed(t, timer);
	if (is_tick(t))
		for (size_t i = 0; i < t->timers.n; i++)
			sample_owed(t, &t->timers.timer[i]);
}

static void
sample_by_time(struct tracer *t)
{
	if (!is_tick(t))
		return;
	for (size_t i = 0; i < t->n; i++)
		if (!t->tracee[i].requested && proc_state(t->tracee[i].tid) == 'R')
			request_sample(&t->tracee[i], 1);
}

void
tracer_step(struct tracer *t)
{
	take_stops(t);
	if (t->record->by_cpu_time)
		sample_by_cpu_time(t);
	else
		sample_by_time(t);
}

int
tracer_timeout(const struct tracer *t)
{
	uint64_t now = record_now();

	return t->next <= now ? 0 : (int)((t->next - now + 999999) / 1000000);
}

static bool
has_ended(int tid)
{
	char state = proc_state(tid);

	return state == 0 || state == 'Z' || state == 'X';
}

static void
seize(struct tracer *t, int tid, int pid, int options)
{
	int error;

	if (find(t, tid) != NULL)
		return;
	if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)(intptr_t)options) == 0) {
		add(t, tid, pid)->ran = proc_ran(tid);
		return;
	}
	error = errno;
	/*
	 * EPERM: the thread is just ending, or is new and already traced by its creator's
	 * options.
	 */
	for (int i = 0; i < ENDING_TICKS && error == EPERM && !has_ended(tid); i++) {
		if (proc_tracer(tid) == getpid())
			return;
		poll(NULL, 0, LEAVING_TICK);
	}
	if (error == ESRCH || has_ended(tid))
		return;
	errno = error;
	cli_die(
	    "cannot trace %d: %s; try sudo fg-record ..., or sudo sysctl "
	    "kernel.yama.ptrace_scope=0 (in a container: docker run --cap-add SYS_PTRACE); " CHECK_HINT,
	    tid, strerror(errno));
}

/*
 * Traces all threads of a process; threads created during this are traced by their creator's
 * options.
 */
static void
seize_process(struct tracer *t, int pid)
{
	size_t before;

	do {
		struct ids ids = proc_threads(pid);

		before = t->n;
		for (size_t i = 0; i < ids.n; i++)
			seize(t, ids.id[i], pid, OPTIONS);
		free(ids.id);
		if (t->n == 0)
			cli_die("no process %d", pid);
	} while (t->n > before);
	processes_read(t->record->recording.processes, pid);
}

void
tracer_attach(struct tracer *t, struct record *r, struct command *c)
{
	const struct options *o = r->options;
	uint64_t frequency = o->rate_given ? o->frequency : FREQUENCY;

	*t = (struct tracer){.record = r, .command = c};
	t->tick = 1000000000 / frequency;
	t->next = record_now() + t->tick;
	r->period = t->tick;
	/* A process's CPU clock does not show how much belongs to some of its threads. */
	r->by_cpu_time = cputimer_open(&t->timers, t->tick) && o->tids.n == 0;
	if (c != NULL)
		seize(t, c->pid, c->pid, OPTIONS);
	for (size_t i = 0; i < o->pids.n; i++)
		seize_process(t, o->pids.id[i]);
	for (size_t i = 0; i < o->tids.n; i++) {
		int pid = proc_pid(o->tids.id[i]);

		if (pid == 0)
			cli_die("no thread %d", o->tids.id[i]);
		seize(t, o->tids.id[i], pid, OPTIONS_THREAD);
		processes_read(r->recording.processes, pid);
	}
}

/* Interrupts all threads not yet interrupted, except ended ones and zombies. */
static void
request_detach(struct tracer *t)
{
	for (size_t i = t->n; i-- > 0;) {
		struct tracee *e = &t->tracee[i];

		if (!e->requested)
			e->requested = ptrace(PTRACE_INTERRUPT, e->tid, NULL, NULL) == 0;
		if (has_ended(e->tid))
			drop(t, e->tid);
	}
}

/*
 * True if no remaining thread can stop: all wait for a disk or for the child of vfork(2),
 * possibly for ever. The kernel detaches them when we exit.
 */
static bool
cannot_stop(const struct tracer *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (proc_state(t->tracee[i].tid) != 'D')
			return false;
	return true;
}

void
tracer_detach(struct tracer *t)
{
	uint64_t patience = record_now() + LEAVING;

	t->leaving = true;
	cputimer_close(&t->timers);
	for (size_t i = 0; i < t->n; i++)
		t->tracee[i].requested = false; /* a stop for a sample may have been missed */
	while (t->n > 0 && (record_now() < patience || !cannot_stop(t))) {
		request_detach(t);
		take_stops(t);
		if (t->n > 0)
			poll(NULL, 0, LEAVING_TICK);
	}
}

void
tracer_wait(struct tracer *t)
{
	struct command *c = t->command;
	int status;
	pid_t tid;

	t->leaving = true;
	while (!c->ended && ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR)) {
		if (tid <= 0)
			continue;
		if (WIFSTOPPED(status)) {
			let_go(t, tid, status);
		} else if (tid == c->pid) {
			c->ended = true;
			c->status = status;
		}
	}
}
