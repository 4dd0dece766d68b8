/*
 * advice: each test of the recording adds a problem to a list; the list is printed at the end.
 */
#include "fg-record/telling/advice.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "names/language.h"
#include "base/text.h"
#include "access/opener.h"
#include "fg-record/watching/walker.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/find.h"
#include "fg-record/ownsession.h"
#include "fg-record/asking/proc.h"
#include "fg-record/telling/losses.h"

/* Thresholds for problems, as fractions of the samples. */
#define TRUNCATED_MUCH 0.01
#define UNSAMPLED_MUCH 0.05
#define UNTOUCHED_MUCH 0.05 /* the first samples of a function with a large array always are */
#define WHOLE_LITTLE 0.95
#define MODULE_HOT 0.05
#define MODULE_HOT_DEBUG 0.2
#define THREADS_MANY 500 /* of a program, that run at once */

#define PROBLEMS_MAX 40

struct problem {
	double share; /* fraction of the samples that it concerns; 0: a possible addition */
	bool is_loss; /* printed also without its hint */
	char fact[400];
	char hint[300]; /* empty: none */
};

struct problems {
	struct problem list[PROBLEMS_MAX];
	size_t n;
};

/*
 * Adds a problem with the hint that the caller has set, if any. The hint for the largest share
 * of the samples is printed; among equal shares, the first.
 */
static void __attribute__((format(printf, 5, 6)))
add(struct problems *p, double share, bool is_loss, const char *hint, const char *fmt, ...)
{
	struct problem *it = &p->list[p->n];
	va_list args;

	if (p->n == PROBLEMS_MAX)
		return;
	p->n++;
	it->share = share;
	it->is_loss = is_loss;
	snprintf(it->hint, sizeof it->hint, "%s", hint != NULL ? hint : "");
	va_start(args, fmt);
	vsnprintf(it->fact, sizeof it->fact, fmt, args);
	va_end(args);
}

static void
print(const struct problems *p)
{
	const struct problem *best = NULL;

	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].hint[0] != '\0' && (best == NULL || p->list[i].share > best->share))
			best = &p->list[i];
	for (size_t i = 0; i < p->n; i++) {
		const struct problem *it = &p->list[i];
		bool hint = it->hint[0] != '\0' && (it == best || cli_verbose);

		if (hint || it->is_loss)
			cli_note("%s%s%s", it->fact, hint ? "; " : "", hint ? it->hint : "");
	}
}

static const char *
hint_for_truncated(const struct record *r)
{
	const struct options *o = r->options;

	if (o->heap_outside)
		return "Go's runtime stores 32 frames, since 1.23 128: try "
		       "GODEBUG=profstackdepth=1024 for the program";
	if (o->call_graph == CALL_GRAPH_FP)
		return "try sudo sysctl kernel.perf_event_max_stack=1024";
	if (r->recording.copied != 0 && !r->copy_fits)
		return "try a larger 'ulimit -l', or sudo fg-record ...; " CHECK_HINT;
	if (r->recording.copied != 0 && r->recording.copied < 65528)
		return "try --stack-size 65528";
	if (!r->deep && !o->deep_stacks && walker_unsupported() == NULL && !r->stopped &&
	    !r->tracepoint && !options_timed(o))
		return geteuid() == 0 ? "try --deep-stacks"
				      : "try sudo fg-record --deep-stacks ...; " CHECK_HINT;
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
		"run java with -XX:+PreserveFramePointer"},
	    {"beam.smp", "run erl with +JPperf true", "run erl with +JPperf true"},
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

/* Stacks that end before their thread's first function without being truncated. */
static void
add_broken(struct problems *p, const struct recording_count *c, const struct helper *runtime)
{
	const uint64_t user = recording_user(c), broken = recording_broken(c);
	const char *reason = "code without call frame information can only be unwound by its "
			     "instructions and by frame pointers";
	const char *hint = "compile it without -fno-asynchronous-unwind-tables, or with "
			   "-fno-omit-frame-pointer";

	if (c->stack[CHAIN_GENERATED] > broken / 2) {
		reason = "JIT code is unwound by frame pointers";
		hint = runtime != NULL ? runtime->unwinding : NULL;
	} else if (c->stack[CHAIN_HASKELL] > broken / 2) {
		reason = "the Haskell stack, which is not the native one, was not read: it needs a "
			 "stopped thread (not -a or --no-script) of a program without -prof";
		hint = NULL;
	} else if (c->stack[CHAIN_SWITCHED] > broken / 2) {
		reason = SWITCHED_CAUSE;
		hint = NULL;
	} else if (c->stack[CHAIN_OUTSIDE] > broken / 2) {
		reason = OUTSIDE_CAUSE;
		hint = "record on the host, or in a container with --pid=host";
	} else if (c->stack[CHAIN_UNMAPPED] > broken / 2) {
		reason = "their addresses are in no mapping: execve(2) was replacing the program, "
			 "or the code is unmapped again";
		hint = NULL;
	}
	add(p, losses_share(broken, user), true, hint,
	    "%.0f %% of stacks end before their thread's first function: %s",
	    100 * losses_share(broken, user), reason);
}

/* Without a sample: names the child processes that existed before, which -p does not record. */
static bool
add_children(struct problems *p, const struct options *o)
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
	add(p, 1, true, "try --with-children",
	    "no samples of these processes, but they have children: %s",
	    find_list(&others, list, sizeof list));
	free(others.id);
	return true;
}

/*
 * Threads that were blocked from start to end, the largest part of most -a --off-cpu profiles.
 */
static void
add_idle(struct problems *p, const struct record *r)
{
	const struct timeline *tl = &r->recording.timeline;
	const char *threads = text_form(tl->idle, "thread", "threads");

	if (tl->idle == 0)
		return;
	if (r->options->hide_idle)
		add(p, 0, true, NULL,
		    "%" PRIu64 " %s never ran: their %.1f s of blocked time are hidden", tl->idle,
		    threads, (double)tl->idle_ns / 1e9);
	else if (r->options->all && losses_are_wanted())
		add(p, losses_share(tl->idle_ns, tl->charged), true, "try --idle hide",
		    "%" PRIu64 " %s never ran: %.1f s of blocked time", tl->idle, threads,
		    (double)tl->idle_ns / 1e9);
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

/* The option for fewer samples of the same event. */
static const char *
fewer_samples(const struct record *r)
{
	const struct options *o = r->options;

	if (o->heap != 0)
		return "a larger --heap=BYTES";
	return o->frequency == 0 && (o->period != 0 || r->tracepoint) ? "a larger -c"
								      : "a lower -F";
}

static const char *
hint_for_overrun(const struct record *r)
{
	static char hint[40];

	snprintf(hint, sizeof hint, "try %s", fewer_samples(r));
	return hint;
}

static const char *
hint_for_lost(const struct record *r)
{
	static char hint[100];
	const char *larger = geteuid() == 0 ? "--ring-size 64" : "a larger 'ulimit -l', sudo";

	if (options_timed(r->options)) /* at most as many as threads switch */
		snprintf(hint, sizeof hint, "try %s or --stack-size 2048", larger);
	else
		snprintf(hint, sizeof hint, "try %s, --stack-size %s or %s", larger,
		    r->tracepoint ? "4096" : "16384", fewer_samples(r));
	return hint_for_full_rings(r, hint);
}

/* The hint for stack copies that were made smaller. */
static const char *
hint_for_reduced(const struct record *r)
{
	static char hint[100];
	const struct options *o = r->options;

	if (options_timed(o))
		return "for larger copies try --stack-size 16384, which may lose records";
	snprintf(hint, sizeof hint, "for larger copies try %s%s", fewer_samples(r),
	    geteuid() == 0 ? " or --ring-size 64" : ", a larger 'ulimit -l', or sudo");
	return hint_for_full_rings(r, hint);
}

/* " (perl, python)": the runtimes whose copies by BPF ended too early; empty: none. */
static const char *
limited_runtimes(const struct record *r)
{
	static char list[200];
	struct script_count count[SCRIPT_RUNTIMES];
	const size_t n = script_counts(r->recording.script, count, SCRIPT_RUNTIMES);
	size_t len = 0;

	list[0] = '\0';
	for (size_t i = 0; i < n && len < sizeof list; i++)
		if (count[i].limited > 0)
			len += (size_t)snprintf(list + len, sizeof list - len, "%s%s",
			    len == 0 ? " (" : ", ", count[i].runtime);
	if (len > 0 && len < sizeof list - 1)
		memcpy(list + len, ")", 2);
	return list;
}

static void
add_truncated(struct problems *p, const struct record *r)
{
	const struct recording_count *c = &r->recording.count;
	const uint64_t user = recording_user(c);
	const double limited = losses_share(c->stack[CHAIN_LIMITED], user);
	const double unread = losses_share(c->stack[CHAIN_UNREAD], user);
	const double untouched = losses_share(c->stack[CHAIN_UNTOUCHED], user);
	const double uncopied = losses_share(c->stack[CHAIN_UNCOPIED], user);
	const double reduced = losses_share(c->stack[CHAIN_REDUCED], user);
	const double deeper = losses_share(c->stack[CHAIN_DEEPER], user);

	if (limited > TRUNCATED_MUCH)
		add(p, limited, true, NULL,
		    "%.1f %% of stacks lack callers at the frame [truncated]: they have more than %d "
		    "functions or %d calls of the interpreter, or BPF needs more than %d steps for "
		    "them%s",
		    100 * limited, SCRIPT_FRAMES, SCRIPT_GROUPS, WALK_TURNS, limited_runtimes(r));
	if (unread > TRUNCATED_MUCH)
		add(p, unread, true, NULL,
		    "%.1f %% of stacks lack callers at the frame [truncated]: their script frames are "
		    "in memory that could not be read, or not in the time of a sample",
		    100 * unread);
	if (untouched > UNTOUCHED_MUCH)
		add(p, untouched, true,
		    r->target_refused
			? "no permission to do that, try sudo fg-record ...; " CHECK_HINT
			: "record for longer to reduce the share",
		    "%.1f %% of stacks are truncated at an untouched page of a large local array; "
		    "fg-record reads such pages to complete later samples",
		    100 * untouched);
	if (uncopied > UNTOUCHED_MUCH)
		add(p, uncopied, true, NULL,
		    "%.1f %% of stacks could not be copied: " UNCOPIED_CAUSE, 100 * uncopied);
	if (reduced > TRUNCATED_MUCH)
		add(p, reduced, true, hint_for_reduced(r),
		    "%.1f %% of stacks are deeper than their copy, which was made smaller (%" PRIu64
		    " bytes) to fit the ring buffers",
		    100 * reduced, r->reduced_to);
	if (deeper > TRUNCATED_MUCH && r->deep)
		add(p, deeper, true, NULL,
		    "%.1f %% of stacks are deeper than 1 MiB, or than 64 KiB on a stack that is "
		    "not their thread's",
		    100 * deeper);
	else if (deeper > TRUNCATED_MUCH && r->recording.copied != 0)
		add(p, deeper, true, hint_for_truncated(r),
		    "%.1f %% of stacks are deeper than the stack copy (%" PRIu64 " bytes)",
		    100 * deeper, r->recording.copied);
	else if (deeper > TRUNCATED_MUCH)
		add(p, deeper, true, hint_for_truncated(r),
		    "%.1f %% of stacks are deeper than the recorded call chain", 100 * deeper);
}

/* Programs whose allocations are not in a heap profile, and an empty one. */
static void
add_heap(struct problems *p, const struct record *r)
{
	const struct heap_totals t = heap_totals(r->recording.heap);

	if (t.unloaded > 0 && t.columns == HEAP_COLUMNS)
		add(p, losses_share(t.unloaded, t.programs), true, "try -e page-faults -c 1",
		    "%" PRIu64 " of %" PRIu64 " %s did not load libfgheap.so (static, set-user-ID, "
		    "or LD_PRELOAD is changed): their memory is missing",
		    t.unloaded, t.programs, text_form(t.programs, "program", "programs"));
	else if (r->recording.count.samples == 0 && t.runtime == NULL && t.live == 0)
		add(p, 1, true, r->options->heap > 1 ? "try a smaller --heap=BYTES" : NULL,
		    "no samples: less than %" PRIu64 " bytes were allocated by malloc, or the "
		    "program has an allocator of its own",
		    r->options->heap);
	if (t.runtime != NULL && t.columns == HEAP_COLUMNS)
		add(p, 1, true, t.runtime->instead, "%s are not blocks of malloc: they are missing",
		    t.runtime->objects);
	if (t.untracked > 0)
		add(p, losses_share(t.untracked, t.allocated), true, "try a larger --heap=BYTES",
		    "%.1f %% of the allocated bytes count as live, since too many sampled blocks "
		    "were live at a time",
		    100 * losses_share(t.untracked, t.allocated));
}

/* CPU time without stacks, see shortlived.h, and timeline.h for that of --wall. That of overrun has
 * a note of its own. */
static void
add_unsampled(struct problems *p, const struct record *r)
{
	const struct timeline *tl = &r->recording.timeline;
	const uint64_t brief = r->unsampled > r->overrun ? r->unsampled - r->overrun : 0;
	const double share = options_timed(r->options)
				 ? losses_share(tl->unsampled, tl->ran)
				 : losses_share(brief, r->unsampled + r->recording.count.samples);

	if (share > UNSAMPLED_MUCH)
		add(p, share, true, "try a higher -F",
		    "%.1f %% of the CPU time has no stack, the frame [unsampled]: its threads and "
		    "processes were too short for samples",
		    100 * share);
}

/* Adds the process of -p that is stopped, by a signal or a debugger; false if none is. */
static bool
add_stopped(struct problems *p, const struct options *o)
{
	for (size_t i = 0; i < o->pids.n; i++) {
		const char state = proc_state(o->pids.id[i]);

		if (state != 'T' && state != 't')
			continue;
		if (state == 'T')
			add(p, 1, true, "let it continue by kill -CONT",
			    "no samples: process %d is stopped", o->pids.id[i]);
		else
			add(p, 1, true, "let its debugger continue it",
			    "no samples: process %d is stopped by a debugger", o->pids.id[i]);
		return true;
	}
	return false;
}

/* Explains a profile without stacks. */
static void
add_nothing(struct problems *p, const struct record *r)
{
	const struct timeline *tl = &r->recording.timeline;
	const struct options *o = r->options;
	const bool clock = r->period_unit != NULL && strcmp(r->period_unit, "ns") == 0;

	if (o->off_cpu) {
		if (tl->charged >= 1000 || (o->hide_idle && tl->idle > 0))
			return;
		if (r->unread > 0)
			add(p, 1, true, NULL,
			    "the profile is empty: no thread blocked after the start; %" PRIu64
			    " %s blocked before, and cannot be read (threads of the kernel, "
			    "or no permission)",
			    r->unread, text_form(r->unread, "was", "were"));
		else
			add(p, 1, true, NULL, "the profile is empty: nothing was blocked");
	} else if (o->heap != 0) {
		add_heap(p, r);
	} else if (r->recording.count.samples == 0 && r->unsampled == 0 && !add_stopped(p, o) &&
		   !add_children(p, o)) {
		if (o->event == NULL || clock)
			add(p, 1, true, "try a higher -F, or --off-cpu",
			    "no samples: the program ran too briefly or was blocked");
		else
			add(p, 1, true, r->period == 1 ? NULL : "try -c 1, which samples each",
			    "no samples: %s did not occur%s", r->event,
			    r->period == 1 ? "" : " often enough");
	}
}

static void
add_losses(struct problems *p, const struct record *r, const struct report *names)
{
	const struct options *o = r->options;
	const struct recording_count *c = &r->recording.count;
	const uint64_t lost = losses_lost(c), explained = r->unread_samples + r->overrun_lost;

	if (r->stopped && !r->by_cpu_time && c->samples > 0)
		add(p, 0, true, NULL,
		    "sampled by ptrace: run queue latency counts as running, so that values are "
		    "too large on a busy machine");
	if (r->stopped && r->stops < c->samples / 2)
		add(p, 1 - losses_share(r->stops, c->samples), true, "try a lower -F",
		    "the %" PRIu64 " samples are of %" PRIu64
		    " %s only, each for several: no more were possible in the CPU time that "
		    "the threads and fg-record got",
		    c->samples, r->stops, text_form(r->stops, "stop", "stops"));
	if (options_timed(o) && !r->recording.timeline.wakings)
		add(p, 0, true,
		    geteuid() != 0 || proc_has_tracefs()
			? NULL
			: "try sudo mount -t tracefs tracefs /sys/kernel/tracing; " CHECK_HINT,
		    "no wake-up events %s: run queue latency (/proc/PID/schedstat) was subtracted "
		    "from blocked time in proportion",
		    geteuid() != 0	 ? "without root"
		    : proc_has_tracefs() ? "here"
					 : "without tracefs");
	if (lost > explained)
		add(p, losses_share(lost, lost + c->samples), true, hint_for_lost(r),
		    "%" PRIu64 " %s lost to full ring buffers", lost - explained,
		    text_form(lost - explained, "record was", "records were"));
	if (r->overrun_lost > 0)
		add(p, losses_share(r->overrun_lost, lost + c->samples), true, hint_for_overrun(r),
		    "%" PRIu64 " %s missing%s: BPF copied a deep stack for longer than the time "
		    "between samples",
		    r->overrun_lost, text_form(r->overrun_lost, "sample is", "samples are"),
		    r->unsampled > 0 ? ", the frame [unsampled]" : "");
	if (r->unread_samples > 0)
		add(p, losses_share(r->unread_samples, lost + c->samples), true, NULL,
		    "%" PRIu64 " more %s no sample, by the kernel's count: the size of stack "
		    "copies changed, or a traced thread started or ended",
		    r->unread_samples,
		    text_form(r->unread_samples, "tracepoint has", "tracepoints have"));
	if (c->throttled > 0)
		add(p, losses_share(c->throttled, c->throttled + c->samples), true,
		    "try a lower -F, or sudo sysctl kernel.perf_cpu_time_max_percent=0",
		    "the kernel throttled sampling %" PRIu64 " %s", c->throttled,
		    text_form(c->throttled, "time", "times"));
	if (c->malformed > 0)
		add(p, 0, true, NULL, "%" PRIu64 " malformed %s skipped", c->malformed,
		    text_form(c->malformed, "record was", "records were"));
	if (unwind_undecoded(r->recording.unwind) > 0)
		add(p, 0, true, "a build of fg-record with Zydis can unwind it",
		    "%" PRIu64 " %s at code without call frame information",
		    unwind_undecoded(r->recording.unwind),
		    text_form(unwind_undecoded(r->recording.unwind), "stack ends", "stacks end"));
	add_truncated(p, r);
	if (names->exhausted || opener_is_exhausted())
		add(p, 1, true, "try a larger 'ulimit -n'",
		    "too many open files: not all programs could be read");
	else if (recording_broken(c) > 0 &&
		 losses_share(c->stack[CHAIN_COMPLETE],
		     c->stack[CHAIN_COMPLETE] + recording_broken(c)) < WHOLE_LITTLE)
		add_broken(p, c, find_helper(names));
}

/* True for an interpreter or its library: python3.11, libpython3.11.so.1.0. */
static bool
is_interpreter(const char *module)
{
	const char *library = strncmp(module, "lib", 3) == 0 ? strstr(module, ".so") : NULL;

	return language_has_process(library != NULL
					? (struct str){module + 3, (size_t)(library - module) - 3}
					: str_of(module));
}

/* True if most samples of interpreters have script frames: their functions are a detail then. */
static bool
has_script_frames(const struct record *r)
{
	struct script_count count[SCRIPT_RUNTIMES];
	const size_t n = script_counts(r->recording.script, count, SCRIPT_RUNTIMES);
	uint64_t samples = 0, read = 0;

	for (size_t i = 0; i < n; i++) {
		samples += count[i].samples;
		read += count[i].read;
	}
	return read > samples / 2;
}

/* A module with this share of the samples in unsymbolized functions. */
static void
add_nameless(struct problems *p, const struct record *r, const struct report_module *m,
    double share, const struct helper *runtime)
{
	double percent = 100 * share;

	if (is_interpreter(m->name) && has_script_frames(r) && !losses_are_wanted())
		return;
	if (m->kind == MODULE_JIT && m->info != MODULE_SYMBOLS)
		add(p, share, false,
		    runtime != NULL ? runtime->naming : "see LANGUAGES in fg-record(1)",
		    "%.0f %% of samples are in unsymbolized JIT code", percent);
	else if (m->info == MODULE_HIDDEN)
		add(p, share, false,
		    "try sudo fg-record ..., or sudo sysctl kernel.kptr_restrict=0; " CHECK_HINT,
		    "%.0f %% of samples are in the kernel, whose symbols are hidden", percent);
	else if (m->info == MODULE_MISSING)
		add(p, share, true, NULL,
		    "%.0f %% of samples are in %s, which cannot be read or is not an ELF file",
		    percent, m->path);
	else if (m->kind != MODULE_VDSO &&
		 (m->info == MODULE_NAMELESS || m->info == MODULE_DYNAMIC))
		/* the last one of a script's problems: its functions have names without */
		add(p, is_interpreter(m->name) ? share / 1000 : share, false,
		    "install its debug symbols (a -dbgsym or -debuginfo package), try "
		    "--debuginfod, or link it without -s",
		    "%.0f %% of samples are in unsymbolized functions of %s, which is stripped",
		    percent, m->name);
}

static void
add_modules(struct problems *p, const struct record *r, const struct report *names)
{
	const struct helper *runtime = find_helper(names);

	for (size_t i = 0; i < names->nmodule; i++) {
		const struct report_module *m = &names->module[i];
		double all = losses_share(m->samples, names->samples);
		double nameless = losses_share(m->nameless, names->samples);

		if (nameless >= MODULE_HOT)
			add_nameless(p, r, m, nameless, runtime);
		if ((m->info == MODULE_SYMBOLS || m->info == MODULE_GO) && m->kind == MODULE_FILE &&
		    all >= MODULE_HOT_DEBUG && losses_are_wanted())
			add(p, 0, false,
			    m->info == MODULE_GO
				? "link it without -ldflags=-w or -s to see inlined functions"
				: "compile it with -g to see inlined functions",
			    "%.0f %% of samples are in %s, which has no debug information",
			    100 * all, m->name);
	}
}

/* A profile of cargo run or cargo bench is mostly cargo and rustc. */
static void
add_cargo(struct problems *p, const struct options *o)
{
	struct str program;

	if (o->command == NULL || !losses_are_wanted())
		return;
	program = str_base(str_of(o->command[0]));
	if (text_is(program.s, program.len, "cargo"))
		add(p, 1, false,
		    "try cargo fg for one of the program only (share/recipes/cargo-fg, see "
		    "fg-tools(7))",
		    "the profile has cargo and rustc too");
}

/* Kernel frames that the user may not have. */
static void
add_kernel(struct problems *p, const struct record *r)
{
	if (r->no_kernel && !r->options->no_kernel && !r->stopped && r->recording.heap == NULL &&
	    losses_are_wanted())
		add(p, 0, false,
		    "try sudo fg-record ..., or sudo sysctl kernel.perf_event_paranoid=1; " CHECK_HINT,
		    "kernel frames are missing");
}

void
advice_print(const struct record *r, const struct report *names)
{
	struct problems *p = cli_alloc(1, sizeof *p);

	add_nothing(p, r);
	add_unsampled(p, r);
	add_losses(p, r, names);
	add_idle(p, r);
	add_cargo(p, r->options);
	add_modules(p, r, names);
	add_kernel(p, r);
	print(p);
	free(p);
}
