/*
 * fg-collapse: converts profiles to folded stacks. Each input's format is detected by its
 * first bytes. Its reader passes samples to the sampler, whose tree is written in
 * canonical order, or stack by stack in time order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "base/source.h"
#include "fg-collapse/arguments.h"
#include "fg-collapse/detect.h"
#include "fg-collapse/eventlist.h"
#include "fg-collapse/programs.h"
#include "fg-collapse/firefox/syms.h"
#include "fg-collapse/shape/json.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/write.h"

#define OUTPUT_LEAST (UINT64_C(1) << 30)
#define OUTPUT_TIMES 100
#define FLAT 10 /* samples: more of them without any call chain are unusual */

/* Reports that units were left out because they are malformed. */
static void
report_malformed(const struct sample_account *a)
{
	char lost[VALUE_CHARS];

	value_format(a->lost, lost);
	if (a->malformed > 1)
		cli_warn("%llu malformed units of the input were left out%s%s",
		    (unsigned long long)a->malformed,
		    a->lost > 0 ? "; value of their stacks: " : "", a->lost > 0 ? lost : "");
	else if (a->malformed == 1 && a->lost > 0)
		cli_warn(
		    "1 malformed unit of the input was left out; value of its stack: %s", lost);
}

/*
 * Exits with 2 if the stacks have more bytes than --max-output. By default, they may have
 * OUTPUT_LEAST bytes, or OUTPUT_TIMES as many as the files: a chain of n calls in n lines is n
 * stacks of up to n frames, so that a small file could fill a disk.
 */
static void
check_length(const struct options *o, const struct sampler *sampler)
{
	const uint64_t in = source_total(), length = sampler_length(sampler),
		       most = o->max_output != 0		 ? o->max_output
			      : in > OUTPUT_LEAST / OUTPUT_TIMES ? in * OUTPUT_TIMES
								 : OUTPUT_LEAST;

	if (length > most)
		cli_die("%llu MB of stacks from %llu MB of input; to write them, give "
			"--max-output=%lluM",
		    (unsigned long long)(length >> 20), (unsigned long long)(in >> 20),
		    (unsigned long long)(length >> 20) + 1);
}

/* Writes the profile. any: an input had a format; stacked: its format has stacks. */
static void
write_profile(
    const struct options *o, struct sampler *sampler, bool any, bool stacked, uint64_t stacks)
{
	const uint64_t malformed = sampler->account.malformed;
	const bool allowed = o->allow_empty && malformed == 0;
	struct output *out;

	if (!any && !allowed)
		cli_die("the input is empty");
	report_malformed(&sampler->account);
	if (!sampler->chosen && stacks == 0 && !allowed)
		cli_die("no stacks in the input");
	if (sampler->chosen && !o->sample.list && (sampler->samples > 0 || !allowed))
		eventlist_report(sampler);
	if (stacked && sampler->samples > FLAT && !o->sample.list && o->sample.nskip_after == 0 &&
	    sampler_is_flat(sampler))
		cli_warn("each stack is a single frame; a profile with call chains shows more");
	if (!o->sample.list && sampler->tree != NULL)
		check_length(o, sampler);
	out = output_open(o->output);
	if (o->sample.list)
		eventlist_list(sampler, stacks, out);
	else if (sampler->samples > 0 || stacks > 0)
		sampler_write(sampler, out);
	output_close(out);
}

/* Prints the metadata of the recordings. */
static void
write_header(const struct options *options, const struct text *header)
{
	struct output *out = output_open(options->output);

	if (header->len > 0)
		output_text(out, header->s);
	output_close(out);
}

/*
 * Enters the sandbox, for the inputs from optind on. Only the inputs name the programs whose
 * symbols are needed, so another process opens these, files of code only, until it is known that no
 * input's format names programs; then this is called again with `programs` false.
 */
static void
limit(const struct options *o, int argc, char **argv, bool programs)
{
	struct sandbox files = {0};

	if (programs)
		programs_begin(&files, o, argc, argv, optind);
	else
		programs_unneeded();
	sandbox_inputs(&files, argc, argv, optind);
	for (int i = optind; i < argc; i++)
		syms_sandbox(&files, argv[i]);
	sandbox_add(&files, SANDBOX_WRITE, o->output);
	sandbox_enter(&files);
}

#define CHECKED 100 /* inputs; each is opened once more for it */

/* True if each input is a small text that names no program. */
static bool
names_no_program(int argc, char **argv)
{
	int i = optind;

	while (i < argc && argc - optind <= CHECKED && detect_names_no_program(argv[i]))
		i++;
	return optind < argc && i == argc;
}

/* The last input that may name programs, beside the first one; of many inputs the last one. */
static int
last_with_programs(int argc, char **argv)
{
	int last = argc - 1;

	while (argc - optind <= CHECKED && last > optind && !detect_may_read_programs(argv[last]))
		last--;
	return last;
}

int
main(int argc, char **argv)
{
	struct options options;
	const struct format *given, *before = NULL;
	struct sampler *sampler;
	struct text header = {0};
	uint64_t stacks = 0;
	bool any = false, stacked = false, programs = false, plain, limited;
	int last;

	arguments_parse(&options, argc, argv);
	sampler = sampler_new(&options.sample);
	if (options.no_labels)
		labels_free(options.labels);
	else
		sampler->about.labels = options.labels;
	given = arguments_format(&options);
	source_warn_empty((const char *const *)argv + optind, (size_t)(argc - optind));
	for (int i = optind; i < argc; i++)
		argv[i] = programs_file_of(argv[i]);
	plain = given != NULL ? !given->reads_programs : names_no_program(argc, argv);
	limit(&options, argc, argv, !plain);
	limited = plain || given != NULL;
	last = limited ? optind : last_with_programs(argc, argv);
	do {
		struct lines *in = lines_open(optind < argc ? argv[optind] : "-", lines_cut_line);
		const struct format *f = given != NULL ? given : detect(in);

		if (f != NULL) {
			const struct reader_account account = reader_account(sampler, stacks);
			struct reader r = {.options = &options,
			    .sampler = sampler,
			    .header = &header,
			    .lines = in,
			    .before = sample_units(sampler)};

			if (cli_verbose)
				cli_note("%s: format %s", lines_name(in), format_name(f));
			arguments_check(f, lines_name(in));
			programs |= f->reads_programs;
			if (plain && given == NULL && f->reads_programs)
				cli_warn(
				    "%s: no programs are read: it was a small text without any",
				    lines_name(in));
			if (!limited && !programs && optind >= last) {
				limit(&options, argc, argv, false);
				limited = true;
			}
			if (f != before)
				sampler_choose(sampler);
			before = f;
			if (f->cut != NULL)
				lines_cut_with(in, f->cut);
			sampler_weights(sampler, f->single, f->values);
			if (f->document != NULL)
				json_each(&r, f->order, f->document);
			else
				f->read(&r);
			reader_missing(&r);
			stacks += r.stacks;
			sample_malformed(sampler, lines_finish(in, options.strict), 0);
			reader_check(&r, &account, stacks);
			any = true;
			stacked |= !f->flat;
		}
		lines_close(in);
	} while (++optind < argc);

	if (options.header)
		write_header(&options, &header);
	else
		write_profile(&options, sampler, any, stacked, stacks);
	sampler_free(sampler);
	free(options.sample.skip_after);
	text_free(&header);
	programs_end();
	return CLI_DONE;
}
