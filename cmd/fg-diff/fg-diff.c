/*
 * fg-diff: compares two profiles, or several runs of each. Writes the stacks of both with
 * their values in base and head, or a report of what changed and which changes are noise.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/files0.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "fg-diff/commonroots.h"
#include "fg-diff/compare.h"
#include "fg-diff/gate.h"
#include "fg-diff/moved.h"
#include "fg-diff/report.h"
#include "fg-diff/series.h"
#include "fg-diff/writediff.h"
#include "profile/folded.h"

enum {
	OPT_REPORT = CLI_LONG,
	OPT_BY,
	OPT_TOP,
	OPT_NOISE,
	OPT_PERIOD,
	OPT_CONFIDENCE,
	OPT_MARK_NOISE,
	OPT_FAIL_ABOVE,
	OPT_REQUIRE_POWER,
	OPT_BASELINE,
	OPT_BASELINE_SIZE,
	OPT_EXPLAIN,
	OPT_SERIES,
	OPT_FILES0_FROM,
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
    {'n', "normalize", NULL, "scale base to head's whole; compare shares, not amounts"},
    {'s', "strip-hex", NULL, "make 0x... of hexadecimal numbers in names"},
    {OPT_REPORT, "report", "[FORMAT]",
	"what changed, instead of stacks: text, tsv, markdown, json"},
    {OPT_BASELINE, "baseline", "DIR", "earlier runs of base's program, which show its noise"},
    {OPT_BASELINE_SIZE, "baseline-size", "N", "use the last N files of --baseline (20)"},
    {OPT_EXPLAIN, "explain", NULL, "report the few functions that make up the change as well"},
    {OPT_BY, "by", "WHAT", "a row for each function (the default), module or stack"},
    {OPT_TOP, "top", "N", "rows of self and of total in a report (20), 0 for all"},
    {OPT_NOISE, "noise", "MODEL", "none, counts or runs; chosen by the input when not given"},
    {OPT_PERIOD, "period", "N", "what one sample weighs, where values are periods"},
    {OPT_CONFIDENCE, "confidence", "C", "of a report without any false alarm (0.99)"},
    {OPT_MARK_NOISE, "mark-noise", NULL, "a third column: 1 where the change is within noise"},
    {OPT_FAIL_ABOVE, "fail-above", "N%",
	"exit 1 when total, or self:N%, grew by more of base's whole"},
    {OPT_REQUIRE_POWER, "require-power", NULL, "exit 2 when that could not have been seen"},
    {OPT_SERIES, "series", NULL, "files are profiles in time order: what changed when"},
    {OPT_FILES0_FROM, "files0-from", "FILE", "their names, each with a NUL behind it"},
    {OPT_LOOKS, "looks", "N", "times that a series is looked at, all together (1)"},
    {OPT_MATCH, "match", "REGEX", "report and judge only what matches"},
    {OPT_MATCH, "only", "REGEX", "alias for --match"},
    {OPT_COLUMN, "column", "NAME", CLI_HELP_COLUMN},
    {OPT_COLUMNS, "columns", "NAMES", CLI_HELP_COLUMNS},
    {OPT_UNIT, "unit", "NAME", "the unit of all values, whatever the inputs say"},
    {OPT_NO_HEADER, "no-header", NULL, CLI_HELP_NO_HEADER},
    {OPT_NO_LABELS, "no-labels", NULL, CLI_HELP_NO_LABELS},
    {OPT_STRICT, "strict", NULL, CLI_HELP_STRICT},
    {'o', "output", "FILE", CLI_HELP_OUTPUT},
    {0},
};

static const struct cli cli = {
    .synopsis =
	"[options] base head | [options] base ... -- head ... | --series [options] file ...",
    .purpose = "Compare profiles: base's and head's value of every stack, or a report.",
    .options = option_table,
};

enum report_format { REPORT_TEXT, REPORT_TSV, REPORT_MARKDOWN, REPORT_JSON };

static struct options {
	bool report, mark_noise, no_header, require_power, explain, series;
	const char *files0_from, *baseline;
	unsigned baseline_size;
	double looks;
	enum report_format format;
	enum by by;
	size_t top;
	bool gated;
	struct gate gate;
	struct pattern only; /* text NULL: all names */
	const char *output;
	struct noise noise;
} opt = {.top = 20, .baseline_size = 20, .looks = 1, .noise = {.confidence = 0.99}};

/* Returns the index of a word in a list; exits with a usage error if it is not in it. */
static int
choice(const char *option, const char *arg, const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(arg, words[i]) == 0)
			return i;
	cli_usage("%s: %s: unknown", option, arg);
}

static void
parse_options(int argc, char **argv, struct side *base)
{
	static const char *const formats[] = {"text", "tsv", "markdown", "json", NULL};
	static const char *const bys[] = {"function", "module", "stack", NULL};
	static const char *const models[] = {"auto", "none", "counts", "runs", NULL};
	char *arg;
	int key;

	while ((key = cli_next(argc, argv, &arg)) != -1)
		switch (key) {
		case 'n': opt.noise.shares = true; break;
		case 's': base->strip_hex = true; break;
		case OPT_REPORT:
			opt.report = true;
			opt.format =
			    arg != NULL ? (enum report_format)choice("--report", arg, formats) : 0;
			break;
		case OPT_BY: opt.by = (enum by)choice("--by", arg, bys); break;
		case OPT_TOP: opt.top = (size_t)cli_number("--top", arg, 0, INT32_MAX); break;
		case OPT_NOISE:
			opt.noise.kind = (enum noise_kind)choice("--noise", arg, models);
			break;
		case OPT_PERIOD: opt.noise.period = cli_decimal("--period", arg, 1e-9, 1e18); break;
		case OPT_CONFIDENCE:
			opt.noise.confidence = cli_decimal("--confidence", arg, 0.5, 0.9999);
			break;
		case OPT_MARK_NOISE: opt.mark_noise = true; break;
		case OPT_FAIL_ABOVE:
			opt.gated = true;
			gate_parse(&opt.gate, arg);
			break;
		case OPT_REQUIRE_POWER: opt.require_power = true; break;
		case OPT_BASELINE: opt.baseline = arg; break;
		case OPT_BASELINE_SIZE:
			opt.baseline_size = (unsigned)cli_number("--baseline-size", arg, 2, 1000);
			break;
		case OPT_EXPLAIN: opt.report = opt.explain = true; break;
		case OPT_SERIES: opt.series = true; break;
		case OPT_FILES0_FROM: opt.files0_from = arg; break;
		case OPT_LOOKS:
			opt.looks = (double)cli_number("--looks", arg, 1, 1000000000);
			break;
		case OPT_MATCH:
			pattern_free(&opt.only);
			opt.only.text = arg;
			pattern_compile(&opt.only, "match");
			break;
		case OPT_COLUMN: base->column = arg; break;
		case OPT_COLUMNS:
			folded_columns_option(&base->folded.columns, arg);
			base->folded.fixed = true;
			break;
		case OPT_UNIT:
			if (!folded_unit_valid(arg))
				cli_usage("--unit %s: not a word", arg);
			base->folded.unit = arg;
			break;
		case OPT_NO_HEADER: opt.no_header = true; break;
		case OPT_NO_LABELS: base->folded.no_labels = true; break;
		case OPT_STRICT: base->folded.strict = true; break;
		case 'o': opt.output = arg; break;
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

/* Returns how many of a side's files have that path. */
static unsigned
counted(const struct side *side, const char *path)
{
	unsigned n = 0;

	for (unsigned i = 0; i < side->runs; i++)
		n += strcmp(side->path[i], path) == 0;
	return n;
}

/*
 * Parses the options and splits the files into base and head at a `--` argument. getopt would
 * remove it, so head's files are cut off before. Without a `--`, two files are base and head.
 */
static void
split_arguments(int argc, char **argv, struct side *base, struct side *head)
{
	int dashes = argc;

	for (int i = argc - 1; i > 0; i--)
		if (strcmp(argv[i], "--") == 0) {
			dashes = i;
			break;
		}
	parse_options(dashes, argv, base);
	*head = *base;
	if (opt.files0_from != NULL && !opt.series)
		cli_usage("--files0-from: only a --series has its files in a list");
	if (opt.series) {
		/* the remaining arguments are base's files */
		for (int i = dashes; i + 1 < argc; i++)
			argv[i] = argv[i + 1];
		base->path = argv + optind;
		base->runs = (unsigned)(argc - (dashes < argc) - optind);
		if (opt.files0_from != NULL && base->runs > 0)
			cli_usage("--files0-from %s: files are named on the command line too",
			    opt.files0_from);
		if (opt.files0_from != NULL) {
			size_t n;

			base->path = files0_read(opt.files0_from, &n);
			base->runs = (unsigned)n;
		}
		if (counted(base, "-") > 0)
			cli_usage("--series: profiles are read more than once, so not from a pipe");
		return;
	}
	base->path = argv + optind;
	base->runs = (unsigned)(dashes - optind);
	if (dashes < argc && base->runs > 0) {
		head->path = argv + dashes + 1;
		head->runs = (unsigned)(argc - dashes - 1);
	} else {
		/* `fg-diff -- base head`: a plain end of options */
		if (dashes < argc) {
			base->path = argv + dashes + 1;
			base->runs = (unsigned)(argc - dashes - 1);
		}
		if (base->runs != 2)
			cli_usage("two files are compared; -- stands between several runs of each");
		head->path = base->path + 1;
		base->runs = head->runs = 1;
	}
	if (head->runs == 0)
		cli_usage("no file after --");
	if (counted(base, "-") + counted(head, "-") > 1)
		cli_usage("standard input can be read once");
	if (opt.explain && (opt.by != BY_FUNCTION || opt.only.text != NULL))
		cli_usage("--explain: of all functions, so not with --by and --match");
	if (opt.baseline != NULL && !opt.report && !opt.gated && !opt.mark_noise)
		cli_usage("--baseline needs --report, --fail-above or --mark-noise");
	if (opt.require_power && !opt.gated)
		cli_usage("--require-power: there is no --fail-above that it could be for");
}

/*
 * Reads the list of --baseline: its last files by name are runs of a third side. Fewer than
 * two count as none.
 */
static void
find_baseline(struct side *history)
{
	struct dirent **entry;
	int n = scandir(opt.baseline, &entry, is_profile, compare_names), first;

	if (n < 0)
		cli_die("%s: %s", opt.baseline, strerror(errno));
	first = n > (int)opt.baseline_size ? n - (int)opt.baseline_size : 0;
	history->path = cli_alloc((size_t)n + 1, sizeof *history->path);
	for (int i = 0; i < n; i++) {
		if (i >= first) {
			struct text path = {0};

			text_printf(&path, "%s/%s", opt.baseline, entry[i]->d_name);
			history->path[history->runs++] = path.s;
		}
		free(entry[i]);
	}
	free(entry);
	if (history->runs < 2) {
		cli_note("%s: %u runs, which do not show noise: two are needed", opt.baseline,
		    history->runs);
		history->runs = 0;
	}
}

static void *
read_side(void *side)
{
	side_read(side);
	return NULL;
}

/* Exits with an error if the sides differ in unit, or in sampling rate for counts of samples. */
static void
check_units(const struct side *base, const struct side *head)
{
	const struct folded_columns *b = &base->folded.columns, *h = &head->folded.columns;
	const char *unit[] = {b->unit[base->picked], h->unit[head->picked]};
	const struct folded_period *from = &b->period[base->picked], *to = &h->period[head->picked];

	if (unit[0] == NULL || unit[1] == NULL)
		return;
	if (strcmp(unit[0], unit[1]) != 0)
		cli_die("base is in %s and head in %s", unit[0], unit[1]);
	if (opt.noise.shares || strcmp(unit[0], FOLDED_SAMPLES) != 0 || from->unit == NULL ||
	    to->unit == NULL || strcmp(from->unit, to->unit) != 0 || from->number == to->number)
		return;
	cli_die("base and head count samples of different periods (%g and %g %s): compare shares "
		"(-n), or record with --weight period",
	    value_double(from->number), value_double(to->number), from->unit);
}

/* Warns if the headers show a cause of change other than the code. */
static void
check_labels(const struct side *base, const struct side *head)
{
	static const char *const reason[] = {
	    "compiler", "flags", "cflags", "options", "build", "host", "cpu"};

	for (size_t i = 0; i < sizeof reason / sizeof reason[0]; i++) {
		const struct label *b = labels_find(base->folded.columns.labels, reason[i]);
		const struct label *h = labels_find(head->folded.columns.labels, reason[i]);
		struct text values[2] = {{0}, {0}};

		if (b == NULL || h == NULL)
			continue;
		labels_values(&values[0], b);
		labels_values(&values[1], h);
		if (!str_equal(text_as_str(&values[0]), text_as_str(&values[1])))
			cli_warn(
			    "base and head have different labels %s: %.100s and %.100s; a change may "
			    "come from that",
			    reason[i], values[0].s, values[1].s);
		text_free(&values[0]);
		text_free(&values[1]);
	}
}

/*
 * Reports malformed lines and empty inputs of both sides together, and checks that their
 * columns agree.
 */
static void
check_inputs(struct side *base, struct side *head)
{
	struct folded both = base->folded;
	const struct folded_columns *b = &base->folded.columns, *h = &head->folded.columns;
	double before = value_double(base->whole), after = value_double(head->whole);

	both.lines += head->folded.lines;
	both.malformed += head->folded.malformed;
	folded_finish(&both, NULL);
	if (base->folded.lines != 0 && head->folded.lines != 0) {
		bool same = b->n == h->n;

		for (unsigned i = 0; same && i < b->n; i++)
			same = (b->name[i] == NULL) == (h->name[i] == NULL) &&
			       (b->name[i] == NULL || strcmp(b->name[i], h->name[i]) == 0);
		if (!same)
			cli_die("base and head have different columns");
	}
	if (base->column == NULL && (b->n > 1 || h->n > 1))
		cli_note("of several columns, %s is compared (see --column)",
		    b->n > 1 ? b->name[0] : h->name[0]);
	check_units(base, head);
	check_labels(base, head);
	commonroots_check(base, head);
	before /= base->runs;
	after /= head->runs;
	if (before > 0 && after > 0 && (before > 1000 * after || after > 1000 * before))
		cli_warn(
		    "the wholes differ by more than 1000 times: %g and %g; are the units the same?",
		    before, after);
}

/* True if an answer of CANNOT TELL has exit status 2. */
static bool
fails_to_tell(const struct answer *a)
{
	return a->unusable ? opt.gated || opt.noise.shares
			   : opt.gated && (opt.require_power || opt.baseline != NULL);
}

/* Formats the report in memory: -o is written only after everything has succeeded. */
static void
write_report(struct text *t, struct comparison *c, struct answer *answered)
{
	static void (*const write[])(struct text *, const struct report *) = {
	    report_text, report_tsv, report_markdown, report_json};
	figure_namer *name = opt.format == REPORT_MARKDOWN ? figure_code : figure_name;
	bool movable = c->by == BY_FUNCTION && !c->only;
	bool *own = movable ? headline_own(c) : NULL;
	struct answer answer = {.name = name, .own = own};
	struct headlines headlines = {0};
	struct explanation explanation;
	struct moves moves = {0};
	struct report r = {c, &answer, movable ? &moves : NULL, opt.explain ? &explanation : NULL,
	    movable ? &headlines : NULL, name, opt.top};

	if (movable) {
		moved_find(&moves, c);
		moved_headlines(&moves, c, &headlines);
	}
	if (opt.explain)
		explain_find(&explanation, c);
	answer_find(&answer, opt.gated ? &opt.gate : NULL, c, r.moves);
	write[opt.format](t, &r);
	if (answer.kind == ANSWER_CANNOT_TELL && fails_to_tell(&answer))
		cli_warn("CANNOT TELL: %s", answer.reason.s);
	*answered = answer;
	answer_free(&answer);
	moved_free(&moves);
	headlines_free(&headlines);
	free(own);
}

static int
run_series(const struct side *files)
{
	static void (*const write[])(struct text *, const struct series *) = {
	    series_text, series_tsv, series_markdown, series_json};
	struct series s = {
	    .path = files->path,
	    .n = files->runs,
	    .looks = opt.looks,
	    .column = files->column,
	    .folded = files->folded,
	};
	struct text text = {0};
	struct output *o;
	const struct series_change *drift;
	bool slower;

	series_read(&s);
	series_judge(&s);
	write[opt.format](&text, &s);
	o = output_open(opt.output);
	output_write(o, text.s, text.len);
	output_close(o);
	drift = series_drift(&s);
	slower =
	    series_slower(&s) != NULL || (drift != NULL && drift->step.after > drift->step.before);
	text_free(&text);
	series_free(&s);
	return slower ? CLI_NO : CLI_DONE;
}

int
main(int argc, char **argv)
{
	/* static and never freed: freeing large trees takes time */
	static struct side base, head, history;
	static struct spent spent[3][2];
	struct comparison *report = NULL, *functions = NULL;
	struct answer answer = {.kind = ANSWER_PASS};
	struct text text = {0};
	struct sandbox files = {0};
	struct output *o;
	pthread_t thread;
	unsigned n = 0;

	cli_start(&cli, argv);
	split_arguments(argc, argv, &base, &head);
	if (opt.series)
		return run_series(&base);
	if (opt.baseline != NULL) {
		history = base;
		history.path = NULL;
		history.runs = 0;
		find_baseline(&history);
	}

	for (unsigned i = 0; i < base.runs; i++)
		sandbox_add(&files, SANDBOX_READ, base.path[i]);
	for (unsigned i = 0; i < head.runs; i++)
		sandbox_add(&files, SANDBOX_READ, head.path[i]);
	for (unsigned i = 0; i < history.runs; i++)
		sandbox_add(&files, SANDBOX_READ, history.path[i]);
	sandbox_add(&files, SANDBOX_WRITE, opt.output);
	sandbox_enter(&files);

	if (opt.report || opt.gated)
		spent[0][n++].by = opt.by;
	if (opt.mark_noise)
		spent[0][n++].by = BY_FUNCTION;
	memcpy(spent[1], spent[0], sizeof spent[1]);
	memcpy(spent[2], spent[0], sizeof spent[2]);
	base.spent = spent[0];
	head.spent = spent[1];
	history.spent = spent[2];
	base.nspent = head.nspent = history.nspent = n;
	if (pthread_create(&thread, NULL, read_side, &head) != 0)
		cli_die("cannot make a thread");
	side_read(&base);
	pthread_join(thread, NULL);
	check_inputs(&base, &head);
	if (history.runs > 0) {
		side_read(&history);
		check_units(&base, &history);
	}

	if (opt.mark_noise)
		functions = compare_sides(&(struct comparing){.base = &base,
		    .head = &head,
		    .history = history.runs > 0 ? &history : NULL,
		    .which = n - 1,
		    .noise = opt.noise,
		    .allowed = INFINITY});
	if (opt.report || opt.gated) {
		report = compare_sides(&(struct comparing){.base = &base,
		    .head = &head,
		    .history = history.runs > 0 ? &history : NULL,
		    .noise = opt.noise,
		    .only = opt.only.text != NULL ? &opt.only : NULL,
		    .allowed = opt.gate.total_set ? opt.gate.total / 100 : INFINITY});
		write_report(&text, report, &answer);
	}
	o = output_open(opt.output);
	if (opt.report && !opt.gated)
		output_write(o, text.s, text.len);
	else
		stacks_write(o, &base, &head, opt.noise.shares, !opt.no_header, functions);
	output_close(o);
	if (opt.gated && (opt.report || !cli_quiet))
		fputs(text.s, stderr);

	text_free(&text);
	compare_free(report);
	compare_free(functions);
	if (answer.kind == ANSWER_CANNOT_TELL && fails_to_tell(&answer))
		return CLI_ERROR;
	return answer.kind == ANSWER_FAIL ? CLI_NO : CLI_DONE;
}
