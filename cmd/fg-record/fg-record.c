/*
 * fg-record: samples a program, processes or all CPUs, and writes folded stacks.
 *
 * The kernel writes samples into rings (perf_event_open(2)), each with registers and a stack
 * copy. They are unwound as they arrive and stored in a tree of (module, address) frames. When
 * the recording ends, the frames are symbolized and the tree is written as folded stacks.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sandbox.h"
#include "elf/debugfile.h"
#include "symbol/symbol.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/command.h"
#include "fg-record/asking/event.h"
#include "fg-record/asking/limits.h"
#include "fg-record/asking/options.h"
#include "fg-record/asking/outputname.h"
#include "fg-record/ownsession.h"
#include "fg-record/asking/preload.h"
#include "fg-record/asking/proc.h"
#include "fg-record/telling/losses.h"
#include "fg-record/telling/progress.h"
#include "fg-record/stopping/ptrace.h"
#include "fg-record/record.h"
#include "fg-record/telling/report.h"
#include "fg-record/asking/rights.h"
#include "fg-record/ending.h"
#include "fg-record/signals.h"
#include "fg-record/stopping/sleepers.h"
#include "fg-record/stopping/stopped.h"
#include "fg-record/stopping/stops.h"
#include "fg-record/telling/recordsummary.h"
#include "fg-record/telling/symbolizer.h"
#include "fg-record/watching/dotnet.h"
#include "fg-record/watching/gomemory.h"
#include "fg-record/watching/ringreader.h"
#include "fg-record/watching/target.h"

#define MS UINT64_C(1000000) /* ns */

/* Records of different rings may arrive out of time order by this much at most. */
#define RECORD_DELAY (1 * MS)
#define PATIENCE 100 /* ms: polling interval for what no descriptor reports */
#define RETRIES 64 /* times that the symbolizer may die, for one profile */
#define SINGLE 8 /* from the next time on, all files of the processes at fault are excluded */
#define PATIENCE_OUTSIDE 20 /* ms: without perf events */
#define PATIENCE_SHORT 5 /* ms: polling interval while threads are new or rings are full */

#define TOUCHING (200 * MS) /* ns of frequent polling for truncated stacks */
#define BEGINNING (1000 * MS) /* ns after a command's start: poll often to find interpreters */

/* While script frames of blocked threads are read: RECORD_DELAY, and the shortest interval */
#define RECORD_DELAY_SLEEPERS (MS / 5)
#define PATIENCE_SLEEPERS (MS / 4)
#define SLEEPERS_SHARE 8 /* such polling takes at most this fraction of a CPU */
#define QUIET 64 /* polls without a blocked thread; then there are fewer, down to a 16th */

#define READER_NICER 40 /* steps of nice(2): the maximum */

struct session {
	struct options options;
	struct record record;
	struct command command;
	struct signals signals;
	struct event event;
	struct target target; /* used with perf events */
	struct tracer tracer; /* used with ptrace */
	struct scripts scripts; /* of interpreted programs; used with perf events */
	struct dotnet dotnet;
	struct symbolizer symbolizer;
	/* See longest_wait: ns of this thread; switch-outs, and polls since the last one. */
	uint64_t cpu_time, poll_cost, left, quiet;
	struct progress progress;
	struct rawtree *written; /* the tree that the symbolizer writes */
	bool nameless; /* a profile was written without names */
	int priority; /* nice value for everything but reading the rings */
	struct output *output; /* with --interval: of the file that is written now, or NULL */
	uint64_t interval_end; /* ns: end of the current file's interval */
	uint64_t step_begin; /* ns: --stream, of this step */
	uint64_t step_samples; /* samples before this step */
	uint64_t lost; /* records, until the start of the interval */
	struct timespec interval_begin; /* its start, for the file's name */
	uint64_t looked; /* ns: when the processes of -p were last alive */
};

static struct command *
command_of(struct session *s)
{
	return s->options.command != NULL ? &s->command : NULL;
}

/* Ends the time span of the samples to be written, now. */
static void
end_span(struct session *s)
{
	const struct recording_count *c = &s->record.recording.count;
	const uint64_t now = s->record.ended != 0 ? s->record.ended : record_now();

	s->record.span = s->interval_begin;
	s->record.span_ns = now > s->step_begin ? now - s->step_begin : 0; /* begun after the end */
	s->record.span_lost = c->lost + c->lost_samples - s->lost;
	s->lost = c->lost + c->lost_samples;
	s->record.span_threads = processes_end_span(s->record.recording.processes);
}

static void
begin_interval(struct session *s)
{
	s->step_begin = record_now();
	s->interval_end = s->step_begin + s->options.interval;
	clock_gettime(CLOCK_REALTIME, &s->interval_begin);
}

/*
 * Writes the samples: a stream step to a copy of the output's descriptor, which stays open. Any
 * other output is only flushed, and put in place later.
 */
static void
write_report(struct session *s, bool bare)
{
	struct output *to = s->output;

	if (s->options.stream) {
		int fd = dup(s->output->fd);

		if (fd < 0)
			cli_die("%s: %s", s->output->path, strerror(errno));
		to = output_fd(fd, s->output->path);
	}
	report_write(&s->record, s->written, to, &s->symbolizer.shared->report, bare);
	if (s->options.stream)
		output_close(to);
	else
		output_flush(to);
}

/* Symbolizes and writes the samples; runs in the symbolizer's process. */
static void
write_named(void *arg)
{
	struct session *s = arg;

	if (s->options.interval != 0) /* without a raised priority; else the user waits */
		setpriority(PRIO_PROCESS, 0, s->priority > 0 ? s->priority : 0);
	write_report(s, false);
	if (symbolizer_in_child())
		output_leave(s->output);
}

static void
start_writing(struct session *s)
{
	/* before the fork: the child has no such thread */
	symbol_kernel_start_used(s->record.recording.modules);
	symbol_kernel_wait(s->record.recording.modules);
	if (s->record.recording.script != NULL) /* the child's choices would be lost */
		script_settle(s->record.recording.script);
	symbolizer_start(&s->symbolizer, s->options.debuginfod, write_named, s);
}

/* Waits for the symbolizer; drains the rings until then, while the recording lasts. */
static enum symbolizer_end
wait_for_writing(struct session *s)
{
	while (s->record.ended == 0 && symbolizer_is_working(&s->symbolizer)) {
		if (s->target.rings.n > 0)
			target_drain(&s->target, record_now() - RECORD_DELAY);
		usleep(PATIENCE_SHORT * 1000);
	}
	return symbolizer_wait(&s->symbolizer);
}

/* An interval whose file cannot be written does not end the recording. */
static void
drop_interval(struct session *s)
{
	cli_warn("an interval of %.1f s is dropped; the recording continues",
	    (double)s->record.span_ns / 1e9);
	if (s->output != NULL)
		rights_drop(s->output);
	s->output = NULL;
	rawtree_free(s->written);
	s->written = NULL;
}

/*
 * Opens the file of the interval that ends. On a full disk it first removes the oldest file; false
 * if the disk is still full.
 */
static bool
open_interval(struct session *s)
{
	s->output = rights_open_interval(&s->options, &s->interval_begin);
	if (s->output == NULL && rights_make_room(&s->options))
		s->output = rights_open_interval(&s->options, &s->interval_begin);
	return s->output != NULL;
}

/* A module that crashes the symbolizer is excluded; if it is unknown, all modules are. */
static void
finish_writing(struct session *s)
{
	enum symbolizer_end end;

	if (s->written == NULL)
		return;
	end = wait_for_writing(s);
	for (unsigned i = 0; i < RETRIES && end == SYMBOLIZER_DIED &&
			     report_exclude(&s->record, s->written, &s->symbolizer.shared->report,
				 s->symbolizer.fault, i >= SINGLE);
	     i++) {
		s->symbolizer.failures = i + 1;
		output_rewind(s->output);
		start_writing(s);
		end = wait_for_writing(s);
	}
	s->symbolizer.failures = 0;
	if (end == SYMBOLIZER_FAILED && options_has_files(&s->options) &&
	    rights_make_room(&s->options)) {
		output_rewind(s->output);
		start_writing(s);
		end = wait_for_writing(s);
	}
	if (end == SYMBOLIZER_FAILED) {
		if (!options_has_files(&s->options))
			cli_exit_error();
		drop_interval(s);
		return;
	}
	if (end == SYMBOLIZER_DIED) {
		cli_warn("%s; frames have only the names of modules", s->symbolizer.fault);
		output_rewind(s->output);
		write_report(s, true);
		s->nameless = true;
	}
	if (options_has_files(&s->options)) {
		const bool placed = rights_place(&s->options, s->output);

		s->output = NULL;
		if (!placed) {
			drop_interval(s);
			return;
		}
	}
	rawtree_free(s->written);
	s->written = NULL;
}

/* Frees the modules that no process maps and no sample hit since the last file was written. */
static void
forget(struct record *r)
{
	processes_keep(r->recording.processes);
	rawtree_keep(r->recording.rawtree);
	if (modules_forget(r->recording.modules))
		unwind_forget(r->recording.unwind);
}

/* True if no sample came in the step of a stream that ends now. */
static bool
is_empty_step(struct session *s)
{
	uint64_t samples = s->record.recording.count.samples;
	bool empty = samples == s->step_samples && !options_timed(&s->options);

	s->step_samples = samples;
	return empty;
}

/*
 * Starts to write the file of an interval. While the symbolizer of the last one works, drains
 * the rings.
 */
static void
write_interval(struct session *s, uint64_t until)
{
	bool opened;

	finish_writing(s);
	forget(&s->record);
	stopped_take(&s->record, UINT64_MAX);
	if (options_timed(&s->options))
		timeline_charge(&s->record.recording.timeline, until);
	if (s->record.ended == 0 && s->target.record != NULL)
		target_add_unsampled(&s->target, until);
	opened = !options_has_files(&s->options) || open_interval(s);
	s->written = recording_detach_tree(&s->record.recording);
	end_span(s);
	s->record.step = s->step_begin - s->record.started;
	begin_interval(s);
	if (!opened) {
		drop_interval(s);
		return;
	}
	if (s->options.stream && is_empty_step(s)) {
		rawtree_free(s->written);
		s->written = NULL;
		return;
	}
	start_writing(s);
	if (s->options.stream) /* only the first step has header lines */
		s->options.sample.no_header = s->options.no_labels = true;
}

/* True if the recording is over. */
static bool
is_over(struct session *s, uint64_t now)
{
	const struct options *o = &s->options;

	if (s->signals.end)
		return true;
	if (s->record.recording.end != 0 && now >= s->record.recording.end)
		return true;
	if (o->command != NULL)
		return s->command.ended;
	if (o->all)
		return false;
	if (now < s->looked + PATIENCE_SHORT * MS)
		return false; /* the loop also runs at each stop of an interpreter */
	if (now < s->scripts.sampled + PATIENCE_SHORT * MS)
		return false; /* a thread was alive */
	s->looked = now;
	return !proc_any_alive(&o->pids) && !proc_any_alive(&o->tids);
}

/* Nanoseconds to wait for an event, at most `most`. */
static uint64_t
patience(const struct session *s, uint64_t now, uint64_t most)
{
	const struct options *o = &s->options;
	uint64_t until = now + most;

	if (s->record.recording.end != 0 && s->record.recording.end < until)
		until = s->record.recording.end;
	if (o->interval != 0 && s->interval_end < until)
		until = s->interval_end;
	return until <= now || s->target.rings.unfinished ? 0 : until - now;
}

/* Starts the command; samples count from now on. False if the command cannot be executed. */
static bool
begin(struct session *s)
{
	s->record.started = record_now();
	recording_begin(&s->record.recording, s->record.started + s->options.delay);
	if (s->options.duration != 0)
		recording_limit(&s->record.recording,
		    s->record.started + s->options.delay + s->options.duration);
	begin_interval(s);
	return s->options.command == NULL ||
	       command_go(
		   &s->command, s->tracer.record != NULL ? tracer_pass_on : NULL, &s->tracer);
}

/*
 * Waits until a ring has filled or a signal has arrived; marks the rings whose threads have
 * ended.
 */
static void
wait_for_records(struct session *s, uint64_t timeout)
{
	struct rings *rings = &s->target.rings;
	const int reader = ring_reader_fd(rings);
	const size_t n = reader >= 0 ? 1 : rings->n;
	struct pollfd fds[n + 2];
	const struct timespec wait = {.tv_nsec = (long)timeout}; /* less than a second */
	const uint64_t due = record_now() + timeout;
	eventfd_t copied;
	uint64_t now;

	memcpy(fds, rings->poll, n * sizeof *fds);
	if (reader >= 0)
		fds[0] = (struct pollfd){.fd = reader, .events = POLLIN};
	fds[n] = (struct pollfd){.fd = s->signals.fd, .events = POLLIN};
	fds[n + 1] = (struct pollfd){.fd = stops_descriptor(), .events = POLLIN};
	if (ppoll(fds, n + 2, &wait, NULL) == 0 && reader < 0 && (now = record_now()) > due &&
	    now - due > s->target.copy.late)
		s->target.copy.late = now - due; /* delayed by other programs on the CPU */
	if (reader >= 0 && fds[0].revents != 0)
		eventfd_read(reader, &copied);
	for (size_t i = 0; i < n && reader < 0; i++)
		if (fds[i].revents & (POLLHUP | POLLERR)) {
			rings->poll[i].fd = -1;
			rings->hung = true; /* although other threads may still write to it */
		}
	if (fds[n].revents != 0)
		signals_read(&s->signals, command_of(s));
}

/*
 * True if records must be read often: for new threads and full rings that no descriptor reports;
 * for stacks that are truncated until their pages are touched, which is frequent at first; for a
 * new command, which may start an interpreter; for virtual machines, whose memory is read while
 * they run; while new processes are not sampled; with memory of a command that we read.
 */
static bool
is_impatient(const struct session *s, uint64_t now)
{
	const struct target *t = &s->target;
	const struct script *script = s->record.recording.script;

	return t->per_thread || t->rings.hung || s->options.heap_shared != NULL ||
	       t->takeover.active || now < s->record.started + TOUCHING ||
	       (t->touch.last != 0 && now < t->touch.last + TOUCHING) ||
	       (script != NULL && script_is_urgent(script)) ||
	       (t->scripts != NULL && s->options.command != NULL &&
		   now - s->record.started < BEGINNING);
}

/* Nanoseconds until records must be read again at the latest. */
static uint64_t
longest_wait(struct session *s, uint64_t now)
{
	const struct timeline *tl = &s->record.recording.timeline;
	const uint64_t most = (is_impatient(s, now) ? PATIENCE_SHORT : PATIENCE) * MS;
	uint64_t used, wait;

	if (tl->scripts == 0) /* no blocked thread lacks script frames */
		return most;
	used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (s->cpu_time != 0) /* a moving average */
		s->poll_cost = (3 * s->poll_cost + used - s->cpu_time) / 4;
	s->cpu_time = used;
	s->quiet = s->left == tl->scripts ? s->quiet + 1 : 0;
	s->left = tl->scripts;
	wait = s->poll_cost * SLEEPERS_SHARE;
	wait = wait < PATIENCE_SLEEPERS ? PATIENCE_SLEEPERS : wait;
	wait <<= s->quiet < QUIET ? s->quiet / (QUIET / 4) : 4;
	return wait < most ? wait : most;
}

/* The end of a recording that is over: on a busy machine we may learn of its time limit late. */
static uint64_t
end_of(const struct record *r)
{
	const uint64_t now = record_now(), limit = r->recording.end;

	return limit != 0 && limit < now ? limit : now;
}

/* True if requests for the names of functions may be sent to processes. */
static bool
names_are_asked(const struct options *o)
{
	return !o->all && !o->no_script;
}

/* Records with perf events until the recording is over. */
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
	recording_begin(&r->recording, UINT64_MAX); /* no sample counts until all events are open */
	/*
	 * Next to thousands of runnable threads, the rings would fill while we wait for a CPU,
	 * and opening the events would take minutes. Only root may raise its priority.
	 */
	r->ordinary_priority = setpriority(PRIO_PROCESS, 0, s->priority - READER_NICER) != 0;
	rights_split(&s->options, s->output);
	target_open(t, &s->event, r, s->options.command != NULL ? s->command.pid : 0);
	scripts_open(&s->scripts, r, &s->event, command_of(s));
	if (r->recording.script != NULL) {
		target_stop_threads(t, &s->scripts);
		scripts_follow_all(&s->scripts);
	}
	if (!begin(s))
		return false;
	target_read_ahead(t);
	if (names_are_asked(&s->options)) {
		t->dotnet = &s->dotnet;
		dotnet_begin(t->dotnet, r->recording.processes);
	}
	if (options_timed(&s->options)) {
		target_look_for_sleepers(t);
		/* A stack that was read after the end would not be known to be that of before. */
		if (r->recording.end != 0 && r->recording.end < (now = record_now()))
			r->recording.end = now;
	}
	while (!is_over(s, now = record_now())) {
		uint64_t complete_until;
		const bool stops = t->takeover.active; /* all threads are sampled at stops */

		if (stops && now - t->drained < PATIENCE_SHORT * MS) {
			scripts_wait(&s->scripts, PATIENCE_SHORT);
			continue;
		}
		wait_for_records(s, stops ? 0 : patience(s, now, longest_wait(s, now)));
		if (scripts_step(&s->scripts) && record_now() - t->drained < PATIENCE_SHORT * MS)
			continue;
		complete_until =
		    record_now() -
		    (r->recording.timeline.scripts > 0 ? RECORD_DELAY_SLEEPERS : RECORD_DELAY);
		target_drain(t, complete_until);
		target_read_charged(t, now, false);
		dotnet_step(&s->dotnet);
		symbol_kernel_start_used(r->recording.modules);
		/* While the command is traced, waiting for it would consume its ptrace stops. */
		if (s->options.command != NULL && !scripts_active(&s->scripts))
			command_look(&s->command);
		if (s->options.interval != 0 && record_now() >= s->interval_end)
			write_interval(s, complete_until);
		progress_show(&s->progress, r);
	}
	target_read_charged(t, now, true);
	target_stop(t);
	dotnet_end(&s->dotnet);
	scripts_close(&s->scripts);
	r->ended = end_of(r);
	target_drain(t, UINT64_MAX);
	if (s->command.ended && s->options.delay == 0 && s->options.interval == 0)
		r->used = s->command.used;
	target_close(t);
	return true;
}

/* Records with ptrace until the recording is over. */
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

		poll(fds, 2,
		    (int)((patience(s, now, (uint64_t)tracer_timeout(t) * MS) + MS - 1) / MS));
		signals_read(&s->signals, command_of(s));
		tracer_step(t);
		if (s->options.interval != 0 && record_now() >= s->interval_end)
			write_interval(s, now);
		progress_show(&s->progress, r);
	}
	r->ended = end_of(r);
	tracer_detach(t);
	return true;
}

/* Reads the memory of a Go program until the recording is over. */
static bool
record_outside(struct session *s)
{
	struct record *r = &s->record;
	struct gomemory g;
	uint64_t now;

	r->event = "heap";
	r->period_unit = "bytes";
	rights_split(&s->options, s->output);
	gomemory_open(&g, r, command_of(s));
	if (!begin(s))
		return false;
	while (!is_over(s, now = record_now())) {
		struct pollfd fd = {.fd = s->signals.fd, .events = POLLIN};

		poll(&fd, 1, (int)(patience(s, now, PATIENCE_OUTSIDE * MS) / MS));
		signals_read(&s->signals, command_of(s));
		gomemory_step(&g, record_now());
		if (s->options.interval != 0 && record_now() >= s->interval_end) {
			gomemory_add(&g);
			write_interval(s, now);
		}
		progress_show(&s->progress, r);
	}
	r->ended = end_of(r);
	gomemory_add(&g);
	gomemory_close(&g);
	return true;
}

/* Sets up the engine by the options. */
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
	    .allocator_frames = o->allocator_frames,
	    .chain_max = o->call_graph == CALL_GRAPH_FP
			     ? (size_t)proc_sysctl("perf_event_max_stack", 127)
			     : 0};

	recording_init(&r->recording, modules_new(&symsource_live), &engine);
	recording_machine(&r->recording, NULL);
	if (!r->options->no_script)
		r->recording.script = script_new(r->recording.processes,
		    r->options->source == SOURCE_LINE, r->options->interpreter_frames);
	if (r->recording.script != NULL && o->sample.group_by != NULL)
		script_set_label(r->recording.script,
		    &(struct threadlabel_key){o->sample.group_by, o->label_from});
	r->recording.timeline.live = &sleepers_live;
	r->recording.timeline.live_arg = r;
	r->recording.timeline.hide_idle = o->hide_idle;
}

/* Records by perf events or, if they are refused for good and the options allow it, by ptrace. */
static bool
record(struct session *s)
{
	const struct options *o = &s->options;
	struct record *r = &s->record;

	limits_raise();
	s->symbolizer.waits_long = o->debuginfod;
	r->options = o;
	begin_engine(r);
	if (o->heap != 0 && o->command == NULL)
		preload_or_faults(&s->options, &r->recording.probes, r->recording.processes);
	else if (o->heap != 0)
		preload_command(&s->options, &r->recording.probes);
	if (o->heap != 0)
		r->recording.heap = heap_new();
	if (o->heap_outside)
		return record_outside(s);
	if (o->ptrace)
		return record_stops(s);
	if (event_prepare(&s->event, o))
		return record_events(s);
	if (o->all || options_timed(o) || o->heap != 0 || o->event != NULL || o->period != 0 ||
	    o->call_graph != CALL_GRAPH_DWARF)
		cli_exit_error();
	cli_note("sampling by ptrace instead, at %d Hz (--ptrace)",
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
		if (r->recording.heap != NULL)
			heap_write(r->recording.heap, r->recording.rawtree, NULL);
		s->written = r->recording.rawtree;
		end_span(s);
		start_writing(s);
	}
	finish_writing(s);
	if (!options_has_files(&s->options))
		rights_place(&s->options, s->output);
	if (!options_has_files(&s->options) && outputname_is_stdout(s->options.output))
		close(STDOUT_FILENO); /* so that its reader need not wait for the command */
}

int
main(int argc, char **argv)
{
	static struct session s;
	int status = 0;
	bool to_stdout;

	limits_check();
	options_parse(&s.options, argc, argv);
	if (s.options.check) {
		check_print();
		return fflush(stdout) == 0 ? 0 : RECORD_TROUBLE;
	}
	s.priority = getpriority(PRIO_PROCESS, 0);
	if (s.options.command != NULL && !s.options.all && !s.options.ptrace)
		ownsession_split();
	symbolizer_open(&s.symbolizer);
	signals_direct(&s.signals);
	if (!options_has_files(&s.options))
		s.output = output_open(s.options.output);
	if (s.options.heap != 0 && s.options.command != NULL)
		preload_heap(&s.options);
	to_stdout = !options_has_files(&s.options) && outputname_is_stdout(s.options.output);
	if (s.options.command != NULL)
		command_start(&s.command, s.options.command, to_stdout, &s.signals.old);
	if (s.options.command != NULL && to_stdout && losses_are_wanted())
		cli_note("standard output of %s goes to standard error, as the profile goes to "
			 "standard output",
		    s.options.command[0]);
	ownsession_enter();
	if (s.options.command != NULL && geteuid() != 0 && command_is_privileged(&s.command))
		cli_note(
		    "%s runs with the rights of another user, so only root can sample it; try sudo "
		    "fg-record ... (with --ptrace, it runs without these rights); " CHECK_HINT,
		    s.options.command[0]);
	if (record(&s)) {
		progress_end(&s.progress);
		signals_give_back(&s.signals, command_of(&s));
		write_result(&s);
		recordsummary_print(&s.record, &s.symbolizer.shared->report);
	}
	if (s.options.command != NULL) {
		if (s.tracer.record != NULL)
			tracer_wait(&s.tracer);
		command_wait(&s.command);
		status = command_exit_status(&s.command);
	}
	rights_end();
	if (s.nameless && status == 0)
		status = RECORD_TROUBLE;
	if (signals_interrupted(&s.signals) && status == RECORD_SIGNAL + SIGINT)
		ending_raise(SIGINT); /* so that a shell's loop stops, too */
	return status;
}
