/*
 * fg-record: samples a program, or whatever runs, and prints folded stacks.
 *
 * The kernel writes samples into rings (perf_event_open(2)), each with registers
 * and a copy of the stack; they are unwound as they come and kept as a tree of
 * places in modules. Names are looked up when the recording has ended, and the
 * tree is written as folded stacks.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sandbox.h"
#include "code/debugfile.h"
#include "code/symbol.h"
#include "fg-record/command.h"
#include "fg-record/event.h"
#include "fg-record/options.h"
#include "fg-record/proc.h"
#include "fg-record/ptrace.h"
#include "fg-record/record.h"
#include "fg-record/report.h"
#include "fg-record/retention.h"
#include "fg-record/signals.h"
#include "fg-record/sleepers.h"
#include "fg-record/summary.h"
#include "fg-record/symbolizer.h"
#include "fg-record/target.h"

#define MS UINT64_C(1000000) /* ns */

/* A record may come later than one of another ring with a later time, but not by more. */
#define SETTLED (1 * MS)
#define PATIENCE 100 /* ms between looks at what no file descriptor tells of */
#define PATIENCE_SHORT 5 /* the same when new threads or full rings are among it */

#define TOUCHING (200 * MS) /* truncated stacks are looked for often so long */
#define BEGINNING (1000 * MS) /* of a command: interpreters are soon found */

#define FIRST_LOOK (1000 * MS)

#define READER_NICER 40 /* steps of nice(2): as far as it goes */

struct session {
	struct options options;
	struct record record;
	struct command command;
	struct signals signals;
	struct event event;
	struct target target; /* with perf events */
	struct tracer tracer; /* with ptrace */
	struct scripts scripts; /* with perf events: of interpreted programs */
	struct symbolizer symbolizer;
	struct symbolizer look; /* finds the hottest function so far, for the progress line */
	uint64_t next_look; /* ns since the start; 0: none yet */
	char hottest[sizeof((struct report_function *)0)->name]; /* "": unknown */
	struct rawtree *written; /* what it writes */
	char *path; /* and where to, with --interval */
	int priority; /* of what is done while the rings are to be read, but that */
	struct output *output; /* NULL with --interval, which has one for each file */
	uint64_t interval_end; /* ns, of this interval's file */
	struct timespec interval_begin; /* for its name */
};

static struct command *
command_of(struct session *s)
{
	return s->options.command != NULL ? &s->command : NULL;
}

static bool
is_stdout(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
	       strcmp(path, "/proc/self/fd/1") == 0 || strcmp(path, "/dev/fd/1") == 0;
}

/* The name of an interval's file: %T is when it began, in UTC as 20261120T131500.250Z. */
static char *
interval_path(const struct session *s)
{
	const char *pattern = s->options.output, *t = strstr(pattern, "%T");
	char when[32], *path;
	struct tm tm;

	strftime(when, sizeof when, "%Y%m%dT%H%M%S", gmtime_r(&s->interval_begin.tv_sec, &tm));
	if (asprintf(&path, "%.*s%s.%03ldZ%s", (int)(t - pattern), pattern, when,
		s->interval_begin.tv_nsec / 1000000, t + 2) < 0)
		cli_die("out of memory");
	return path;
}

/* What is to be written has ended now. */
static void
end_span(struct session *s)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	s->record.span = s->interval_begin;
	s->record.span_ns = (uint64_t)(now.tv_sec - s->interval_begin.tv_sec) * 1000000000 +
			    (uint64_t)now.tv_nsec - (uint64_t)s->interval_begin.tv_nsec;
}

static void
begin_interval(struct session *s)
{
	s->interval_end = record_now() + s->options.interval;
	clock_gettime(CLOCK_REALTIME, &s->interval_begin);
}

/*
 * Enters the sandbox: whatever parses the files of other users has only the right to read
 * files and to write the output.
 */
static void
limit(const struct session *s)
{
	struct sandbox files = {0};

	sandbox_add(&files, SANDBOX_READ_BELOW, "/");
	sandbox_add(&files, SANDBOX_WRITE, s->path != NULL ? s->path : s->options.output);
	if (s->options.debuginfod)
		debugfile_network(&files);
	sandbox_enter(&files);
}

/* The symbolizer's work. */
static void
write_named(void *arg)
{
	struct session *s = arg;

	if (s->path != NULL) /* at the end somebody waits for it */
		setpriority(PRIO_PROCESS, 0, s->priority);
	if (!s->options.debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	if (symbolizer_in_child())
		limit(s);
	if (s->path != NULL) {
		s->output = output_open(s->path);
	}
	report_write(&s->record, s->written, s->output, &s->symbolizer.shared->report, false);
	output_close(s->output);
}

static void
start_writing(struct session *s)
{
	symbol_kernel_wait(
	    s->record.recording.modules); /* a thread would not be there in the writer */
	symbolizer_start(&s->symbolizer, write_named, s);
}

/* Wait for the writer; where names brought it down, write without them. */
static void
finish_writing(struct session *s)
{
	if (s->written == NULL)
		return;
	switch (symbolizer_wait(&s->symbolizer)) {
	case SYMBOLIZER_DONE:
		if (s->path == NULL && s->symbolizer.forked)
			output_leave(s->output);
		break;
	case SYMBOLIZER_FAILED: cli_exit_error();
	case SYMBOLIZER_DIED:
		cli_warn("looking up names failed or stood still, at a broken file perhaps: frames "
			 "are named by their modules alone");
		if (s->path != NULL)
			s->output = output_open(s->path);
		report_write(
		    &s->record, s->written, s->output, &s->symbolizer.shared->report, true);
		output_close(s->output);
	}
	if (s->options.keep != 0)
		retention_newest(s->options.output, s->options.keep);
	rawtree_free(s->written);
	free(s->path);
	s->written = NULL;
	s->path = NULL;
}

/* What no process has mapped and no sample has hit since the last file was written. */
static void
forget(struct record *r)
{
	processes_keep(r->recording.processes);
	rawtree_keep(r->recording.rawtree);
	if (modules_forget(r->recording.modules))
		unwind_forget(r->recording.unwind);
}

/* Samples go on while the writer is at work: the rings must not run over. */
static void
write_interval(struct session *s, uint64_t until)
{
	while (symbolizer_is_working(&s->symbolizer)) {
		if (s->target.rings.n > 0)
			target_drain(&s->target, record_now() - SETTLED);
		usleep(PATIENCE_SHORT * 1000);
	}
	finish_writing(s);
	forget(&s->record);
	if (options_timed(&s->options))
		timeline_charge(&s->record.recording.timeline, until);
	s->path = interval_path(s);
	s->written = recording_take_tree(&s->record.recording);
	end_span(s);
	begin_interval(s);
	start_writing(s);
}

/* The work of the process that looks; it yields to the recording and to the command. */
static void
find_hottest(void *arg)
{
	struct session *s = arg;

	setpriority(PRIO_PROCESS, 0, PRIO_MAX);
	report_heaviest(&s->record, &s->look.shared->report);
}

/*
 * The progress line, with the hottest function as of the last look. A look symbolizes all
 * samples in a process of its own; there is one after 1, 3, 9, ... seconds.
 */
static void
show_progress(struct session *s)
{
	struct symbolizer *look = &s->look;
	uint64_t passed = record_now() - s->record.started;

	if (cli_quiet || !isatty(STDERR_FILENO))
		return;
	if (look->pid > 0 && !symbolizer_is_working(look) &&
	    symbolizer_wait(look) == SYMBOLIZER_DONE && look->shared->report.nfunction > 0)
		memcpy(s->hottest, look->shared->report.function[0].name, sizeof s->hottest);
	if (look->pid == 0 && s->options.interval == 0 &&
	    passed >= (s->next_look != 0 ? s->next_look : FIRST_LOOK) &&
	    s->record.recording.count.samples > 0 && !s->options.off_cpu) {
		if (look->shared == NULL)
			symbolizer_open(look);
		symbol_kernel_wait(s->record.recording.modules);
		symbolizer_start(look, find_hottest, s);
		s->next_look = 3 * passed;
	}
	summary_progress(&s->record, s->hottest[0] != '\0' ? s->hottest : NULL);
}

/* End a look that is at work: its result is of no use any more. */
static void
end_look(struct session *s)
{
	if (s->look.pid <= 0)
		return;
	kill(s->look.pid, SIGKILL);
	symbolizer_wait(&s->look);
}

/* Whether one of them runs or may run; one that only waits to be reaped does not. */
static bool
any_alive(const struct ids *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		char state = proc_state(ids->id[i]);

		if (state != 0 && state != 'Z' && state != 'X')
			return true;
	}
	return false;
}

/* Whether the recording is over. */
static bool
is_over(const struct session *s, uint64_t now)
{
	const struct options *o = &s->options;

	if (s->signals.end)
		return true;
	if (o->duration != 0 && now >= s->record.recording.begin + o->duration)
		return true;
	if (o->command != NULL)
		return s->command.ended;
	if (o->all)
		return false;
	return !any_alive(&o->pids) && !any_alive(&o->tids);
}

/* Milliseconds to wait for something to happen, at most. */
static int
patience(const struct session *s, uint64_t now, int most)
{
	const struct options *o = &s->options;
	uint64_t until = now + (uint64_t)most * MS;

	if (o->duration != 0 && s->record.recording.begin + o->duration < until)
		until = s->record.recording.begin + o->duration;
	if (o->interval != 0 && s->interval_end < until)
		until = s->interval_end;
	return until <= now ? 0 : (int)((until - now + MS - 1) / MS);
}

/* Begin: from here on the command runs and samples count. False when it cannot run. */
static bool
begin(struct session *s)
{
	s->record.started = record_now();
	recording_begin(&s->record.recording, s->record.started + s->options.delay);
	begin_interval(s);
	return s->options.command == NULL ||
	       command_go(
		   &s->command, s->tracer.record != NULL ? tracer_pass_on : NULL, &s->tracer);
}

/* Wait until a ring has filled or a signal has come; rings whose threads have ended go. */
static void
wait_for_records(struct session *s, int timeout)
{
	struct rings *rings = &s->target.rings;
	struct pollfd fds[rings->n + 1];

	const uint64_t due = record_now() + (uint64_t)timeout * MS;
	uint64_t now;

	memcpy(fds, rings->poll, rings->n * sizeof *fds);
	fds[rings->n] = (struct pollfd){.fd = s->signals.fd, .events = POLLIN};
	if (poll(fds, rings->n + 1, timeout) == 0 && (now = record_now()) > due &&
	    now - due > s->target.copy.late)
		s->target.copy.late = now - due; /* other programs had the CPU */
	for (size_t i = 0; i < rings->n; i++)
		if (fds[i].revents & (POLLHUP | POLLERR)) {
			rings->poll[i].fd = -1;
			rings->hung = true; /* though other threads may still write to it */
		}
	signals_read(&s->signals, command_of(s));
}

/*
 * Whether records have to be taken soon: of new threads and full rings that no descriptor tells
 * of, of stacks that are truncated until their pages are touched, which is so at first, of a
 * command that has just begun, which may be an interpreter, and of virtual machines, whose
 * memory is read while they run.
 */
static bool
is_impatient(const struct session *s, uint64_t now)
{
	const struct target *t = &s->target;
	const struct script *script = s->record.recording.script;

	return t->per_thread || t->rings.hung || now < s->record.started + TOUCHING ||
	       (t->touch.last != 0 && now < t->touch.last + TOUCHING) ||
	       (script != NULL && script_is_urgent(script)) ||
	       (t->scripts != NULL && s->options.command != NULL &&
		   now - s->record.started < BEGINNING);
}

/* Record with perf events until it is over. */
static bool
record_events(struct session *s)
{
	struct record *r = &s->record;
	struct target *t = &s->target;
	uint64_t now;

	r->no_kernel = s->event.no_kernel;
	r->event = s->event.name;
	r->period = s->event.period;
	r->period_unit = s->event.unit;
	r->recording.timeline.wakings = s->event.wakings;
	recording_begin(&r->recording, UINT64_MAX); /* until all events are open */
	/*
	 * Beside thousands of threads that want to run the rings would fill while we wait for
	 * a CPU, and attaching to them would take minutes; only root may ask for this.
	 */
	setpriority(PRIO_PROCESS, 0, s->priority - READER_NICER);
	target_open(t, &s->event, r, s->options.command != NULL ? s->command.pid : 0);
	if (!r->no_kernel)
		symbol_kernel_start(r->recording.modules);
	scripts_open(&s->scripts, r, &s->event, command_of(s));
	if (r->recording.script != NULL && !options_timed(&s->options))
		t->scripts = &s->scripts;
	if (!begin(s))
		return false;
	if (options_timed(&s->options))
		target_look_for_sleepers(t);
	while (!is_over(s, now = record_now())) {
		uint64_t settled;

		wait_for_records(
		    s, patience(s, now, is_impatient(s, now) ? PATIENCE_SHORT : PATIENCE));
		if (scripts_step(&s->scripts) && record_now() - t->drained < PATIENCE_SHORT * MS)
			continue;
		settled = record_now() - SETTLED;
		target_drain(t, settled);
		/* Of a traced command it would take the stops. */
		if (s->options.command != NULL && !scripts_active(&s->scripts))
			command_look(&s->command);
		if (s->options.interval != 0 && record_now() >= s->interval_end)
			write_interval(s, settled);
		show_progress(s);
	}
	target_stop(t);
	scripts_close(&s->scripts);
	r->ended = record_now();
	target_drain(t, UINT64_MAX);
	target_close(t);
	return true;
}

/* Record with ptrace until it is over. */
static bool
record_stops(struct session *s)
{
	struct record *r = &s->record;
	struct tracer *t = &s->tracer;
	uint64_t now;

	r->event = "running threads";
	r->stopped = true;
	r->period_unit = "ns";
	tracer_attach(t, r, command_of(s));
	if (!begin(s))
		return false;
	while (!is_over(s, now = record_now())) {
		struct pollfd fds[] = {{.fd = s->signals.fd, .events = POLLIN},
		    {.fd = t->timers.fd, .events = POLLIN}};

		poll(fds, 2, patience(s, now, tracer_timeout(t)));
		signals_read(&s->signals, command_of(s));
		tracer_step(t);
		if (s->options.interval != 0 && record_now() >= s->interval_end)
			write_interval(s, now);
		show_progress(s);
	}
	r->ended = record_now();
	tracer_detach(t);
	return true;
}

/* The command has its own limit already. */
static void
raise_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/* The engine, as the options want it. */
static void
begin_engine(struct record *r)
{
	const struct options *o = r->options;
	const struct recording_options engine = {.pid = o->sample.pid,
	    .tid = o->sample.tid,
	    .sample_weight = !options_weighted(o),
	    .off_cpu = o->off_cpu,
	    .wall = o->wall,
	    .wakers = o->wakers,
	    .ordered = o->sample.time_order,
	    .step = o->sample.step,
	    .chain_max = o->call_graph == CALL_GRAPH_FP
			     ? (size_t)proc_sysctl("perf_event_max_stack", 127)
			     : 0};

	recording_init(&r->recording, modules_new(&symsource_live), &engine);
	r->recording.unwind = unwind_new(NULL);
	if (!r->options->no_script)
		r->recording.script = script_new(r->recording.processes,
		    r->options->source == SOURCE_LINE, r->options->interpreter_frames);
	r->recording.timeline.live = &sleepers_live;
	r->recording.timeline.hide_idle = o->hide_idle;
}

/* By perf events, or where they are refused for good by ptrace, if it can do what is asked. */
static bool
record(struct session *s)
{
	const struct options *o = &s->options;
	struct record *r = &s->record;

	raise_files();
	s->symbolizer.waits_long = o->debuginfod;
	r->options = o;
	begin_engine(r);
	if (o->ptrace)
		return record_stops(s);
	if (event_prepare(&s->event, o))
		return record_events(s);
	if (o->all || options_timed(o) || o->event != NULL || o->period != 0 ||
	    o->call_graph != CALL_GRAPH_DWARF)
		cli_exit_error();
	cli_note("sampling by ptrace instead, %d times a second (--ptrace)",
	    o->rate_given ? (int)o->frequency : 99);
	return record_stops(s);
}

static void
write_result(struct session *s)
{
	struct record *r = &s->record;

	if (s->options.interval != 0) {
		write_interval(s, r->ended);
	} else {
		if (options_timed(&s->options))
			timeline_charge(&r->recording.timeline, r->ended);
		s->written = r->recording.rawtree;
		end_span(s);
		start_writing(s);
	}
	finish_writing(s);
	if (s->options.interval == 0 && is_stdout(s->options.output))
		close(STDOUT_FILENO); /* who reads it need not wait for the command */
}

int
main(int argc, char **argv)
{
	static struct session s;
	int status = 0;

	options_parse(&s.options, argc, argv);
	s.priority = getpriority(PRIO_PROCESS, 0);
	symbolizer_open(&s.symbolizer);
	signals_take(&s.signals);
	if (s.options.interval == 0)
		s.output = output_open(s.options.output);
	if (s.options.command != NULL)
		command_start(&s.command, s.options.command,
		    s.options.interval == 0 && is_stdout(s.options.output), &s.signals.old);
	if (s.options.command != NULL && geteuid() != 0 && command_is_privileged(&s.command))
		cli_note("%s runs with the rights of another user: its samples are root's alone "
			 "(sudo fg-record ...), and --ptrace takes those rights from it",
		    s.options.command[0]);
	if (record(&s)) {
		end_look(&s);
		signals_give_back(&s.signals);
		write_result(&s);
		summary_print(&s.record, &s.symbolizer.shared->report);
	}
	if (s.options.command != NULL) {
		if (s.tracer.record != NULL)
			tracer_wait(&s.tracer);
		command_wait(&s.command);
		status = command_exit_status(&s.command);
	}
	return status;
}
