/*
 * fg-filter: reads folded stacks and writes those that are kept, with frames removed, hidden or
 * renamed. Options apply to all stacks in the order given.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/sandbox.h"
#include "base/source.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-filter/filter.h"
#include "fg-filter/stackwise.h"
#include "names/origins.h"
#include "profile/files0.h"

struct options {
	struct filter filter;
	bool require, time_order, fixed, ignore_case;
	const char *output, *files0;
};

/* Adds the step of an option. */
static struct step *
add_step(struct options *o, step_run *run, const char *arg, const char *option)
{
	struct filter *f = &o->filter;

	vec_fit(f->step, f->capstep, f->nstep + 1);
	f->step[f->nstep++] = (struct step){.option = option + 2, .arg = arg, .run = run};
	return &f->step[f->nstep - 1];
}

/* Steps that change stacks, without parsing beyond a pattern. */
#define RESHAPES(name, with)                                                     \
	static void add_##name(struct options *o, char *arg, const char *option) \
	{                                                                        \
		add_step(o, with, arg, option)->reshapes = true;                 \
	}
#define MATCHES(name)                                                            \
	static void add_##name(struct options *o, char *arg, const char *option) \
	{                                                                        \
		struct step *s = add_step(o, reshape_##name, arg, option);       \
                                                                                 \
		s->reshapes = true;                                              \
		s->pattern.text = arg;                                           \
	}
MATCHES(root_at)
MATCHES(callers)
MATCHES(until)
MATCHES(hide)
MATCHES(only)
RESHAPES(skip_after, reshape_skip_after)
RESHAPES(bare, rename_frames)
RESHAPES(reverse, reshape_reverse)
RESHAPES(modules, reshape_modules)

/* Parses s/RE/TEXT/flags, with any character as delimiter. */
static void
add_rename(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, rename_frames, arg, option);
	char *script = cli_strdup(arg), delimiter = script[0] == 's' ? script[1] : '\0', *part[3];
	char *out = script + 2, *in = out;
	int n = 0;

	if (delimiter != '\0' && delimiter != '\\') {
		for (part[n++] = out; *in != '\0' && n < 3; in++) {
			if (*in == delimiter) {
				*out++ = '\0';
				part[n++] = out;
			} else if (*in == '\\' && in[1] == delimiter) {
				*out++ = *++in;
			} else {
				if (*in == '\\' && in[1] != '\0')
					*out++ = *in++;
				*out++ = *in;
			}
		}
	}
	if (n < 3 || in[strspn(in, "gi")] != '\0')
		cli_usage("--rename: bad value '%s' (expected s/RE/TEXT/ with flags g or i)", arg);
	s->script = script;
	s->pattern.text = part[0];
	s->replacement = (struct replacement){part[1], strchr(in, 'g') != NULL};
	s->pattern.ignore_case = strchr(in, 'i') != NULL;
	s->reshapes = true;
}

/* Exits with 2 if the text of --rename refers to a group that its pattern does not have. */
static void
check_groups(const struct step *s)
{
	size_t groups = s->pattern.fixed ? 0 : s->pattern.re.re_nsub;

	for (const char *c = s->replacement.text; *c != '\0'; c++) {
		if (*c != '\\')
			continue;
		if (*++c == '\0')
			return;
		if (*c >= '1' && *c <= '9' && (size_t)(*c - '0') > groups)
			cli_usage("--rename: \\%c: the pattern %s has %zu %s; groups are written "
				  "(...), & is the match",
			    *c, s->pattern.text, groups, text_form(groups, "group", "groups"));
	}
}

static void
add_selection(struct options *o, struct where *where, char *arg, const char *option)
{
	struct step *s = add_step(o, select_where, arg, option);

	s->where = where;
	s->needs_all = where_by_value(where);
}

static void
add_focus(struct options *o, char *arg, const char *option)
{
	add_selection(o, where_frame(WHERE_FRAME, arg, false), arg, option);
}

static void
add_drop(struct options *o, char *arg, const char *option)
{
	add_selection(o, where_frame(WHERE_FRAME, arg, true), arg, option);
}

static void
add_focus_module(struct options *o, char *arg, const char *option)
{
	add_selection(o, where_frame(WHERE_MODULE, arg, false), arg, option);
}

static void
add_where(struct options *o, char *arg, const char *option)
{
	add_selection(o, where_parse(arg), arg, option);
}

static void
add_kernel(struct options *o, char *arg, const char *option)
{
	switch (cli_word(option, arg, (const char *const[]){"drop", "merge", "only", NULL})) {
	case 0: add_selection(o, where_frame(WHERE_KERNEL, "", true), arg, option); break;
	case 1: add_step(o, reshape_hide_kernel, arg, option)->reshapes = true; break;
	default: add_step(o, reshape_only_kernel, arg, option)->reshapes = true;
	}
}

static void
list_languages(struct text *help)
{
	languages_add_names(LANGUAGES_ALL, ", ", help);
}

static void
add_lang(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, reshape_only_language, arg, option);
	struct text known = {0};

	s->reshapes = true;
	s->languages = languages_of_names(arg);
	if (s->languages != 0)
		return;
	list_languages(&known);
	cli_usage("%s: bad value '%s' (expected %s, or several with commas)", option, arg, known.s);
}

static void
add_origin(struct options *o, char *arg, const char *option)
{
	struct step *s;

	for (size_t i = 0; i < o->filter.nstep; i++)
		if (o->filter.step[i].run == reshape_reverse)
			cli_usage(
			    "%s needs callers before callees; put it before --reverse", option);
	s = add_step(o, reshape_only_origin, arg, option);
	s->reshapes = true;
	s->origins = origins_of_words(arg);
	if (s->origins == 0)
		cli_usage("%s: bad value '%s' (expected user, library, system, unknown, or several "
			  "with commas)",
		    option, arg);
}

static void
add_hide_system(struct options *o, char *arg, const char *option)
{
	add_step(o, reshape_hide_system, arg, option)->reshapes = true;
}

static void
add_strip(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, rename_frames, arg, option);

	s->reshapes = true;
	s->strip = strip_parse(arg);
	if (s->strip == 0)
		cli_usage("%s: bad value '%s' (expected addresses, generics, args, hashes, lines, "
			  "clones, or several with commas)",
		    option, arg);
}

static void
add_root(struct options *o, char *arg, const char *option)
{
	if (arg[0] == '\0')
		cli_usage("%s needs a name", option);
	add_step(o, reshape_root, arg, option)->reshapes = true;
}

static void
add_recursion(struct options *o, char *arg, const char *option)
{
	if (arg != NULL)
		cli_word(option, arg, (const char *const[]){"all", NULL});
	add_step(o, arg != NULL ? reshape_recursion_all : reshape_recursion, arg, option)
	    ->reshapes = true;
}

static void
add_max_depth(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, reshape_max_depth, arg, option);

	s->reshapes = true;
	s->number = (uint32_t)number_count(option, arg, 1, UINT32_MAX);
}

static void
add_top(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, select_top, arg, option);

	s->needs_all = true;
	s->number = (uint32_t)number_count(option, arg, 1, UINT32_MAX);
}

static void
add_min(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, select_min, arg, option);

	s->needs_all = true;
	s->least = number_or_percent(option, arg, &s->percent);
}

static void
add_min_total(struct options *o, char *arg, const char *option)
{
	struct step *s = add_step(o, reshape_min_total, arg, option);

	s->reshapes = s->needs_all = true;
	s->least = number_or_percent(option, arg, &s->percent);
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-filter/options.def"
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [file ...]",
    .purpose = "Keep, remove, hide and rename frames and stacks.",
    .options = rows,
};

struct folded_columns
filter_columns(const struct filter *f)
{
	int picked = filter_column(f);

	return picked < 0 ? f->folded.columns
			  : folded_columns_pick(&f->folded.columns, (unsigned)picked);
}

int
filter_column(const struct filter *f)
{
	if (f->column == NULL)
		return -1;
	return (int)folded_columns_find(&f->folded.columns, f->column, "the input");
}

/* Reduces the tree to one of its columns. */
static void
keep_column(struct calltree *t, unsigned column)
{
	struct value_array kept = t->self[column];

	for (unsigned c = 0; c < t->columns; c++)
		if (c != column)
			value_array_free(&t->self[c]);
	t->self[0] = kept;
	t->columns = 1;
}

/*
 * Finds the local steps. A step that needs data of other files, and the steps after it, are not
 * local.
 */
static void
find_local(struct filter *f)
{
	const struct step *all = NULL;

	for (struct step *s = f->step; s < f->step + f->nstep; s++) {
		if (s->needs_all || s->run == reshape_only_language ||
		    s->run == reshape_only_origin)
			all = all != NULL ? all : s;
		if (s->where == NULL || !where_by_label(s->where))
			continue;
		if (all != NULL)
			cli_usage("--%s needs the stacks of all files; put --where with a label "
				  "before it",
			    all->option);
		f->nlocal = (size_t)(s - f->step) + 1;
	}
}

/* Adds the stacks in the range of --from and --to. */
static void
read_range(struct filter *f, struct folded_file *file, struct calltree **t)
{
	struct folded_prefix last = {0};
	struct folded_line l;

	while (input_next(f, file, &l)) {
		uint32_t node;

		if (*t == NULL)
			*t = calltree_new(f->folded.columns.n);
		node = folded_add(*t, &last, l.stack, l.len);
		for (unsigned c = 0; c < f->folded.columns.n; c++)
			calltree_add(*t, node, c, l.value[c]);
	}
	folded_prefix_free(&last);
}

/*
 * Adds the stacks of an open file. Local steps run first, on a tree of only this file, since other
 * files have other labels.
 */
static void
read_file(struct filter *f, struct folded_file *file, struct calltree **all)
{
	struct calltree *own = NULL, **t = f->nlocal > 0 ? &own : all;
	int column;

	if (f->range)
		read_range(f, file, t);
	else
		folded_read(file, t);
	if (own == NULL)
		return;
	column = filter_column(f);
	if (column >= 0)
		keep_column(own, (unsigned)column);
	steps_run(f->step, f->nlocal, &own, NULL);
	if (*all == NULL) {
		*all = own;
		return;
	}
	calltree_merge(*all, own);
	calltree_free(own);
}

bool
filter_write_tree(struct filter *f, struct calltree *t, struct output *o)
{
	struct folded_columns columns;
	bool kept = false;
	int column;

	if (t == NULL) /* --label, or --from and --to, select nothing */
		t = calltree_new(f->folded.columns.n > 0 ? f->folded.columns.n : 1);
	column = filter_column(f);
	if (column >= 0 && f->nlocal == 0)
		keep_column(t, (unsigned)column);
	steps_run(f->step + f->nlocal, f->nstep - f->nlocal, &t, NULL);
	for (uint32_t i = 1; i < t->nnode && !kept; i++)
		kept = calltree_is_stack(t, i);
	if (f->other) {
		uint32_t node =
		    calltree_child(t, CALLTREE_ROOT, calltree_intern(t, OTHER, strlen(OTHER)));

		for (const struct step *s = f->step; s < f->step + f->nstep; s++)
			for (unsigned c = 0; c < t->columns && s->ncut > 0; c++)
				calltree_add(t, node, c, s->cut[c]);
	}
	columns = filter_columns(f);
	folded_write(o, t, &columns, !f->no_header);
	calltree_free(t);
	return kept;
}

/* Reads all files into a tree, and filters that. */
static bool
filter_tree(struct filter *f, char *const *path, struct output *o)
{
	struct calltree *t = NULL;
	struct folded_file file;

	for (; *path != NULL; path++) {
		if (!input_open(f, &file, *path))
			continue;
		read_file(f, &file, &t);
		folded_close(&file);
	}
	folded_finish(&f->folded, t != NULL ? &t : NULL);
	return filter_write_tree(f, t, o);
}

/*
 * Prints how many stacks, and which value, the step `by` removed, or with NULL all steps together.
 */
static void
report_cut(const struct step *by, const value *cut, unsigned columns, uint64_t stacks)
{
	char text[CALLTREE_COLUMNS * (VALUE_CHARS + 1)];
	size_t len = 0;

	for (unsigned c = 0; c < columns; c++) {
		text[len++] = ' ';
		len += value_format(cut[c], text + len);
	}
	cli_note("%s%s%s%s: removed %llu stack%s, value%s", by != NULL ? "--" : "",
	    by != NULL ? by->option : "all options", by != NULL && by->arg != NULL ? " " : "",
	    by != NULL && by->arg != NULL ? by->arg : "", (unsigned long long)stacks,
	    text_form(stacks, "", "s"), text);
}

/* -v: prints what each step removed, and the sum. */
static void
report(const struct filter *f)
{
	unsigned columns = f->column != NULL ? 1 : f->folded.columns.n;
	value all[CALLTREE_COLUMNS] = {0};
	uint64_t stacks = 0;

	for (const struct step *s = f->step; s < f->step + f->nstep; s++) {
		report_cut(s, s->cut, columns, s->ncut);
		stacks += s->ncut;
		for (unsigned c = 0; c < columns; c++)
			all[c] = value_sum(all[c], s->cut[c]);
	}
	report_cut(NULL, all, columns, stacks);
}

/* Compiles the patterns; exits with 2 if an option excludes a step. */
static void
compile_steps(struct options *o)
{
	struct filter *f = &o->filter;

	vec_fit(f->step, f->capstep, 1); /* not NULL without steps: loops add their number to it */
	for (struct step *s = f->step; s < f->step + f->nstep; s++) {
		if (s->pattern.text != NULL) {
			s->pattern.fixed = o->fixed;
			s->pattern.ignore_case |= o->ignore_case;
			pattern_compile(&s->pattern, s->option);
			if (s->run == rename_frames)
				check_groups(s);
		}
		if (s->where != NULL)
			where_compile(s->where, s->option, o->fixed, o->ignore_case);
		if (o->time_order && s->needs_all)
			cli_usage(
			    "--%s cannot be used with --time-order: it needs all stacks in memory",
			    s->option);
	}
	find_local(f);
}

static void
free_steps(struct filter *f)
{
	for (struct step *s = f->step; s < f->step + f->nstep; s++) {
		pattern_free(&s->pattern);
		where_free(s->where);
		free(s->script);
	}
	free(f->step);
}

int
main(int argc, char **argv)
{
	struct options options = {.filter = {.folded.jobs = FOLDED_JOBS_ALL, .to = UINT64_MAX}};
	struct filter *f = &options.filter;
	char *standard_input[] = {(char[]){"-"}, NULL}, *const * path, **list = NULL;
	struct sandbox files = {0};
	size_t npath;
	struct output *o;
	bool kept;

	cli_start(&cli, argv);
	cli_options(&options, argc, argv);
	compile_steps(&options);

	path = optind < argc ? argv + optind : standard_input;
	npath = optind < argc ? (size_t)(argc - optind) : 1;
	if (options.files0 != NULL) {
		if (optind < argc)
			cli_usage("--files0-from %s: cannot be used with files on the command line",
			    options.files0);
		path = list = files0_read(options.files0, &npath);
		if (npath == 0)
			cli_die("%s: the list has no file", options.files0);
	}
	source_warn_empty((const char *const *)path, npath);
	for (size_t i = 0; i < npath; i++)
		sandbox_add(&files, SANDBOX_READ, path[i]);
	sandbox_add(&files, SANDBOX_WRITE, options.output);
	sandbox_enter(&files);
	o = output_open(options.output);
	kept = (options.time_order	  ? filter_time_order
		: stackwise_can(f, npath) ? filter_summed
					  : filter_tree)(f, path, o);
	output_close(o);
	if (cli_verbose)
		report(f);

	free_steps(f);
	fileselect_finish(&f->select);
	if (list != NULL)
		free(list[0]);
	free(list);
	folded_columns_free(&f->folded.columns);
	return options.require && !kept ? CLI_NO : CLI_DONE;
}
