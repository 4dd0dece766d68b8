/*
 * fg-merge: adds up equal stacks of any number of folded files and writes them in canonical
 * order. Sums are exact, so that inputs may be merged in any grouping and order.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/files0.h"
#include "base/sandbox.h"
#include "base/source.h"
#include "base/vec.h"
#include "fg-merge/intact.h"
#include "fg-merge/merge.h"
#include "fg-merge/roots.h"
#include "fg-merge/temporary.h"
#include "fg-merge/tsv.h"
#include "profile/fileselect.h"
#include "profile/labelroot.h"

enum {
	SORTED_LINES = CLI_LONG,
	FILES0,
	PREFIX,
	MEAN,
	NORMALIZE,
	SCALE,
	COLUMNS,
	COLUMN,
	UNIT,
	NO_HEADER,
	NO_LABELS,
	GROUP_BY,
	FOCUS_LABEL,
	SINCE,
	BEFORE,
	ALLOW_EMPTY,
	SKIP_DAMAGED,
	STRICT,
};

static const struct cli_option options[] = {
    {'m', "sorted", NULL, "merge inputs in canonical order as a stream"},
    {SORTED_LINES, "sorted-lines", NULL, "merge inputs in the order of LC_ALL=C sort as a stream"},
    {FILES0, "files0-from", "LIST", CLI_HELP_FILES0_FROM},
    {PREFIX, "prefix", "[base|label:KEY|NAME=FILE]",
	"add a root frame: each file's name, its base name, a label or NAME"},
    {GROUP_BY, "group-by", "KEYS",
	"add a root frame from labels; or write a file each: -o x.%V.folded"},
    {FOCUS_LABEL, "focus-label", "KEY=VALUE", FILESELECT_HELP_LABEL},
    {SINCE, "recorded-since", "TIME", FILESELECT_HELP_SINCE},
    {BEFORE, "recorded-before", "TIME", FILESELECT_HELP_BEFORE},
    {MEAN, "mean", NULL, "divide sums by the number of files (or the sum of scales)"},
    {NORMALIZE, "normalize", NULL, "scale each file to the same total"},
    {SCALE, "scale", "FILE=X", "multiply the values of a file by X"},
    {SCALE, "weight", "FILE=X", "alias for --scale"},
    {COLUMNS, "columns", "NAMES", CLI_HELP_COLUMNS},
    {COLUMN, "column", "NAME", CLI_HELP_COLUMN},
    {UNIT, "unit", "NAME", CLI_HELP_UNIT},
    {NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {NO_LABELS, "no-labels", NULL, CLI_HELP_NO_LABELS},
    {ALLOW_EMPTY, "allow-empty", NULL, "exit 0 even if no file has a stack"},
    {SKIP_DAMAGED, "skip-damaged", "[LIST]", "skip damaged files; write their names to LIST"},
    {STRICT, "strict", NULL, CLI_HELP_STRICT},
    {'T', "text", "tsv", "write tables for SQL into the directory named by -o"},
    {'T', "to", "tsv", "alias for --text"},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [[NAME=]file ...]",
    .purpose = "Merge folded stacks: add up equal ones.",
    .options = options,
};

static void
add_source(struct merge *m, const char *operand)
{
	vec_fit(m->source, m->cap, m->n + 1);
	m->source[m->n++] = (struct profile){.path = operand, .weight = VALUE_ONE};
}

/* Sets --scale FILE=X, where FILE is an operand or, under --prefix, its name. */
static void
weigh_source(struct merge *m, const char *arg)
{
	const char *equals = strrchr(arg, '=');
	size_t len = equals != NULL ? (size_t)(equals - arg) : 0;
	bool found = false;
	value weight;

	if (equals == NULL || (weight = number_value("--scale", equals + 1)) == 0)
		cli_usage("--scale: bad value '%s' (expected FILE=X with X above 0)", arg);
	for (size_t i = 0; i < m->n; i++) {
		struct profile *s = &m->source[i];

		if ((strlen(s->path) == len && memcmp(s->path, arg, len) == 0) ||
		    (s->nprefix == len + 1 && memcmp(s->prefix, arg, len) == 0)) {
			if (s->weighed)
				cli_usage("--scale %s: this input already has a scale", arg);
			s->weight = weight;
			s->weighed = found = true;
		}
	}
	if (!found)
		cli_usage("--scale %s: no input has this name", arg);
	m->weighted = true;
}

/* The directory of a pattern like dir/x.%V.folded; exits 2 if `%V` is in a directory. */
static const char *
group_directory(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	static char directory[PATH_MAX];

	if (slash == NULL)
		return ".";
	if (strstr(slash, "%V") == NULL || (size_t)(slash - pattern) >= sizeof directory)
		cli_usage("-o %s: %%V must be in the file name, not in a directory", pattern);
	memcpy(directory, pattern, (size_t)(slash - pattern) + 1);
	return directory;
}

static void
warn_empty(const struct merge *m)
{
	const char **path = cli_alloc(m->n + 1, sizeof *path);

	for (size_t i = 0; i < m->n; i++)
		path[i] = m->source[i].path;
	source_warn_empty(path, m->n);
	free(path);
}

/* Removes the inputs that are not selected by their labels. */
static void
select_sources(struct merge *m, struct fileselect *select)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct labels *labels = labelroot_labels(m->source[i].path);

		if (fileselect_wants(select, labels))
			m->source[kept++] = m->source[i];
		else
			free(m->source[i].prefix);
		labels_free(labels);
	}
	fileselect_finish(select);
	if (kept == 0 && m->n > 0 && !m->folded.allow_empty)
		cli_die("no file matches the options for labels");
	m->n = kept;
}

int
main(int argc, char **argv)
{
	struct sandbox files = {0};
	struct merge m = {0};
	const char **weight = NULL, *out = NULL;
	const char *files0 = NULL, *columns = NULL, *label = NULL;
	struct labelroot_keys group = {0};
	struct fileselect select = {0};
	const char *list_damaged = NULL;
	bool sorted = false, prefix = false, base = false, skip_damaged = false, tsv = false,
	     grouped;
	size_t nweight = 0, capweight = 0, nlist = 0;
	char *arg, **list = NULL;
	int key;

	cli_start(&cli, argv);
	while ((key = cli_next(argc, argv, &arg)) != -1)
		switch (key) {
		case 'm': sorted = true; break;
		case SORTED_LINES: sorted = m.linewise = true; break;
		case FILES0: files0 = arg; break;
		case PREFIX:
			prefix = true;
			if (arg != NULL && strcmp(arg, "base") == 0)
				base = true;
			else if (arg != NULL && strncmp(arg, "label:", 6) == 0)
				label = arg + 6;
			else if (arg != NULL)
				add_source(&m, arg);
			break;
		case GROUP_BY: labelroot_keys(&group, arg); break;
		case FOCUS_LABEL: fileselect_label(&select, arg); break;
		case SINCE: fileselect_since(&select, arg); break;
		case BEFORE: fileselect_before(&select, arg); break;
		case NO_LABELS: m.folded.no_labels = true; break;
		case MEAN: m.mean = true; break;
		case NORMALIZE: m.normalize = true; break;
		case SCALE:
			vec_fit(weight, capweight, nweight + 1);
			weight[nweight++] = arg;
			break;
		case COLUMNS:
			columns = arg;
			folded_columns_option(&m.folded.columns, arg);
			m.folded.fixed = true;
			break;
		case COLUMN: m.column = arg; break;
		case UNIT:
			if (!folded_unit_valid(arg))
				cli_usage("--unit: bad value '%s' (expected one word)", arg);
			m.folded.unit = arg;
			break;
		case NO_HEADER: m.no_header = true; break;
		case ALLOW_EMPTY: m.folded.allow_empty = true; break;
		case SKIP_DAMAGED:
			skip_damaged = true;
			list_damaged = arg;
			break;
		case STRICT: m.folded.strict = true; break;
		case 'T':
			if (strcmp(arg, "tsv") != 0)
				cli_usage("-T: bad value '%s' (expected tsv)", arg);
			tsv = true;
			break;
		case 'o': out = arg; break;
		}
	for (; optind < argc; optind++)
		add_source(&m, argv[optind]);
	if (files0 != NULL) {
		if (m.n > 0)
			cli_usage("--files0-from %s: cannot be used with files on the command line",
			    files0);
		list = files0_read(files0, &nlist);
		for (size_t i = 0; i < nlist; i++)
			add_source(&m, list[i]);
	} else if (m.n == 0) {
		add_source(&m, "-");
	}
	if (prefix)
		roots_by_name(&m, base);
	grouped = group.n > 0 && out != NULL && strstr(out, "%V") != NULL;
	if (tsv && (out == NULL || strcmp(out, "-") == 0))
		cli_usage("-T tsv needs -o DIRECTORY");
	if (tsv && (sorted || prefix || group.n > 0 || m.mean || m.normalize || nweight > 0 ||
		       m.column != NULL))
		cli_usage("-T tsv can only be used with --files0-from, --columns, --unit, "
			  "--skip-damaged, --allow-empty and --strict");
	if (prefix && group.n > 0 && !grouped)
		cli_usage("--prefix cannot be used with --group-by: both add a root frame");
	for (size_t i = 0; i < nweight; i++)
		weigh_source(&m, weight[i]);

	for (size_t i = 0; i < m.n; i++)
		sandbox_add(&files, SANDBOX_READ, m.source[i].path);
	if (tsv)
		tsv_directory(out);
	if (tsv || grouped)
		sandbox_add(&files, SANDBOX_WRITE_IN, tsv ? out : group_directory(out));
	else
		sandbox_add(&files, SANDBOX_WRITE, out);
	sandbox_add(&files, SANDBOX_WRITE, list_damaged);
	if (sorted)
		sandbox_add(&files, SANDBOX_WRITE_IN, temporary_directory());
	sandbox_enter(&files);
	if (!m.folded.allow_empty)
		warn_empty(&m);
	if (skip_damaged)
		intact_select(&m, list_damaged);

	if (fileselect_is_used(&select))
		select_sources(&m, &select);
	if (label != NULL)
		roots_by_label(&m, label);
	else if (group.n > 0 && !grouped)
		roots_by_group(&m, &group);
	if (tsv)
		tsv_write(&m, out);
	else if (grouped)
		roots_write_groups(&m, &group, out, columns, sorted);
	else if (sorted && m.n > 0)
		merge_sorted(&m, out);
	else
		merge_plain(&m, out);

	for (size_t i = 0; i < m.n; i++)
		free(m.source[i].prefix);
	if (nlist > 0)
		free(list[0]);
	free(list);
	free(m.source);
	free(weight);
	folded_columns_free(&m.folded.columns);
	labelroot_finish(&group);
	return CLI_DONE;
}
