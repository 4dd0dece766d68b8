/*
 * options: the command line of fg-diff.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pattern.h"
#include "fg-diff/gate.h"
#include "fg-diff/side.h"
#include "names/own.h"
#include "profile/fileselect.h"
#include "stats/noise.h"

enum report_format {
#define REPORT(id, ...) REPORT_##id,
#include "fg-diff/reports.def"
};

/* Paths of profiles. */
struct files {
	char **path;
	unsigned n;
};

/* The arguments of --files0-from. */
struct lists {
	const char *from[2];
	int n;
};

struct options {
	bool report, mark_noise, no_header, require_power, explain, series, growth;
	const char *baseline; /* directory of earlier runs, or NULL */
	unsigned baseline_size; /* number of its files to use, the last by name */
	const char *group_by; /* keys of labels whose values are compared apart, or NULL */
	struct fileselect select; /* which files are read */
	double looks; /* planned number of analyses of a series */
	enum report_format format;
	enum by by;
	bool all_rows; /* rows of native functions below those of scripts */
	size_t top; /* rows of a report; 0: all */
	bool gated;
	struct gate gate;
	struct own_files own; /* of --own-files */
	struct pattern only; /* text NULL: all names */
	const char *output; /* NULL: stdout */
	struct noise noise; /* model, period, confidence, and whether shares are compared */

	struct files base; /* with series and growth all files */
	struct files head;
	struct files history; /* of --baseline, sorted by name; without group_by the last ones */

	struct lists lists;
	/* How stacks are read; arguments of options or NULL. */
	const char *column, *columns, *unit;
	bool strip_hex, strict, no_labels;
};

/* Parses the command line; prints a message and exits with 2 on a usage error. */
void options_parse(struct options *o, int argc, char **argv);

/* True if a gate must not pass when its threshold is below the minimum detectable change. */
bool options_needs_power(const struct options *o);

/* Removes the files that are not selected by their labels; exits with 2 if a side has none left. */
void options_select(struct options *o);

/* Sets a side's files and how they are read. */
void options_side(const struct options *o, const struct files *files, struct side *side);

#endif
