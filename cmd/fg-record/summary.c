/*
 * summary: progress line, result line, warnings with hints. Silent if stderr is not a terminal
 * and there is nothing to warn of; -v prints it anyway, -q never.
 */
#include "fg-record/summary.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/text.h"
#include "code/opener.h"
#include "code/runtime.h"
#include "fg-record/ownsession.h"
#include "fg-record/proc.h"
#include "fg-record/find.h"

/* Thresholds for warnings, as fractions of the samples. */
#define TRUNCATED_MUCH 0.01
#define UNTOUCHED_MUCH 0.05 /* the first samples of a function with a large array always are */
#define WHOLE_LITTLE 0.95
#define MODULE_HOT 0.05
#define MODULE_HOT_DEBUG 0.2
#define THREADS_MANY 500 /* of a program, that run at once */
#define RUNTIMES 16 /* maximum in a message */
#define MODULES 3 /* maximum in a message */
#define BAR 12 /* width in columns */

static double
seconds(const struct record *r)
{
	return (double)(r->ended - r->started) / 1e9;
}

static double
share(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole;
}

static uint64_t
lost(const struct recording_count *c)
{
	return c->lost + c->lost_samples;
}

void
summary_progress(const struct record *r, const char *hottest)
{
	cli_progress("%.0f s, %" PRIu64 " %s, %" PRIu64 " lost%s%s",
	    (double)(record_now() - r->started) / 1e9, r->recording.count.samples,
	    text_form(r->recording.count.samples, "sample", "samples"), lost(&r->recording.count),
	    hottest != NULL ? ", hottest: " : "", hottest != NULL ? hottest : "");
}

static bool
is_talkative(void)
{
	return cli_verbose || isatty(STDERR_FILENO);
}

static void
print_line(const struct record *r, const struct report *names)
{
	const struct options *o = r->options;
	const struct recording_count *c = &r->recording.count;
	const char *weight = options_weighted(o) ? r->period_unit : "samples";
	uint64_t seen = r->recording.processes->seen;

	char stacks[80] = "";

	if (c->user > 0)
		snprintf(stacks, sizeof stacks, " stacks %.2f %% complete, %.2f %% truncated;",
		    100 * share(c->complete, c->user), 100 * share(c->truncated, c->user));
	cli_note("%" PRIu64 " %s of %s in %.1f s from %" PRIu64 " %s, %" PRIu64
		 " lost;%s %.2f %% of frames unsymbolized; fg-render --countname %s",
	    c->samples, text_form(c->samples, "sample", "samples"), r->event, seconds(r), seen,
	    text_form(seen, "thread", "threads"), lost(c), stacks,
	    100 * share(names->unresolved, names->frames), options_timed(o) ? "us" : weight);
}

static const char *
hint_for_truncated(const struct record *r)
{
	const struct options *o = r->options;

	if (o->call_graph == CALL_GRAPH_FP)
		return "try sudo sysctl kernel.perf_event_max_stack=1024";
	if (o->stack_size < 65528)
		return "try --stack-size 65528";
	if (!r->deep && !r->stopped && !options_timed(o))
		return geteuid() == 0 ? "try --deep-stacks"
				      : "try sudo fg-record --deep-stacks ...";
	return "for a program built with frame pointers, try --call-graph fp";
}

/* A runtime whose JIT code needs its help. */
struct helper {
	const char *module; /* pattern of its name */
	const char *naming; /* how its functions are named */
	const char *unwinding; /* how its callers are found; NULL: unknown */
};

/* The runtime whose module has the most samples; NULL if none has any. */
static const struct helper *
find_helper(const struct report *names)
{
	static const struct helper helpers[] = {
	    {"libjvm.so",
		"run java with -XX:+PreserveFramePointer and then jcmd PID Compiler.perfmap",
		"; run java with -XX:+PreserveFramePointer"},
	    {"beam.smp", "run erl with +JPperf true", "; run erl with +JPperf true"},
	    {"node", "run node with --perf-basic-prof", NULL},
	    {"libnode.so*", "run node with --perf-basic-prof", NULL},
	    {"python3*", "run python3 with -X perf", NULL},
	    {"libpython3*", "run python3 with -X perf", NULL},
	    {"libcoreclr.so", "run it with DOTNET_PerfMapEnabled=1 in its environment", NULL},
	};
	const struct helper *found = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < names->nmodule; i++)
		for (size_t k = 0; k < sizeof helpers / sizeof *helpers; k++)
			if (names->module[i].samples > most &&
			    fnmatch(helpers[k].module, names->module[i].name, 0) == 0) {
				most = names->module[i].samples;
				found = &helpers[k];
			}
	return found;
}

/* Warns of stacks that end before their thread's first function without being truncated. */
static void
warn_of_broken(const struct recording_count *c, const struct helper *runtime)
{
	uint64_t broken = c->user - c->truncated - c->complete;
	const char *more = "";
	const char *hint =
	    "code without call frame information can only be unwound by its instructions and by "
	    "frame pointers; compile it without -fno-asynchronous-unwind-tables, or with "
	    "-fno-omit-frame-pointer";

	if (c->generated > broken / 2) {
		hint = "JIT code is unwound by frame pointers";
		if (runtime != NULL && runtime->unwinding != NULL)
			more = runtime->unwinding;
	} else if (c->haskell > broken / 2) {
		hint = "the Haskell stack, which is not the native one, was not read: it needs a "
		       "stopped thread (not -a or --no-script) of a program without -prof";
	} else if (c->unmapped > broken / 2) {
		hint = "their addresses are in no mapping: execve(2) was replacing the program, or "
		       "the code is unmapped again";
	}
	cli_note("%.0f %% of stacks end before their thread's first function: %s%s",
	    100 * share(broken, c->user), hint, more);
}

/* Without a sample: names the child processes that existed before, which -p does not record. */
static bool
warn_of_children(const struct options *o)
{
	struct ids children = {0}, others = {0};
	char list[256];

	if (o->pids.n == 0 || o->with_children)
		return false;
	for (size_t i = 0; i < o->pids.n; i++)
		ids_add(&children, o->pids.id[i]);
	find_children(&children);
	for (size_t i = o->pids.n; i < children.n; i++)
		ids_add(&others, children.id[i]);
	free(children.id);
	if (others.n == 0)
		return false;
	cli_note("no samples of these processes, but they have children: %s; try --with-children",
	    find_list(&others, list, sizeof list));
	free(others.id);
	return true;
}

/*
 * Reports threads that were blocked from start to end, the largest part of most -a --off-cpu
 * profiles.
 */
static void
note_idle(const struct record *r)
{
	const struct timeline *tl = &r->recording.timeline;

	if (tl->idle == 0)
		return;
	if (r->options->hide_idle)
		cli_note("%" PRIu64 " %s never ran: their %.1f s of blocked time are hidden",
		    tl->idle, text_form(tl->idle, "thread", "threads"), (double)tl->idle_ns / 1e9);
	else if (r->options->all && is_talkative())
		cli_note("%" PRIu64 " %s never ran: %.1f s of blocked time; try --idle hide",
		    tl->idle, text_form(tl->idle, "thread", "threads"), (double)tl->idle_ns / 1e9);
}

/*
 * The hint for full ring buffers. A thread of the recorder gets no more CPU time than one of the
 * program's threads, unless it has a session of its own: too little among many.
 */
static const char *
hint_for_full_rings(const struct record *r, const char *otherwise)
{
	static char hint[100];

	if (!r->ordinary_priority || r->options->command == NULL ||
	    r->recording.processes->seen < THREADS_MANY || ownsession_is_entered())
		return otherwise;
	snprintf(hint, sizeof hint, "%" PRIu64 " threads leave fg-record little CPU time: try sudo",
	    r->recording.processes->seen);
	return hint;
}

/* The hint for stack copies that were made smaller. */
static const char *
hint_for_reduced(const struct record *r)
{
	static char hint[100];
	const struct options *o = r->options;
	const char *rate = o->frequency == 0 && o->period != 0 ? "a larger -c" : "a lower -F";

	if (options_timed(o))
		return "for larger copies try --stack-size 16384, which may lose records";
	snprintf(hint, sizeof hint, "for larger copies try %s%s", rate,
	    geteuid() == 0 ? " or --ring-size 64" : ", a larger 'ulimit -l', or sudo");
	return hint_for_full_rings(r, hint);
}

static void
warn_of_truncated(const struct record *r)
{
	const struct recording_count *c = &r->recording.count;
	const uint64_t deeper = c->truncated - c->untouched - c->limited - r->reduced;

	if (share(c->limited, c->user) > TRUNCATED_MUCH)
		cli_note("%.1f %% of stacks have more than %d functions, and are truncated",
		    100 * share(c->limited, c->user), SCRIPT_FRAMES);
	if (share(c->untouched, c->user) > UNTOUCHED_MUCH)
		cli_note(
		    "%.1f %% of stacks are truncated at an untouched page of a large local array; "
		    "fg-record reads such pages to complete later samples: %s",
		    100 * share(c->untouched, c->user),
		    r->target_refused ? "no permission to do that, try sudo fg-record ..."
				      : "record for longer to reduce the share");
	if (share(r->reduced, c->user) > TRUNCATED_MUCH)
		cli_note(
		    "%.1f %% of stacks are deeper than their copy, which was made smaller (%" PRIu32
		    " bytes) to fit the ring buffers; %s",
		    100 * share(r->reduced, c->user), r->reduced_to, hint_for_reduced(r));
	if (share(deeper, c->user) > TRUNCATED_MUCH)
		cli_note("%.1f %% of stacks are deeper than the %s: %s",
		    100 * share(deeper, c->user),
		    r->options->call_graph == CALL_GRAPH_FP ? "recorded call chain" : "stack copy",
		    hint_for_truncated(r));
}

/* Explains a profile without stacks. */
static void
warn_of_nothing(const struct record *r)
{
	const struct timeline *tl = &r->recording.timeline;
	const struct options *o = r->options;
	const bool clock = r->period_unit != NULL && strcmp(r->period_unit, "ns") == 0;

	if (o->off_cpu) {
		if (tl->charged >= 1000 || (o->hide_idle && tl->idle > 0))
			return;
		if (r->unread > 0)
			cli_note("the profile is empty: no thread blocked after the start; %" PRIu64
				 " %s blocked before, and cannot be read (threads of the kernel, "
				 "or no permission)",
			    r->unread, text_form(r->unread, "was", "were"));
		else
			cli_note("the profile is empty: nothing was blocked");
	} else if (r->recording.count.samples == 0 && !warn_of_children(o)) {
		if (o->event == NULL || clock)
			cli_note("no samples: the program ran too briefly or was blocked; try a "
				 "higher -F, or --off-cpu");
		else
			cli_note("no samples: %s did not occur%s", r->event,
			    r->period == 1 ? "" : " often enough; -c 1 samples each");
	}
}

static void
warn_of_losses(const struct record *r, const struct report *names)
{
	const struct options *o = r->options;
	const struct recording_count *c = &r->recording.count;

	warn_of_nothing(r);
	if (r->stopped && !r->by_cpu_time && c->samples > 0)
		cli_note(
		    "sampled by ptrace: run queue latency counts as running, so that values are "
		    "too large on a busy machine");
	if (options_timed(o) && !r->recording.timeline.wakings)
		cli_note(
		    "no wake-up events %s: run queue latency (/proc/PID/schedstat) was subtracted "
		    "from blocked time in proportion",
		    geteuid() != 0	 ? "without root"
		    : proc_has_tracefs() ? "here"
					 : "without tracefs (sudo mount -t tracefs tracefs "
					   "/sys/kernel/tracing)");
	if (lost(c) > 0)
		cli_note("%" PRIu64 " %s lost to full ring buffers; %s", lost(c),
		    text_form(lost(c), "record was", "records were"),
		    hint_for_full_rings(r, "try --ring-size 64, --stack-size 16384 or a lower -F"));
	if (c->throttled > 0)
		cli_note(
		    "the kernel throttled sampling %" PRIu64
		    " times; try a lower -F, or sudo sysctl kernel.perf_cpu_time_max_percent=0",
		    c->throttled);
	if (c->malformed > 0)
		cli_note("%" PRIu64 " malformed records were skipped", c->malformed);
	if (unwind_undecoded(r->recording.unwind) > 0)
		cli_note(
		    "%" PRIu64
		    " stacks end at code without call frame information; a build of fg-record with "
		    "Zydis can unwind it",
		    unwind_undecoded(r->recording.unwind));
	warn_of_truncated(r);
	if (names->exhausted || opener_is_exhausted())
		cli_note("too many open files: not all programs could be read; try a larger "
			 "'ulimit -n'");
	else if (c->user > c->truncated &&
		 share(c->complete, c->user - c->truncated) < WHOLE_LITTLE)
		warn_of_broken(c, find_helper(names));
}

static int
by_samples(const void *a, const void *b)
{
	uint64_t x = ((const struct report_module *)a)->samples;
	uint64_t y = ((const struct report_module *)b)->samples;

	return (x < y) - (x > y);
}

/* Warns of a module with unsymbolized functions, with a hint. */
static void
warn_of_module(const struct report_module *m, double hot, const struct helper *runtime)
{
	double percent = 100 * hot;

	if (m->kind == MODULE_JIT && m->info != MODULE_SYMBOLS) {
		cli_note("%.0f %% of samples are in unsymbolized JIT code; %s", percent,
		    runtime != NULL ? runtime->naming : "see LANGUAGES in fg-record(1)");
		return;
	}
	switch (m->info) {
	case MODULE_HIDDEN:
		cli_note("%.0f %% of samples are in the kernel, whose symbols are hidden; try sudo "
			 "fg-record ..., or sudo sysctl kernel.kptr_restrict=0",
		    percent);
		break;
	case MODULE_MISSING:
		cli_note("%.0f %% of samples are in %s, which cannot be read", percent, m->path);
		break;
	case MODULE_NAMELESS:
	case MODULE_DYNAMIC:
		if (m->kind == MODULE_VDSO) /* no hint to give */
			break;
		cli_note("%.0f %% of samples are in %s, which is stripped: install its debug "
			 "symbols (a -dbgsym or -debuginfo package), try --debuginfod, or link "
			 "it without -s",
		    percent, m->name);
		break;
	case MODULE_SYMBOLS:
		if (hot >= MODULE_HOT_DEBUG && m->kind == MODULE_FILE && is_talkative())
			cli_note("%.0f %% of samples are in %s, which has no debug information: "
				 "compile it with -g to see inlined functions",
			    percent, m->name);
		break;
	default: break;
	}
}

static void
warn_of_modules(const struct report *names)
{
	struct report_module hottest[REPORT_MODULES];
	const struct helper *runtime = find_helper(names);

	memcpy(hottest, names->module, names->nmodule * sizeof *hottest);
	qsort(hottest, names->nmodule, sizeof *hottest, by_samples);
	for (size_t i = 0; i < names->nmodule && i < MODULES; i++) {
		double hot = share(hottest[i].samples, names->samples);

		if (hot >= MODULE_HOT)
			warn_of_module(&hottest[i], hot, runtime);
	}
}

/*
 * Prints the functions with the largest self values, a bar each, then the commands for the file
 * NAME.folded.
 */
static void
print_answer(const struct report *names, const char *file)
{
	if (cli_quiet)
		return;
	for (size_t i = 0; i < names->nfunction; i++) {
		const struct report_function *f = &names->function[i];
		char bar[BAR + 1];
		int n = (int)(f->self * BAR + 0.5);

		memset(bar, '#', BAR);
		bar[n < 1 ? 1 : n > BAR ? BAR : n] = '\0';
		fprintf(stderr, "%6.1f %%  %-*s  %s\n", 100 * f->self, BAR, bar, f->name);
	}
	cli_note("wrote %s; next: fg-render -T top %s, or fg-render -o %.*s.svg %s", file, file,
	    (int)(strlen(file) - strlen(".folded")), file, file);
}

/* Prints the detected interpreters, and the share of their samples with script frames. */
static void
print_scripts(const struct record *r)
{
	struct script_count count[RUNTIMES];
	size_t n =
	    r->recording.script == NULL ? 0 : script_counts(r->recording.script, count, RUNTIMES);

	for (size_t i = 0; i < n; i++) {
		const struct script_count *c = &count[i];
		const char *reason = c->reason != NULL ? c->reason : "their threads ran no script";

		if (c->refused && c->read == 0)
			cli_note("%.1f %% of samples are of a %s process without script frames: %s",
			    100 * share(c->samples - c->read, r->recording.count.samples),
			    c->runtime, reason);
		else if (is_talkative() && c->read < c->samples)
			cli_note("%.1f %% of samples of %s have script frames, %" PRIu64
				 " do not: %s",
			    100 * share(c->read, c->samples), c->runtime, c->samples - c->read,
			    reason);
		else if (is_talkative())
			cli_note("all samples of %s have script frames", c->runtime);
	}
}

/* A profile of cargo run or cargo bench is mostly cargo and rustc. */
static void
note_cargo(const struct options *o)
{
	struct str program;

	if (o->command == NULL || !is_talkative())
		return;
	program = str_base(str_of(o->command[0]));
	if (text_is(program.s, program.len, "cargo"))
		cli_note(
		    "the profile has cargo and rustc too; try cargo fg for one of the program only "
		    "(share/recipes/cargo-fg, see fg-tools(7))");
}

void
summary_print(const struct record *r, const struct report *names)
{
	const struct recording_count *c = &r->recording.count;

	cli_progress_end();
	if (is_talkative() || lost(c) > 0 || c->malformed > 0)
		print_line(r, names);
	print_scripts(r);
	warn_of_losses(r, names);
	note_idle(r);
	note_cargo(r->options);
	warn_of_modules(names);
	if (r->options->output_chosen)
		print_answer(names, r->options->output);
}
