/*
 * rights: forks the opener, handles the requests that only the recorder has, and drops rights.
 */
#include "fg-record/asking/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sandbox.h"
#include "elf/debugfile.h"
#include "access/opener.h"
#include "access/openserver.h"
#include "fg-record/watching/walker.h"
#include "fg-record/asking/outputname.h"
#include "fg-record/asking/proc.h"
#include "fg-record/record.h"
#include "fg-record/asking/request.h"
#include "fg-record/telling/retention.h"
#include "fg-record/watching/ringreader.h"
#include "fg-record/asking/standing.h"
#include "fg-record/stopping/stops.h"

static pid_t opener; /* 0: none */
static pid_t recorder; /* in the opener: its parent */
static struct retention written; /* files of intervals that this process has put in place */

/* State of the opener. */
struct opener_state {
	const struct options *options;
	struct output *output; /* to be put in place; NULL: none */
	struct walker walker;
	struct request_scope scope;
	struct timespec last; /* start of the last interval with a file */
	bool traced; /* the tracer was started */
};

/* True if the data of one of them must not be parsed with the rights of this process. */
static bool
any_lesser(const struct ids *ids)
{
	const struct standing ours = standing_of(0);

	for (size_t i = 0; i < ids->n; i++) {
		const struct standing theirs = standing_of(ids->id[i]);

		if (standing_exceeds(&ours, &theirs))
			return true;
	}
	return false;
}

static struct output *
open_interval(const struct options *o, const struct timespec *begin)
{
	char *path = outputname_new_interval(o->output, begin);
	struct output *output;

	if (path == NULL)
		cli_die("%s: %s", o->output, strerror(errno));
	output = output_try(path);
	if (output == NULL && errno != ENOSPC && errno != EDQUOT)
		cli_die("%s: %s", path, strerror(errno));
	if (output == NULL) {
		cli_warn("%s: %s", path, strerror(errno));
		errno = ENOSPC;
	}
	free(path);
	return output;
}

/* The name for a file of the present time. Free it. */
static char *
present_name(const struct options *o)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return outputname_interval(o->output, &now);
}

/* Puts a file in place; false, after a message, if that of an interval could not be. */
static bool
place(const struct options *o, struct output *output)
{
	char *path = cli_strdup(output->path);
	bool placed = true;

	if (options_has_files(o) && outputname_exists(path))
		cli_warn("%s: replaced; another program made it during the interval", path);
	if (!options_has_files(o))
		output_close(output);
	else if (!output_try_close(output)) { /* a power failure must not leave half of one */
		cli_warn("%s: %s", path, strerror(errno));
		placed = false;
	}
	if (o->keep != 0 && placed) {
		char *present = present_name(o);

		retention_written(&written, path);
		retention_newest(&written, o->output, present, o->keep);
		free(present);
	}
	free(path);
	return placed;
}

static bool
make_room(const struct options *o)
{
	char *present = o->keep != 0 ? present_name(o) : NULL;
	const bool made = present != NULL && retention_make_room(&written, o->output, present);

	free(present);
	return made;
}

/* Takes a recipe for a process that the recording covers. */
static int
follow_recipe(const struct opener_state *s, const struct openlink_message *m)
{
	struct walk_recipe r;

	if (m->id <= 0 || !request_covers(&s->scope, m->id))
		return EPERM;
	if (m->n != 0 && m->n != sizeof r)
		return EINVAL;
	memcpy(&r, m->bytes, m->n);
	return walker_recipe(&s->walker, (uint32_t)m->id, m->n != 0 ? &r : NULL) ? 0 : errno;
}

/* Handles a request in the opener; an openserver_request. */
static int
handle(void *arg, const struct openlink_message *m, int passed, int *reply)
{
	struct opener_state *s = arg;
	struct timespec begin;
	bool placed;

	switch (m->kind) {
	case RIGHTS_WALK_OPEN:
		if (!walker_open(&s->walker, m->id, (uint32_t)m->flag))
			return errno;
		*reply = fcntl(s->walker.program[s->walker.n - 1], F_DUPFD_CLOEXEC, 0);
		return *reply < 0 ? errno : 0;
	case RIGHTS_WALK_RECIPE: return follow_recipe(s, m);
	case RIGHTS_WALK_OUTPUT: return walker_add_output(&s->walker, m->id, passed) ? 0 : errno;
	case RIGHTS_WALK_DENY: walker_deny(&s->walker, (uint32_t)m->id, m->flag != 0); return 0;
	case RIGHTS_OUTPUT_OPEN:
		if (s->output != NULL || !options_has_files(s->options) || m->n != sizeof begin)
			return EINVAL;
		memcpy(&begin, m->bytes, sizeof begin);
		request_begin(&begin, &s->last);
		s->output = open_interval(s->options, &begin);
		if (s->output == NULL)
			return errno;
		*reply = fcntl(s->output->fd, F_DUPFD_CLOEXEC, 0);
		return *reply < 0 ? errno : 0;
	case RIGHTS_OUTPUT_PLACE:
		if (s->output == NULL)
			return EINVAL;
		placed = place(s->options, s->output);
		s->output = NULL;
		return placed ? 0 : ENOSPC;
	case RIGHTS_OUTPUT_ROOM: return make_room(s->options) ? 0 : ENOENT;
	case RIGHTS_OUTPUT_DROP:
		if (s->output == NULL || !options_has_files(s->options))
			return EINVAL;
		output_discard(s->output);
		s->output = NULL;
		return 0;
	case RIGHTS_FIRST:
		return proc_pid(m->id) == recorder && ring_reader_first(m->id) ? 0 : EPERM;
	case RIGHTS_KILL: return request_kill(recorder, m->id, m->flag);
	case RIGHTS_TRACE:
		if (s->traced)
			return EBUSY;
		*reply = stops_serve(&s->scope, recorder);
		s->traced = *reply >= 0;
		return *reply < 0 ? errno : 0;
	default: return EINVAL;
	}
}

/* An openserver_covers. */
static bool
covers(void *arg, int id)
{
	return request_covers(&((const struct opener_state *)arg)->scope, id);
}

static void __attribute__((noreturn)) serve(int end, const struct options *o, struct output *output)
{
	struct opener_state s = {.options = o, .walker = WALKER_CLOSED, .scope = {.all = o->all}};

	clock_gettime(CLOCK_REALTIME, &s.last);
	for (size_t i = 0; !o->all && i < o->pids.n; i++)
		request_cover(&s.scope, o->pids.id[i]);
	for (size_t i = 0; !o->all && i < o->tids.n; i++)
		request_cover(&s.scope, o->tids.id[i]);
	if (output != NULL && output->target != NULL)
		s.output = output;
	prctl(PR_SET_NAME, "fg-opener");
	openserver_keep((const int[]){end, s.output != NULL ? s.output->fd : end,
			    s.output != NULL ? s.output->place.dir : end},
	    3);
	openserver_run(end, covers, handle, &s);
	exit(EXIT_SUCCESS); /* removes an output that is not in place */
}

/* Reports a crash of the recorder. Its children, which symbolize, have their own report. */
static void
crashed(int signal_number)
{
	static const char message[] =
	    "fg-record: it crashed, perhaps because of a broken file or process; nothing more is "
	    "written\n";

	if (getpid() == recorder) {
		ssize_t n = write(STDERR_FILENO, message, sizeof message - 1);

		(void)n;
		_exit(RECORD_TROUBLE);
	}
	signal(signal_number, SIG_DFL); /* the instruction is executed again */
}

static void
report_crashes(void)
{
	static const int crash[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
	const size_t size = 64 << 10;
	const stack_t stack = {.ss_sp = cli_alloc(size, 1), .ss_size = size};
	struct sigaction before, report = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof crash / sizeof *crash; i++)
		if (sigaction(crash[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(crash[i], &report, NULL);
}

static void
drop(const struct options *o)
{
	const struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
	struct sandbox files = {0};

	setrlimit(RLIMIT_MEMLOCK, &most); /* for ring buffers */
	sandbox_add(&files, SANDBOX_RECORDER, NULL);
	sandbox_add(&files, SANDBOX_READ_BELOW, "/");
	if (o->debuginfod)
		debugfile_network(&files);
	sandbox_enter(&files);
}

void
rights_split(const struct options *o, struct output *output)
{
	int ends[2];

	if (sandbox_is_off() || proc_is_hidden() ||
	    (!o->all && !any_lesser(&o->pids) && !any_lesser(&o->tids)))
		return;
	recorder = getpid();
	if (!openlink_pair(ends) || (opener = fork()) < 0)
		cli_die("cannot start a process: %s", strerror(errno));
	if (opener == 0)
		serve(ends[0], o, output);
	close(ends[0]);
	opener_through(ends[1]);
	report_crashes();
	drop(o);
}

void
rights_end(void)
{
	if (opener == 0)
		return;
	opener_through(-1);
	while (waitpid(opener, NULL, 0) < 0 && errno == EINTR)
		continue;
	opener = 0;
}

void
rights_kill(pid_t child, int signal)
{
	if (opener_is_linked())
		opener_ask(
		    &(struct openlink_message){.kind = RIGHTS_KILL, .id = child, .flag = signal},
		    -1, NULL);
	else
		kill(child, signal);
}

struct output *
rights_open_interval(const struct options *o, const struct timespec *begin)
{
	struct openlink_message m = {.kind = RIGHTS_OUTPUT_OPEN};
	struct output *output;
	char *path;
	int fd;

	if (!opener_is_linked())
		return open_interval(o, begin);
	path = outputname_interval(o->output, begin);
	openlink_put(&m, begin, sizeof *begin);
	if (!opener_ask(&m, -1, &fd)) {
		if (errno != ENOSPC)
			cli_die("%s: not written", path);
		free(path);
		return NULL;
	}
	output = output_fd(fd, path);
	output->is_new = true;
	free(path);
	return output;
}

bool
rights_place(const struct options *o, struct output *output)
{
	bool placed;

	if (!opener_is_linked() || (output->target == NULL && !options_has_files(o)))
		return place(o, output);
	output_flush(output);
	placed = opener_ask(&(struct openlink_message){.kind = RIGHTS_OUTPUT_PLACE}, -1, NULL);
	if (!placed && (errno != ENOSPC || !options_has_files(o)))
		cli_die("%s: not written", output->path);
	output_leave(output);
	return placed;
}

bool
rights_make_room(const struct options *o)
{
	return opener_is_linked()
		   ? opener_ask(&(struct openlink_message){.kind = RIGHTS_OUTPUT_ROOM}, -1, NULL)
		   : make_room(o);
}

void
rights_drop(struct output *output)
{
	if (opener_is_linked()) {
		opener_ask(&(struct openlink_message){.kind = RIGHTS_OUTPUT_DROP}, -1, NULL);
		output_leave(output);
	} else {
		output_discard(output);
	}
}
