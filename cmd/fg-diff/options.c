/*
 * options: one table of all options.
 */
#include "fg-diff/options.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/sort.h"
#include "profile/files0.h"

static void
set_report(struct options *o, char *format, const char *option)
{
	static const char *const formats[] = {
#define REPORT(id, name, reader) #name,
#include "fg-diff/reports.def"
	    NULL};

	o->format = format != NULL ? (enum report_format)cli_word(option, format, formats) : 0;
}

static void
set_by(struct options *o, char *what, const char *option)
{
	static const char *const whats[] = {"function", "module", "stack", NULL};

	o->by = (enum by)cli_word(option, what, whats);
}

static void
set_noise(struct options *o, char *model, const char *option)
{
	static const char *const models[] = {"auto", "none", "counts", "runs", NULL};

	o->noise.kind = (enum noise_kind)cli_word(option, model, models);
}

static void
set_explain(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->explain = true;
}

static void
set_own_files(struct options *o, char *list, const char *option)
{
	(void)option;
	own_files_free(&o->own);
	own_files_read(&o->own, list);
}

static void
set_fail_above(struct options *o, char *limit, const char *option)
{
	(void)option;
	gate_parse(&o->gate, limit);
}

static void
add_list(struct options *o, char *list, const char *option)
{
	if (o->lists.n == 2)
		cli_usage("%s: a third list; base and head have one each", option);
	o->lists.from[o->lists.n++] = list;
}

static void
set_looks(struct options *o, char *n, const char *option)
{
	o->looks = (double)number_count(option, n, 1, 1000000000);
}

static void
set_match(struct options *o, char *regex, const char *option)
{
	pattern_free(&o->only);
	o->only.text = regex;
	pattern_compile(&o->only, option + 2);
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-diff/options.def"
    {0},
};

static const struct cli cli = {
    .synopsis =
	"[options] base head | [options] base ... -- head ... | --series|--growth [options] file ...",
    .purpose = "Compare profiles: print both values of every stack, or a report.",
    .options = rows,
};

/* Filter for the directory of --baseline: skips hidden and temporary files. */
static int
is_profile(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && entry->d_type != DT_DIR;
}

/* Bytewise, as ls(1) in the C locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Returns how many of these files have that path. */
static unsigned
count(const struct files *files, const char *path)
{
	unsigned n = 0;

	for (unsigned i = 0; i < files->n; i++)
		n += strcmp(files->path[i], path) == 0;
	return n;
}

/* Reads a list of --files0-from. */
static struct files
listed(const char *from)
{
	struct files files;
	size_t n;

	files.path = files0_read(from, &n);
	if (n == 0)
		cli_die("%s: the list has no file", from);
	files.n = (unsigned)n;
	return files;
}

/* Sets the files of --series or --growth: all operands, or the list of --files0-from. */
static void
series_files(struct options *o, int argc, char **argv, int dashes, const struct lists *lists)
{
	for (int i = dashes; i + 1 < argc; i++)
		argv[i] = argv[i + 1];
	o->base.path = argv + optind;
	o->base.n = (unsigned)(argc - (dashes < argc) - optind);
	if (lists->n > 1)
		cli_usage("--files0-from: --series and --growth have one list");
	if (lists->n > 0 && o->base.n > 0)
		cli_usage("--files0-from %s: cannot be used with files on the command line",
		    lists->from[0]);
	if (lists->n > 0)
		o->base = listed(lists->from[0]);
	if (count(&o->base, "-") > 0)
		cli_usage("%s cannot read standard input: it reads profiles more than once",
		    o->growth ? "--growth" : "--series");
}

static int
compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The runs of a side have no order: any order of them is one report. */
static void
sort_sides(struct options *o)
{
	sort_items(o->base.path, o->base.n, sizeof *o->base.path, compare_paths);
	sort_items(o->head.path, o->head.n, sizeof *o->head.path, compare_paths);
	if (count(&o->base, "-") + count(&o->head, "-") > 1)
		cli_usage("standard input can be read only once");
}

/* Sets the files of base and head. Without a `--`, two files are base and head. */
static void
two_sides(struct options *o, int argc, char **argv, int dashes, const struct lists *lists)
{
	if (lists->n > 0) {
		if (lists->n == 1 || optind < dashes || dashes < argc)
			cli_usage("--files0-from: expected two lists, of base and of head, and no "
				  "other files");
		o->base = listed(lists->from[0]);
		o->head = listed(lists->from[1]);
		sort_sides(o);
		return;
	}
	o->base = (struct files){argv + optind, (unsigned)(dashes - optind)};
	if (dashes < argc && o->base.n > 0) {
		o->head = (struct files){argv + dashes + 1, (unsigned)(argc - dashes - 1)};
	} else {
		/* `fg-diff -- base head`: a plain end of options */
		if (dashes < argc)
			o->base = (struct files){argv + dashes + 1, (unsigned)(argc - dashes - 1)};
		if (o->base.n != 2)
			cli_usage("expected BASE HEAD, or BASE... -- HEAD... for several runs");
		o->head = (struct files){o->base.path + 1, 1};
		o->base.n = 1;
	}
	if (o->head.n == 0)
		cli_usage("expected a file after --");
	sort_sides(o);
}

/* Exits with a usage error if an option lacks another one, or contradicts it. */
static void
check_options(const struct options *o)
{
	if (o->group_by != NULL && o->series)
		cli_usage("--group-by cannot be used with --series");
	if (o->group_by != NULL && o->no_labels)
		cli_usage("--group-by cannot be used with --no-labels");
	if (o->growth && (o->series || o->group_by != NULL || o->gated || o->explain))
		cli_usage("--growth cannot be used with --series, --group-by, --fail-above or "
			  "--explain");
	if (o->growth && o->noise.shares)
		cli_usage("--growth cannot be used with -n: shares would hide growth");
	if (o->growth && o->by != BY_FUNCTION)
		cli_usage("--growth cannot be used with --by");
	if (o->series || o->growth)
		return;
	if (o->explain && (o->by != BY_FUNCTION || o->only.text != NULL))
		cli_usage("--explain cannot be used with --by or --match: it needs all functions");
	if (o->baseline != NULL && !o->report && !o->gated && !o->mark_noise)
		cli_usage("--baseline needs --report, --fail-above or --mark-noise");
	if (o->require_power && !o->gated)
		cli_usage("--require-power needs --fail-above");
}

/* Sets the files of --baseline, in the order of their names. */
static void
find_baseline(struct options *o)
{
	struct dirent **entry;
	int n = scandir(o->baseline, &entry, is_profile, compare_names), first = 0;

	if (n < 0)
		cli_die("%s: %s", o->baseline, strerror(errno));
	if (o->group_by == NULL && n > (int)o->baseline_size)
		first = n - (int)o->baseline_size;
	o->history.path = cli_alloc((size_t)n + 1, sizeof *o->history.path);
	for (int i = 0; i < n; i++) {
		if (i >= first) {
			struct text path = {0};

			text_printf(&path, "%s/%s", o->baseline, entry[i]->d_name);
			o->history.path[o->history.n++] = path.s;
		}
		free(entry[i]);
	}
	free(entry);
}

/* getopt would remove a `--` between base and head, so head's files are cut off before. */
void
options_parse(struct options *o, int argc, char **argv)
{
	int dashes = argc;

	*o = (struct options){
	    .top = 20, .baseline_size = 20, .looks = 1, .noise = {.confidence = 0.99}};
	cli_start(&cli, argv);
	for (int i = argc - 1; i > 0; i--)
		if (strcmp(argv[i], "--") == 0) {
			dashes = i;
			break;
		}
	cli_options(o, dashes, argv);
	check_options(o);
	if (o->series || o->growth)
		series_files(o, argc, argv, dashes, &o->lists);
	else
		two_sides(o, argc, argv, dashes, &o->lists);
	if (!o->series && !o->growth && o->baseline != NULL)
		find_baseline(o);
}

void
options_select(struct options *o)
{
	const struct files before[] = {o->base, o->head};

	if (!fileselect_is_used(&o->select))
		return;
	fileselect_paths(&o->select, o->base.path, &o->base.n);
	fileselect_paths(&o->select, o->head.path, &o->head.n);
	fileselect_paths(&o->select, o->history.path, &o->history.n);
	fileselect_finish(&o->select);
	if ((before[0].n > 0 && o->base.n == 0) || (before[1].n > 0 && o->head.n == 0))
		cli_die("no file%s matches the options for labels", before[1].n == 0 ? ""
								    : o->base.n == 0 ? " of base"
										     : " of head");
}

bool
options_needs_power(const struct options *o)
{
	return o->gated && (o->require_power || o->baseline != NULL);
}

void
options_side(const struct options *o, const struct files *files, struct side *side)
{
	*side = (struct side){.path = files->path,
	    .runs = files->n,
	    .column = o->column,
	    .strip_hex = o->strip_hex,
	    .folded = {.strict = o->strict, .no_labels = o->no_labels, .unit = o->unit}};
	if (o->columns == NULL)
		return;
	folded_columns_option(&side->folded.columns, o->columns);
	side->folded.fixed = true;
}
