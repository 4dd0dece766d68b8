/*
 * arguments: one row per option: help, handler, and the data it needs from a format.
 */
#include "fg-collapse/arguments.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/source.h"

static const struct format *
find_format(const char *name)
{
	for (const struct format_row *row = formats; row->name != NULL; row++)
		if (strcmp(row->name, name) == 0)
			return row->format;
	return NULL;
}

static void
set_format(struct options *o, char *name, const char *option)
{
	(void)option;
	if (find_format(name) == NULL)
		cli_usage("unknown format %s (see --list-formats)", name);
	o->format = name;
}

static void
list_formats(struct options *o, char *arg, const char *option)
{
	(void)o, (void)arg, (void)option;
	for (const struct format_row *row = formats; row->name != NULL; row++)
		printf("%-15s  %s\n%-15s  %s\n", row->name, row->description, "", row->origin);
	cli_exit_flushed();
}

/* --time, --ticks, --bytes: the option's name is the event's. */
static void
set_event_by_name(struct options *o, char *arg, const char *option)
{
	(void)arg;
	o->sample.event = option + 2;
}

static void
set_tid(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.pid = o->sample.tid = true;
}

/* Adds to the annotations of previous options; the first one replaces the default. */
static void
add_annotations(struct options *o, unsigned mask)
{
	o->annotate |= mask;
	o->sample.style.annotate = o->annotate;
}

static void
set_annotate(struct options *o, char *letters, const char *option)
{
	const struct frame_annotation *a;
	struct text known = {0};
	unsigned mask = letters == NULL ? ANNOTATE_ALL : 0;

	for (; letters != NULL && *letters != '\0'; letters++) {
		for (a = frame_annotations; a->letter != '\0' && a->letter != *letters; a++)
			continue;
		if (a->letter == '\0') {
			frame_list_letters(&known);
			cli_usage("%s: bad value '%c' (expected %s)", option, *letters, known.s);
		}
		mask |= a->mask;
	}
	add_annotations(o, mask);
}

/* The classic scripts' options: only annotations of these kinds, and no header lines. */
static void
set_kernel(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.no_header = true;
	add_annotations(o, ANNOTATE_KERNEL);
}

static void
set_jit(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.no_header = true;
	add_annotations(o, ANNOTATE_JIT);
}

static void
set_all(struct options *o, char *arg, const char *option)
{
	set_kernel(o, arg, option);
	set_jit(o, arg, option);
}

static void
set_no_annotations(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.style.annotate = o->annotate = 0;
}

static void
set_no_annotate(struct options *o, char *arg, const char *option)
{
	set_no_annotations(o, arg, option);
	o->sample.no_header = true;
}

/* INTO of a path: checks that a file or directory of symbols exists; exits with 2 if not. */
static void
readable(void *member, char *path, const char *option)
{
	if (path[0] != '\0' && access(path, R_OK) != 0)
		cli_usage("%s: %s: %s", option, path, strerror(errno));
	*(const char **)member = path;
}

static void
set_label(struct options *o, char *label, const char *option)
{
	if (strcmp(label, "auto") == 0)
		o->auto_labels = true;
	else if (!labels_option(&o->labels, label))
		cli_usage("%s: bad value '%s' (expected KEY=VALUE or auto)", option, label);
}

/* The options of stackcollapse-jstack.pl: of two conflicting ones the last one counts. */
static void
set_include_tname(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.no_comm = false;
}

static void
set_include_tid(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.normalize_comm = false;
}

static void
set_include_runnable(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->state = "RUNNABLE";
}

static void
set_jobs(struct options *o, char *n, const char *option)
{
	o->jobs = o->pipe_jobs = (unsigned)number_count(option, n, 1, CLI_JOBS_MAX);
}

static void
set_max_size(struct options *o, char *size, const char *option)
{
	(void)o;
	source_max_size = number_size(option, size, 1, 1, UINT64_MAX - 1);
}

static void
set_max_output(struct options *o, char *size, const char *option)
{
	o->max_output = number_size(option, size, 1, 1, UINT64_MAX - 1);
}

static void
note_inline(struct options *o, char *arg, const char *option)
{
	(void)o, (void)arg;
	cli_note("%s: perf script writes inlined frames itself (perf record --call-graph dwarf)",
	    option);
}

static void
note_context(struct options *o, char *arg, const char *option)
{
	(void)o, (void)arg;
	cli_note("%s: perf script -F +srcline writes source lines; keep them with --lines", option);
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-collapse/options.def"
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [file ...]",
    .purpose = "Convert the output of profilers to folded stacks.",
    .options = rows,
};

const struct format *
arguments_format(const struct options *o)
{
	return o->format == NULL ? NULL : find_format(o->format);
}

void
arguments_check(const struct format *f, const char *input)
{
	static const char *const name[DATA_BITS] = {"comms", "processes", "threads", "modules",
	    "kinds of frames", "source lines", "addresses", "times", "time order", "events",
	    "sample counts besides its weights", "thread names", "thread states", "offsets",
	    "module prefixes", "packages", "costs of caches and memory", "addresses to symbolize",
	    "facts about the recording", "labels of samples"};

	for (unsigned i = 0; i < DATA_BITS; i++)
		if (!(f->provides & 1u << i) && cli_needing(1u << i) != NULL)
			cli_usage("%s cannot be used with %s: format %s has no %s",
			    cli_needing(1u << i), input, format_name(f), name[i]);
}

void
arguments_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.sample = {.style.annotate = ANNOTATE_ALL, .to = UINT64_MAX}};
	cli_start(&cli, argv);
	o->jobs = cli_jobs();
	/* The pipe's writer needs a processor too, and a thread of ours is seldom slower. */
	o->pipe_jobs = o->jobs > 1 ? o->jobs - 1 : 1;
	cli_options(o, argc, argv);
	if (o->wakers && !o->off_cpu && !o->wall)
		cli_usage("--wakers needs --off-cpu or --wall");
	if (o->off_cpu && o->wall)
		cli_usage("--off-cpu cannot be used with --wall, which has blocked time as a "
			  "column");
	if (o->bottleneck && o->sample.event != NULL)
		cli_usage("--bottleneck cannot be used with --event: it has four events of its "
			  "own");
}
