/*
 * options: one row per option: help, handler, and the options that it needs or excludes.
 */
#include "fg-record/asking/options.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/vec.h"
#include "fg-record/asking/find.h"
#include "fg-record/asking/outputname.h"
#include "fg-record/record.h"
#include "trace/heapabi.h"

#define SHORTEST UINT64_C(1000000) /* ns */
#define LONGEST (UINT64_C(1000000000) * 1000000000) /* ns */
#define MIB (UINT64_C(1) << 20) /* bytes */
#define STREAM_STEP UINT64_C(1000000000) /* ns */
#define STREAM_SHORTEST UINT64_C(10000000) /* ns: each step has a process that symbolizes */

/* Options that others need or exclude, and arguments that do; bits of options.given. */
enum {
	GIVEN_PROCESSES = 1 << 0,
	GIVEN_NAME = 1 << 1,
	GIVEN_CGROUP = 1 << 2,
	GIVEN_THREADS = 1 << 3,
	GIVEN_ALL = 1 << 4,
	GIVEN_FREQ = 1 << 5,
	GIVEN_COUNT = 1 << 6,
	GIVEN_EVENT = 1 << 7,
	GIVEN_FP = 1 << 8,
	GIVEN_LBR = 1 << 9,
	GIVEN_PER_THREAD = 1 << 10,
	GIVEN_PERIOD = 1 << 11,
	GIVEN_FIELD = 1 << 12,
	GIVEN_OFF_CPU = 1 << 13,
	GIVEN_WALL = 1 << 14,
	GIVEN_PTRACE = 1 << 15,
	GIVEN_LINES = 1 << 16,
	GIVEN_NO_HEADER = 1 << 17,
	GIVEN_TIME_ORDER = 1 << 18,
	GIVEN_INTERVAL = 1 << 19,
	GIVEN_HEAP = 1 << 20,
	GIVEN_BITS = 21,
	GIVEN_TIMED = GIVEN_OFF_CPU | GIVEN_WALL,
	GIVEN_WEIGHT = GIVEN_PERIOD | GIVEN_FIELD,
	GIVEN_NOT_DWARF = GIVEN_FP | GIVEN_LBR,
};

static const char *const given_name[GIVEN_BITS] = {"-p", "-p NAME", "--cgroup", "-t", "--all-cpus",
    "--freq", "--count", "--event", "--call-graph fp", "--call-graph lbr", "--per-thread",
    "--weight period", "--weight field:NAME", "--off-cpu", "--wall", "--ptrace", "--lines",
    "--no-header", "--time-order", "--interval", "--heap"};

struct row {
	struct cli_option cli; /* for cli_rows */
	/* Applies the option; `option` is its name with dashes, for messages. May be NULL. */
	void (*set)(struct options *o, char *arg, const char *option);
	size_t flag; /* offset in struct options of a bool to set, or 0 */
	unsigned given; /* GIVEN_* that the option stands for; `set` adds those of its argument */
	unsigned needs; /* GIVEN_*: one of them is needed; 0: none */
	unsigned excludes; /* GIVEN_*: none of them may be given too */
};

#define FLAG(member) offsetof(struct options, member)

/* Advice for options of fg-render and of perf record, which users try here; NULL without any. */
static const char *
hint(const char *option)
{
	static const char *const render[] = {"title", "subtitle", "notes", "width", "height",
	    "image-width", "colors", "color", "palette", "flamechart", "inverted", "reverse",
	    "heatmap", "text", "open", "minwidth", "min-width", "min-percent", "countname",
	    "nametype", "hash", "negate", "search-color", "deterministic", "image-format"};
	const char *name = option + strspn(option, "-");
	size_t n = strcspn(name, "=");

	if (strcmp(option, "-g") == 0)
		return "call stacks are always recorded";
	if (strcmp(option, "-T") == 0)
		return "an option of fg-render; use fg-record ... | fg-render ...";
	for (size_t i = 0; option[1] == '-' && i < sizeof render / sizeof *render; i++)
		if (strlen(render[i]) == n && strncmp(name, render[i], n) == 0)
			return "an option of fg-render; use fg-record ... | fg-render ...";
	return NULL;
}

/*
 * Parses -p: PIDs and command names. Names are looked up by find_processes, since --every may
 * follow.
 */
static void
add_processes(struct options *o, char *arg, const char *option)
{
	char *list = cli_strdup(arg), *rest = list, *word;

	while ((word = strsep(&rest, ",")) != NULL) {
		if (word[0] == '\0')
			cli_usage("%s %s: a name in the list is empty", option, arg);
		if (word[strspn(word, "0123456789")] == '\0') {
			ids_add_new(&o->pids, (int)number_count(option, word, 1, INT_MAX));
			continue;
		}
		vec_fit(o->name, o->cap_name, o->nname + 1);
		o->name[o->nname++] = cli_strdup(word);
		o->given |= GIVEN_NAME;
	}
	free(list);
}

static void
add_threads(struct options *o, char *arg, const char *option)
{
	char *list = cli_strdup(arg), *rest = list, *word;

	while ((word = strsep(&rest, ",")) != NULL)
		ids_add_new(&o->tids, (int)number_count(option, word, 1, INT_MAX));
	free(list);
}

static void
set_cgroup(struct options *o, char *group, const char *option)
{
	if (group[0] == '\0')
		cli_usage("%s: the name is empty; / is the group of all processes", option);
	o->cgroup = group;
}

static void
set_freq(struct options *o, char *arg, const char *option)
{
	o->frequency = number_count(option, arg, 1, 1000000);
	o->rate_given = true;
}

static void
set_count(struct options *o, char *arg, const char *option)
{
	o->period = number_count(option, arg, 1, INT64_MAX);
	o->rate_given = true;
}

static void
set_event(struct options *o, char *event, const char *option)
{
	(void)option;
	o->event = event;
}

static uint64_t
seconds(const char *arg, const char *option)
{
	return number_time(option, arg, SHORTEST, LONGEST);
}

static void
set_duration(struct options *o, char *arg, const char *option)
{
	o->duration = seconds(arg, option);
}

static void
set_delay(struct options *o, char *arg, const char *option)
{
	o->delay = seconds(arg, option);
}

static void
set_interval(struct options *o, char *arg, const char *option)
{
	o->interval = seconds(arg, option);
}

static void
set_stack_size(struct options *o, char *arg, const char *option)
{
	const uint64_t size = number_size(option, arg, 1, 8, 64 << 10);

	/* perf_event_attr.sample_stack_user is a multiple of 8 below 64 KiB. */
	o->stack_size = size < 64 << 10 ? (uint32_t)size & ~7u : 65528;
	o->stack_given = true;
}

/* Parses dwarf, fp or lbr, and perf's dwarf,SIZE. */
static void
set_call_graph(struct options *o, char *arg, const char *option)
{
	o->given &= ~(unsigned)GIVEN_NOT_DWARF;
	if (strcmp(arg, "dwarf") == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
	} else if (strncmp(arg, "dwarf,", 6) == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
		set_stack_size(o, arg + 6, "--stack-size");
	} else if (strcmp(arg, "fp") == 0) {
		o->call_graph = CALL_GRAPH_FP;
		o->given |= GIVEN_FP;
	} else if (strcmp(arg, "lbr") == 0) {
		o->call_graph = CALL_GRAPH_LBR;
		o->given |= GIVEN_LBR;
	} else {
		cli_usage("%s: bad value '%s' (expected dwarf, fp or lbr)", option, arg);
	}
}

static void
set_ring_size(struct options *o, char *arg, const char *option)
{
	o->ring_size = number_size(option, arg, MIB, 8 << 10, 4096 * MIB);
}

static void
set_weight(struct options *o, char *arg, const char *option)
{
	o->given &= ~(unsigned)GIVEN_WEIGHT;
	o->weight_field = strncmp(arg, "field:", 6) == 0 && arg[6] != '\0' ? arg + 6 : NULL;
	o->weight_period = strcmp(arg, "period") == 0;
	if (o->weight_field != NULL)
		o->given |= GIVEN_FIELD;
	else if (o->weight_period)
		o->given |= GIVEN_PERIOD;
	else if (strcmp(arg, "samples") != 0)
		cli_usage(
		    "%s: bad value '%s' (expected samples, period or field:NAME)", option, arg);
}

static void
set_heap(struct options *o, char *bytes, const char *option)
{
	o->heap =
	    bytes != NULL ? number_size(option, bytes, 1, 1, 1024 * MIB) : HEAPABI_MEAN_DEFAULT;
}

static void
set_idle(struct options *o, char *arg, const char *option)
{
	if (strcmp(arg, "show") != 0 && strcmp(arg, "hide") != 0)
		cli_usage("%s: bad value '%s' (expected show or hide)", option, arg);
	o->hide_idle = strcmp(arg, "hide") == 0;
}

static void
set_source(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->source = SOURCE_DEFINITION;
}

static void
set_lines(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->source = SOURCE_LINE;
}

static void
set_no_annotations(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sample.style.annotate = 0;
}

static void
add_label(struct options *o, char *label, const char *option)
{
	if (!labels_option(&o->labels, label))
		cli_usage("%s: bad value '%s' (expected KEY=VALUE)", option, label);
}

static void
set_time_order(struct options *o, char *step, const char *option)
{
	if (step != NULL)
		o->sample.step = number_time(option, step, 1, NUMBER_TIME_MAX);
}

static void
set_skip_after(struct options *o, char *function, const char *option)
{
	(void)option;
	sample_skip_after(&o->sample, function);
}

static void
set_stream(struct options *o, char *step, const char *option)
{
	o->step = step != NULL ? number_time(option, step, STREAM_SHORTEST, LONGEST) : STREAM_STEP;
}

static void
set_keep(struct options *o, char *n, const char *option)
{
	o->keep = number_count(option, n, 1, INT_MAX);
}

static void
set_output(struct options *o, char *path, const char *option)
{
	(void)option;
	o->output = path;
}

/* clang-format off */
static const struct row rows[] = {
    {{'p', "pid", "PID|NAME[,...]", "record these processes and their new children"},
	add_processes, 0, GIVEN_PROCESSES, 0, 0},
    {{0, "every", NULL, "with -p NAME, record all processes of that name"},
	NULL, FLAG(every), 0, GIVEN_NAME, 0},
    {{0, "with-children", NULL, "record their existing children too"},
	NULL, FLAG(with_children), 0, GIVEN_PROCESSES | GIVEN_CGROUP, 0},
    {{0, "cgroup", "GROUP", "record a control group: a unit, a container or a path"},
	set_cgroup, 0, GIVEN_CGROUP, 0, 0},
    {{'t', "tid", "TID[,TID...]", "record only these threads"},
	add_threads, 0, GIVEN_THREADS, 0, 0},
    {{'a', "all-cpus", NULL, "record all processes"}, NULL, FLAG(all), GIVEN_ALL, 0, 0},
    {{'F', "freq", "HZ", "samples per second (997)"},
	set_freq, 0, GIVEN_FREQ, 0, GIVEN_COUNT},
    {{'c', "count", "PERIOD", "take a sample every PERIOD events instead"},
	set_count, 0, GIVEN_COUNT, 0, 0},
    {{'e', "event", "EVENT", "cycles, cpu-clock, page-faults, sched:sched_switch, ... (cycles)"},
	set_event, 0, GIVEN_EVENT, 0, 0},
    {{'d', "duration", "TIME", "stop after TIME: 1.5, 20ms, 2m"}, set_duration, 0, 0, 0, 0},
    {{0, "delay", "TIME", "discard the samples of the first TIME"}, set_delay, 0, 0, 0, 0},
    {{0, "call-graph", "HOW", "how to unwind: dwarf, fp or lbr (dwarf)"},
	set_call_graph, 0, 0, 0, 0},
    {{0, "stack-size", "SIZE", "bytes of the stack to copy with each sample (65528)"},
	set_stack_size, 0, 0, 0, 0},
    {{0, "deep-stacks", NULL, "copy deeper stacks, too (default without --stack-size)"},
	NULL, FLAG(deep_stacks), 0, 0,
	GIVEN_NOT_DWARF | GIVEN_PTRACE | GIVEN_TIMED | GIVEN_PER_THREAD | GIVEN_FIELD},
    {{'m', "ring-size", "SIZE", "ring buffer per CPU, in megabytes or as 64k (up to 16, as allowed)"},
	set_ring_size, 0, 0, 0, 0},
    {{0, "debuginfod", NULL, "query the servers of DEBUGINFOD_URLS"},
	NULL, FLAG(debuginfod), 0, 0, 0},
    {{0, "no-inline", NULL, "omit inlined functions"}, NULL, FLAG(no_inline), 0, 0, 0},
    {{0, "no-kernel", NULL, "sample user code only"}, NULL, FLAG(no_kernel), 0, 0, 0},
    {{0, "all-user", NULL, "alias for --no-kernel"}, NULL, FLAG(no_kernel), 0, 0, 0},
    {{0, "show-pid", NULL, "show comm-PID as root frames"}, NULL, FLAG(sample.pid), 0, 0, 0},
    {{0, "show-tid", NULL, "show comm-PID/TID as root frames"},
	NULL, FLAG(sample.tid), 0, 0, 0},
    {{0, "per-thread", NULL, "use a ring buffer per thread, as perf does, not per CPU"},
	NULL, FLAG(per_thread), GIVEN_PER_THREAD, 0, GIVEN_ALL},
    {{0, "weight", "WHAT", "count samples, period, or field:NAME of a tracepoint (samples)"},
	set_weight, 0, 0, 0, 0},
    {{0, "off-cpu", NULL, "record blocked time, in microseconds"},
	NULL, FLAG(off_cpu), GIVEN_OFF_CPU, 0,
	GIVEN_EVENT | GIVEN_FREQ | GIVEN_COUNT | GIVEN_WEIGHT | GIVEN_LBR},
    {{0, "wall", NULL, "record all time in three columns: cpu, waiting, blocked"},
	NULL, FLAG(wall), GIVEN_WALL, 0,
	GIVEN_OFF_CPU | GIVEN_EVENT | GIVEN_COUNT | GIVEN_WEIGHT | GIVEN_LBR},
    {{0, "heap", "[SIZE]", "record allocated and live bytes, one sample each SIZE (512k)"},
	set_heap, 0, GIVEN_HEAP, 0,
	GIVEN_ALL | GIVEN_THREADS | GIVEN_CGROUP | GIVEN_EVENT | GIVEN_FREQ | GIVEN_COUNT |
	    GIVEN_WEIGHT | GIVEN_NOT_DWARF | GIVEN_TIMED | GIVEN_PTRACE | GIVEN_TIME_ORDER |
	    GIVEN_PER_THREAD},
    {{0, "allocator-frames", NULL, "with --heap, show the allocator's own frames too"},
	NULL, FLAG(allocator_frames), 0, GIVEN_HEAP, 0},
    {{0, "wakers", NULL, "append the waker's stack, with frames f_[w]"},
	NULL, FLAG(wakers), 0, GIVEN_TIMED, 0},
    {{0, "idle", "WHAT", "with --off-cpu or --wall, show or hide threads that never ran (show)"},
	set_idle, 0, 0, GIVEN_TIMED, 0},
    {{0, "ptrace", NULL, "sample by ptrace, if perf_event_open is refused"},
	NULL, FLAG(ptrace), GIVEN_PTRACE, 0,
	GIVEN_ALL | GIVEN_TIMED | GIVEN_EVENT | GIVEN_COUNT | GIVEN_NOT_DWARF},
    {{0, "no-script", NULL, "omit functions of scripts and virtual machines"},
	NULL, FLAG(no_script), 0, 0, 0},
    {{0, "interpreter-frames", NULL, "show frames of the interpreter's loop too"},
	NULL, FLAG(interpreter_frames), 0, 0, 0},
    {{0, "source", NULL, "add the function's source location: (file.c:42)"},
	set_source, 0, 0, 0, GIVEN_LINES},
    {{0, "lines", NULL, "add the line that ran: (file.c:57)"},
	set_lines, 0, GIVEN_LINES, 0, 0},
    {{0, "srcline", NULL, "alias for --lines"}, set_lines, 0, GIVEN_LINES, 0, 0},
    {{0, "module", NULL, "add the module: libc.so.6`memcpy"},
	NULL, FLAG(sample.style.module), 0, 0, 0},
    {{0, "no-annotations", NULL, CLI_HELP_NO_ANNOTATIONS}, set_no_annotations, 0, 0, 0, 0},
    {{0, "no-annotate", NULL, CLI_HELP_NO_ANNOTATE},
	set_no_annotations, FLAG(sample.no_header), GIVEN_NO_HEADER, 0, 0},
    {{0, "no-header", NULL, CLI_HELP_NO_HEADER},
	NULL, FLAG(sample.no_header), GIVEN_NO_HEADER, 0, 0},
    {{0, "label", "KEY=VALUE", "add a label to the header"}, add_label, 0, 0, 0, 0},
    {{0, "no-labels", NULL, CLI_HELP_NO_LABELS}, NULL, FLAG(no_labels), 0, 0, 0},
    {{0, "time-order", "[STEP]", "print stacks in time order, merged within each step (10ms)"},
	set_time_order, FLAG(sample.time_order), GIVEN_TIME_ORDER, 0, 0},
    {{0, "skip-after", "NAME", CLI_HELP_SKIP_AFTER}, set_skip_after, 0, 0, 0, 0},
    {{0, "stream", "[STEP]", "write each time step as it ends (1s), for fg-render --live"},
	set_stream, FLAG(stream), 0, 0, GIVEN_INTERVAL | GIVEN_TIME_ORDER},
    {{0, "interval", "TIME", "start a new file every TIME; %T in -o is its start time"},
	set_interval, 0, GIVEN_INTERVAL, 0, 0},
    {{0, "keep-files", "N", "keep the newest N files of --interval"},
	set_keep, 0, 0, GIVEN_INTERVAL, GIVEN_NO_HEADER},
    {{0, "keep", "N", "alias for --keep-files"},
	set_keep, 0, 0, GIVEN_INTERVAL, GIVEN_NO_HEADER},
    {{'o', "output", "FILE", CLI_HELP_OUTPUT}, set_output, 0, 0, 0, 0},
};
/* clang-format on */

#define ROWS (sizeof rows / sizeof rows[0])

/* The rows in cli's form, each with a key, and a row of zeros. */
static struct cli_option options[ROWS + 1];

static const struct cli cli = {
    .synopsis = "[options] [--] command [argument ...]\n"
		"       fg-record [options] -p PID | -t TID | -a",
    .purpose = "Sample a program and print folded stacks.",
    .options = options,
    .posix = true,
    .hint = hint,
};

bool
options_contention(const struct options *o)
{
	return o->event != NULL && strcmp(o->event, "lock:contention") == 0;
}

/* Exits 125 if a needed option is missing, or an excluded one is there. */
static void
check_row(const struct options *o, const struct row *row, const char *option)
{
	char names[64] = "";

	for (unsigned i = 0; i < GIVEN_BITS; i++)
		if (row->excludes & o->given & 1u << i)
			cli_usage("%s cannot be used with %s", option, given_name[i]);
	if (row->needs == 0 || (row->needs & o->given))
		return;
	for (unsigned i = 0; i < GIVEN_BITS; i++)
		if (row->needs & 1u << i) {
			strlcat(names, names[0] != '\0' ? " or " : "", sizeof names);
			strlcat(names, given_name[i], sizeof names);
		}
	cli_usage("%s needs %s", option, names);
}

static void
check_target(const struct options *o)
{
	int targets = (o->command != NULL) + ((o->given & GIVEN_ALL) != 0) +
		      ((o->given & (GIVEN_PROCESSES | GIVEN_CGROUP | GIVEN_THREADS)) != 0);

	if (targets == 0)
		cli_usage("no target: give a command, -p, -t, --cgroup or -a");
	if (targets > 1)
		cli_usage("several targets: use only one of a command, -a, and -p, -t or --cgroup");
}

/* True if the last part of the name has %T, and nothing else has. */
static bool
has_time_in_its_last_part(const char *name)
{
	const char *time = strstr(name, "%T"), *slash = strrchr(name, '/');

	return time != NULL && (slash == NULL || time > slash) && strstr(time + 2, "%T") == NULL;
}

/* Exits 125 if the arguments of options do not fit together. */
static void
check_arguments(const struct options *o)
{
	if (o->weight_field != NULL && o->event == NULL)
		cli_usage("--weight field:%s needs -e TRACEPOINT", o->weight_field);
	if (options_has_files(o) && (o->output == NULL || strstr(o->output, "%T") == NULL))
		cli_usage(
		    "--interval needs -o with %%T, which is the start time: -o 'name.%%T.folded'");
	if (o->keep != 0 && !has_time_in_its_last_part(o->output))
		cli_usage("--keep-files needs one %%T in the last part of -o's name");
}

/* Replaces names, control group and --with-children by the processes that match now. */
static void
find_processes(struct options *o)
{
	for (size_t i = 0; i < o->nname; i++)
		find_name(&o->pids, o->name[i], o->every);
	if (o->cgroup != NULL)
		find_cgroup(&o->pids, o->cgroup);
	if (o->with_children)
		find_children(&o->pids);
}

static void
apply(struct options *o, const struct row *row, char *arg, const char *option)
{
	o->given |= row->given;
	if (row->flag != 0)
		*(bool *)((char *)o + row->flag) = true;
	if (row->set != NULL)
		row->set(o, arg, option);
}

void
options_parse(struct options *o, int argc, char **argv)
{
	static char name[ROWS][CLI_NAME];
	bool used[ROWS] = {false};
	char *arg;

	*o = (struct options){
	    .stack_size = 65528, .sample.style = {.annotate = ANNOTATE_ALL, .source = true}};
	cli_rows(options, name, rows, sizeof *rows, ROWS);
	cli_error_status = RECORD_TROUBLE;
	cli_start(&cli, argv);
	for (int key; (key = cli_next(argc, argv, &arg)) != -1;)
		for (size_t i = 0; i < ROWS; i++)
			if (options[i].key == key) {
				apply(o, &rows[i], arg, name[i]);
				used[i] = true;
			}
	if (optind < argc)
		o->command = argv + optind;
	check_target(o);
	for (size_t i = 0; i < ROWS; i++)
		if (used[i])
			check_row(o, &rows[i], name[i]);
	if (o->stream)
		o->interval = o->step;
	check_arguments(o);
	find_processes(o);
	if (o->output != NULL) {
		outputname_check(o->output);
	} else if (isatty(STDOUT_FILENO)) {
		o->output = outputname(o);
		o->output_chosen = true;
	}
}
