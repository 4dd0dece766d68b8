/*
 * options: what the command line of fg-collapse asks for.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "fg-collapse/format.h"
#include "profile/sample.h"

struct options {
	struct sample_options sample;
	const struct format *format; /* NULL: told from the first bytes */
	unsigned jobs;
	const char *state; /* of the threads that are wanted: a list with commas; NULL for all */
	bool threads, offsets, no_modules, short_packages;
	bool bottleneck; /* columns of what costs time, instead of an event */
	struct labels *labels; /* of --label; the sampler takes them */
	bool no_labels, auto_labels; /* --no-labels; --label auto: those of the recording */
	bool strict; /* malformed input is exit 2 */
	bool allow_empty; /* no sample is no error, where nothing was malformed either */
	const char *output; /* NULL: stdout */
	/* Where the names of a recording come from, NULL for where they usually are. */
	const char *buildids, *symfs, *kallsyms, *vmlinux, *maps;
	bool debuginfod, no_inline;
	bool off_cpu, wall; /* us that threads were blocked; all time, in three columns */
	bool wakers; /* and who ended the wait */
	bool header; /* nothing but what a recording says of itself */
	unsigned annotate; /* ANNOTATE_*: the sum of the options that add annotations */
	/* For each DATA_* bit the option that needs it, or NULL. */
	const char *needed_by[DATA_BITS];
};

/* Reads the options; then optind is the first file. A wrong one is a message and exit 2. */
void options_parse(struct options *o, int argc, char **argv);

/* Exits with 2 if an option needs what format f of that input does not provide. */
void options_check(const struct options *o, const struct format *f, const char *input);

#endif
