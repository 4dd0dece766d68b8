/*
 * recordsummary: progress line, result line, runtimes, answer. Silent if stderr is not a terminal
 * and there is nothing to warn of; -v prints it anyway, -q never.
 */
#include "fg-record/telling/recordsummary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/text.h"
#include "runtime/runtime.h"
#include "fg-record/asking/check.h"
#include "fg-record/telling/advice.h"
#include "fg-record/telling/losses.h"
#include "profile/unit.h"
#include "trace/heap.h"

#define REFUSED_MUCH 0.01 /* fraction of the samples from which a refused runtime is reported */
#define LABELS_MOST 0.95 /* fewer samples with the label of --group-by are reported */
#define LABELS_FEW 20 /* a reason is printed from a 20th of the samples on */
#define SLEEPERS_READ 0.8 /* script frames of less blocked time are reported */
#define BAR 12 /* width in columns */

static double
seconds(const struct record *r)
{
	return (double)(r->ended - r->started) / 1e9;
}

void
recordsummary_progress(const struct record *r, const char *hottest)
{
	cli_progress("%.0f s, %" PRIu64 " %s, %" PRIu64 " lost%s%s",
	    (double)(record_now() - r->started) / 1e9, r->recording.count.samples,
	    text_form(r->recording.count.samples, "sample", "samples"),
	    losses_lost(&r->recording.count), hottest != NULL ? ", hottest: " : "",
	    hottest != NULL ? hottest : "");
}

/* Appends ", N.N MiB WHAT". */
static void
add_bytes(struct text *line, uint64_t bytes, const char *what)
{
	text_puts(line, line->len > 0 ? ", " : "");
	unit_figure(line, "bytes", (double)bytes);
	text_puts(line, what);
}

static void
print_heap(const struct record *r)
{
	const struct heap_totals t = heap_totals(r->recording.heap);
	const struct recording_count *c = &r->recording.count;
	struct text line = {0}, mean = {0}, blocks = {0};

	add_bytes(&line, t.allocated, " allocated");
	unit_figure(&blocks, "blocks", t.allocations);
	text_printf(&line, " in %s", blocks.s);
	if (t.columns > HEAP_LIVE)
		add_bytes(&line, t.live, " live at the end");
	if (t.columns > HEAP_PEAK)
		add_bytes(&line, t.peak, " at the peak");
	unit_figure(&mean, "bytes",
	    t.columns == HEAP_LIVE && c->samples > 0 ? (double)t.allocated / (double)c->samples
	    : t.mean != 0			     ? (double)t.mean
						     : (double)r->options->heap);
	cli_note("%s: estimates by %" PRIu64 " %s, one each %s; %" PRIu64
		 " lost; stacks %.2f %% complete",
	    line.s, c->samples, text_form(c->samples, "sample", "samples"), mean.s, losses_lost(c),
	    100 * losses_share(c->stack[CHAIN_COMPLETE], recording_user(c)));
	text_free(&line);
	text_free(&mean);
	text_free(&blocks);
}

static void
print_line(const struct record *r, const struct report *names)
{
	const struct options *o = r->options;
	const struct recording_count *c = &r->recording.count;
	const char *weight = options_weighted(o) ? r->period_unit : "samples";
	const uint64_t user = recording_user(c), seen = r->recording.processes->seen;

	char stacks[80] = "";

	if (user > 0)
		snprintf(stacks, sizeof stacks, " stacks %.2f %% complete, %.2f %% truncated;",
		    100 * losses_share(c->stack[CHAIN_COMPLETE], user),
		    100 * losses_share(recording_truncated(c), user));
	cli_note("%" PRIu64 " %s of %s in %.1f s from %" PRIu64 " %s, %" PRIu64
		 " lost;%s %.2f %% of frames unsymbolized; fg-render --countname %s",
	    c->samples, text_form(c->samples, "sample", "samples"), r->event, seconds(r), seen,
	    text_form(seen, "thread", "threads"), losses_lost(c), stacks,
	    100 * losses_share(names->unresolved, names->frames), options_timed(o) ? "us" : weight);
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

/* Why most samples without script frames have none. */
static const char *
reason_of(const struct script_count *c)
{
	const bool few = !c->refused && c->missed < (c->samples - c->read + 1) / 2;

	return c->reason == NULL || few ? "their threads ran no script" : c->reason;
}

/* A runtime with the version that was read, and where its proved offsets are from. */
static const char *
name_of(const struct script_count *c)
{
	static char text[160];

	if (c->version[0] == '\0')
		return c->runtime;
	snprintf(text, sizeof text, "%s %s (offsets: %s%s)", c->runtime, c->version, c->offsets,
	    c->copied > 0 ? "; frames copied by BPF" : "");
	return text;
}

/* Prints for how much of the blocked time script frames were read. */
static void
print_sleepers(const struct timeline *tl)
{
	const double share = losses_share(tl->script_read, tl->script);

	if (tl->script > 0 && (losses_are_wanted() || share < SLEEPERS_READ))
		cli_note("%.1f %% of the time in which interpreted threads were blocked has script "
			 "frames; in the rest they woke up before these were read",
		    100 * share);
}

/* Prints the detected interpreters, and the share of their samples with script frames. */
static void
print_scripts(const struct record *r)
{
	struct script_count count[SCRIPT_RUNTIMES];
	const size_t n = script_counts(r->recording.script, count, SCRIPT_RUNTIMES);

	print_sleepers(&r->recording.timeline);
	for (size_t i = 0; i < n; i++) {
		const struct script_count *c = &count[i];
		const char *reason = reason_of(c);
		double refused = losses_share(c->samples - c->read, r->recording.count.samples);

		if (c->refused && c->read == 0 && (refused >= REFUSED_MUCH || cli_verbose))
			cli_note("%.1f %% of samples are of a %s process without script frames: %s",
			    100 * refused, c->runtime, reason);
		else if (options_timed(r->options)) { /* of blocks the time is of interest */
			if (c->missed > 0 && losses_are_wanted())
				cli_note("%" PRIu64 " %s of %s on a CPU without script frames: %s",
				    c->missed, text_form(c->missed, "sample", "samples"),
				    c->runtime, c->reason);
		} else if (losses_are_wanted() && c->read < c->samples)
			cli_note("%.1f %% of samples of %s have script frames, %" PRIu64
				 " %s not: %s",
			    100 * losses_share(c->read, c->samples), name_of(c),
			    c->samples - c->read, text_form(c->samples - c->read, "does", "do"),
			    reason);
		else if (losses_are_wanted())
			cli_note("all samples of %s have script frames", name_of(c));
	}
}

/* Prints the share of samples whose threads have the label of --group-by, and why others do not. */
static void
print_labels(const struct record *r)
{
	const struct script_labels l = r->recording.script == NULL
					   ? (struct script_labels){0}
					   : script_labels(r->recording.script);
	const bool lost = l.uncopied > l.samples / LABELS_FEW;

	if (l.samples == 0 || (losses_share(l.read, l.samples) >= LABELS_MOST && !cli_verbose))
		return;
	cli_note("%.1f %% of samples have the label %s%s%s", 100 * losses_share(l.read, l.samples),
	    l.key, l.reason != NULL || lost || l.read == 0 ? ": " : "",
	    l.reason != NULL ? l.reason
	    : lost
		? "it is read where a BPF program runs at samples, or threads may be stopped; " CHECK_HINT
	    : l.read == 0 ? "no sampled thread has it"
			  : "");
}

void
recordsummary_print(const struct record *r, const struct report *names)
{
	const struct recording_count *c = &r->recording.count;

	cli_progress_end();
	if (losses_are_wanted() || losses_lost(c) > 0 || c->malformed > 0) {
		if (r->recording.heap != NULL)
			print_heap(r);
		else
			print_line(r, names);
	}
	print_scripts(r);
	print_labels(r);
	advice_print(r, names);
	if (r->options->output_chosen)
		print_answer(names, r->options->output);
}
