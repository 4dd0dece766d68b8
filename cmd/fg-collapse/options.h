/*
 * options: the settings of fg-collapse, from its command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "fg-collapse/data.h"
#include "sample/sampleoptions.h"

struct options {
	struct sample_options sample;
	const char *format; /* its name; NULL: detect by the first bytes */
	unsigned jobs; /* number of threads */
	unsigned pipe_jobs; /* number of threads for a pipe */
	const char *state; /* comma-separated list of thread states to select; NULL: all */
	bool threads, offsets, no_modules, short_packages;
	bool bottleneck; /* columns of --bottleneck instead of an event */
	struct labels *labels; /* labels by --label; the sampler takes ownership */
	bool no_labels, auto_labels; /* --no-labels; --label auto: labels from the recording */
	bool strict; /* exit with 2 if the input is malformed */
	bool allow_empty; /* an input without samples is not an error, unless it is malformed */
	const char *output; /* NULL: stdout */
	uint64_t max_output; /* bytes of stacks; 0: see OUTPUT_LEAST */
	/* Symbol sources of a recording; NULL: the usual places. */
	const char *buildids, *symfs, *kallsyms, *vmlinux, *maps;
	bool debuginfod, no_inline;
	bool off_cpu, wall; /* us that threads were blocked; wall-clock profile in three columns */
	bool wakers; /* add the stack of the waker */
	bool header; /* print only a recording's metadata */
	unsigned annotate; /* ANNOTATE_*: union of all options that add annotations */
};

#endif
