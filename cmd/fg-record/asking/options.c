/*
 * options: the handlers of the rows of options.def.
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
#include "fg-record/asking/proc.h"
#include "fg-record/status.h"
#include "profile/labels.h"
#include "runtime/runtimes.h"
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
	GIVEN_GROUP_BY = 1 << 21,
	GIVEN_NO_SCRIPT = 1 << 22,
	GIVEN_BITS = 23,
	GIVEN_TIMED = GIVEN_OFF_CPU | GIVEN_WALL,
	GIVEN_WEIGHT = GIVEN_PERIOD | GIVEN_FIELD,
	GIVEN_NOT_DWARF = GIVEN_FP | GIVEN_LBR,
};

static const char *const given_name[GIVEN_BITS] = {"-p", "-p NAME", "--cgroup", "-t", "--all-cpus",
    "--freq", "--count", "--event", "--call-graph fp", "--call-graph lbr", "--per-thread",
    "--weight period", "--weight field:NAME", "--off-cpu", "--wall", "--ptrace", "--lines",
    "--no-header", "--time-order", "--interval", "--heap", "--group-by", "--no-script"};

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
		cli_given |= GIVEN_NAME;
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

/* Names of async-profiler's events that perf does not know, with another meaning here. */
static const struct {
	const char *event, *instead;
} foreign[] = {
    {"lock", "--off-cpu, the time in which threads wait for locks and for all else, or "
	     "-e lock:contention, that for locks of the kernel"},
    {"alloc", "--heap, memory by the stack that allocates it"},
    {"nativemem", "--heap, memory by the stack that allocates it"},
};

/* cpu and wall are async-profiler's names, too. */
static void
set_event(struct options *o, char *event, const char *option)
{
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
		if (strcmp(event, foreign[i].event) == 0)
			cli_usage("%s %s: try %s", option, event, foreign[i].instead);
	if (strcmp(event, "wall") == 0) {
		cli_given &= ~(unsigned)GIVEN_EVENT;
		cli_give(o, "wall");
	} else if (strcmp(event, "cpu") != 0) {
		o->event = event;
	}
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
	cli_given &= ~(unsigned)GIVEN_NOT_DWARF;
	if (strcmp(arg, "dwarf") == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
	} else if (strncmp(arg, "dwarf,", 6) == 0) {
		o->call_graph = CALL_GRAPH_DWARF;
		set_stack_size(o, arg + 6, "--stack-size");
	} else if (strcmp(arg, "fp") == 0) {
		o->call_graph = CALL_GRAPH_FP;
		cli_given |= GIVEN_FP;
	} else if (strcmp(arg, "lbr") == 0) {
		o->call_graph = CALL_GRAPH_LBR;
		cli_given |= GIVEN_LBR;
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
	cli_given &= ~(unsigned)GIVEN_WEIGHT;
	o->weight_field = strncmp(arg, "field:", 6) == 0 && arg[6] != '\0' ? arg + 6 : NULL;
	o->weight_period = strcmp(arg, "period") == 0;
	if (o->weight_field != NULL)
		cli_given |= GIVEN_FIELD;
	else if (o->weight_period)
		cli_given |= GIVEN_PERIOD;
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
	o->hide_idle = cli_word(option, arg, (const char *const[]){"show", "hide", NULL}) == 1;
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
set_stream(struct options *o, char *step, const char *option)
{
	o->step = step != NULL ? number_time(option, step, STREAM_SHORTEST, LONGEST) : STREAM_STEP;
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-record/asking/options.def"
    {0},
};

/* Lists the interpreters and virtual machines, with the versions that are read. */
static void
print_runtimes(void)
{
	for (const struct runtime *const *r = runtimes; *r != NULL; r++)
		printf("%s %s: offsets from %s\n", (*r)->name, (*r)->versions, (*r)->offsets);
}

static const struct cli cli = {
    .synopsis = "[options] [--] command [argument ...]\n"
		"       fg-record [options] -p PID | -t TID | -a",
    .purpose = "Sample a program and print folded stacks.",
    .options = rows,
    .given = given_name,
    .posix = true,
    .hint = hint,
    .details = print_runtimes,
};

bool
options_contention(const struct options *o)
{
	return o->event != NULL && strcmp(o->event, "lock:contention") == 0;
}

static void
check_target(const struct options *o)
{
	int targets = (o->command != NULL) + ((cli_given & GIVEN_ALL) != 0) +
		      ((cli_given & (GIVEN_PROCESSES | GIVEN_CGROUP | GIVEN_THREADS)) != 0);

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

/* The output's name by the target: the command, the process, the control group, or "system". */
static char *
default_name(const struct options *o)
{
	char comm[PROC_COMM] = "";

	if (o->command != NULL)
		return outputname(o->command[0], true);
	if (o->cgroup != NULL)
		return outputname(o->cgroup, true);
	if (o->all)
		return outputname("system", false);
	proc_comm(o->pids.n > 0 ? o->pids.id[0] : o->tids.id[0], comm);
	return outputname(comm, false);
}

void
options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){
	    .stack_size = 65528, .sample.style = {.annotate = ANNOTATE_ALL, .source = true}};
	cli_error_status = RECORD_TROUBLE;
	cli_start(&cli, argv);
	cli_options(o, argc, argv);
	if (optind < argc)
		o->command = argv + optind;
	if (o->check)
		return;
	check_target(o);
	cli_check();
	if (o->stream)
		o->interval = o->step;
	check_arguments(o);
	find_processes(o);
	if (o->output != NULL) {
		outputname_check(o->output);
	} else if (isatty(STDOUT_FILENO)) {
		o->output = default_name(o);
		o->output_chosen = true;
	}
}
