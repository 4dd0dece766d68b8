/*
 * fg-collapse: profiles in, folded stacks out. Each input's format is told from
 * its first bytes; its reader gives samples to the sampler, whose tree is written
 * in canonical order, or stack by stack in time order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "fg-collapse/options.h"

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
	for (size_t i = 0; formats[i] != NULL; i++) {
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

static int
compare_events(const void *a, const void *b)
{
	const struct sample_event *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* What was kept and what was left out, on a terminal or when something was. */
static void
report(const struct sampler *s)
{
	const struct sample_event **e = cli_alloc(s->nevent, sizeof *e);
	const struct sample_event *first = &s->event[s->column[0]];
	struct text kept = {0}, left = {0};

	for (uint32_t i = 0; i < s->nevent; i++)
		e[i] = &s->event[i];
	qsort(e, s->nevent, sizeof *e, compare_events);
	for (uint32_t i = 0; i < s->nevent; i++) {
		if (e[i]->kept > 0 && e[i]->name[0] != '\0')
			text_printf(&kept, "%s%s", kept.len == 0 ? "" : " and ", e[i]->name);
		if (e[i]->kept < e[i]->samples)
			text_printf(&left, "%s%s (%llu)", left.len == 0 ? "; left out: " : ", ",
			    e[i]->name, (unsigned long long)(e[i]->samples - e[i]->kept));
	}
	free(e);
	if (s->samples == 0)
		cli_die("no sample of event %s%s%s%s", first->name,
		    s->options->range ? " in that time" : "",
		    s->timeless > 0 ? "; there are samples without a time" : "",
		    left.len > 0 ? left.s : "");
	if (left.len > 0 || isatty(STDERR_FILENO))
		cli_note("%llu samples%s%s, --countname %s%s", (unsigned long long)s->samples,
		    kept.len > 0 ? " of " : "", kept.len > 0 ? kept.s : "", sampler_unit(s, first),
		    left.len > 0 ? left.s : "");
	text_free(&kept);
	text_free(&left);
}

int
main(int argc, char **argv)
{
	struct options options;
	const struct format *before = NULL;
	struct faults faults = {0};
	struct sandbox files = {0};
	struct sampler *sampler;
	struct output *out;
	uint64_t stacks = 0;
	bool any = false, allowed;

	options_parse(&options, argc, argv);
	sampler = sampler_new(&options.sample);
	sandbox_inputs(&files, argc, argv, optind);
	sandbox_add(&files, SANDBOX_WRITE, options.output);
	sandbox_enter(&files);
	do {
		struct lines *in = lines_open(optind < argc ? argv[optind] : "-", lines_cut_line);
		const struct format *f = options.format != NULL ? options.format : detect(in);

		if (f != NULL) {
			struct reader r = {.options = &options,
			    .sampler = sampler,
			    .faults = &faults,
			    .lines = in};

			if (cli_verbose)
				cli_note("%s: format %s", lines_name(in), f->name);
			options_check(&options, f, lines_name(in));
			if (f != before)
				sampler_choose(sampler);
			before = f;
			if (f->cut != NULL)
				lines_cut_with(in, f->cut);
			f->read(&r);
			stacks += r.stacks;
			any = true;
		}
		faults.n += lines_finish(in, options.strict);
		lines_close(in);
	} while (++optind < argc);

	allowed = options.allow_empty && faults.n == 0;
	if (!any && !allowed)
		cli_die("the input is empty");
	if (faults.n > 1)
		cli_warn("%llu malformed lines were left out", (unsigned long long)faults.n);
	if (!sampler->chosen && stacks == 0 && !allowed)
		cli_die("no stacks in the input");
	if (sampler->chosen && (sampler->samples > 0 || !allowed))
		report(sampler);
	out = output_open(options.output);
	if (sampler->samples > 0 || stacks > 0)
		sampler_write(sampler, out);
	output_close(out);
	sampler_free(sampler);
	free(options.sample.skip_after);
	return CLI_DONE;
}
