/*
 * perfdatasummary: prints notes on the counts, each with a hint. Problems above a threshold are
 * reported; -v reports all, -q none.
 */
#include "fg-collapse/perfdata/perfdatasummary.h"

#include <inttypes.h>
#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "fg-collapse/options.h"

/* Shares of the samples from which on a problem is reported. */
#define TRUNCATED_MUCH 0.01
#define WHOLE_LITTLE 0.95
#define MODULE_HOT 0.05
#define ENDLESS_MUCH 0.25
#define MODULES 3 /* limit of modules to name */

static double
share(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole;
}

static void
print_stacks(const struct recording_count *c)
{
	const uint64_t user = recording_user(c), broken = recording_broken(c);
	const uint64_t deeper = c->stack[CHAIN_DEEPER], complete = c->stack[CHAIN_COMPLETE];
	const uint64_t untouched = c->stack[CHAIN_UNTOUCHED], uncopied = c->stack[CHAIN_UNCOPIED];

	if (deeper > 0 && (cli_verbose || share(deeper, user) > TRUNCATED_MUCH))
		cli_note("%" PRIu64 " %s (%.1f %%) %s deeper than the stack copy; record "
			 "with perf record --call-graph dwarf,65528",
		    deeper, text_form(deeper, "stack", "stacks"), 100 * share(deeper, user),
		    text_form(deeper, "is", "are"));
	if (untouched > 0 && (cli_verbose || share(untouched, user) > TRUNCATED_MUCH))
		cli_note("%" PRIu64 " %s (%.1f %%) %s truncated at an untouched page of a "
			 "large local array, which perf does not copy; fg-record reads such pages",
		    untouched, text_form(untouched, "stack", "stacks"),
		    100 * share(untouched, user), text_form(untouched, "is", "are"));
	if (uncopied > 0 && (cli_verbose || share(uncopied, user) > TRUNCATED_MUCH))
		cli_note("%" PRIu64 " %s (%.1f %%) could not be copied: " UNCOPIED_CAUSE, uncopied,
		    text_form(uncopied, "stack", "stacks"), 100 * share(uncopied, user));
	if (broken > 0 && (cli_verbose || share(complete, complete + broken) < WHOLE_LITTLE))
		cli_note("%" PRIu64 " %s (%.1f %%) %s before their thread's first function: %s",
		    broken, text_form(broken, "stack", "stacks"), 100 * share(broken, user),
		    text_form(broken, "ends", "end"),
		    c->stack[CHAIN_GENERATED] > broken / 2 ? "JIT code is unwound by frame pointers"
		    : c->stack[CHAIN_SWITCHED] > broken / 2 ? SWITCHED_CAUSE
		    : c->stack[CHAIN_OUTSIDE] > broken / 2  ? OUTSIDE_CAUSE
		    : c->stack[CHAIN_UNMAPPED] > broken / 2
			? "their addresses are in no mapping: execve(2) was replacing the program, "
			  "or the file lacks the mapping"
			: "code without call frame information is unwound by frame pointers");
	if (c->unreadable > 0)
		cli_note("%" PRIu64 " %s a user stack that cannot be unwound (missing, "
			 "or of another machine type)",
		    c->unreadable, text_form(c->unreadable, "sample has", "samples have"));
	if (c->undeferred > 0)
		cli_note("%" PRIu64 " %s user part: its deferred record is missing", c->undeferred,
		    text_form(c->undeferred, "stack lacks its", "stacks lack their"));
}

static void
print_losses(const struct feed *d, const struct features *f)
{
	const struct recording_count *c = &d->recording.count;

	if (c->lost > 0 || c->lost_samples > 0)
		cli_note("%" PRIu64 " %s and %" PRIu64 " %s were lost to full ring "
			 "buffers; record with perf record -m 16M, or a lower -F",
		    c->lost, text_form(c->lost, "record", "records"), c->lost_samples,
		    text_form(c->lost_samples, "sample", "samples"));
	if (c->throttled > 0)
		cli_note("the kernel throttled the recording %" PRIu64 " %s; record with a "
			 "lower -F, or sudo sysctl kernel.perf_cpu_time_max_percent=0",
		    c->throttled, text_form(c->throttled, "time", "times"));
	if (c->stray > 0)
		cli_note("%" PRIu64 " %s to no event of the recording", c->stray,
		    text_form(c->stray, "record belongs", "records belong"));
	if (f->auxtrace)
		cli_note("processor trace data are not decoded; use perf script "
			 "--itrace=i1usg16 | fg-collapse");
}

/* Reports blocked time that lacks its end, or cannot be distinguished from run queue latency. */
static void
print_times(const struct feed *d)
{
	const struct timeline *tl = &d->recording.timeline;

	if (tl->sleeps == 0)
		return;
	if (tl->endless > 0 && (cli_verbose || share(tl->endless, tl->sleeps) > ENDLESS_MUCH))
		cli_note("%" PRIu64 " of %" PRIu64 " sleeps %s no end in the recording and %s "
			 "not counted; record with perf record -a, or --switch-events",
		    tl->endless, tl->sleeps, text_form(tl->endless, "has", "have"),
		    text_form(tl->endless, "is", "are"));
	if (tl->wakeups == 0)
		cli_note("no wake-up events: run queue latency is included in blocked time; "
			 "record with perf record -e sched:sched_switch -e sched:sched_wakeup");
}

static int
by_samples(const void *a, const void *b)
{
	uint64_t x = ((const struct naming_module *)a)->samples;
	uint64_t y = ((const struct naming_module *)b)->samples;

	return (x < y) - (x > y);
}

/* Prints a hint how to get symbols for a module. */
static void
print_module(const struct module *m, double hot)
{
	double percent = 100 * hot;

	if (m->kind == MODULE_JIT) {
		if (m->info != MODULE_SYMBOLS)
			cli_note("%.0f %% of weight is in unsymbolized JIT code; keep "
				 "/tmp/perf-PID.map of the recorded process, and give its "
				 "directory with --maps",
			    percent);
		return;
	}
	if (m->kind == MODULE_KERNEL) {
		if (m->info == MODULE_HIDDEN)
			cli_note("%.0f %% of weight is in the kernel, whose symbols are hidden; "
				 "try sudo fg-collapse ..., or sudo sysctl kernel.kptr_restrict=0",
			    percent);
		else if (m->info == MODULE_MISSING && !m->function &&
			 strcmp(m->name, "[guest]") != 0)
			cli_note("%.0f %% of weight is in %s, of a kernel other than the "
				 "running one; give its symbols with --kallsyms or --vmlinux",
			    percent, m->name);
		return;
	}
	switch (m->info) {
	case MODULE_MISSING:
		if (m->other_build)
			cli_note("%.0f %% of weight is in %s, which is another build on this "
				 "machine; give the recorded one with --symfs or --buildids",
			    percent, m->path);
		else
			cli_note("%.0f %% of weight is in %s, which is not on this machine or not "
				 "an ELF file; run perf archive where it was recorded and use "
				 "--buildids, or use --symfs",
			    percent, m->path);
		break;
	case MODULE_NAMELESS:
	case MODULE_DYNAMIC:
		if (m->kind != MODULE_VDSO)
			cli_note("%.0f %% of weight is in %s, which is stripped; install its "
				 "debug symbols (a -dbgsym or -debuginfo package), or try "
				 "--debuginfod",
			    percent, m->name);
		break;
	default: break;
	}
}

static void
print_modules(const struct naming_count *names)
{
	uint64_t unverified = 0;
	size_t files = 0;

	if (names->nmodule == 0)
		return;
	sort_items(names->module, names->nmodule, sizeof *names->module, by_samples);
	for (size_t i = 0; i < names->nmodule; i++) {
		const struct naming_module *m = &names->module[i];
		double hot = share(m->samples, names->samples);

		if (m->samples == 0)
			break;
		if (i < MODULES && hot >= MODULE_HOT)
			print_module(m->module, hot);
		if (m->module->unverified && m->module->info != MODULE_MISSING) {
			unverified += m->samples;
			files++;
		}
	}
	if (files > 0 && (cli_verbose || share(unverified, names->samples) >= MODULE_HOT))
		cli_note("%.0f %% of weight is in %zu %s without a build ID in the "
			 "recording; their symbols are those of the files now at these paths",
		    100 * share(unverified, names->samples), files,
		    text_form(files, "file", "files"));
}

void
perfdatasummary_print(
    const struct feed *d, const struct features *f, const struct naming_count *names)
{
	const struct unwind *u = d->recording.unwind;

	cli_progress_end();
	print_losses(d, f);
	print_stacks(&d->recording.count);
	if (u != NULL && unwind_undecoded(u) > 0)
		cli_note("%" PRIu64 " %s at code without call frame information; a build "
			 "of fg-collapse with Zydis can unwind it",
		    unwind_undecoded(u),
		    text_form(unwind_undecoded(u), "stack ends", "stacks end"));
	print_times(d);
	if (names->samples > 0)
		print_modules(names);
}

static void
add_line(struct text *t, const char *key, const char *words)
{
	if (words == NULL)
		return;
	text_printf(t, "# %s: ", key);
	text_show(t, str_of(words));
	text_char(t, '\n');
}

void
perfdatasummary_labels(struct labels **l, const struct features *f)
{
	struct text words = {0};
	char start[sizeof "2026-11-23T07:00:00Z"];
	time_t seconds;
	struct tm utc;

	if (f->hostname != NULL)
		labels_default(l, "host", str_of(f->hostname));
	if (f->command.len > 0)
		labels_default(l, "command", text_as_str(&f->command));
	if (f->clock_wall > 0 && f->first >= f->clock_event) {
		seconds = (time_t)((f->clock_wall + f->first - f->clock_event) / 1000000000);
		if (gmtime_r(&seconds, &utc) != NULL &&
		    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
			labels_default(l, "start", str_of(start));
	}
	if (f->last > f->first) {
		text_printf(&words, "%.3fs", (double)(f->last - f->first) / 1e9);
		labels_default(l, "duration", text_as_str(&words));
	}
	text_free(&words);
}

void
perfdatasummary_header(struct text *t, const struct feed *d, const struct features *f,
    const char *input, uint64_t late)
{
	add_line(t, "recording", input);
	add_line(t, "host", f->hostname);
	add_line(t, "kernel", f->release);
	add_line(t, "machine", f->arch);
	add_line(t, "processor", f->cpu);
	if (f->cpus > 0)
		text_printf(t, "# processors: %" PRIu32 "\n", f->cpus);
	add_line(t, "perf", f->version);
	add_line(t, "command", f->command.s);
	if (f->last > f->first)
		text_printf(t, "# duration: %.3f s\n", (double)(f->last - f->first) / 1e9);
	for (size_t i = 0; i < d->attrs->n; i++) {
		const struct attr *a = &d->attrs->attr[i];

		add_line(t, "event", a->name);
		if (a->attr.freq)
			text_printf(
			    t, "#   frequency: %" PRIu64 " Hz\n", (uint64_t)a->attr.sample_freq);
		else
			text_printf(
			    t, "#   period: %" PRIu64 "\n", (uint64_t)a->attr.sample_period);
	}
	text_printf(t, "# samples: %" PRIu64 "\n", d->seen);
	text_printf(t, "# lost: %" PRIu64 " %s, %" PRIu64 " %s\n", d->recording.count.lost,
	    text_form(d->recording.count.lost, "record", "records"),
	    d->recording.count.lost_samples,
	    text_form(d->recording.count.lost_samples, "sample", "samples"));
	if (d->recording.count.throttled > 0)
		text_printf(t, "# throttled: %" PRIu64 " %s\n", d->recording.count.throttled,
		    text_form(d->recording.count.throttled, "time", "times"));
	if (late > 0)
		text_printf(t, "# out of order: %" PRIu64 " records\n", late);
}
