/*
 * fg-render: converts folded stacks to a flame graph in one SVG file, or to a text report, or
 * to a profile for another tool.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/sandbox.h"
#include "base/source.h"
#include "base/vec.h"
#include "fg-render/layout/layout.h"
#include "fg-render/layout/measure.h"
#include "fg-render/terminal/live.h"
#include "fg-render/reading/nameattr.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture/background.h"
#include "fg-render/picture/classic.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture.h"
#include "fg-render/reading/names.h"
#include "fg-render/reading/stacks.h"
#include "fg-render/terminal/screen.h"
#include "fg-render/reading/times.h"
#include "fg-render/xml.h"

#define FONTSIZE_DEFAULT 12

static void
set_minwidth(struct options *o, char *arg, const char *option)
{
	o->minwidth = value_double(number_or_percent(option, arg, &o->minwidth_percent));
	if (o->minwidth > (o->minwidth_percent ? 100 : 1e6))
		cli_usage("%s: bad value '%s' (expected up to 100%%)", option, arg);
}

static void
set_colors(struct options *o, char *arg, const char *option)
{
	o->palette = classic_find(arg);
	if (o->palette >= 0)
		o->mode = MODE_PALETTE;
	else if (!palette_mode(arg, &o->mode))
		cli_usage("%s: bad value '%s' (see --help)", option, arg);
}

static const char *
read_colour(const char *option, const char *arg)
{
	if (!palette_colour(arg))
		cli_usage("%s: bad value '%s' (expected #rrggbb)", option, arg);
	return arg;
}

static const struct output_kind *
read_kind(const char *arg)
{
	const struct output_kind *kind = output_kind_find(arg);
	struct text all = {0};

	if (kind == NULL) {
		output_kinds_list(&all, 0);
		cli_usage("-T: bad value '%s' (expected %s)", arg, all.s);
	}
	return kind;
}

/* Exits with a usage error if an option was given that the selected output does not take. */
static void
check_takes(const struct options *o, bool given, const char *option, unsigned takes)
{
	struct text all = {0};

	if (!given || o->kind->takes & takes)
		return;
	output_kinds_list(&all, takes);
	cli_usage("%s needs -T %s", option, all.s);
}

/* Adds a key=value of --resource; a later value replaces an earlier one of the same key. */
static void
add_resource(struct options *o, char *arg, const char *option)
{
	size_t key = strcspn(arg, "=");

	if (key == 0 || arg[key] == '\0')
		cli_usage("%s: bad value '%s' (expected KEY=VALUE)", option, arg);
	for (size_t i = 0; i < o->nresource; i++)
		if (strncmp(o->resource[i], arg, key + 1) == 0) {
			o->resource[i] = arg;
			return;
		}
	vec_fit(o->resource, o->capresource, o->nresource + 1);
	o->resource[o->nresource++] = arg;
}

static void
set_kind(struct options *o, char *name, const char *option)
{
	(void)option;
	o->kind = read_kind(name);
}

static void
set_interactive(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->kind = output_kind_find("interactive");
}

static void
set_window(struct options *o, char *window, const char *option)
{
	(void)option;
	o->window = live_parse(window);
}

static void
set_total(struct options *o, char *total, const char *option)
{
	o->total = number_value(option, total);
}

static void
set_no_sort(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->order = ORDER_INPUT;
}

static void
set_order(struct options *o, char *order, const char *option)
{
	static const char *const orders[] = {"name", "weight", "input", NULL};

	o->order = (enum order)cli_word(option, order, orders);
}

static void
set_chains(struct options *o, char *how, const char *option)
{
	static const char *const chains[] = {"auto", "fold", "keep", NULL};

	o->chains = (enum chains)cli_word(option, how, chains);
}

static void
start_at(struct options *o, const char *frame, bool optional)
{
	vec_fit(o->base, o->capbase, o->nbase + 1);
	o->base[o->nbase++] = (struct base){frame, optional};
}

static void
add_base(struct options *o, char *frame, const char *option)
{
	(void)option;
	start_at(o, frame, false);
}

static void
add_skip_after(struct options *o, char *frame, const char *option)
{
	(void)option;
	start_at(o, frame, true);
}

static void
set_bgcolors(struct options *o, char *name, const char *option)
{
	if (!palette_background(name, o->bgcolors))
		cli_usage("%s: bad value '%s' (expected yellow, blue, green, grey or #rrggbb)",
		    option, name);
}

static void
set_search_color(struct options *o, char *colour, const char *option)
{
	o->searchcolor = read_colour(option, colour);
}

static void
set_ui_color(struct options *o, char *colour, const char *option)
{
	o->uicolor = read_colour(option, colour);
}

static void
set_stroke_color(struct options *o, char *colour, const char *option)
{
	o->strokecolor = strcmp(colour, "none") == 0 ? NULL : read_colour(option, colour);
}

static void
set_hash(struct options *o, char *arg, const char *option)
{
	(void)arg, (void)option;
	o->random = false;
}

static void
set_palette_map(struct options *o, char *path, const char *option)
{
	(void)option;
	o->palette_map = path != NULL ? path : "palette.map";
}

static void
set_width(struct options *o, char *pixels, const char *option)
{
	o->width = (int)number_decimal(option, pixels, 20, 1000000);
}

static void
set_height(struct options *o, char *pixels, const char *option)
{
	o->height = (int)number_decimal(option, pixels, 2, 1000);
}

static void
set_encoding(struct options *o, char *name, const char *option)
{
	(void)option;
	o->encoding = strcasecmp(name, "UTF-8") != 0 && strcasecmp(name, "utf8") != 0 ? name : NULL;
}

static struct cli_option rows[] = {
#define OPTION CLI_OPTION
#include "fg-render/options.def"
    {0},
};

static const struct cli cli = {
    .synopsis = "[options] [file ...]",
    .purpose = "Draw folded stacks as a flame graph: one SVG file, interactive in a browser.",
    .options = rows,
};

/*
 * Opens the encoding before the sandbox is entered, since iconv_open(3) may read files. It loads
 * code of the C library, which ends a static program that was built with another version; so a
 * child tries it.
 */
static void
open_encoding(struct options *o)
{
	pid_t child = fork();
	int how = 0;

	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		close(STDERR_FILENO);
		iconv_open("UTF-8", o->encoding);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &how, 0) < 0)
		cli_die("fork: %s", strerror(errno));
	if (how != 0)
		cli_die("--encoding: not possible with this system's C library, which is not the "
			"one that fg-render was built with");
	o->from = iconv_open("UTF-8", o->encoding);
	if (o->from == (iconv_t)-1)
		cli_usage("--encoding: bad value '%s' (iconv -l lists the encodings)", o->encoding);
}

/* Checks combinations of options and sets the defaults that depend on other options. */
static void
complete_options(struct options *o)
{
	if (o->encoding != NULL)
		open_encoding(o);
	if (o->open && (o->output == NULL || strcmp(o->output, "-") == 0))
		cli_usage("--open needs -o FILE");
	if (o->live && o->kind == output_kinds)
		o->kind = output_kind_find("flame");
	check_takes(o, o->live, "--live", OUTPUT_LIVE);
	if (o->live && (o->flamechart || o->reverse || o->nbase > 0 || o->encoding != NULL))
		cli_usage(
		    "--live cannot be used with --flamechart, --reverse, --base or --encoding");
	check_takes(o, o->open, "--open", OUTPUT_PAGE);
	check_takes(o, o->heatmap, "--heatmap", OUTPUT_PAGE);
	check_takes(o, o->max_depth != 0, "--max-depth", OUTPUT_DEPTH);
	check_takes(o, o->min_percent > 0, "--min-percent", OUTPUT_MINIMUM);
	check_takes(o, o->nresource > 0, "--resource", OUTPUT_RESOURCE);
	if (o->width != 0 && o->width < 60 && o->kind->takes & OUTPUT_PAGE)
		cli_usage("--width: bad value %d (expected 60 or more pixels)", o->width);
	if (o->flamechart && o->order == ORDER_WEIGHT)
		cli_usage("--order weight cannot be used with --flamechart, which is in time "
			  "order");
	if (o->title == NULL || *o->title == '\0')
		o->title = o->flamechart ? "Flame Chart"
			   : o->inverted ? "Icicle Graph"
					 : "Flame Graph";
	/* if only one of --height and --fontsize is given, the other one follows from it */
	if (o->fontsize == 0)
		o->fontsize =
		    o->height == 0 || o->height >= 15 ? FONTSIZE_DEFAULT : 0.8 * o->height;
	if (o->height == 0)
		o->height = (int)(1.5 * o->fontsize + 0.5);
	if ((o->palette_map != NULL || o->random) && o->mode != MODE_PALETTE) {
		if (o->mode != MODE_AUTO)
			cli_usage("%s needs a palette, not a colour mode",
			    o->random ? "--random" : "--cp");
		o->mode = MODE_PALETTE;
		o->palette = classic_find("hot");
	}
	if (o->mode == MODE_PALETTE && o->bgcolors[0] == NULL)
		palette_background(classic_background(o->palette), o->bgcolors);
}

/* Puts a column first, which is the one that is drawn; the others keep their order. */
static void
put_first(struct picture *p, unsigned k)
{
	const unsigned column = p->drawn.column[k];

	memmove(p->drawn.column + 1, p->drawn.column, k * sizeof *p->drawn.column);
	p->drawn.column[0] = column;
}

static bool
has_values(const struct calltree *t, unsigned column)
{
	for (uint32_t node = 1; node < t->nnode; node++)
		if (calltree_self(t, node, column) != 0)
			return true;
	return false;
}

/* Shows the live bytes of a heap profile, or those at the peak if all were freed. */
static void
choose_heap_column(struct picture *p)
{
	static const char *const heap[] = {"allocated", "allocations", "live", "peak"};

	for (unsigned k = 0; k < p->drawn.n; k++)
		if (p->drawn.n != 4 || strcmp(p->columns.name[k], heap[k]) != 0)
			return;
	put_first(p, has_values(p->tree, 2) ? 2 : 3);
}

/* Selects the columns to draw, and their units. */
static void
choose_columns(struct picture *p)
{
	const struct options *o = p->options;

	p->diff.noise = -1;
	p->drawn.n = p->tree->columns;
	for (unsigned k = 0; k < p->drawn.n; k++)
		p->drawn.column[k] = k;
	if (o->column != NULL) {
		p->drawn.n = 1;
		p->drawn.column[0] = folded_columns_find(&p->columns, o->column, "the input");
	} else if (o->kind->needs & OUTPUT_LAYOUT) {
		choose_heap_column(p);
	}
	/* A guess is shown to people; it is not exported as a fact. */
	if (o->kind->needs & OUTPUT_LAYOUT && p->tree->columns == 1 && p->columns.unit[0] == NULL &&
	    o->countname == NULL && (p->drawn.assumed = layout_assumed_period(p, 0)) != 0) {
		folded_columns_unit(&p->columns, 0, "ns");
		folded_columns_period(&p->columns, 0, value_of(p->drawn.assumed), "ns");
	}
	for (unsigned k = 0; k < p->drawn.n; k++) {
		const char *unit = p->columns.unit[p->drawn.column[k]];

		/* without control characters: a terminal may show the unit */
		p->drawn.unit[k] = xml_copy(o->countname != NULL ? o->countname
					    : unit != NULL	 ? unit
								 : FOLDED_SAMPLES);
	}
	for (unsigned k = 2; k < p->drawn.n; k++)
		if (strcmp(p->columns.name[k], "noise") == 0)
			p->diff.noise = (int)k;
}

/*
 * True if the drawn columns are base and head, by their names, and possibly noise: two columns
 * may also be calls and bytes.
 */
static bool
is_differential(const struct picture *p)
{
	return p->drawn.n - (p->diff.noise >= 0) == 2 && folded_columns_compared(&p->columns);
}

/* True if the drawn columns are exactly these n names, in this order. */
static bool
are_columns(const struct picture *p, unsigned n, const char *const names[])
{
	for (unsigned k = 0; k < n; k++)
		if (p->drawn.n != n || strcmp(p->columns.name[p->drawn.column[k]], names[k]) != 0)
			return false;
	return true;
}

/* True for the columns of fg-record --wall: a thread's time by state. */
static bool
is_wait(const struct picture *p)
{
	return are_columns(p, 3, (const char *const[]){"cpu", "waiting", "blocked"});
}

/* True for the columns of fg-collapse --bottleneck: a frame's cycles by cause. */
static bool
is_bottleneck(const struct picture *p)
{
	return are_columns(p, 4, (const char *const[]){"instruction", "cache", "memory", "system"});
}

static enum mode
choose_mode(const struct picture *p)
{
	if (p->options->mode != MODE_AUTO)
		return p->options->mode;
	if (is_differential(p))
		return MODE_DIFFERENTIAL;
	if (is_wait(p))
		return MODE_WAIT;
	if (is_bottleneck(p))
		return MODE_BOTTLENECK;
	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (p->names.name[i].kind != FRAME_USER || p->names.name[i].inlined ||
		    p->names.name[i].module != 0)
			return MODE_ORIGIN;
	return MODE_FUNCTION;
}

static void
make_picture(struct picture *p)
{
	const struct options *o = p->options;

	choose_columns(p);
	p->names.gap = o->flamechart ? stacks_gap(p->tree) : 0;
	if (!(o->kind->needs & OUTPUT_LAYOUT)) { /* a profile for another tool */
		if (!o->flamechart || !stacks_in_input_order(o))
			calltree_sort(p->tree);
		return;
	}
	p->names.rank = calltree_ranks(p->tree);
	stacks_sort(o, p->tree, p->names.rank);
	names_clean(p);
	p->mode = choose_mode(p);
	if (p->mode == MODE_DIFFERENTIAL && p->drawn.n - (p->diff.noise >= 0) != 2)
		cli_usage("--colors differential needs two columns");
	if (p->mode == MODE_BOTTLENECK && !is_bottleneck(p))
		cli_usage(
		    "--colors bottleneck needs the columns instruction, cache, memory and system");
	if (p->mode == MODE_WAIT && !is_wait(p))
		cli_usage("--colors wait needs the columns cpu, waiting and blocked");
	p->widths = p->mode == MODE_DIFFERENTIAL     ? WIDTHS_MAX
		    : is_bottleneck(p) || is_wait(p) ? WIDTHS_SUM
						     : WIDTHS_FIRST;
	layout(p);
	if (layout_total(p) == 0 && p->profile_total == 0)
		cli_die("the values of all stacks are 0");
	if (o->kind->needs & OUTPUT_COLOURS)
		palette_names(p);
	if (o->kind->needs & OUTPUT_ATTRIBUTES && o->nameattr != NULL)
		nameattr_read(&p->attributes, o->nameattr);
}

/*
 * Forks the process that opens the file in $BROWSER, a command that may have arguments, or in
 * the desktop's viewer: the sandbox does not allow starting programs. The child waits for one
 * byte on the descriptor returned, and exits without opening anything at end of file. It runs
 * in a session of its own, outlives this program and does not hold its standard input and
 * output open.
 */
static int
viewer_prepare(const char *path)
{
	const char *browser = getenv("BROWSER");
	const char *command =
	    browser != NULL && *browser != '\0' ? "exec $BROWSER \"$0\"" : "exec xdg-open \"$0\"";
	int status, go[2], null;
	pid_t pid;
	char byte;

	if (pipe2(go, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		cli_die("--open: cannot start a viewer: %s", strerror(errno));
	if (pid > 0) {
		close(go[0]);
		if (waitpid(pid, &status, 0) < 0 || status != 0)
			cli_die("--open: cannot start a viewer: %s", strerror(errno));
		return go[1];
	}
	pid = fork();
	if (pid != 0)
		_exit(pid < 0 ? CLI_ERROR : CLI_DONE);
	close(go[1]);
	setsid();
	null = open("/dev/null", O_RDONLY);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (read(go[0], &byte, 1) == 1)
		execl("/bin/sh", "sh", "-c", command, path, (char *)NULL);
	_exit(CLI_ERROR);
}

/* Runs --live on one input. Each picture is made as that of a complete profile. */
static void
run_live(struct options *o, int nfile, char **file)
{
	struct output *out;

	if (nfile > 1)
		cli_usage("--live reads only one input");
	live_fit(o);
	out = output_open(o->output);
	live_run(&o->window, o, &o->folded, nfile > 0 ? file[0] : "-", make_picture, out);
	output_close(out);
}

int
main(int argc, char **argv)
{
	/* static: a leak checker then finds the options' data, which is never freed */
	static struct options o = {
	    .kind = output_kinds,
	    .nametype = "Function:",
	    .fontwidth = 0.61, /* the widest of the common monospace fonts, rounded up */
	    .folded.jobs = FOLDED_JOBS_ALL,
	    .minwidth = 1,
	    .factor = 1,
	    .palette = -1,
	};
	static struct picture p = {.options = &o};
	static struct times times;
	struct sandbox files = {0};
	struct output *out;
	int viewer = -1;

	cli_start(&cli, argv);
	cli_options(&o, argc, argv);
	o.folded.unit = o.countname;
	complete_options(&o);

	source_warn_empty((const char *const *)argv + optind, (size_t)(argc - optind));
	sandbox_inputs(&files, argc, argv, optind);
	sandbox_add(&files, SANDBOX_READ, o.nameattr);
	sandbox_add(&files, SANDBOX_READ, o.palette_map);
	sandbox_add(&files, SANDBOX_WRITE, o.palette_map);
	sandbox_add(&files, SANDBOX_WRITE, o.output);
	if (o.open)
		viewer = viewer_prepare(o.output);
	if (o.kind->needs & OUTPUT_TERMINAL || o.live)
		screen_files(&files);
	sandbox_enter(&files);
	if (o.live) {
		run_live(&o, argc - optind, argv + optind);
		return CLI_DONE;
	}
	p.tree = stacks_read(&o, &o.folded, &times, argc - optind, argv + optind);
	if (times.n > 0)
		p.times = &times;
	p.columns = o.folded.columns;
	make_picture(&p);
	if (cli_verbose)
		cli_note("%" PRIu64 " %s, %" PRIu32 " %s, %" PRIu32 " %s", o.folded.lines,
		    text_form(o.folded.lines, "stack", "stacks"), p.tree->nnode - 1,
		    text_form(p.tree->nnode - 1, "frame", "frames"), p.tree->nname - 1,
		    text_form(p.tree->nname - 1, "name", "names"));

	out = output_open(o.output);
	o.kind->write(&p, out);
	output_close(out);
	if (o.open && write(viewer, "", 1) != 1)
		cli_die("--open: the viewer's process has ended");
	return CLI_DONE;
}
