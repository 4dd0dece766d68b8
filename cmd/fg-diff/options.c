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
#include "base/files0.h"

enum {
	OPT_REPORT = CLI_LONG,
	OPT_BY,
	OPT_ALL_ROWS,
	OPT_OWN_FILES,
	OPT_TOP,
	OPT_NOISE,
	OPT_PERIOD,
	OPT_CONFIDENCE,
	OPT_MARK_NOISE,
	OPT_FAIL_ABOVE,
	OPT_REQUIRE_POWER,
	OPT_BASELINE,
	OPT_BASELINE_SIZE,
	OPT_GROUP_BY,
	OPT_EXPLAIN,
	OPT_SERIES,
	OPT_GROWTH,
	OPT_FILES0_FROM,
	OPT_FOCUS_LABEL,
	OPT_SINCE,
	OPT_BEFORE,
	OPT_LOOKS,
	OPT_MATCH,
	OPT_COLUMN,
	OPT_COLUMNS,
	OPT_UNIT,
	OPT_NO_HEADER,
	OPT_NO_LABELS,
	OPT_STRICT,
};

static const struct cli_option option_table[] = {
    {'n', "normalize", NULL, "compare shares: scale base to head's total"},
    {'s', "strip-hex", NULL, "replace hexadecimal numbers in names by 0x..."},
    {OPT_REPORT, "report", "[FORMAT]", "print a report, not stacks: text, tsv, markdown or json"},
    {OPT_BASELINE, "baseline", "DIR", "estimate noise from earlier runs of base's program too"},
    {OPT_BASELINE_SIZE, "baseline-size", "N", "use the last N files of --baseline (20)"},
    {OPT_GROUP_BY, "group-by", "KEYS", "compare the files of each value of labels separately"},
    {OPT_EXPLAIN, "explain", NULL, "add the few functions that account for the change"},
    {OPT_BY, "by", "WHAT", "a row per function, module or stack (function)"},
    {OPT_ALL_ROWS, "all-rows", NULL, "add rows of native functions that scripts call"},
    {OPT_OWN_FILES, "own-files", "LIST", "own code is in these source files (git ls-files -z)"},
    {OPT_TOP, "top", "N", "rows of self and of total in a report; 0: all (20)"},
    {OPT_NOISE, "noise", "MODEL", "noise model: none, counts or runs (chosen by the input)"},
    {OPT_PERIOD, "period", "X", "weight of one sample, if values are periods"},
    {OPT_CONFIDENCE, "confidence", "C", "1 - family-wise error rate of a report (0.99)"},
    {OPT_MARK_NOISE, "mark-noise", NULL, "add a column: 1 if the change is within noise"},
    {OPT_FAIL_ABOVE, "fail-above", "N%", "exit 1 if a total (self:N%: a self value) grew by more"},
    {OPT_REQUIRE_POWER, "require-power", NULL,
	"exit 2 if such growth could not have been "
	"detected"},
    {OPT_SERIES, "series", NULL, "find changes in FILEs, profiles in time order"},
    {OPT_GROWTH, "growth", NULL, "find functions that grow in FILEs, such as dumps of a heap"},
    {OPT_FILES0_FROM, "files0-from", "LIST", CLI_HELP_FILES0_FROM},
    {OPT_FOCUS_LABEL, "focus-label", "KEY=VALUE", FILESELECT_HELP_LABEL},
    {OPT_SINCE, "recorded-since", "TIME", FILESELECT_HELP_SINCE},
    {OPT_BEFORE, "recorded-before", "TIME", FILESELECT_HELP_BEFORE},
    {OPT_LOOKS, "looks", "N", "planned number of analyses of this series (1)"},
    {OPT_MATCH, "match", "REGEX", "report and judge only matching functions"},
    {OPT_MATCH, "only", "REGEX", "alias for --match"},
    {OPT_COLUMN, "column", "NAME", CLI_HELP_COLUMN},
    {OPT_COLUMNS, "columns", "NAMES", CLI_HELP_COLUMNS},
    {OPT_UNIT, "unit", "NAME", CLI_HELP_UNIT},
    {OPT_NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {OPT_NO_LABELS, "no-labels", NULL, CLI_HELP_NO_LABELS},
    {OPT_STRICT, "strict", NULL, CLI_HELP_STRICT},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {0},
};

static const struct cli cli = {
    .synopsis =
	"[options] base head | [options] base ... -- head ... | --series|--growth [options] file ...",
    .purpose = "Compare profiles: print both values of every stack, or a report.",
    .options = option_table,
};

/* Returns the index of a word in a list; exits with a usage error if it is not in it. */
static int
choice(const char *option, const char *arg, const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(arg, words[i]) == 0)
			return i;
	cli_usage("%s: bad value '%s'", option, arg);
}

/* The arguments of --files0-from. */
struct lists {
	const char *from[2];
	int n;
};

static void
read_options(struct options *o, int argc, char **argv, struct lists *lists)
{
	static const char *const formats[] = {"text", "tsv", "markdown", "json", NULL};
	static const char *const bys[] = {"function", "module", "stack", NULL};
	static const char *const models[] = {"auto", "none", "counts", "runs", NULL};
	char *arg;
	int key;

	while ((key = cli_next(argc, argv, &arg)) != -1)
		switch (key) {
		case 'n': o->noise.shares = true; break;
		case 's': o->strip_hex = true; break;
		case OPT_REPORT:
			o->report = true;
			o->format =
			    arg != NULL ? (enum report_format)choice("--report", arg, formats) : 0;
			break;
		case OPT_BY: o->by = (enum by)choice("--by", arg, bys); break;
		case OPT_ALL_ROWS: o->all_rows = true; break;
		case OPT_OWN_FILES:
			own_files_free(&o->own);
			own_files_read(&o->own, arg);
			break;
		case OPT_TOP: o->top = number_count("--top", arg, 0, INT32_MAX); break;
		case OPT_NOISE:
			o->noise.kind = (enum noise_kind)choice("--noise", arg, models);
			break;
		case OPT_PERIOD:
			o->noise.period = number_decimal("--period", arg, 1e-9, 1e18);
			break;
		case OPT_CONFIDENCE:
			o->noise.confidence = number_part("--confidence", arg, 0.5, 0.9999);
			break;
		case OPT_MARK_NOISE: o->mark_noise = true; break;
		case OPT_FAIL_ABOVE:
			o->gated = true;
			gate_parse(&o->gate, arg);
			break;
		case OPT_REQUIRE_POWER: o->require_power = true; break;
		case OPT_BASELINE: o->baseline = arg; break;
		case OPT_BASELINE_SIZE:
			o->baseline_size = (unsigned)number_count("--baseline-size", arg, 2, 1000);
			break;
		case OPT_GROUP_BY: o->group_by = arg; break;
		case OPT_EXPLAIN: o->report = o->explain = true; break;
		case OPT_SERIES: o->series = true; break;
		case OPT_GROWTH: o->growth = true; break;
		case OPT_FILES0_FROM:
			if (lists->n == 2)
				cli_usage(
				    "--files0-from: a third list; base and head have one each");
			lists->from[lists->n++] = arg;
			break;
		case OPT_FOCUS_LABEL: fileselect_label(&o->select, arg); break;
		case OPT_SINCE: fileselect_since(&o->select, arg); break;
		case OPT_BEFORE: fileselect_before(&o->select, arg); break;
		case OPT_LOOKS:
			o->looks = (double)number_count("--looks", arg, 1, 1000000000);
			break;
		case OPT_MATCH:
			pattern_free(&o->only);
			o->only.text = arg;
			pattern_compile(&o->only, "match");
			break;
		case OPT_COLUMN: o->column = arg; break;
		case OPT_COLUMNS: o->columns = arg; break;
		case OPT_UNIT:
			if (!folded_unit_valid(arg))
				cli_usage("--unit: bad value '%s' (expected one word)", arg);
			o->unit = arg;
			break;
		case OPT_NO_HEADER: o->no_header = true; break;
		case OPT_NO_LABELS: o->no_labels = true; break;
		case OPT_STRICT: o->strict = true; break;
		case 'o': o->output = arg; break;
		}
}

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
	qsort(o->base.path, o->base.n, sizeof *o->base.path, compare_paths);
	qsort(o->head.path, o->head.n, sizeof *o->head.path, compare_paths);
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
	struct lists lists = {0};
	int dashes = argc;

	*o = (struct options){
	    .top = 20, .baseline_size = 20, .looks = 1, .noise = {.confidence = 0.99}};
	cli_start(&cli, argv);
	for (int i = argc - 1; i > 0; i--)
		if (strcmp(argv[i], "--") == 0) {
			dashes = i;
			break;
		}
	read_options(o, dashes, argv, &lists);
	check_options(o);
	if (o->series || o->growth)
		series_files(o, argc, argv, dashes, &lists);
	else
		two_sides(o, argc, argv, dashes, &lists);
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
