/*
 * fg-diff: compares two profiles, or several runs of each. Writes the stacks of both with
 * their values in base and head, or a report of what changed and which changes are noise.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "base/vec.h"
#include "fg-diff/groups.h"
#include "fg-diff/growth.h"
#include "fg-diff/options.h"
#include "fg-diff/pair.h"
#include "fg-diff/series.h"
#include "fg-diff/writediff.h"

static void
write_text(const struct options *o, const struct text *text)
{
	struct output *out = output_open(o->output);

	output_write(out, text->s, text->len);
	output_close(out);
}

static int
run_series(const struct options *o)
{
	static void (*const write[])(struct text *, const struct series *) = {
#define REPORT(id, format, reader) series_##format,
#include "fg-diff/reports.def"
	};
	struct side files;
	struct series s;
	struct text text = {0};
	const struct series_change *drift;
	bool slower;

	options_side(o, &o->base, &files);
	s = (struct series){
	    .path = files.path,
	    .n = files.runs,
	    .looks = o->looks,
	    .column = files.column,
	    .folded = files.folded,
	};
	series_read(&s);
	series_judge(&s);
	write[o->format](&text, &s);
	write_text(o, &text);
	drift = series_drift(&s);
	slower =
	    series_slower(&s) != NULL || (drift != NULL && drift->step.after > drift->step.before);
	text_free(&text);
	series_free(&s);
	return slower ? CLI_NO : CLI_DONE;
}

static int
run_growth(const struct options *o)
{
	static void (*const write[])(struct text *, const struct growth *) = {
#define REPORT(id, format, reader) growth_##format,
#include "fg-diff/reports.def"
	};
	struct text text = {0};
	struct growth g;
	bool grows;

	growth_find(&g, o);
	write[o->format](&text, &g);
	write_text(o, &text);
	grows = growth_grows(&g);
	text_free(&text);
	growth_free(&g);
	return grows ? CLI_NO : CLI_DONE;
}

/* True if the stacks are written. A report without a gate replaces them. */
static bool
writes_stacks(const struct options *o)
{
	return !o->report || o->gated;
}

/* Writes the report; with a gate, the stacks of all pairs, and the report to standard error. */
static void
write_result(const struct options *o, const struct text *report, const struct pair *pair, size_t n)
{
	struct differential *d;
	struct output *out;

	if (!writes_stacks(o)) {
		write_text(o, report);
		return;
	}
	d = cli_alloc(n, sizeof *d);
	for (size_t i = 0; i < n; i++)
		d[i] = (struct differential){
		    &pair[i].base, &pair[i].head, pair[i].functions, pair[i].root};
	out = output_open(o->output);
	differential_write(out, d, n, o->noise.shares, !o->no_header);
	output_close(out);
	free(d);
	if (o->gated && (o->report || !cli_quiet))
		fputs(report->s, stderr);
}

static int
run_pair(const struct options *o)
{
	static struct pair p; /* never freed: freeing large trees takes time */
	int status;

	pair_open(&p, o, NULL, (struct files[]){o->base, o->head, o->history});
	pair_read(&p, o);
	pair_judge(&p, o, o->noise.confidence);
	if (p.out != NULL) {
		output_write(p.out, p.report.s, p.report.len);
		output_close(p.out);
	} else {
		write_result(o, &p.report, &p, 1);
	}
	status = pair_status(&p.answer, o);
	answer_free(&p.answer);
	text_free(&p.report);
	text_free(&p.profile_total);
	return status;
}

static int
run_groups(const struct options *o)
{
	static void (*const write[])(struct text *, const struct groups *) = {
#define REPORT(id, format, reader) groups_##format,
#include "fg-diff/reports.def"
	};
	static struct groups g;
	struct text text = {0};

	groups_find(&g, o);
	groups_judge(&g, o, writes_stacks(o));
	if (o->report || o->gated)
		write[o->format](&text, &g);
	write_result(o, &text, g.pair, g.n);
	text_free(&text);
	groups_free(&g);
	return g.status;
}

int
main(int argc, char **argv)
{
	const struct files *side[3];
	struct sandbox sandbox = {0};
	static struct options o; /* never freed: the sides refer to its files */

	options_parse(&o, argc, argv);
	side[0] = &o.base;
	side[1] = &o.head;
	side[2] = &o.history;
	for (int k = 0; k < 3; k++)
		for (unsigned i = 0; i < side[k]->n; i++)
			sandbox_add(&sandbox, SANDBOX_READ, side[k]->path[i]);
	sandbox_add(&sandbox, SANDBOX_WRITE, o.output);
	sandbox_enter(&sandbox);
	cli_return_large();
	options_select(&o);
	if (o.series)
		return run_series(&o);
	if (o.growth)
		return run_growth(&o);
	return o.group_by != NULL ? run_groups(&o) : run_pair(&o);
}
