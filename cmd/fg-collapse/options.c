/*
 * options: the command line, and what each option needs of a format.
 */
#include "fg-collapse/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/source.h"

enum {
	OPT_SAMPLES = CLI_LONG,
	OPT_EVENT_FILTER,
	OPT_LIST_EVENTS,
	OPT_PID,
	OPT_TID,
	OPT_KERNEL,
	OPT_JIT,
	OPT_ALL,
	OPT_NO_ANNOTATE,
	OPT_MODULE,
	OPT_ADDRS,
	OPT_SRCLINE,
	OPT_SKIP_AFTER,
	OPT_NO_COMM,
	OPT_NORMALIZE_COMM,
	OPT_TIME_ORDER,
	OPT_NO_HEADER,
	OPT_FROM,
	OPT_TO,
	OPT_THREADS,
	OPT_STATE,
	OPT_RECURSIVE,
	OPT_INCLUDEOFFSET,
	OPT_NO_MODULES,
	OPT_SHORTEN_PKGS,
	OPT_TIME,
	OPT_TICKS,
	OPT_BYTES,
	OPT_BOTTLENECK,
	OPT_MAX_SIZE,
	OPT_ALLOW_EMPTY,
	OPT_STRICT,
	OPT_OFF_CPU,
	OPT_HEADER,
	OPT_NO_INLINE,
	OPT_BUILDIDS,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_VMLINUX,
	OPT_MAPS,
	OPT_DEBUGINFOD,
	OPT_INLINE,
	OPT_CONTEXT,
};

static const struct cli_option options[] = {
    {'f', "format", "NAME", "read this format instead of telling it from the first bytes"},
    {'l', "list-formats", NULL, "list the formats"},
    {'e', "event", "NAME", "fold this event; without it the first that is seen"},
    {OPT_EVENT_FILTER, "event-filter", "NAME", "the same"},
    {OPT_LIST_EVENTS, "list-events", NULL, "list the events of the files, their units and totals"},
    {OPT_SAMPLES, "samples", NULL, "count 1 for each sample instead of its period"},
    {OPT_PID, "pid", NULL, "comm-PID at the root"},
    {OPT_TID, "tid", NULL, "comm-PID/TID at the root"},
    {OPT_NO_COMM, "no-comm", NULL, "no comm at the root"},
    {OPT_NORMALIZE_COMM, "normalize-comm", NULL, "ksoftirqd for ksoftirqd/3, Thread for Thread-12"},
    {'a', "annotate", "[kjil]",
	"suffixes: k kernel, j JIT, i inlined, l library (all, the default)"},
    {OPT_NO_ANNOTATE, "no-annotate", NULL, "no suffixes, as the classic scripts"},
    {OPT_KERNEL, "kernel", NULL, "suffixes of kernel frames alone, as stackcollapse-perf.pl"},
    {OPT_JIT, "jit", NULL, "suffixes of JIT frames alone"},
    {OPT_ALL, "all", NULL, "both of these"},
    {OPT_MODULE, "module", NULL, "module`function"},
    {OPT_ADDRS, "addrs", NULL, "[module <address>] for unknown functions"},
    {OPT_SRCLINE, "srcline", NULL,
	"function (file:line), of perf.data, or from perf script -F +srcline"},
    {OPT_OFF_CPU, "off-cpu", NULL, "microseconds that threads were blocked (perf.data)"},
    {OPT_HEADER, "header", NULL, "say what the recording says of itself (perf.data)"},
    {OPT_NO_INLINE, "no-inline", NULL, "do not look for inlined functions (perf.data)"},
    {OPT_BUILDIDS, "buildids", "DIR", "programs by their build-id (~/.debug)"},
    {OPT_SYMFS, "symfs", "DIR", "folder in which the recorded paths begin (/)"},
    {OPT_KALLSYMS, "kallsyms", "FILE", "the kernel's symbols, as /proc/kallsyms was"},
    {OPT_VMLINUX, "vmlinux", "FILE", "the kernel, for its symbols"},
    {OPT_MAPS, "maps", "DIR", "perf-PID.map and jit-PID.dump files; '' for none"},
    {OPT_DEBUGINFOD, "debuginfod", NULL, "ask the servers of DEBUGINFOD_URLS"},
    {OPT_SKIP_AFTER, "skip-after", "NAME", CLI_HELP_SKIP_AFTER},
    {OPT_TIME_ORDER, "time-order", "[STEP]",
	"oldest first, merging only equal neighbours, within each step (10ms)"},
    {OPT_FROM, "from", "TIME", "only samples from then, counted from the first sample"},
    {OPT_TO, "to", "TIME", "only samples before then: 1.5, 20ms"},
    {OPT_NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {OPT_THREADS, "threads", NULL, "names of threads at the root, where they are not there anyway"},
    {OPT_STATE, "state", "NAME,...", "only threads in one of these states"},
    {OPT_RECURSIVE, "recursive", NULL, "a function that calls itself is one frame"},
    {OPT_INCLUDEOFFSET, "includeoffset", NULL, "function+offset"},
    {OPT_NO_MODULES, "no-modules", NULL, "without the modules that a format names by default"},
    {OPT_SHORTEN_PKGS, "shorten-pkgs", NULL, "j.u.Map.get for java.util.Map.get"},
    {OPT_TIME, "time", NULL, "as --event=time"},
    {OPT_TICKS, "ticks", NULL, "as --event=ticks"},
    {OPT_BYTES, "bytes", NULL, "as --event=bytes"},
    {OPT_BOTTLENECK, "bottleneck", NULL,
	"four columns: instruction, cache, memory, system, from callgrind"},
    {'j', "jobs", "N", "threads (as many as there are processors)"},
    {'n', "nthreads", "N", "the same"},
    {OPT_MAX_SIZE, "max-size", "SIZE",
	"the largest input to hold in memory, for formats that need it"},
    {OPT_ALLOW_EMPTY, "allow-empty", NULL, "no sample in any input is no error"},
    {OPT_STRICT, "strict", NULL, CLI_HELP_STRICT},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {OPT_INLINE, "inline", NULL, "taken for old scripts: perf script writes inlined frames itself"},
    {OPT_CONTEXT, "context", NULL, "taken for old scripts: see --srcline"},
    {0},
};

static const struct cli cli = {
    "[options] [file ...]",
    "Fold what profilers write into folded stacks.",
    options,
    false,
};

static void
list_formats(void)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		printf("%-15s  %s\n%-15s  %s\n", formats[i]->name, formats[i]->description, "",
		    formats[i]->origin);
	cli_exit_flushed();
}

static const struct format *
format_named(const char *name)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	cli_usage("unknown format %s (see --list-formats)", name);
}

static void
ask(struct options *o, unsigned data, const char *option)
{
	for (unsigned i = 0; i < DATA_BITS; i++)
		if (data & 1u << i)
			o->asked[i] = option;
}

static void
wish(struct options *o, unsigned has, const char *option)
{
	for (unsigned i = 0; i < HAS_BITS; i++)
		if (has & 1u << i)
			o->wished[i] = option;
}

void
options_check(const struct options *o, const struct format *f, const char *input)
{
	static const char *const name[DATA_BITS] = {"comm", "process", "thread", "modules",
	    "kinds of frames", "source lines", "addresses", "times", "order",
	    "events to choose from", "number of samples beside its weights"};
	static const char *const without[HAS_BITS] = {"no names of threads to add",
	    "no states of threads", "no offsets", "no modules by default", "no packages",
	    "no costs of caches and memory", "no addresses to be named here",
	    "no records of a recording"};

	for (unsigned i = 0; i < DATA_BITS; i++)
		if (f->lacks & 1u << i && o->asked[i] != NULL)
			cli_usage("%s: %s is of the format %s, which has no %s", o->asked[i], input,
			    f->name, name[i]);
	for (unsigned i = 0; i < HAS_BITS; i++)
		if (!(f->has & 1u << i) && o->wished[i] != NULL)
			cli_usage("%s: %s is of the format %s, which has %s", o->wished[i], input,
			    f->name, without[i]);
}

static unsigned
annotations(const char *letters)
{
	static const char known[] = "kjil";
	unsigned mask = 0;

	if (letters == NULL)
		return ANNOTATE_ALL;
	for (; *letters != '\0'; letters++) {
		const char *k = strchr(known, *letters);

		if (k == NULL)
			cli_usage("--annotate: %c: not one of k, j, i and l", *letters);
		mask |= 1u << (k - known);
	}
	return mask;
}

/* The masks of several such options add up. */
static void
annotate(struct options *o, unsigned *suffixes, unsigned mask, const char *option)
{
	o->sample.style.annotate = *suffixes |= mask;
	ask(o, DATA_KIND, option);
}

static void
choose(struct options *o, const char *event, const char *option)
{
	o->sample.event = event;
	ask(o, DATA_EVENT, option);
}

/* A file or folder that names addresses; it has to be there. */
static void
name_by(struct options *o, const char **where, const char *path, const char *option)
{
	if (path[0] != '\0' && access(path, R_OK) != 0)
		cli_usage("%s: %s: %s", option, path, strerror(errno));
	*where = path;
	wish(o, HAS_ADDRESSES, option);
}

/* As a classic script: nothing that it would not write. */
static void
annotate_classic(struct options *o, unsigned *suffixes, unsigned mask, const char *option)
{
	annotate(o, suffixes, mask, option);
	o->sample.no_header = true;
}

void
options_parse(struct options *o, int argc, char **argv)
{
	struct sample_options *s = &o->sample;
	unsigned suffixes = 0;
	char *arg;

	*o = (struct options){.sample = {.style.annotate = ANNOTATE_ALL, .to = UINT64_MAX}};
	cli_start(&cli, argv);
	o->jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (o->jobs > 16)
		o->jobs = 16;
	for (int key; (key = cli_next(argc, argv, &arg)) != -1;)
		switch (key) {
		case 'f': o->format = format_named(arg); break;
		case 'l': list_formats(); break;
		case 'e':
		case OPT_EVENT_FILTER: choose(o, arg, "--event"); break;
		case OPT_LIST_EVENTS: s->list = true; break;
		case OPT_SAMPLES:
			s->count = true;
			ask(o, DATA_COUNT, "--samples");
			break;
		case OPT_PID:
			s->pid = true;
			ask(o, DATA_PID, "--pid");
			break;
		case OPT_TID:
			s->pid = s->tid = true;
			ask(o, DATA_TID, "--tid");
			break;
		case OPT_NO_COMM:
			s->no_comm = true;
			ask(o, DATA_COMM, "--no-comm");
			break;
		case OPT_NORMALIZE_COMM:
			s->normalize_comm = true;
			ask(o, DATA_COMM, "--normalize-comm");
			break;
		case 'a': annotate(o, &suffixes, annotations(arg), "--annotate"); break;
		case OPT_KERNEL: annotate_classic(o, &suffixes, ANNOTATE_KERNEL, "--kernel"); break;
		case OPT_JIT: annotate_classic(o, &suffixes, ANNOTATE_JIT, "--jit"); break;
		case OPT_ALL:
			annotate_classic(o, &suffixes, ANNOTATE_KERNEL | ANNOTATE_JIT, "--all");
			break;
		case OPT_NO_ANNOTATE:
			s->style.annotate = suffixes = 0;
			s->no_header = true;
			break;
		case OPT_NO_HEADER: s->no_header = true; break;
		case OPT_MODULE:
			s->style.module = true;
			ask(o, DATA_MODULE, "--module");
			break;
		case OPT_ADDRS:
			s->style.addrs = true;
			ask(o, DATA_ADDRESS, "--addrs");
			break;
		case OPT_SRCLINE:
			s->style.source = true;
			ask(o, DATA_SOURCE, "--srcline");
			break;
		case OPT_OFF_CPU:
			o->off_cpu = true;
			wish(o, HAS_RECORDING, "--off-cpu");
			break;
		case OPT_HEADER:
			o->header = true;
			wish(o, HAS_RECORDING, "--header");
			break;
		case OPT_NO_INLINE:
			o->no_inline = true;
			wish(o, HAS_ADDRESSES, "--no-inline");
			break;
		case OPT_BUILDIDS: name_by(o, &o->buildids, arg, "--buildids"); break;
		case OPT_SYMFS: name_by(o, &o->symfs, arg, "--symfs"); break;
		case OPT_KALLSYMS: name_by(o, &o->kallsyms, arg, "--kallsyms"); break;
		case OPT_VMLINUX: name_by(o, &o->vmlinux, arg, "--vmlinux"); break;
		case OPT_MAPS: name_by(o, &o->maps, arg, "--maps"); break;
		case OPT_DEBUGINFOD:
			o->debuginfod = true;
			wish(o, HAS_ADDRESSES, "--debuginfod");
			break;
		case OPT_SKIP_AFTER: sample_skip_after(s, arg); break;
		case OPT_TIME_ORDER:
			s->time_order = true;
			if (arg != NULL && (s->step = cli_time("--time-order", arg)) == 0)
				cli_usage("--time-order: a step of no time");
			ask(o, DATA_ORDER, "--time-order");
			break;
		case OPT_FROM:
			s->range = true;
			s->from = cli_time("--from", arg);
			ask(o, DATA_TIME, "--from");
			break;
		case OPT_TO:
			s->range = true;
			s->to = cli_time("--to", arg);
			ask(o, DATA_TIME, "--to");
			break;
		case OPT_THREADS:
			o->threads = true;
			wish(o, HAS_THREADS, "--threads");
			break;
		case OPT_STATE:
			o->state = arg;
			wish(o, HAS_STATE, "--state");
			break;
		case OPT_RECURSIVE: s->recursive = true; break;
		case OPT_INCLUDEOFFSET:
			o->offsets = true;
			wish(o, HAS_OFFSET, "--includeoffset");
			break;
		case OPT_NO_MODULES:
			o->no_modules = true;
			wish(o, HAS_MODULES, "--no-modules");
			break;
		case OPT_SHORTEN_PKGS:
			o->short_packages = true;
			wish(o, HAS_PACKAGES, "--shorten-pkgs");
			break;
		case OPT_TIME: choose(o, "time", "--time"); break;
		case OPT_TICKS: choose(o, "ticks", "--ticks"); break;
		case OPT_BYTES: choose(o, "bytes", "--bytes"); break;
		case OPT_BOTTLENECK:
			o->bottleneck = true;
			wish(o, HAS_COSTS, "--bottleneck");
			break;
		case 'n':
		case 'j': o->jobs = (unsigned)cli_number("--jobs", arg, 1, 256); break;
		case OPT_MAX_SIZE: source_max_size = cli_size("--max-size", arg); break;
		case OPT_ALLOW_EMPTY: o->allow_empty = true; break;
		case OPT_STRICT: o->strict = true; break;
		case 'o': o->output = arg; break;
		case OPT_INLINE:
			cli_note(
			    "--inline: perf script writes inlined frames itself (perf record --call-graph dwarf)");
			break;
		case OPT_CONTEXT:
			cli_note(
			    "--context: perf script -F +srcline writes source lines; keep them with --srcline");
			break;
		}
	if (o->bottleneck && s->event != NULL)
		cli_usage("--bottleneck has four events of its own: leave --event out");
}
