/*
 * options: parses the command line. Table order is the order of --help and of the manual.
 */
#include "fg-record/options.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-record/find.h"
#include "fg-record/outputname.h"
#include "fg-record/record.h"

#define NS 1000000000.0 /* per second */
#define STREAM_STEP UINT64_C(1000000000) /* ns */
#define STREAM_SHORTEST UINT64_C(10000000) /* ns: each step has a process that symbolizes */

enum {
	KEY_EVERY = CLI_LONG,
	KEY_WITH_CHILDREN,
	KEY_CGROUP,
	KEY_DELAY,
	KEY_CALL_GRAPH,
	KEY_STACK_SIZE,
	KEY_DEEP_STACKS,
	KEY_DEBUGINFOD,
	KEY_NO_INLINE,
	KEY_NO_KERNEL,
	KEY_SHOW_PID,
	KEY_SHOW_TID,
	KEY_PER_THREAD,
	KEY_WEIGHT,
	KEY_OFF_CPU,
	KEY_WALL,
	KEY_WAKERS,
	KEY_IDLE,
	KEY_PTRACE,
	KEY_NO_SCRIPT,
	KEY_INTERPRETER_FRAMES,
	KEY_SOURCE,
	KEY_LINES,
	KEY_MODULE,
	KEY_NO_ANNOTATIONS,
	KEY_NO_ANNOTATE,
	KEY_NO_HEADER,
	KEY_LABEL,
	KEY_NO_LABELS,
	KEY_TIME_ORDER,
	KEY_SKIP_AFTER,
	KEY_STREAM,
	KEY_INTERVAL,
	KEY_KEEP,
};

static const struct cli_option table[] = {
    {'p', "pid", "PID|NAME[,...]", "record these processes and their new children"},
    {KEY_EVERY, "every", NULL, "with -p NAME, record all processes of that name"},
    {KEY_WITH_CHILDREN, "with-children", NULL, "record their existing children too"},
    {KEY_CGROUP, "cgroup", "GROUP", "record a control group: a unit, a container or a path"},
    {'t', "tid", "TID[,TID...]", "record only these threads"},
    {'a', "all-cpus", NULL, "record all processes"},
    {'F', "freq", "HZ", "samples per second (997)"},
    {'c', "count", "PERIOD", "take a sample every PERIOD events instead"},
    {'e', "event", "EVENT", "cycles, cpu-clock, page-faults, sched:sched_switch, ... (cycles)"},
    {'d', "duration", "SECONDS", "stop after SECONDS"},
    {KEY_DELAY, "delay", "SECONDS", "discard samples of the first SECONDS"},
    {KEY_CALL_GRAPH, "call-graph", "HOW", "how to unwind: dwarf, fp or lbr (dwarf)"},
    {KEY_STACK_SIZE, "stack-size", "BYTES", "bytes of the stack to copy with each sample (65528)"},
    {KEY_DEEP_STACKS, "deep-stacks", NULL, "copy deeper stacks, too (default for a command)"},
    {'m', "ring-size", "MB", "megabytes of ring buffer per CPU (up to 16, as allowed)"},
    {KEY_DEBUGINFOD, "debuginfod", NULL, "query the servers of DEBUGINFOD_URLS"},
    {KEY_NO_INLINE, "no-inline", NULL, "omit inlined functions"},
    {KEY_NO_KERNEL, "no-kernel", NULL, "sample user code only"},
    {KEY_NO_KERNEL, "all-user", NULL, "alias for --no-kernel"},
    {KEY_SHOW_PID, "show-pid", NULL, "show comm-PID as root frames"},
    {KEY_SHOW_TID, "show-tid", NULL, "show comm-PID/TID as root frames"},
    {KEY_PER_THREAD, "per-thread", NULL, "use a ring buffer per thread, as perf does, not per CPU"},
    {KEY_WEIGHT, "weight", "WHAT",
	"count samples, period, or field:NAME of a tracepoint "
	"(samples)"},
    {KEY_OFF_CPU, "off-cpu", NULL, "record blocked time, in microseconds"},
    {KEY_WALL, "wall", NULL, "record all time in three columns: cpu, waiting, blocked"},
    {KEY_WAKERS, "wakers", NULL, "append the waker's stack, with frames f_[w]"},
    {KEY_IDLE, "idle", "WHAT",
	"with --off-cpu or --wall, show or hide threads that never ran "
	"(show)"},
    {KEY_PTRACE, "ptrace", NULL, "sample by ptrace, if perf_event_open is refused"},
    {KEY_NO_SCRIPT, "no-script", NULL, "omit functions of scripts and virtual machines"},
    {KEY_INTERPRETER_FRAMES, "interpreter-frames", NULL,
	"show frames of the interpreter's loop "
	"too"},
    {KEY_SOURCE, "source", NULL, "add the function's source location: (file.c:42)"},
    {KEY_LINES, "lines", NULL, "add the line that ran: (file.c:57)"},
    {KEY_LINES, "srcline", NULL, "alias for --lines"},
    {KEY_MODULE, "module", NULL, "add the module: libc.so.6`memcpy"},
    {KEY_NO_ANNOTATIONS, "no-annotations", NULL, CLI_HELP_NO_ANNOTATIONS},
    {KEY_NO_ANNOTATE, "no-annotate", NULL, CLI_HELP_NO_ANNOTATE},
    {KEY_NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {KEY_LABEL, "label", "KEY=VALUE", "add a label to the header"},
    {KEY_NO_LABELS, "no-labels", NULL, CLI_HELP_NO_LABELS},
    {KEY_TIME_ORDER, "time-order", "[STEP]",
	"print stacks in time order, merged within each step (10ms)"},
    {KEY_SKIP_AFTER, "skip-after", "NAME", CLI_HELP_SKIP_AFTER},
    {KEY_STREAM, "stream", "[STEP]", "write each time step as it ends (1s), for fg-render --live"},
    {KEY_INTERVAL, "interval", "SECONDS",
	"start a new file every SECONDS; %T in -o is its "
	"start time"},
    {KEY_KEEP, "keep-files", "N", "keep the newest N files of --interval"},
    {KEY_KEEP, "keep", "N", "alias for --keep-files"},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {0},
};

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

static const struct cli cli = {
    .synopsis = "[options] [--] command [argument ...]\n"
		"       fg-record [options] -p PID | -t TID | -a",
    .purpose = "Sample a program and print folded stacks.",
    .options = table,
    .posix = true,
    .hint = hint,
};

void
ids_add(struct ids *ids, int id)
{
	vec_fit(ids->id, ids->cap, ids->n + 1);
	ids->id[ids->n++] = id;
}

bool
ids_have(const struct ids *ids, int id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return true;
	return false;
}

void
ids_add_new(struct ids *ids, int id)
{
	if (!ids_have(ids, id))
		ids_add(ids, id);
}

/*
 * Parses -p: PIDs and command names. Names are looked up by find_processes, since --every may
 * follow.
 */
static void
add_processes(struct options *o, const char *arg)
{
	char *list = cli_strdup(arg), *rest = list, *word;

	while ((word = strsep(&rest, ",")) != NULL) {
		if (word[0] == '\0')
			cli_usage("--pid %s: a name in the list is empty", arg);
		if (word[strspn(word, "0123456789")] == '\0') {
			ids_add_new(&o->pids, (int)cli_number("--pid", word, 1, INT_MAX));
			continue;
		}
		vec_fit(o->name, o->cap_name, o->nname + 1);
		o->name[o->nname++] = cli_strdup(word);
	}
	free(list);
}

static void
add_ids(struct ids *ids, const char *opt, const char *arg)
{
	char *list = cli_strdup(arg), *rest = list, *word;

	while ((word = strsep(&rest, ",")) != NULL)
		ids_add_new(ids, (int)cli_number(opt, word, 1, INT_MAX));
	free(list);
}

static uint64_t
seconds(const char *opt, const char *arg)
{
	return (uint64_t)(cli_decimal(opt, arg, 0.001, 1e9) * NS);
}

static void
set_stack_size(struct options *o, const char *arg)
{
	/* perf_event_attr.sample_stack_user is a multiple of 8 below 64 KiB. */
	o->stack_size = (uint32_t)cli_number("--stack-size", arg, 8, 65528) & ~7u;
	o->stack_given = true;
}

/* Parses dwarf, fp or lbr, and perf's dwarf,SIZE. */
static void
set_call_graph(struct options *o, const char *arg)
{
	if (strcmp(arg, "dwarf") == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
	} else if (strncmp(arg, "dwarf,", 6) == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
		set_stack_size(o, arg + 6);
	} else if (strcmp(arg, "fp") == 0) {
		o->call_graph = CALL_GRAPH_FP;
	} else if (strcmp(arg, "lbr") == 0) {
		o->call_graph = CALL_GRAPH_LBR;
	} else {
		cli_usage("--call-graph: bad value '%s' (expected dwarf, fp or lbr)", arg);
	}
}

static void
set_weight(struct options *o, const char *arg)
{
	o->weight_field = strncmp(arg, "field:", 6) == 0 && arg[6] != '\0' ? arg + 6 : NULL;
	if (o->weight_field == NULL && strcmp(arg, "samples") != 0 && strcmp(arg, "period") != 0)
		cli_usage("--weight: bad value '%s' (expected samples, period or field:NAME)", arg);
	o->weight_period = strcmp(arg, "period") == 0;
}

static void
set_stream(struct options *o, const char *arg)
{
	o->stream = true;
	o->step = arg != NULL ? cli_time("--stream", arg) : STREAM_STEP;
	if (o->step < STREAM_SHORTEST)
		cli_usage("--stream: bad value '%s' (expected 10ms or more)", arg);
}

static void
set_idle(struct options *o, const char *arg)
{
	if (strcmp(arg, "show") != 0 && strcmp(arg, "hide") != 0)
		cli_usage("--idle: bad value '%s' (expected show or hide)", arg);
	o->hide_idle = strcmp(arg, "hide") == 0;
	o->idle_given = true;
}

static void
set_source(struct options *o, enum source_note source)
{
	if (o->source != SOURCE_NONE && o->source != source)
		cli_usage("--source cannot be used with --lines");
	o->source = source;
}

static void
set_option(struct options *o, int key, char *arg)
{
	switch (key) {
	case 'p': add_processes(o, arg); break;
	case KEY_EVERY: o->every = true; break;
	case KEY_WITH_CHILDREN: o->with_children = true; break;
	case KEY_CGROUP: o->cgroup = arg; break;
	case 't': add_ids(&o->tids, "--tid", arg); break;
	case 'a': o->all = true; break;
	case 'F':
		o->frequency = (uint64_t)cli_number("--freq", arg, 1, 1000000);
		o->rate_given = true;
		break;
	case 'c':
		o->period = (uint64_t)cli_number("--count", arg, 1, LLONG_MAX);
		o->rate_given = true;
		break;
	case 'e': o->event = arg; break;
	case 'd': o->duration = seconds("--duration", arg); break;
	case KEY_DELAY: o->delay = seconds("--delay", arg); break;
	case KEY_CALL_GRAPH: set_call_graph(o, arg); break;
	case KEY_STACK_SIZE: set_stack_size(o, arg); break;
	case 'm':
		o->ring_size = (size_t)(cli_decimal("--ring-size", arg, 0.008, 4096) * 1024 * 1024);
		break;
	case KEY_DEBUGINFOD: o->debuginfod = true; break;
	case KEY_NO_INLINE: o->no_inline = true; break;
	case KEY_NO_KERNEL: o->no_kernel = true; break;
	case KEY_SHOW_PID: o->sample.pid = true; break;
	case KEY_SHOW_TID: o->sample.tid = true; break;
	case KEY_PER_THREAD: o->per_thread = true; break;
	case KEY_WEIGHT: set_weight(o, arg); break;
	case KEY_OFF_CPU: o->off_cpu = true; break;
	case KEY_WALL: o->wall = true; break;
	case KEY_DEEP_STACKS: o->deep_stacks = true; break;
	case KEY_WAKERS: o->wakers = true; break;
	case KEY_IDLE: set_idle(o, arg); break;
	case KEY_PTRACE: o->ptrace = true; break;
	case KEY_NO_SCRIPT: o->no_script = true; break;
	case KEY_INTERPRETER_FRAMES: o->interpreter_frames = true; break;
	case KEY_SOURCE: set_source(o, SOURCE_DEFINITION); break;
	case KEY_LINES: set_source(o, SOURCE_LINE); break;
	case KEY_MODULE: o->sample.style.module = true; break;
	case KEY_NO_ANNOTATIONS: o->sample.style.annotate = 0; break;
	case KEY_NO_ANNOTATE: o->sample.style.annotate = 0; /* FALLTHROUGH */
	case KEY_NO_HEADER: o->sample.no_header = true; break;
	case KEY_LABEL:
		if (!labels_option(&o->labels, arg))
			cli_usage("--label: bad value '%s' (expected KEY=VALUE)", arg);
		break;
	case KEY_NO_LABELS: o->no_labels = true; break;
	case KEY_TIME_ORDER:
		o->sample.time_order = true;
		if (arg != NULL && (o->sample.step = cli_time("--time-order", arg)) == 0)
			cli_usage("--time-order: the step must be above 0");
		break;
	case KEY_SKIP_AFTER: sample_skip_after(&o->sample, arg); break;
	case KEY_STREAM: set_stream(o, arg); break;
	case KEY_INTERVAL: o->interval = seconds("--interval", arg); break;
	case KEY_KEEP: o->keep = (size_t)cli_number("--keep-files", arg, 1, INT_MAX); break;
	case 'o': o->output = arg; break;
	}
}

/* True if the last part of the name has %T, and nothing else has. */
static bool
has_time_in_its_last_part(const char *name)
{
	const char *time = strstr(name, "%T"), *slash = strrchr(name, '/');

	return time != NULL && (slash == NULL || time > slash) && strstr(time + 2, "%T") == NULL;
}

bool
options_contention(const struct options *o)
{
	return o->event != NULL && strcmp(o->event, "lock:contention") == 0;
}

/* Exits 125 for options that exclude each other or need another one. */
static void
check(struct options *o)
{
	bool processes = o->pids.n > 0 || o->nname > 0 || o->cgroup != NULL;
	int targets = (o->command != NULL) + (processes || o->tids.n > 0) + o->all;

	if (targets == 0)
		cli_usage("no target: give a command, -p, -t, --cgroup or -a");
	if (targets > 1)
		cli_usage("several targets: use only one of a command, -a, and -p, -t or --cgroup");
	if (o->every && o->nname == 0)
		cli_usage("--every needs -p NAME");
	if (o->with_children && !processes)
		cli_usage("--with-children needs -p or --cgroup");
	if (o->frequency != 0 && o->period != 0)
		cli_usage("--freq cannot be used with --count");
	if (o->off_cpu && (o->event != NULL || o->rate_given || o->weight_period))
		cli_usage("--off-cpu cannot be used with --event, --freq, --count or --weight");
	if (o->wall && (o->off_cpu || o->event != NULL || o->period != 0 || o->weight_period))
		cli_usage("--wall cannot be used with --off-cpu, --event, --count or --weight");
	if (o->deep_stacks && (options_timed(o) || o->call_graph != CALL_GRAPH_DWARF || o->ptrace))
		cli_usage(
		    "--deep-stacks needs --call-graph dwarf; it cannot be used with --ptrace, "
		    "--off-cpu or --wall");
	if (o->deep_stacks && o->per_thread)
		cli_usage("--deep-stacks cannot be used with --per-thread");
	if (o->idle_given && !options_timed(o))
		cli_usage("--idle needs --off-cpu or --wall");
	if (o->weight_field != NULL && (options_timed(o) || o->event == NULL))
		cli_usage("--weight field:%s needs -e TRACEPOINT", o->weight_field);
	if (o->deep_stacks && o->weight_field != NULL)
		cli_usage("--deep-stacks cannot be used with --weight field:NAME");
	if (o->wakers && !options_timed(o))
		cli_usage("--wakers needs --off-cpu or --wall");
	if (options_timed(o) && o->call_graph == CALL_GRAPH_LBR)
		cli_usage("--call-graph lbr cannot be used with --off-cpu or --wall");
	if (o->ptrace && (o->all || options_timed(o) || o->event != NULL || o->period != 0))
		cli_usage("--ptrace cannot be used with --all-cpus, --off-cpu, --wall, --event or "
			  "--count");
	if (o->ptrace && o->call_graph != CALL_GRAPH_DWARF)
		cli_usage("--ptrace needs --call-graph dwarf");
	if (o->per_thread && o->all)
		cli_usage("--per-thread cannot be used with --all-cpus");
	if (o->stream && (o->interval != 0 || o->sample.time_order))
		cli_usage("--stream cannot be used with --interval or --time-order");
	if (o->stream)
		o->interval = o->step;
	if (options_has_files(o) && (o->output == NULL || strstr(o->output, "%T") == NULL))
		cli_usage(
		    "--interval needs -o with %%T, which is the start time: -o 'name.%%T.folded'");
	if (o->keep != 0 && (!options_has_files(o) || !has_time_in_its_last_part(o->output)))
		cli_usage(
		    "--keep-files needs --interval, and one %%T in the last part of -o's name");
	if (o->keep != 0 && o->sample.no_header)
		cli_usage(
		    "--keep-files cannot be used with --no-header: it recognizes its files by their "
		    "header");
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

void
options_parse(struct options *o, int argc, char **argv)
{
	char *arg;
	int key;

	*o = (struct options){
	    .stack_size = 65528, .sample.style = {.annotate = ANNOTATE_ALL, .source = true}};
	cli_error_status = RECORD_TROUBLE;
	cli_start(&cli, argv);
	while ((key = cli_next(argc, argv, &arg)) != -1)
		set_option(o, key, arg);
	if (optind < argc)
		o->command = argv + optind;
	check(o);
	find_processes(o);
	if (o->output != NULL) {
		outputname_check(o->output);
	} else if (isatty(STDOUT_FILENO)) {
		o->output = outputname(o);
		o->output_chosen = true;
	}
}
