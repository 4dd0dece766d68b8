/*
 * stops: the system calls, and the tracer's messages: struct openlink_message, whose `id` is a
 * thread and whose bytes are those of a change and registers. Requests without an answer keep the
 * order in which they were sent.
 */
#include "fg-record/stopping/stops.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "access/opener.h"
#include "base/cli.h"
#include "base/vec.h"
#include "fg-record/asking/proc.h"
#include "kernel/syscalls.h"

/* The status by which waitpid(2) reports a stop; musl has no W_STOPCODE. */
#define STOPPED(sig) ((sig) << 8 | 0x7f)

#define OPTIONS (PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT)
#define WATCH 250 /* ms between checks for a stopped process */
#define NUMBERS 16 /* the first descriptor for events, above those of a tracer */

enum stops_request {
	SEIZE = OPENLINK_OWN, /* id; flag: options; answered */
	EVENT, /* id; flag: signal; bytes: struct perf_event_attr; answered, with the descriptor */
	CONTINUE, /* id; flag: signal */
	DETACH, /* id; flag: signal */
	LISTEN, /* id */
	INTERRUPT, /* id */
	CHANGE, /* from the tracer: bytes: struct change */
};

struct change {
	struct stops_stop stop;
	struct ptrace_regs regs;
	int32_t has_regs;
};

static int link_end = -1; /* of the recorder, to its tracer */
static bool refused; /* the tracer could not start, or has ended */
static bool lost; /* it has ended */
static struct change *waiting; /* changes that came before an answer */
static size_t nwaiting, capwaiting;
static struct change last; /* the change that the caller handles */
static pid_t watchdog;

/* Stops that were reported and not continued yet; of the tracer. */
struct reported {
	int tid, signal;
};

struct tracer_state {
	int end, signals;
	const struct request_scope *scope;
	pid_t recorder;
	struct reported *open;
	size_t n, cap;
	int next, files; /* the next event's number; its maximum */
};

/*
 * Starts a process that continues this one if only this one is stopped: the threads that it
 * traces would stop with it. A stop of the complete job stops the watchdog too.
 */
static void
start_watchdog(void)
{
	const int watched = getpid();
	int stopped = 0;

	watchdog = fork();
	if (watchdog != 0)
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

/* True if a tracer does the calls; starts it at the first call. */
static bool
is_linked(void)
{
	if (!opener_is_linked())
		return false;
	if (link_end < 0 && !refused)
		refused =
		    !opener_ask(&(struct openlink_message){.kind = RIGHTS_TRACE}, -1, &link_end);
	return true;
}

static void
tell(enum stops_request kind, int tid, int flag)
{
	openlink_send(link_end,
	    &(struct openlink_message){.kind = (int32_t)kind, .id = tid, .flag = flag}, -1);
}

/* Takes a message from the tracer; false if there is none within some ms (-1: any), or no tracer */
static bool
receive(struct openlink_message *m, int *fd, int ms)
{
	struct pollfd p = {.fd = link_end, .events = POLLIN};

	*fd = -1;
	if (link_end < 0 || (poll(&p, 1, ms) <= 0 && ms >= 0))
		return false;
	if (openlink_receive(link_end, m, fd))
		return true;
	close(link_end);
	link_end = -1;
	refused = lost = true;
	cli_warn("the process that stops threads has ended; functions of scripts are missing from "
		 "then on");
	return false;
}

static void
keep(const struct openlink_message *m)
{
	if (m->kind != CHANGE || m->n != sizeof *waiting)
		return;
	vec_fit(waiting, capwaiting, nwaiting + 1);
	memcpy(&waiting[nwaiting++], m->bytes, sizeof *waiting);
}

/* Sends a request and waits for its answer. *fd: the descriptor of the answer. */
static bool
request(const struct openlink_message *m, struct openlink_message *reply, int *fd)
{
	*fd = -1;
	if (link_end < 0 || !openlink_send(link_end, m, -1))
		return false;
	while (receive(reply, fd, -1)) {
		if (reply->kind != CHANGE) {
			errno = reply->error;
			return reply->error == 0;
		}
		keep(reply);
	}
	return false;
}

bool
stops_seize(int tid, int options)
{
	struct openlink_message m = {.kind = SEIZE, .id = tid, .flag = options}, reply;
	int fd;

	if (is_linked())
		return request(&m, &reply, &fd);
	if (watchdog == 0)
		start_watchdog();
	return ptrace(PTRACE_SEIZE, tid, NULL, (void *)(intptr_t)options) == 0;
}

/* The signals of an event have the number of the descriptor for which they were requested. */
static bool
request_signals(int fd, int tid, int signal)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};

	return fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, signal) == 0 &&
	       fcntl(fd, F_SETFL, O_ASYNC) == 0;
}

int
stops_event(const struct perf_event_attr *a, int tid, int signal, int *number)
{
	struct openlink_message m = {.kind = EVENT, .id = tid, .flag = signal}, reply;
	int fd;

	if (is_linked()) {
		openlink_put(&m, a, sizeof *a);
		if (!request(&m, &reply, &fd))
			return -1;
		*number = reply.id;
		return fd;
	}
	*number = fd = opener_event(a, tid, -1);
	if (fd >= 0 && !request_signals(fd, tid, signal)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Adds who sent the signal for which a thread stopped. */
static void
add_sender(struct stops_stop *s)
{
	const int signal = WSTOPSIG(s->status);
	siginfo_t info;

	if ((signal == SIGURG || signal == SIGWINCH) &&
	    ptrace(PTRACE_GETSIGINFO, s->tid, NULL, &info) == 0) {
		s->code = info.si_code;
		s->fd = info.si_fd;
	}
}

/* The next change by waitpid(2). */
static bool
local_next(struct stops_stop *s)
{
	*s = (struct stops_stop){0};
	s->tid = waitpid(-1, &s->status, WNOHANG | __WALL);
	if (s->tid <= 0)
		return false;
	if (!WIFSTOPPED(s->status))
		return true;
	if (s->status >> 16 == 0)
		add_sender(s);
	else if (s->status >> 16 == PTRACE_EVENT_CLONE &&
		 ptrace(PTRACE_GETEVENTMSG, s->tid, NULL, &s->created) != 0)
		s->created = 0;
	return true;
}

static bool
linked_next(struct stops_stop *s, int ms)
{
	struct openlink_message m;
	int fd;

	if (nwaiting == 0 && receive(&m, &fd, ms)) {
		if (fd >= 0)
			close(fd);
		keep(&m);
	}
	if (nwaiting == 0)
		return false;
	last = waiting[0];
	memmove(waiting, waiting + 1, --nwaiting * sizeof *waiting);
	*s = last.stop;
	return true;
}

bool
stops_next(struct stops_stop *s)
{
	return opener_is_linked() ? linked_next(s, 0) : local_next(s);
}

/*
 * The stop of the only traced thread for an event needs no wait status: SIGCHLD has its reason. It
 * may stand for other children too.
 */
bool
stops_wait(struct stops_stop *s, bool single, int ms)
{
	const struct timespec most = {.tv_nsec = (long)ms * 1000000};
	siginfo_t info;
	sigset_t set;

	if (opener_is_linked())
		return linked_next(s, ms);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (sigtimedwait(&set, &info, &most) != SIGCHLD || !single || info.si_code != CLD_TRAPPED)
		return false;
	*s = (struct stops_stop){.tid = info.si_pid, .status = STOPPED(info.si_status)};
	add_sender(s);
	return s->code == POLL_IN || s->code == POLL_HUP;
}

bool
stops_registers(int tid, struct ptrace_regs *r)
{
	if (!opener_is_linked())
		return ptrace_regs_read(tid, r);
	*r = last.regs;
	return last.stop.tid == tid && last.has_regs != 0;
}

void
stops_continue(int tid, int signal)
{
	if (is_linked())
		tell(CONTINUE, tid, signal);
	else
		ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)signal);
}

void
stops_detach(int tid, int signal)
{
	if (is_linked())
		tell(DETACH, tid, signal);
	else
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal);
}

void
stops_listen(int tid)
{
	if (is_linked())
		tell(LISTEN, tid, 0);
	else
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
}

void
stops_interrupt(int tid)
{
	if (is_linked())
		tell(INTERRUPT, tid, 0);
	else
		ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
}

bool
stops_is_lost(void)
{
	return lost;
}

int
stops_descriptor(void)
{
	return link_end;
}

void
stops_close(void)
{
	if (link_end >= 0)
		close(link_end);
	link_end = -1;
	if (watchdog > 0) {
		kill(watchdog, SIGKILL);
		waitpid(watchdog, NULL, 0);
	}
	watchdog = 0;
}

/* The signal of a reported stop, which is reported no longer; -1: there is no such stop. */
static int
remove_reported(struct tracer_state *s, int tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->open[i].tid == tid) {
			const int signal = s->open[i].signal;

			s->open[i] = s->open[--s->n];
			return signal;
		}
	return -1;
}

/* Continues or detaches a stopped thread: the recorder cannot send it another signal. */
static void
release(struct tracer_state *s, const struct openlink_message *m)
{
	const int signal = remove_reported(s, m->id);
	const intptr_t passed = m->flag != 0 && m->flag == signal ? signal : 0;

	if (signal < 0)
		return;
	if (m->kind == LISTEN)
		ptrace(PTRACE_LISTEN, m->id, NULL, NULL);
	else
		ptrace(
		    m->kind == DETACH ? PTRACE_DETACH : PTRACE_CONT, m->id, NULL, (void *)passed);
}

static int
seize(struct tracer_state *s, const struct openlink_message *m)
{
	if (m->id <= 0 || (m->flag & ~OPTIONS) != 0)
		return EINVAL;
	if (!request_covers(s->scope, m->id))
		return EACCES;
	return ptrace(PTRACE_SEIZE, m->id, NULL, (void *)(intptr_t)m->flag) == 0 ? 0 : errno;
}

/*
 * Only a traced thread gets an event with signals, and only with those that it ignores. The
 * recorder tells events by their numbers, so each gets another one, although none stays open here.
 */
static int
open_event(struct tracer_state *s, const struct openlink_message *m, int *number)
{
	struct perf_event_attr a;
	int fd;

	if (m->n != sizeof a || m->id <= 0 || (m->flag != SIGURG && m->flag != SIGWINCH))
		return EINVAL;
	memcpy(&a, m->bytes, sizeof a);
	if (a.type > PERF_TYPE_RAW || a.sigtrap || proc_tracer(m->id) != getpid())
		return EACCES;
	fd = opener_event(&a, m->id, -1);
	if (fd < 0)
		return errno;
	s->next = s->next < s->files ? s->next + 1 : NUMBERS;
	*number = fcntl(fd, F_DUPFD_CLOEXEC, s->next);
	close(fd);
	if (*number < 0 || !request_signals(*number, m->id, m->flag)) {
		const int error = errno;

		if (*number >= 0)
			close(*number);
		*number = -1;
		return error;
	}
	return 0;
}

/* Handles a message of the recorder; false if it has ended. */
static bool
serve_one(struct tracer_state *s)
{
	struct openlink_message m, reply = {.kind = SEIZE};
	int passed, fd = -1;

	if (!openlink_receive(s->end, &m, &passed))
		return false;
	if (passed >= 0)
		close(passed);
	switch (m.kind) {
	case SEIZE: reply.error = seize(s, &m); break;
	case EVENT:
		reply.error = open_event(s, &m, &fd);
		reply.id = fd;
		break;
	case INTERRUPT: ptrace(PTRACE_INTERRUPT, m.id, NULL, NULL); return true;
	default: release(s, &m); return true;
	}
	openlink_send(s->end, &reply, fd);
	if (fd >= 0)
		close(fd);
	return true;
}

/* Reports all changes of traced threads; not those of the watchdog. */
static void
report_changes(struct tracer_state *s)
{
	struct openlink_message m = {.kind = CHANGE};
	struct change c;

	memset(&c, 0, sizeof c);
	while (local_next(&c.stop)) {
		if (c.stop.tid == watchdog)
			continue;
		c.has_regs = WIFSTOPPED(c.stop.status) && ptrace_regs_read(c.stop.tid, &c.regs);
		if (WIFSTOPPED(c.stop.status)) {
			vec_fit(s->open, s->cap, s->n + 1);
			s->open[s->n++] = (struct reported){
			    c.stop.tid, c.stop.status >> 16 == 0 ? WSTOPSIG(c.stop.status) : 0};
		}
		openlink_put(&m, &c, sizeof c);
		m.id = c.stop.tid;
		openlink_send(s->end, &m, -1);
	}
}

static void __attribute__((noreturn)) serve(struct tracer_state *s)
{
	struct signalfd_siginfo info;
	sigset_t set;
	struct rlimit files;
	int stopped = 0;

	s->next = NUMBERS;
	s->files = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < INT_MAX
		       ? (int)files.rlim_cur - 2
		       : INT_MAX - 2;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	start_watchdog();
	for (;;) {
		struct pollfd p[] = {
		    {.fd = s->end, .events = POLLIN}, {.fd = s->signals, .events = POLLIN}};

		/* The recorder must continue the threads; see start_watchdog. */
		if (poll(p, 2, s->n > 0 ? WATCH : -1) == 0) {
			stopped = proc_state(s->recorder) == 'T' ? stopped + 1 : 0;
			if (stopped >= 2)
				kill(s->recorder, SIGCONT);
		}
		if (p[1].revents != 0 && read(s->signals, &info, sizeof info) > 0)
			report_changes(s);
		if (p[0].revents != 0 && !serve_one(s))
			exit(EXIT_SUCCESS); /* the kernel detaches all threads */
	}
}

int
stops_serve(const struct request_scope *scope, pid_t recorder)
{
	struct tracer_state s = {.scope = scope, .recorder = recorder};
	int ends[2];
	pid_t child;

	if (!openlink_pair(ends))
		return -1;
	child = fork();
	if (child != 0) {
		close(ends[0]);
		if (child < 0)
			close(ends[1]);
		return child < 0 ? -1 : ends[1];
	}
	prctl(PR_SET_NAME, "fg-tracer");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	s.end = dup2(ends[0], STDERR_FILENO + 1);
	fcntl(s.end, F_SETFD, FD_CLOEXEC);
	syscall(SYS_close_range, s.end + 1, ~0U, 0);
	serve(&s);
}
