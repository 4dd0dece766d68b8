/*
 * fg-filter: reads folded stacks and writes those that are kept, with frames removed, hidden or
 * renamed. Options apply to all stacks in the order given.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/files0.h"
#include "base/number.h"
#include "base/sandbox.h"
#include "base/source.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-filter/filter.h"

enum {
	FOCUS = CLI_LONG,
	DROP,
	WHERE,
	ROOT_AT,
	SKIP_AFTER,
	UNTIL,
	HIDE,
	ONLY,
	CALLERS,
	CALLEES,
	KERNEL,
	LANG,
	FOCUS_MODULE,
	NO_ANNOTATIONS,
	NO_ANNOTATE,
	STRIP,
	RENAME,
	ROOT,
	COLLAPSE_RECURSION,
	REVERSE,
	MAX_DEPTH,
	MIN,
	MIN_TOTAL,
	COLLAPSE_MODULES,
	TOP,
	FROM,
	TO,
	FOCUS_LABEL,
	SINCE,
	BEFORE,
	FILES0,
	OTHER_FRAME,
	REQUIRE,
	TIME_ORDER,
	COLUMNS,
	COLUMN,
	UNIT,
	NO_HEADER,
	NO_LABELS,
	STRICT,
};

static const struct cli_option options[] = {
    {FOCUS, "focus", "RE", "keep stacks with a matching frame"},
    {FOCUS, "keep", "RE", "alias for --focus"},
    {DROP, "drop", "RE", "remove stacks with a matching frame"},
    {WHERE, "where", "EXPR", "keep the stacks for which an expression is true"},
    {ROOT_AT, "root-at", "RE", "start stacks at the first match; remove those without one"},
    {SKIP_AFTER, "skip-after", "NAME", CLI_HELP_SKIP_AFTER},
    {UNTIL, "until", "RE", "end stacks at the first match"},
    {HIDE, "hide", "RE", "remove matching frames; their value goes to the caller"},
    {ONLY, "only", "RE", "remove all other frames"},
    {CALLERS, "callers", "RE", "show the first match and its callers, nearest first"},
    {CALLEES, "callees", "RE", "show the first match and its callees"},
    {KERNEL, "kernel", "drop|merge|only",
	"remove stacks in the kernel; hide its frames; or hide all others"},
    {LANG, "lang", "LANGUAGES",
	"keep functions in python, ruby, php, perl, lua, java, node, erlang, haskell"},
    {FOCUS_MODULE, "focus-module", "RE", "keep stacks with a frame of a matching module"},
    {FOCUS_MODULE, "module", "RE", "alias for --focus-module"},
    {NO_ANNOTATIONS, "no-annotations", NULL, CLI_HELP_NO_ANNOTATIONS},
    {NO_ANNOTATE, "no-annotate", NULL, CLI_HELP_NO_ANNOTATE},
    {STRIP, "strip", "WHAT",
	"strip addresses, generics, args, hashes, lines or clones (a,b: some)"},
    {RENAME, "rename", "s/RE/TEXT/", "replace in frame names, as in sed (flags g, i)"},
    {ROOT, "root", "NAME", "add a root frame"},
    {COLLAPSE_RECURSION, "collapse-recursion", "[all]",
	"merge a;b;b;c to a;b;c; with all, also a;b;a;c to a;c"},
    {REVERSE, "reverse", NULL, "reverse stacks, leaf first"},
    {MAX_DEPTH, "max-depth", "N", "remove frames below level N; their value goes to the caller"},
    {MIN, "min", "N[%]", "remove stacks with a value below N, or N percent of the total"},
    {MIN_TOTAL, "min-total", "N[%]", "hide functions with a total below N, or N percent"},
    {COLLAPSE_MODULES, "collapse-modules", NULL, "replace functions by their modules"},
    {TOP, "top", "N", "keep the N stacks with the largest values"},
    {'i', "ignore-case", NULL, "ignore case in all patterns"},
    {'F', "fixed-strings", NULL, "read patterns as fixed strings"},
    {OTHER_FRAME, "other", NULL, "keep the value of removed stacks as " OTHER},
    {REQUIRE, "require", NULL, "exit 1 if no stack is left"},
    {FROM, "from", "TIME", "keep time steps from TIME on: 1.5, 20ms, 2m"},
    {TO, "to", "TIME", "keep time steps before TIME"},
    {FOCUS_LABEL, "focus-label", "KEY=VALUE", FILESELECT_HELP_LABEL},
    {FOCUS_LABEL, "label", "KEY=VALUE", "alias for --focus-label"},
    {SINCE, "recorded-since", "TIME", FILESELECT_HELP_SINCE},
    {BEFORE, "recorded-before", "TIME", FILESELECT_HELP_BEFORE},
    {FILES0, "files0-from", "LIST", CLI_HELP_FILES0_FROM},
    {TIME_ORDER, "time-order", NULL, "keep the order of the input; merge only neighbours"},
    {COLUMNS, "columns", "NAMES", CLI_HELP_COLUMNS},
    {COLUMN, "column", "NAME", CLI_HELP_COLUMN},
    {UNIT, "unit", "NAME", CLI_HELP_UNIT},
    {NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {NO_LABELS, "no-labels", NULL, CLI_HELP_NO_LABELS},
    {STRICT, "strict", NULL, CLI_HELP_STRICT},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [file ...]",
    .purpose = "Keep, remove, hide and rename frames and stacks.",
    .options = options,
};

/* Options whose step needs no parsing beyond a pattern. */
static const struct simple {
	int key;
	bool pattern, reshapes;
	step_run *run;
} simple[] = {
    {ROOT_AT, true, true, reshape_root_at},
    {CALLEES, true, true, reshape_root_at},
    {CALLERS, true, true, reshape_callers},
    {UNTIL, true, true, reshape_until},
    {HIDE, true, true, reshape_hide},
    {ONLY, true, true, reshape_only},
    {SKIP_AFTER, false, true, reshape_skip_after},
    {NO_ANNOTATIONS, false, true, rename_bare},
    {NO_ANNOTATE, false, true, rename_bare},
    {REVERSE, false, true, reshape_reverse},
    {COLLAPSE_MODULES, false, true, reshape_modules},
};

/* Parses s/RE/TEXT/flags, with any character as delimiter. */
static void
parse_rename(struct step *s, const char *arg)
{
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
	s->run = rename_replace;
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
set_where(struct step *s, struct where *where)
{
	s->run = select_where;
	s->where = where;
}

static void
parse_kernel(struct step *s, const char *arg)
{
	s->reshapes = strcmp(arg, "drop") != 0;
	if (!s->reshapes)
		set_where(s, where_frame(WHERE_KERNEL, "", true));
	else if (strcmp(arg, "merge") == 0)
		s->run = reshape_hide_kernel;
	else if (strcmp(arg, "only") == 0)
		s->run = reshape_only_kernel;
	else
		cli_usage("--kernel: bad value '%s' (expected drop, merge or only)", arg);
}

static void
parse_lang(struct step *s, const char *arg)
{
	s->languages = languages_of_names(arg);
	if (s->languages == 0)
		cli_usage("--lang: bad value '%s' (expected python, ruby, php, perl, lua, java, "
			  "node, erlang, haskell, or several with commas)",
		    arg);
	s->run = reshape_only_language;
	s->reshapes = true;
}

static void
parse_min(struct step *s, const char *arg)
{
	s->needs_all = true;
	s->least = number_or_percent(
	    strcmp(s->option, "min") == 0 ? "--min" : "--min-total", arg, &s->percent);
}

/* Sets up the step of an option; false if the option is not a step. */
static bool
parse_step(struct step *s, int key, const char *arg)
{
	*s = (struct step){.arg = arg};
	for (const struct cli_option *o = options; o->key != 0; o++)
		if (o->key == key) {
			s->option = o->name; /* aliases come later */
			break;
		}
	for (const struct simple *k = simple; k < simple + sizeof simple / sizeof simple[0]; k++)
		if (k->key == key) {
			s->run = k->run;
			s->reshapes = k->reshapes;
			s->pattern.text = k->pattern ? arg : NULL;
			return true;
		}
	switch (key) {
	case KERNEL: parse_kernel(s, arg); break;
	case LANG: parse_lang(s, arg); break;
	case STRIP:
		s->run = rename_strip;
		s->reshapes = true;
		s->strip = strip_parse(arg);
		if (s->strip == 0)
			cli_usage(
			    "--strip: bad value '%s' (expected a list of addresses, generics, "
			    "args, hashes, lines, clones)",
			    arg);
		break;
	case RENAME: parse_rename(s, arg); break;
	case ROOT:
		s->run = reshape_root;
		s->reshapes = true;
		if (arg[0] == '\0')
			cli_usage("--root needs a name");
		break;
	case COLLAPSE_RECURSION:
		if (arg != NULL && strcmp(arg, "all") != 0)
			cli_usage("--collapse-recursion: bad value '%s' (expected all)", arg);
		s->run = arg != NULL ? reshape_recursion_all : reshape_recursion;
		s->reshapes = true;
		break;
	case MAX_DEPTH:
		s->run = reshape_max_depth;
		s->reshapes = true;
		s->number = (uint32_t)number_count("--max-depth", arg, 1, UINT32_MAX);
		break;
	case FOCUS: set_where(s, where_frame(WHERE_FRAME, arg, false)); break;
	case DROP: set_where(s, where_frame(WHERE_FRAME, arg, true)); break;
	case FOCUS_MODULE: set_where(s, where_frame(WHERE_MODULE, arg, false)); break;
	case WHERE:
		set_where(s, where_parse(arg));
		s->needs_all = where_by_value(s->where);
		break;
	case MIN:
		parse_min(s, arg);
		s->run = select_min;
		break;
	case MIN_TOTAL:
		parse_min(s, arg);
		s->run = reshape_min_total;
		s->reshapes = true;
		break;
	case TOP:
		s->run = select_top;
		s->needs_all = true;
		s->number = (uint32_t)number_count("--top", arg, 1, UINT32_MAX);
		break;
	default: return false;
	}
	return true;
}

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
		if (s->needs_all || s->run == reshape_only_language)
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

	*t = *t == NULL ? f->begun : *t;
	f->begun = NULL;
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

/* Reads all files, runs the steps and writes the tree; false if no stack but [other] is left. */
static bool
filter_tree(struct filter *f, char *const *path, struct output *o)
{
	struct calltree *t = NULL;
	struct folded_columns columns;
	struct folded_file file;
	bool kept = false;
	int column;

	for (; *path != NULL; path++) {
		if (f->is_open)
			file = f->file;
		else if (!input_open(f, &file, *path))
			continue;
		f->is_open = false;
		read_file(f, &file, &t);
		folded_close(&file);
	}
	folded_finish(&f->folded, t != NULL ? &t : NULL);
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

int
main(int argc, char **argv)
{
	char *const *path;
	char *standard_input[] = {(char[]){"-"}, NULL};
	bool kept, require = false, time_order = false, fixed = false, ignore_case = false;
	struct sandbox files = {0};
	struct filter f = {.to = UINT64_MAX};
	const char *out = NULL, *files0 = NULL;
	char **list = NULL;
	size_t npath;
	struct output *o;
	struct step step;
	char *arg;
	int key;

	cli_start(&cli, argv);
	while ((key = cli_next(argc, argv, &arg)) != -1)
		switch (key) {
		case 'i': ignore_case = true; break;
		case 'F': fixed = true; break;
		case OTHER_FRAME: f.other = true; break;
		case REQUIRE: require = true; break;
		case FROM:
			f.range = true;
			f.from = number_time("--from", arg, 0, NUMBER_TIME_MAX);
			break;
		case TO:
			f.range = true;
			f.to = number_time("--to", arg, 0, NUMBER_TIME_MAX);
			break;
		case FOCUS_LABEL: fileselect_label(&f.select, arg); break;
		case SINCE: fileselect_since(&f.select, arg); break;
		case BEFORE: fileselect_before(&f.select, arg); break;
		case FILES0: files0 = arg; break;
		case TIME_ORDER: time_order = true; break;
		case COLUMNS:
			folded_columns_option(&f.folded.columns, arg);
			f.folded.fixed = true;
			break;
		case COLUMN: f.column = arg; break;
		case UNIT:
			if (!folded_unit_valid(arg))
				cli_usage("--unit: bad value '%s' (expected one word)", arg);
			f.folded.unit = arg;
			break;
		case NO_HEADER: f.no_header = true; break;
		case NO_LABELS: f.folded.no_labels = true; break;
		case STRICT: f.folded.strict = true; break;
		case 'o': out = arg; break;
		default:
			f.no_header |= key == NO_ANNOTATE;
			if (parse_step(&step, key, arg)) {
				vec_fit(f.step, f.capstep, f.nstep + 1);
				f.step[f.nstep++] = step;
			}
			break;
		}
	for (struct step *s = f.step; s < f.step + f.nstep; s++) {
		if (s->pattern.text != NULL) {
			s->pattern.fixed = fixed;
			s->pattern.ignore_case |= ignore_case;
			pattern_compile(&s->pattern, s->option);
			if (s->run == rename_replace)
				check_groups(s);
		}
		if (s->where != NULL)
			where_compile(s->where, s->option, fixed, ignore_case);
		if (time_order && s->needs_all)
			cli_usage(
			    "--%s cannot be used with --time-order: it needs all stacks in memory",
			    s->option);
	}
	find_local(&f);

	path = optind < argc ? argv + optind : standard_input;
	npath = optind < argc ? (size_t)(argc - optind) : 1;
	if (files0 != NULL && optind < argc)
		cli_usage(
		    "--files0-from %s: cannot be used with files on the command line", files0);
	if (files0 != NULL) {
		path = list = files0_read(files0, &npath);
		if (npath == 0)
			cli_die("%s: the list has no file", files0);
	}
	source_warn_empty((const char *const *)path, npath);
	for (size_t i = 0; i < npath; i++)
		sandbox_add(&files, SANDBOX_READ, path[i]);
	sandbox_add(&files, SANDBOX_WRITE, out);
	sandbox_enter(&files);
	o = output_open(out);
	kept = (time_order		      ? filter_time_order
		: filter_can_stream(&f, path) ? filter_stream
					      : filter_tree)(&f, path, o);
	output_close(o);
	if (cli_verbose)
		report(&f);

	for (struct step *s = f.step; s < f.step + f.nstep; s++) {
		pattern_free(&s->pattern);
		where_free(s->where);
		free(s->script);
	}
	free(f.step);
	fileselect_finish(&f.select);
	if (list != NULL)
		free(list[0]);
	free(list);
	folded_columns_free(&f.folded.columns);
	return require && !kept ? CLI_NO : CLI_DONE;
}
