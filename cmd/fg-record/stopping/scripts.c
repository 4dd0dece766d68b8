/*
 * scripts: seizes threads, each with an event and a small ring buffer; at a stop, drains the
 * ring buffer and adds one sample for each record in it.
 *
 * If a thread takes several samples in one system call, they send one signal: the ring buffer
 * has their kernel stacks, and all of them get the user stack at the stop.
 */
#include "fg-record/stopping/scripts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/proc.h"
#include "fg-record/stopping/stopped.h"
#include "fg-record/stopping/stops.h"
#include "fg-record/stopping/stopsignal.h"
#include "fg-record/watching/tracepointframe.h"
#include "access/copies.h"
#include "trace/take.h"

#define OPTIONS PTRACE_O_TRACECLONE /* child processes are found by their records */
#define ENDING UINT64_C(1000000000) /* ns before threads that cannot stop are left */
#define TICK 1 /* ms */
#define LACKING 64 /* samples in a row without frames, for lack of copies */
#define PLANS 64 /* samples of a runtime that starts */
#define FOLLOWED 1000 /* limit of processes with a recipe before the recording */
#define PROOF UINT64_C(5000000) /* ns between checks of new threads */

static const char early[] = "the samples were taken before the interpreter was detected";
static const char young[] = "their thread was new";

/* A tracepoint is sampled each time: those of a thread's end count too, and it stops before. */
static int
trace_options(const struct scripts *s)
{
	return OPTIONS | (s->events.tracepoints->n > 0 ? PTRACE_O_TRACEEXIT : 0);
}

void
scripts_open(struct scripts *s, struct record *r, struct event *ev, struct command *command)
{
	struct perf_event_attr *a = &s->events.attr;

	*s = (struct scripts){
	    .record = r, .command = command, .events = {ev->sampled, &ev->tracepoints}};
	a->sample_type =
	    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	a->sample_type |= ev->sampled.sample_type & PERF_SAMPLE_PERIOD;
	if (ev->tracepoints.n > 0)
		a->sample_type |= ev->sampled.sample_type & PERF_SAMPLE_RAW;
	a->exclude_callchain_user = 1;
	if (ev->frees) /* the arguments of its call */
		a->sample_type |= PERF_SAMPLE_REGS_USER;
	else
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
	s->format = (struct perfevent_format){
	    .sample_type = a->sample_type, .regs_user = a->sample_regs_user};
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

size_t
scripts_unsampled(struct scripts *s, int *tid, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->fd < 0 &&
		    !scriptsevent_open(&s->events, s->all[i], stopsignal_choose(s->all[i]->tid)) &&
		    n++ < max)
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
	*t = (struct scripts_thread){.tid = tid, .pid = pid};
	scriptsevent_forget(t);
	vec_fit(s->all, s->cap, s->n + 1);
	s->all[s->n++] = t;
	scriptsevent_open(&s->events, t, stopsignal_choose(tid));
	return t;
}

static void
drop(struct scripts *s, struct scripts_thread *t)
{
	if (t == NULL || t->ended)
		return;
	scriptsevent_close(&s->events, t);
	t->ended = true;
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i] == t) {
			s->all[i] = s->all[--s->n];
			break;
		}
}

static void
take_sample(struct scripts *s, struct scripts_thread *t, const struct perfevent *e)
{
	struct record *r = s->record;
	const uint64_t fixed = r->recording.options.sample_weight;
	const struct recording_event *of = NULL;
	const bool varies = e != NULL && (s->format.sample_type & PERF_SAMPLE_PERIOD) != 0;
	uint64_t weight = fixed != 0 ? fixed : varies ? e->sample.period : r->period;

	if (e != NULL && tracepoints_need_data(s->events.tracepoints))
		of = tracepointframe_event(s->events.tracepoints, r->recording.modules, e);
	else if (e != NULL && r->options->weight_field != NULL)
		of = tracepoints_event(s->events.tracepoints, e);
	if (r->options->weight_field != NULL) {
		if (of == NULL || !recording_weight(of, e, false, &weight)) {
			r->recording.count.malformed++;
			return;
		}
	}
	if (e != NULL && s->counted != NULL)
		counted_sample(s->counted, tracepoints_index(s->events.tracepoints, e));
	if (weight != 0 && stopped_sample(r, t->pid, t->tid, &s->format, of, e, weight, NULL))
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
		h = scriptsevent_record(&s->events, t, at, copy, sizeof copy);
		if (h == NULL || !perfevent_decode(&s->format, h, &e))
			break;
		if (e.type == PERF_RECORD_SAMPLE && !s->leaving)
			take_sample(s, t, &e);
		else if (e.type == PERF_RECORD_LOST)
			s->record->recording.count.lost += e.lost;
	}
	__atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);
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

		if (!t->unproven || (n = scriptsevent_pending(&s->events, t)) == 0 ||
		    !stopsignal_blocked(t->tid, t->signal))
			continue;
		scriptsevent_close(&s->events, t);
		s->record->recording.count.lost += n;
	}
}

/* The thread whose event sent the signal of a stop; after an exec its ID may have changed. */
static struct scripts_thread *
of_signal(struct scripts *s, const struct stops_stop *stop)
{
	const int signal = WSTOPSIG(stop->status);

	if (stop->code != POLL_IN && stop->code != POLL_HUP)
		return NULL;
	for (size_t i = 0; i < s->n; i++)
		if (s->all[i]->fd >= 0 && s->all[i]->signal == signal &&
		    scriptsevent_is(s->all[i], stop->fd))
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
take_new_thread(struct scripts *s, const struct stops_stop *stop)
{
	const struct scripts_thread *m = intmap_get(&s->thread, (uint64_t)stop->tid);
	struct scripts_thread *t;

	if (stop->created == 0)
		return;
	t = add(s, (int)stop->created, proc_pid(stop->tid));
	if (t->fd < 0 && m != NULL && m->fd >= 0)
		t->unproven = scriptsevent_open(&s->events, t, m->signal);
}

/* Detaches from a thread and delivers its pending signal. */
static void
detach(struct scripts *s, int tid, int signal)
{
	stopped_continue(s->record, tid);
	stops_detach(tid, signal);
	drop(s, intmap_get(&s->thread, (uint64_t)tid));
}

/* Samples a thread that stopped for a signal, if that is ours; NULL if not. */
static struct scripts_thread *
sample_at_signal(struct scripts *s, const struct stops_stop *stop)
{
	struct scripts_thread *t = of_signal(s, stop);

	if (t == NULL)
		return NULL;
	t->tid = stop->tid;
	t->unproven = false;
	take_samples(s, t);
	return t;
}

/* Handles a stop of a traced thread, by our signal or for another reason. */
static void
stopped(struct scripts *s, const struct stops_stop *stop)
{
	const int tid = stop->tid, event = stop->status >> 16;
	int signal = WSTOPSIG(stop->status);
	struct scripts_thread *t = event == 0 ? sample_at_signal(s, stop) : NULL;

	if (t != NULL)
		signal = 0;
	if (event == PTRACE_EVENT_EXIT && (t = intmap_get(&s->thread, (uint64_t)tid)) != NULL &&
	    t->fd >= 0)
		take_samples(s, t); /* the last ones, whose signal is not delivered */
	if (event == PTRACE_EVENT_CLONE)
		take_new_thread(s, stop);
	if (s->leaving) {
		detach(s, tid, event == 0 ? signal : 0);
		return;
	}
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) { /* by job control: leave it so */
		stops_listen(tid);
		return;
	}
	if (t == NULL) /* its first stop may precede its creator's */
		add_new(s, tid);
	stopped_continue(s->record, tid);
	stops_continue(tid, event == 0 ? signal : 0);
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

static void
changed(struct scripts *s, const struct stops_stop *stop)
{
	if (WIFSTOPPED(stop->status))
		stopped(s, stop);
	else
		ended(s, stop->tid, stop->status);
}

bool
scripts_step(struct scripts *s)
{
	struct stops_stop stop;
	bool any = false;

	if (s->n == 0)
		return false;
	for (; stops_next(&stop); any = true)
		changed(s, &stop);
	while (stops_is_lost() && s->n > 0)
		drop(s, s->all[0]);
	check_new_threads(s);
	return any;
}

void
scripts_wait(struct scripts *s, int ms)
{
	struct stops_stop stop;

	if (stops_wait(&stop, s->n == 1, ms))
		changed(s, &stop);
	else
		scripts_step(s);
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
			if (stops_seize(ids.id[i], trace_options(s)))
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
	char state = proc_state(pid);

	if (s->record->options->all)
		return "fg-record -a does not stop threads to read them; try -p PID";
	if (s->events.tracepoints->n > 0 && !s->events.tracepoints->stop)
		return "threads are not stopped for these tracepoints, which a stop may cause";
	if (s->leaving || state == 0 || state == 'Z')
		return why;
	if (!ids_have(&s->refused, pid)) {
		if (seize_process(s, pid))
			return why;
		ids_add(&s->refused, pid);
	}
	if (stops_is_lost())
		return "the process that stops threads has ended";
	if (proc_tracer(pid) != 0)
		return "another program traces the process";
	return "no permission to trace the process; try sudo fg-record ..., or sudo sysctl "
	       "kernel.yama.ptrace_scope=0; " CHECK_HINT;
}

/* True if the process must be stopped, if it can be: the recipe does not copy its frames. */
static bool
is_unwalkable(const struct scripts *s, const struct script_process *sp)
{
	return (sp->unwalked || sp->lacking >= LACKING) && !s->record->options->all &&
	       !ids_have(&s->refused, sp->pid);
}

/* Lets the BPF program follow a recipe at the samples of a process; false if it does not. */
static bool
follow(struct scripts *s, struct script_process *sp, uint32_t pid, const struct walk_recipe *r)
{
	if (r == NULL)
		return false;
	if (r->number != sp->followed && !walker_recipe(s->walker, pid, r)) {
		if (errno == ENOSYS)
			s->walker = NULL;
		return false;
	}
	/* The recipe copies such a stack; the pages above it are other memory, up to 1 MiB. */
	if (r->number != sp->followed && sp->covered && script_has_own_stack(sp))
		walker_deny(s->walker, pid, true);
	sp->followed = r->number;
	return true;
}

/*
 * Lets the BPF program follow the recipe of a process at its samples; false if there is none.
 * Without its copies, the sample has native frames only.
 */
static bool
is_walked(struct scripts *s, struct script_process *sp, const struct perfevent *e)
{
	struct script *script = s->record->recording.script;
	const struct walk_recipe *r = s->walker != NULL ? script_recipe(script, sp) : NULL;

	if (r == NULL) {
		if (s->walker == NULL || sp->planned || sp->unplanned >= PLANS)
			return false;
		script_missed(script, sp, e->time, early);
		return true;
	}
	if (is_unwalkable(s, sp)) {
		walker_recipe(s->walker, e->pid, NULL);
		sp->followed = 0;
		return false;
	}
	if (!follow(s, sp, e->pid, r) || !sp->covered)
		return false;
	if (e->sample.copies == NULL || e->sample.copies->number != r->number)
		script_missed(script, sp, e->time, early);
	return true;
}

/* Lets the BPF program copy the label of a process's threads; false if it does not. */
static bool
is_label_followed(struct scripts *s, struct script_process *sp, uint32_t pid)
{
	return script_follows_label(sp) && s->walker != NULL &&
	       follow(s, sp, pid, script_recipe(s->record->recording.script, sp));
}

static void
follow_process(struct scripts *s, struct process *p)
{
	struct script *script = s->record->recording.script;
	struct script_process *sp = script_find(script, p);

	if (sp != NULL && (script_needs_stop(sp) || script_follows_label(sp)))
		follow(s, sp, (uint32_t)p->pid, script_recipe(script, sp));
}

void
scripts_follow_all(struct scripts *s)
{
	struct processes *ps = s->record->recording.processes;
	struct process *p = NULL;

	for (int n = 0; s->walker != NULL && n < FOLLOWED && (p = processes_next(ps, p)) != NULL;)
		if (script_may_have_recipe(p)) {
			follow_process(s, p);
			n++;
		}
}

void
scripts_follow(struct scripts *s, const struct perfevent *e)
{
	if (s->walker != NULL)
		follow_process(
		    s, processes_thread(s->record->recording.processes, (int)e->pid, (int)e->tid)
			   ->process);
}

bool
scripts_take(struct scripts *s, const struct perfevent *e)
{
	struct record *r = s->record;
	struct scripts_thread *known = intmap_get(&s->thread, e->tid);
	const size_t i = tracepoints_index(s->events.tracepoints, e);
	struct process_thread *t;
	struct script_process *sp;

	if (known != NULL && i < TRACEPOINTS_MAX && e->time >= known->since[i] &&
	    e->time <= known->until)
		return true;
	t = processes_thread(r->recording.processes, (int)e->pid, (int)e->tid);
	sp = script_find(r->recording.script, t->process);
	if (sp == NULL || (known != NULL && !known->ended && known->fd >= 0))
		return false;
	if (!script_needs_stop(sp)) {
		if (is_label_followed(s, sp, e->pid) || !script_stops_for_label(sp))
			return false;
	} else if (known == NULL && is_walked(s, sp, e)) {
		return false;
	}
	if (known != NULL && !known->ended) {
		script_missed(r->recording.script, sp, e->time,
		    scriptsevent_open(&s->events, known, stopsignal_choose(known->tid))
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
			stops_interrupt(t->tid);
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
	stops_close();
}
