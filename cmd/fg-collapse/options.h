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
	bool strict; /* malformed input is exit 2 */
	bool allow_empty; /* no sample is no error, where nothing was malformed either */
	const char *output; /* NULL: stdout */
	/* Where the names of a recording come from, NULL for where they usually are. */
	const char *buildids, *symfs, *kallsyms, *vmlinux, *maps;
	bool debuginfod, no_inline;
	bool off_cpu; /* times that threads were blocked, in us */
	bool header; /* nothing but what a recording says of itself */
	const char *asked[DATA_BITS]; /* the option that needs such data, or NULL */
	const char *wished[HAS_BITS]; /* the option that only some formats have, or NULL */
};

/* Reads the options; then optind is the first file. A wrong one is a message and exit 2. */
void options_parse(struct options *o, int argc, char **argv);

/* An option that needs what a format has not is wrong usage, never passed over. */
void options_check(const struct options *o, const struct format *f, const char *input);

#endif
