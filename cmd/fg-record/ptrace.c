/*
 * ptrace: threads in, samples of them out, unwound as those of perf events are.
 *
 * A thread is asked to stop (PTRACE_INTERRUPT) only while it runs: one that sleeps
 * uses no CPU, and its system call would be disturbed. Whatever else a traced
 * thread stops for is passed on as if nobody was looking.
 */
#include "ptrace.h"

#include <elf.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "code/cfi.h"
#include "base/cli.h"
#include "base/vec.h"
#include "proc.h"
#include "sampler.h"

#define FREQUENCY 99
/*
 * No record tells of new mappings, so maps are read again after so many ns: a new
 * program maps its libraries at once, later there is little news.
 */
#define MAPS_AGE_FIRST UINT64_C(4000000)
#define MAPS_AGE_LAST UINT64_C(256000000)
#define OPTIONS_THREAD PTRACE_O_TRACEEXEC
#define OPTIONS \
	(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC)
#define LEAVING_TICK 1 /* ms between looks at threads that may have gone without a word */

#if defined(__x86_64__)
/* struct user_regs_struct to DWARF numbers (System V ABI, figure 3.36). */
static void
registers_of(uint64_t reg[UNWIND_REGS], const struct user_regs_struct *u)
{
	const uint64_t values[] = {u->rax, u->rdx, u->rcx, u->rbx, u->rsi, u->rdi, u->rbp, u->rsp,
	    u->r8, u->r9, u->r10, u->r11, u->r12, u->r13, u->r14, u->r15, u->rip};

	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	memcpy(reg, values, sizeof values);
}
#elif defined(__aarch64__)
static void
registers_of(uint64_t reg[UNWIND_REGS], const struct user_regs_struct *u)
{
	memcpy(reg, u->regs, sizeof u->regs);
	reg[CFI_SP] = u->sp;
	reg[CFI_PC] = u->pc;
}
#else
static void
registers_of(uint64_t reg[UNWIND_REGS], const struct user_regs_struct *u)
{
	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	(void)u;
}
#endif

static struct tracee *
find(struct tracer *t, int tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->tracee[i].tid == tid)
			return &t->tracee[i];
	return NULL;
}

static struct tracee *
add(struct tracer *t, int tid, int pid)
{
	struct tracee *e = find(t, tid);

	if (e != NULL)
		return e;
	vec_fit(t->tracee, t->cap, t->n + 1);
	e = &t->tracee[t->n++];
	*e = (struct tracee){.tid = tid, .pid = pid, .maps_age = MAPS_AGE_FIRST};
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
	processes_record(t->recording->processes, &end);
	*e = t->tracee[--t->n];
}

/* What the thread has done, when it was one that we asked to stop. */
static void
sample(struct tracer *t, struct tracee *e)
{
	struct recording *r = t->recording;
	struct user_regs_struct user;
	struct iovec regs = {.iov_base = &user, .iov_len = sizeof user};
	struct unwind_input in = {.stack = t->stack};
	struct process_thread *thread;
	struct iovec here, there;
	uint64_t now = record_now();
	ssize_t n;

	if (now < r->begin || ptrace(PTRACE_GETREGSET, e->tid, NT_PRSTATUS, &regs) != 0)
		return;
	if (now - e->maps_read > e->maps_age) {
		processes_read(r->processes, e->pid);
		e->maps_read = now;
		if (e->maps_age < MAPS_AGE_LAST)
			e->maps_age *= 2;
	}
	registers_of(in.reg, &user);
	here = (struct iovec){t->stack, r->options->stack_size};
	there = (struct iovec){(void *)(uintptr_t)in.reg[CFI_SP], r->options->stack_size};
	n = process_vm_readv(e->tid, &here, 1, &there, 1, 0);
	in.nstack = n > 0 ? (size_t)n : 0;
	thread = processes_thread(r->processes, e->pid, e->tid);
	in.process = thread->process;
	sampler_stopped(r, thread, &in);
}

/* A program begins anew in its process; all threads but this one are gone. */
static void
exec_stop(struct tracer *t, struct tracee *e)
{
	struct perfevent comm = {.type = PERF_RECORD_COMM,
	    .misc = PERF_RECORD_MISC_COMM_EXEC,
	    .pid = (uint32_t)e->pid,
	    .tid = (uint32_t)e->tid,
	    .comm = "?"};

	unsigned long before = 0;

	processes_record(t->recording->processes, &comm);
	e->maps_read = 0;
	e->maps_age = MAPS_AGE_FIRST;
	/* The thread that called exec has the number of its process from now on. */
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

/* A traced thread stopped, for whatever: it is traced no longer. */
static void
let_go(struct tracer *t, int tid, int status)
{
	int event = status >> 16;

	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE)
		new_thread(t, tid);
	/* A signal that was on its way reaches it now. */
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)(event == 0 ? WSTOPSIG(status) : 0));
	drop(t, tid);
}

/* A traced thread stopped: see why, and let it go on. */
static void
stopped(struct tracer *t, int tid, int status)
{
	int event = status >> 16, signal = WSTOPSIG(status);
	struct tracee *e = add(t, tid, 0);

	bool asked = e->asked;

	if (e->pid == 0) /* its first stop may come before its parent's */
		e->pid = proc_pid(tid);
	e->asked = false; /* whatever it stopped for, our request is forgotten (ptrace_stop) */
	switch (event) {
	case 0: /* a signal on its way to it */
		ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
		return;
	case PTRACE_EVENT_STOP:
		if (asked)
			sample(t, e);
		if (signal != SIGTRAP) { /* stopped by job control: it stays so */
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			return;
		}
		break;
	case PTRACE_EVENT_EXEC: exec_stop(t, e); break;
	default: new_thread(t, tid); break;
	}
	ptrace(PTRACE_CONT, tid, NULL, NULL);
}

/* All that has changed by now. */
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
tracer_step(struct tracer *t)
{
	uint64_t now = record_now();

	take_stops(t);
	if (now < t->next)
		return;
	t->next = t->next + t->tick > now ? t->next + t->tick : now + t->tick;
	for (size_t i = 0; i < t->n; i++) {
		struct tracee *e = &t->tracee[i];

		if (!e->asked && proc_state(e->tid) == 'R' &&
		    ptrace(PTRACE_INTERRUPT, e->tid, NULL, NULL) == 0)
			e->asked = true;
	}
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
		add(t, tid, pid);
		return;
	}
	error = errno;
	if (error == ESRCH || has_ended(tid)) /* EPERM is said of one that is just ending, too */
		return;
	errno = error;
	cli_die("cannot trace %d: %s; try sudo fg-record ..., or sudo sysctl "
		"kernel.yama.ptrace_scope=0 (in a container: docker run --cap-add SYS_PTRACE)",
	    tid, strerror(errno));
}

/* All threads of a process; one that starts meanwhile is traced by its maker's options. */
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
	processes_read(t->recording->processes, pid);
}

void
tracer_attach(struct tracer *t, struct recording *r, struct command *c)
{
	const struct options *o = r->options;
	uint64_t frequency = o->rate_given ? o->frequency : FREQUENCY;

	*t = (struct tracer){.recording = r, .command = c};
	t->tick = 1000000000 / frequency;
	t->next = record_now() + t->tick;
	r->period = t->tick;
	t->stack = cli_alloc(o->stack_size, 1);
	if (c != NULL)
		seize(t, c->pid, c->pid, OPTIONS);
	for (size_t i = 0; i < o->pids.n; i++)
		seize_process(t, o->pids.id[i]);
	for (size_t i = 0; i < o->tids.n; i++) {
		int pid = proc_pid(o->tids.id[i]);

		if (pid == 0)
			cli_die("no thread %d", o->tids.id[i]);
		seize(t, o->tids.id[i], pid, OPTIONS_THREAD);
		processes_read(r->processes, pid);
	}
}

/* Ask all who were not yet to stop. What has ended, or stays a zombie, need not be waited for. */
static void
ask_to_leave(struct tracer *t)
{
	for (size_t i = t->n; i-- > 0;) {
		struct tracee *e = &t->tracee[i];

		if (!e->asked)
			e->asked = ptrace(PTRACE_INTERRUPT, e->tid, NULL, NULL) == 0;
		if (has_ended(e->tid))
			drop(t, e->tid);
	}
}

void
tracer_detach(struct tracer *t)
{
	t->leaving = true;
	for (size_t i = 0; i < t->n; i++)
		t->tracee[i].asked = false; /* a stop for a sample may have passed unseen */
	while (t->n > 0) {
		ask_to_leave(t);
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
