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

#define JOBS_MAX 256
#define JOBS_DEFAULT_MAX 16

struct row {
	struct cli_option cli; /* for cli_rows */
	/* Applies the option; `option` is its name with dashes, for messages. May be NULL. */
	void (*set)(struct options *o, char *arg, const char *option);
	size_t flag; /* offset in struct options of a bool to set, or 0 */
	unsigned needs; /* DATA_* of the format of each input */
};

#define FLAG(member) offsetof(struct options, member)

static const struct format *
find_format(const char *name)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
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
	for (size_t i = 0; formats[i] != NULL; i++)
		printf("%-15s  %s\n%-15s  %s\n", formats[i]->name, formats[i]->description, "",
		    formats[i]->origin);
	cli_exit_flushed();
}

static void
set_group_by(struct options *o, char *key, const char *option)
{
	if (key[0] == '\0')
		cli_usage("%s: the name of the label is empty", option);
	o->sample.group_by = key;
}

static void
set_event(struct options *o, char *event, const char *option)
{
	(void)option;
	o->sample.event = event;
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
	static const char known[] = "kjil";
	unsigned mask = letters == NULL ? ANNOTATE_ALL : 0;

	for (; letters != NULL && *letters != '\0'; letters++) {
		const char *k = strchr(known, *letters);

		if (k == NULL)
			cli_usage("%s: bad value '%c' (expected letters of k, j, i and l)", option,
			    *letters);
		mask |= 1u << (k - known);
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

/* Checks that a file or directory of symbols exists; exits with 2 if not. */
static const char *
readable(char *path, const char *option)
{
	if (path[0] != '\0' && access(path, R_OK) != 0)
		cli_usage("%s: %s: %s", option, path, strerror(errno));
	return path;
}

static void
set_buildids(struct options *o, char *path, const char *option)
{
	o->buildids = readable(path, option);
}

static void
set_symfs(struct options *o, char *path, const char *option)
{
	o->symfs = readable(path, option);
}

static void
set_kallsyms(struct options *o, char *path, const char *option)
{
	o->kallsyms = readable(path, option);
}

static void
set_vmlinux(struct options *o, char *path, const char *option)
{
	o->vmlinux = readable(path, option);
}

static void
set_maps(struct options *o, char *path, const char *option)
{
	o->maps = readable(path, option);
}

static void
set_skip_after(struct options *o, char *function, const char *option)
{
	(void)option;
	sample_skip_after(&o->sample, function);
}

static void
set_time_order(struct options *o, char *step, const char *option)
{
	o->sample.time_order = true;
	if (step != NULL)
		o->sample.step = number_time(option, step, 1, NUMBER_TIME_MAX);
}

static void
set_from(struct options *o, char *time, const char *option)
{
	o->sample.range = true;
	o->sample.from = number_time(option, time, 0, NUMBER_TIME_MAX);
}

static void
set_label(struct options *o, char *label, const char *option)
{
	if (strcmp(label, "auto") == 0)
		o->auto_labels = true;
	else if (!labels_option(&o->labels, label))
		cli_usage("%s: bad value '%s' (expected KEY=VALUE or auto)", option, label);
}

static void
set_to(struct options *o, char *time, const char *option)
{
	o->sample.range = true;
	o->sample.to = number_time(option, time, 0, NUMBER_TIME_MAX);
}

static void
set_state(struct options *o, char *names, const char *option)
{
	(void)option;
	o->state = names;
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
	o->jobs = o->pipe_jobs = (unsigned)number_count(option, n, 1, JOBS_MAX);
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
set_output(struct options *o, char *path, const char *option)
{
	(void)option;
	o->output = path;
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

/* clang-format off */
static const struct row rows[] = {
    {{'f', "format", "FORMAT", "read FORMAT instead of detecting the format"},
	set_format, 0, 0},
    {{'l', "list-formats", NULL, "list the formats"}, list_formats, 0, 0},
    {{'e', "event", "NAME", "fold only this event (the profile's first or default)"},
	set_event, 0, DATA_EVENT},
    {{0, "event-filter", "NAME", "alias for --event"}, set_event, 0, DATA_EVENT},
    {{0, "list-events", NULL, "list the events of the files, with units and totals"},
	NULL, FLAG(sample.list), 0},
    {{0, "samples", NULL, "count 1 for each sample instead of its period"},
	NULL, FLAG(sample.count), DATA_COUNT},
    {{0, "show-pid", NULL, "show comm-PID as root frames"}, NULL, FLAG(sample.pid), DATA_PID},
    {{0, "pid", NULL, "alias for --show-pid"}, NULL, FLAG(sample.pid), DATA_PID},
    {{0, "show-tid", NULL, "show comm-PID/TID as root frames"}, set_tid, 0, DATA_TID},
    {{0, "tid", NULL, "alias for --show-tid"}, set_tid, 0, DATA_TID},
    {{0, "no-comm", NULL, "omit the comm at the root"}, NULL, FLAG(sample.no_comm), DATA_COMM},
    {{0, "normalize-comm", NULL, "omit numbers of comms: ksoftirqd for ksoftirqd/3"},
	NULL, FLAG(sample.normalize_comm), DATA_COMM},
    {{'a', "annotate", "[kjil]", "suffixes: k kernel, j JIT, i inlined, l library (all, the default)"},
	set_annotate, 0, DATA_KIND},
    {{0, "no-annotations", NULL, CLI_HELP_NO_ANNOTATIONS}, set_no_annotations, 0, 0},
    {{0, "no-annotate", NULL, CLI_HELP_NO_ANNOTATE}, set_no_annotate, 0, 0},
    {{0, "kernel", NULL, "alias for --annotate=k --no-header"}, set_kernel, 0, DATA_KIND},
    {{0, "jit", NULL, "alias for --annotate=j --no-header"}, set_jit, 0, DATA_KIND},
    {{0, "all", NULL, "alias for --annotate=kj --no-header"}, set_all, 0, DATA_KIND},
    {{0, "module", NULL, "module`function"}, NULL, FLAG(sample.style.module), DATA_MODULE},
    {{0, "addrs", NULL, "show [module <address>] for unknown functions"},
	NULL, FLAG(sample.style.addrs), DATA_ADDRESS},
    {{0, "lines", NULL, "add the line that ran: (file.c:57)"},
	NULL, FLAG(sample.style.source), DATA_SOURCE},
    {{0, "srcline", NULL, "alias for --lines"}, NULL, FLAG(sample.style.source), DATA_SOURCE},
    {{0, "off-cpu", NULL, "fold blocked time, in microseconds (perf.data)"},
	NULL, FLAG(off_cpu), DATA_RECORDING},
    {{0, "wall", NULL, "fold all time in three columns: cpu, waiting, blocked"},
	NULL, FLAG(wall), DATA_RECORDING},
    {{0, "wakers", NULL, "append the waker's stack, with frames f_[w]"},
	NULL, FLAG(wakers), DATA_RECORDING},
    {{0, "header", NULL, "print facts of the recording as comments (perf.data)"},
	NULL, FLAG(header), DATA_RECORDING},
    {{0, "no-inline", NULL, "omit inlined functions (perf.data)"},
	NULL, FLAG(no_inline), DATA_UNSYMBOLIZED},
    {{0, "buildids", "DIR", "find programs by build ID in this directory (~/.debug)"},
	set_buildids, 0, DATA_UNSYMBOLIZED},
    {{0, "symfs", "DIR", "find programs by path below this directory (/)"},
	set_symfs, 0, DATA_UNSYMBOLIZED},
    {{0, "kallsyms", "FILE", "read kernel symbols from a copy of /proc/kallsyms"},
	set_kallsyms, 0, DATA_UNSYMBOLIZED},
    {{0, "vmlinux", "FILE", "read kernel symbols from this vmlinux"}, set_vmlinux, 0, DATA_UNSYMBOLIZED},
    {{0, "maps", "DIR", "find perf-PID.map and jit-PID.dump here; '' for none"},
	set_maps, 0, DATA_UNSYMBOLIZED},
    {{0, "debuginfod", NULL, "query the servers of DEBUGINFOD_URLS"},
	NULL, FLAG(debuginfod), DATA_UNSYMBOLIZED},
    {{0, "skip-after", "NAME", CLI_HELP_SKIP_AFTER}, set_skip_after, 0, 0},
    {{0, "time-order", "[STEP]", "print stacks in time order, merged within each step (10ms)"},
	set_time_order, 0, DATA_ORDER},
    {{0, "from", "TIME", "skip samples before TIME, counted from the first one"},
	set_from, 0, DATA_TIME},
    {{0, "to", "TIME", "skip samples from TIME on: 1.5, 20ms"}, set_to, 0, DATA_TIME},
    {{0, "label", "KEY=VALUE", "add a label; auto: host, command and times of perf.data"},
	set_label, 0, 0},
    {{0, "group-by", "KEY", "add KEY=VALUE of each sample's label at the root"},
	set_group_by, 0, DATA_LABELS},
    {{0, "no-labels", NULL, CLI_HELP_NO_LABELS}, NULL, FLAG(no_labels), 0},
    {{0, "no-header", NULL, CLI_HELP_NO_HEADER}, NULL, FLAG(sample.no_header), 0},
    {{0, "threads", NULL, "add the thread's name at the root, if it is not there"},
	NULL, FLAG(threads), DATA_THREAD_NAMES},
    {{0, "state", "NAME,...", "fold only threads in these states"}, set_state, 0, DATA_STATE},
    {{0, "recursive", NULL, "merge the frames of direct recursion"},
	NULL, FLAG(sample.recursive), 0},
    {{0, "includeoffset", NULL, "function+offset"}, NULL, FLAG(offsets), DATA_OFFSET},
    {{0, "no-modules", NULL, "omit the modules that the format shows by default"},
	NULL, FLAG(no_modules), DATA_MODULE_PREFIX},
    {{0, "shorten-pkgs", NULL, "abbreviate packages: j.u.Map.get for java.util.Map.get"},
	NULL, FLAG(short_packages), DATA_PACKAGES},
    {{0, "include-tname", NULL, "undo --no-comm, as in stackcollapse-jstack.pl"},
	set_include_tname, 0, DATA_COMM},
    {{0, "no-include-tname", NULL, "alias for --no-comm"},
	NULL, FLAG(sample.no_comm), DATA_COMM},
    {{0, "include-tid", NULL, "undo --normalize-comm, as in stackcollapse-jstack.pl"},
	set_include_tid, 0, DATA_COMM},
    {{0, "no-include-tid", NULL, "alias for --normalize-comm"},
	NULL, FLAG(sample.normalize_comm), DATA_COMM},
    {{0, "include-runnable", NULL, "alias for --state=RUNNABLE"},
	set_include_runnable, 0, DATA_STATE},
    {{0, "time", NULL, "as --event=time"}, set_event_by_name, 0, DATA_EVENT},
    {{0, "ticks", NULL, "as --event=ticks"}, set_event_by_name, 0, DATA_EVENT},
    {{0, "bytes", NULL, "as --event=bytes"}, set_event_by_name, 0, DATA_EVENT},
    {{0, "bottleneck", NULL, "fold callgrind costs as instruction, cache, memory, system"},
	NULL, FLAG(bottleneck), DATA_COSTS},
    {{'j', "jobs", "N", "number of threads (as many as processors)"}, set_jobs, 0, 0},
    {{'n', "nthreads", "N", "alias for --jobs"}, set_jobs, 0, 0},
    {{0, "max-size", "SIZE", "limit of input held in memory, by formats that need it"},
	set_max_size, 0, 0},
    {{0, "max-output", "SIZE", "limit of the stacks that are written"}, set_max_output, 0, 0},
    {{0, "allow-empty", NULL, "exit 0 even if no input has a sample"}, NULL, FLAG(allow_empty), 0},
    {{0, "strict", NULL, CLI_HELP_STRICT}, NULL, FLAG(strict), 0},
    {{'o', "output", "FILE", CLI_HELP_OUTPUT}, set_output, 0, 0},
    {{0, "inline", NULL, "ignored (compatibility): see perf script"},
	note_inline, 0, 0},
    {{0, "context", NULL, "ignored (compatibility): see --lines"}, note_context, 0, 0},
};
/* clang-format on */

#define ROWS (sizeof rows / sizeof rows[0])

/* The rows in cli's form, each with a key, and a row of zeros. */
static struct cli_option options[ROWS + 1];

static const struct cli cli = {
    .synopsis = "[options] [file ...]",
    .purpose = "Convert the output of profilers to folded stacks.",
    .options = options,
};

const struct format *
arguments_format(const struct options *o)
{
	return o->format == NULL ? NULL : find_format(o->format);
}

void
arguments_check(const struct options *o, const struct format *f, const char *input)
{
	static const char *const name[DATA_BITS] = {"comms", "processes", "threads", "modules",
	    "kinds of frames", "source lines", "addresses", "times", "time order", "events",
	    "sample counts besides its weights", "thread names", "thread states", "offsets",
	    "module prefixes", "packages", "costs of caches and memory", "addresses to symbolize",
	    "facts about the recording", "labels of samples"};

	for (unsigned i = 0; i < DATA_BITS; i++)
		if (!(f->provides & 1u << i) && o->needed_by[i] != NULL)
			cli_usage("%s cannot be used with %s: format %s has no %s", o->needed_by[i],
			    input, f->name, name[i]);
}

/* Stores the option that needs `data`, for messages. */
static void
need(struct options *o, unsigned data, const char *option)
{
	for (unsigned i = 0; i < DATA_BITS; i++)
		if (data & 1u << i)
			o->needed_by[i] = option;
}

static void
apply(struct options *o, const struct row *row, char *arg, const char *option)
{
	if (row->flag != 0)
		*(bool *)((char *)o + row->flag) = true;
	if (row->set != NULL)
		row->set(o, arg, option);
	need(o, row->needs, option);
}

void
arguments_parse(struct options *o, int argc, char **argv)
{
	static char name[ROWS][CLI_NAME];
	char *arg;

	*o = (struct options){.sample = {.style.annotate = ANNOTATE_ALL, .to = UINT64_MAX}};
	cli_rows(options, name, rows, sizeof *rows, ROWS);
	cli_start(&cli, argv);
	o->jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (o->jobs > JOBS_DEFAULT_MAX)
		o->jobs = JOBS_DEFAULT_MAX;
	/* The pipe's writer needs a processor too, and a thread of ours is seldom slower. */
	o->pipe_jobs = o->jobs > 1 ? o->jobs - 1 : 1;
	for (int key; (key = cli_next(argc, argv, &arg)) != -1;)
		for (size_t i = 0; i < ROWS; i++)
			if (options[i].key == key)
				apply(o, &rows[i], arg, name[i]);
	if (o->wakers && !o->off_cpu && !o->wall)
		cli_usage("--wakers needs --off-cpu or --wall");
	if (o->off_cpu && o->wall)
		cli_usage("--off-cpu cannot be used with --wall, which has blocked time as a "
			  "column");
	if (o->bottleneck && o->sample.event != NULL)
		cli_usage("--bottleneck cannot be used with --event: it has four events of its "
			  "own");
}
