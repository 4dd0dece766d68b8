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
#include "base/sandbox.h"
#include "base/source.h"
#include "base/vec.h"
#include "fg-merge/intact.h"
#include "fg-merge/merge.h"
#include "fg-merge/roots.h"
#include "fg-merge/temporary.h"
#include "fg-merge/tsv.h"
#include "profile/files0.h"
#include "profile/fileselect.h"
#include "profile/labelroot.h"

struct options {
	struct merge merge;
	const char **scale; /* FILE=X of each --scale */
	size_t nscale, capscale;
	const char *output, *files0, *columns, *label, *list_damaged;
	struct labelroot_keys group;
	struct fileselect select;
	bool sorted, prefix, base, skip_damaged, tsv;
	bool grouped; /* --group-by writes a file for each value */
	char **list; /* of --files0-from */
	size_t nlist;
};

static void
add_source(struct merge *m, const char *operand)
{
	vec_fit(m->source, m->cap, m->n + 1);
	m->source[m->n++] = (struct profile){.path = operand, .factor = VALUE_ONE};
}

/* Sets --scale FILE=X, where FILE is an operand or, under --prefix, its name. */
static void
scale_source(struct merge *m, const char *arg)
{
	const char *equals = strrchr(arg, '=');
	size_t len = equals != NULL ? (size_t)(equals - arg) : 0;
	bool found = false;
	value factor;

	if (equals == NULL || (factor = number_value("--scale", equals + 1)) == 0)
		cli_usage("--scale: bad value '%s' (expected FILE=X with X above 0)", arg);
	for (size_t i = 0; i < m->n; i++) {
		struct profile *s = &m->source[i];

		if ((strlen(s->path) == len && memcmp(s->path, arg, len) == 0) ||
		    (s->nprefix == len + 1 && memcmp(s->prefix, arg, len) == 0)) {
			if (s->scaled)
				cli_usage("--scale %s: this input already has a scale", arg);
			s->factor = factor;
			s->scaled = found = true;
		}
	}
	if (!found)
		cli_usage("--scale %s: no input has this name", arg);
	m->any_scaled = true;
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

static void
set_sorted_lines(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->sorted = o->merge.linewise = true;
}

static void
set_prefix(struct options *o, char *arg, const char *option)
{
	(void)option;
	o->prefix = true;
	if (arg != NULL && strcmp(arg, "base") == 0)
		o->base = true;
	else if (arg != NULL && strncmp(arg, "label:", 6) == 0)
		o->label = arg + 6;
	else if (arg != NULL)
		add_source(&o->merge, arg);
}

static void
set_group_by(struct options *o, char *keys, const char *option)
{
	(void)option;
	labelroot_keys(&o->group, keys);
}

static void
add_scale(struct options *o, char *scale, const char *option)
{
	(void)option;
	vec_fit(o->scale, o->capscale, o->nscale + 1);
	o->scale[o->nscale++] = scale;
}

static void
set_join(struct options *o, char *by, const char *option)
{
	o->merge.join = cli_word(option, by, (const char *const[]){"text", "function", NULL}) == 1;
}

static void
set_text(struct options *o, char *format, const char *option)
{
	o->tsv = cli_word(option, format, (const char *const[]){"tsv", NULL}) == 0;
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-merge/options.def"
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [[NAME=]file ...]",
    .purpose = "Merge folded stacks: add up equal ones.",
    .options = rows,
};

/* Adds the inputs of the command line or of --files0-from, else standard input. */
static void
find_sources(struct options *o, int argc, char **argv)
{
	struct merge *m = &o->merge;

	for (int i = optind; i < argc; i++)
		add_source(m, argv[i]);
	if (o->files0 != NULL) {
		if (m->n > 0)
			cli_usage("--files0-from %s: cannot be used with files on the command line",
			    o->files0);
		o->list = files0_read(o->files0, &o->nlist);
		for (size_t i = 0; i < o->nlist; i++)
			add_source(m, o->list[i]);
	} else if (m->n == 0) {
		add_source(m, "-");
	}
	if (o->prefix)
		roots_by_name(m, o->base);
}

/* Exits with a usage error if options contradict each other. */
static void
check_options(const struct options *o)
{
	const struct merge *m = &o->merge;

	if (o->tsv && (o->output == NULL || strcmp(o->output, "-") == 0))
		cli_usage("-T tsv needs -o DIRECTORY");
	if (o->tsv && (o->sorted || o->prefix || o->group.n > 0 || m->mean || m->normalize ||
			  o->nscale > 0 || m->column != NULL || m->join))
		cli_usage("-T tsv can only be used with --files0-from, --columns, --unit, "
			  "--skip-damaged, --allow-empty and --strict");
	if (o->sorted && m->join)
		cli_usage("--join=function cannot be used with --sorted: functions are found in "
			  "the names of all files");
	if (o->prefix && o->group.n > 0 && !o->grouped)
		cli_usage("--prefix cannot be used with --group-by: both add a root frame");
}

static void
enter_sandbox(const struct options *o)
{
	struct sandbox files = {0};

	for (size_t i = 0; i < o->merge.n; i++)
		sandbox_add(&files, SANDBOX_READ, o->merge.source[i].path);
	if (o->tsv)
		tsv_directory(o->output);
	if (o->tsv || o->grouped)
		sandbox_add(
		    &files, SANDBOX_WRITE_IN, o->tsv ? o->output : group_directory(o->output));
	else
		sandbox_add(&files, SANDBOX_WRITE, o->output);
	sandbox_add(&files, SANDBOX_WRITE, o->list_damaged);
	if (o->sorted)
		sandbox_add(&files, SANDBOX_WRITE_IN, temporary_directory());
	sandbox_enter(&files);
}

static void
run(struct options *o)
{
	struct merge *m = &o->merge;

	if (o->label != NULL)
		roots_by_label(m, o->label);
	else if (o->group.n > 0 && !o->grouped)
		roots_by_group(m, &o->group);
	if (o->tsv)
		tsv_write(m, o->output);
	else if (o->grouped)
		roots_write_groups(m, &o->group, o->output, o->columns, o->sorted);
	else if (o->sorted && m->n > 0)
		merge_sorted(m, o->output);
	else
		merge_plain(m, o->output);
}

int
main(int argc, char **argv)
{
	struct options o = {.merge.folded.jobs = FOLDED_JOBS_ALL};
	struct merge *m = &o.merge;

	cli_start(&cli, argv);
	cli_options(&o, argc, argv);
	find_sources(&o, argc, argv);
	o.grouped = o.group.n > 0 && o.output != NULL && strstr(o.output, "%V") != NULL;
	check_options(&o);
	for (size_t i = 0; i < o.nscale; i++)
		scale_source(m, o.scale[i]);

	enter_sandbox(&o);
	if (!m->folded.allow_empty)
		warn_empty(m);
	if (o.skip_damaged)
		intact_select(m, o.list_damaged);
	if (fileselect_is_used(&o.select))
		select_sources(m, &o.select);
	run(&o);

	for (size_t i = 0; i < m->n; i++)
		free(m->source[i].prefix);
	if (o.nlist > 0)
		free(o.list[0]);
	free(o.list);
	free(m->source);
	free(o.scale);
	folded_columns_free(&m->folded.columns);
	labelroot_finish(&o.group);
	return CLI_DONE;
}
