/*
 * fg-collapse: profiles in, folded stacks out. Each input's format is told from
 * its first bytes; its reader adds the stacks to one call tree, which is written
 * in canonical order, or stack by stack in time order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "format.h"
#include "base/output.h"

enum {
	OPT_SAMPLES = CLI_LONG,
	OPT_EVENT_FILTER,
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
	OPT_FROM,
	OPT_TO,
	OPT_STRICT,
	OPT_INLINE,
	OPT_CONTEXT,
};

static const struct cli_option options[] = {
    {'f', "format", "NAME", "read this format instead of telling it from the first bytes"},
    {'l', "list-formats", NULL, "list the formats"},
    {'e', "event", "NAME", "fold this event; without it the first that is seen"},
    {OPT_EVENT_FILTER, "event-filter", "NAME", "the same"},
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
    {OPT_SRCLINE, "srcline", NULL, "function (file:line), from perf script -F +srcline"},
    {OPT_SKIP_AFTER, "skip-after", "NAME", "make this function the root where it occurs"},
    {OPT_TIME_ORDER, "time-order", NULL, "oldest first, merging only equal neighbours"},
    {OPT_FROM, "from", "SECONDS", "only samples from then, counted from the first sample"},
    {OPT_TO, "to", "SECONDS", "only samples before then"},
    {'j', "jobs", "N", "threads (as many as there are processors)"},
    {OPT_STRICT, "strict", NULL, "exit 2 on a malformed line"},
    {'o', "output", "FILE", "write to FILE instead of stdout"},
    {OPT_INLINE, "inline", NULL, "taken for old scripts: perf script writes inlined frames itself"},
    {OPT_CONTEXT, "context", NULL, "taken for old scripts: see --srcline"},
    {0},
};

static const struct cli cli = {
    "[options] [file ...]",
    "Fold profiles (perf script text, folded stacks) into folded stacks.",
    options,
    false,
};

static const struct format *const formats[] = {
    &perfscript_format,
    &folded_format,
};

#define NFORMATS (sizeof formats / sizeof formats[0])

static void
list_formats(void)
{
	for (size_t i = 0; i < NFORMATS; i++)
		printf("%-10s  %s\n", formats[i]->name, formats[i]->purpose);
	exit(fflush(stdout) == 0 ? CLI_DONE : CLI_TROUBLE);
}

static const struct format *
format_named(const char *name)
{
	for (size_t i = 0; i < NFORMATS; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	cli_usage("unknown format %s (see --list-formats)", name);
}

/* The format that is surest of the first bytes; NULL for an empty input. */
static const struct format *
detect(struct lines *in)
{
	const struct format *best = NULL;
	size_t len;
	const char *data = lines_peek(in, &len);
	int most = 0;

	if (len == 0)
		return NULL;
	for (size_t i = 0; i < NFORMATS; i++) {
		int sure = formats[i]->sniff(data, len);

		if (sure > most) {
			most = sure;
			best = formats[i];
		}
	}
	if (best == NULL)
		cli_die("%s: none of the known formats (see --list-formats, or name one with -f)",
		    lines_name(in));
	return best;
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

static uint64_t
nanoseconds(const char *opt, const char *arg)
{
	const char *end = arg + strlen(arg);
	value v;

	if (value_parse(arg, end, &v) == VALUE_BAD || v > UINT64_MAX)
		cli_usage("%s: %s: not a number of seconds", opt, arg);
	return (uint64_t)v; /* a value is in billionths */
}

struct event *
collapse_event(struct event **events, size_t *n, const char *name, size_t len)
{
	struct event *list = *events;

	for (size_t i = 0; i < *n; i++)
		if (strncmp(list[i].name, name, len) == 0 && list[i].name[len] == '\0')
			return &list[i];
	*events = list = cli_realloc(list, *n + 1, sizeof *list);
	list[*n] = (struct event){strndup(name, len), 0};
	return &list[(*n)++];
}

void
collapse_moment(struct collapse *c, uint64_t time, uint32_t node, value weight)
{
	if (c->nmoment == c->capmoment) {
		c->capmoment = c->capmoment != 0 ? 2 * c->capmoment : 1024;
		c->moment = cli_realloc(c->moment, c->capmoment, sizeof *c->moment);
	}
	c->moment[c->nmoment++] = (struct moment){time, node, weight};
}

static int
compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* The frames from the root to node; *path is the caller's to use again and to free. */
static void
write_stack(struct output *o, const struct calltree *t, uint32_t node, uint32_t **path, size_t *cap)
{
	size_t n = 0;

	for (; node != CALLTREE_ROOT; node = t->node[node].parent) {
		if (n == *cap) {
			*cap = *cap != 0 ? 2 * *cap : 64;
			*path = cli_realloc(*path, *cap, sizeof **path);
		}
		(*path)[n++] = t->node[node].name;
	}
	while (n-- > 0) {
		output_write(o, t->name[(*path)[n]].s, t->name[(*path)[n]].len);
		if (n > 0)
			output_char(o, ';');
	}
}

static void
write_in_time_order(struct output *o, struct collapse *c)
{
	uint32_t *path = NULL;
	size_t cap = 0;

	mergesort(c->moment, c->nmoment, sizeof *c->moment, compare_moments);
	for (size_t i = 0, next; i < c->nmoment; i = next) {
		value sum = c->moment[i].weight;

		for (next = i + 1; next < c->nmoment && c->moment[next].node == c->moment[i].node;
		     next++)
			sum = value_sum(sum, c->moment[next].weight);
		write_stack(o, c->tree, c->moment[i].node, &path, &cap);
		output_char(o, ' ');
		output_value(o, sum);
		output_char(o, '\n');
	}
	free(path);
}

/* The --countname for fg-render. */
static const char *
unit(const struct collapse *c)
{
	if (c->options.samples || !c->periods)
		return "samples";
	if (strncmp(c->event, "cpu-clock", 9) == 0 || strncmp(c->event, "task-clock", 10) == 0)
		return "ns";
	return c->event[0] != '\0' ? c->event : "samples";
}

static int
compare_events(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name, ((const struct event *)b)->name);
}

/* What was kept and what was left out, on a terminal or when something was. */
static void
report(struct collapse *c)
{
	uint64_t others = 0;
	char *list = NULL;
	size_t len = 0;
	FILE *text;

	c->malformed += c->folded.malformed;
	if (c->malformed > 1)
		cli_warn("%llu malformed lines were left out", (unsigned long long)c->malformed);
	if (c->event == NULL)
		return;
	qsort(c->events, c->nevents, sizeof *c->events, compare_events);
	text = open_memstream(&list, &len);
	for (size_t i = 0; i < c->nevents; i++)
		if (strcmp(c->events[i].name, c->event) != 0) {
			others += c->events[i].samples;
			fprintf(text, "%s%s (%llu)",
			    others == c->events[i].samples ? "; left out: " : ", ",
			    c->events[i].name, (unsigned long long)c->events[i].samples);
		}
	fclose(text);
	if (c->samples == 0)
		cli_die("no sample of event %s%s%s", c->event,
		    c->options.range ? " in that time" : "", len > 0 ? list : "");
	if (others > 0 || isatty(STDERR_FILENO))
		cli_note("%llu samples%s%s, --countname %s%s", (unsigned long long)c->samples,
		    c->event[0] != '\0' ? " of " : "", c->event, unit(c), len > 0 ? list : "");
	free(list);
}

static void
collapse_free(struct collapse *c)
{
	for (size_t i = 0; i < c->nevents; i++)
		free(c->events[i].name);
	for (unsigned i = 0; i < c->folded.columns.n; i++)
		free(c->folded.columns.name[i]);
	free(c->events);
	free(c->event);
	free(c->moment);
	calltree_free(c->tree);
}

int
main(int argc, char **argv)
{
	struct collapse c = {.options = {.annotate = ANNOTATE_ALL, .to = UINT64_MAX}};
	struct options *o = &c.options;
	const struct format *format = NULL;
	const char *path = NULL;
	struct output *out;
	unsigned suffixes = 0;
	bool any = false;
	char *arg;

	cli_start(&cli, argv);
	o->jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (o->jobs > 16)
		o->jobs = 16;
	for (int key; (key = cli_next(argc, argv, &arg)) != -1;)
		switch (key) {
		case 'f': format = format_named(arg); break;
		case 'l': list_formats(); break;
		case 'e':
		case OPT_EVENT_FILTER: o->event = arg; break;
		case OPT_SAMPLES: o->samples = true; break;
		case OPT_PID: o->pid = true; break;
		case OPT_TID: o->pid = o->tid = true; break;
		case OPT_NO_COMM: o->no_comm = true; break;
		case OPT_NORMALIZE_COMM: o->normalize_comm = true; break;
		case 'a': o->annotate = suffixes |= annotations(arg); break;
		case OPT_KERNEL: o->annotate = suffixes |= ANNOTATE_KERNEL; break;
		case OPT_JIT: o->annotate = suffixes |= ANNOTATE_JIT; break;
		case OPT_ALL: o->annotate = suffixes |= ANNOTATE_KERNEL | ANNOTATE_JIT; break;
		case OPT_NO_ANNOTATE: o->annotate = suffixes = 0; break;
		case OPT_MODULE: o->module = true; break;
		case OPT_ADDRS: o->addrs = true; break;
		case OPT_SRCLINE: o->srcline = true; break;
		case OPT_SKIP_AFTER: o->skip_after = arg; break;
		case OPT_TIME_ORDER: o->time_order = true; break;
		case OPT_FROM:
			o->range = true;
			o->from = nanoseconds("--from", arg);
			break;
		case OPT_TO:
			o->range = true;
			o->to = nanoseconds("--to", arg);
			break;
		case 'j': o->jobs = (unsigned)cli_number("--jobs", arg, 1, 256); break;
		case OPT_STRICT: o->strict = true; break;
		case 'o': path = arg; break;
		case OPT_INLINE:
			cli_note(
			    "--inline: perf script writes inlined frames itself (perf record --call-graph dwarf)");
			break;
		case OPT_CONTEXT:
			cli_note(
			    "--context: perf script -F +srcline writes source lines; keep them with --srcline");
			break;
		}

	do {
		struct lines *in = lines_open(optind < argc ? argv[optind] : "-", lines_cut_line);
		const struct format *f = format != NULL ? format : detect(in);

		if (f != NULL) {
			lines_cut_with(in, f->cut);
			f->read(&c, in);
			c.malformed += lines_overlong(in, o->strict);
			any = true;
		}
		lines_close(in);
	} while (++optind < argc);

	if (!any)
		cli_die("the input is empty");
	if (c.tree == NULL || (c.samples == 0 && c.event == NULL && c.folded.lines == 0))
		cli_die("no stacks in the input");
	report(&c);
	out = output_open(path);
	if (o->time_order)
		write_in_time_order(out, &c);
	else
		folded_write(out, c.tree, &c.folded.columns, true);
	output_close(out);
	collapse_free(&c);
	return CLI_DONE;
}
