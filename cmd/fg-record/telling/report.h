/*
 * report: symbolizes the samples, writes folded stacks and counts unsymbolized frames.
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/output.h"
#include "fg-record/record.h"
#include "trace/naming.h"

#define REPORT_MODULES 64 /* the modules with the most samples */
#define REPORT_FUNCTIONS 5 /* the functions with the largest self values */

/* A module that contains the leaf of samples. */
struct report_module {
	uint32_t number;
	uint64_t samples;
	uint64_t nameless; /* of these, with an unsymbolized leaf */
	enum module_kind kind;
	enum module_info info;
	char name[64], path[192]; /* truncated */
};

/* A function and its self value as a fraction of the profile total, 0 to 1. */
struct report_function {
	char name[256]; /* as lists show it (label.h), truncated */
	double self;
};

/* How well frames were symbolized. Without pointers and bool, since another process fills it. */
struct report {
	uint8_t naming; /* symbolization is in progress */
	struct naming_progress progress;
	uint64_t frames; /* weighted by number of samples */
	uint64_t unresolved; /* of these, unsymbolized */
	uint64_t samples;
	uint8_t exhausted; /* files were not read: too many open files */
	struct report_module module[REPORT_MODULES];
	size_t nmodule;
	struct report_function function[REPORT_FUNCTIONS]; /* by self value, if output_chosen */
	size_t nfunction;
};

/*
 * Symbolizes all frames, writes the stacks and adds counts to rep. With `bare`, nothing is
 * looked up and each frame has the name of its module.
 */
void report_write(const struct record *r, const struct rawtree *p, struct output *out,
    struct report *rep, bool bare);

/* Symbolizes the samples so far and fills only rep's functions. */
void report_heaviest(const struct record *r, struct report *rep);

/*
 * Limits counts, kinds and names to what their types hold: the process that filled the report has
 * parsed untrusted files, and may have been taken over by one.
 */
void report_check(struct report *rep);

/*
 * Excludes the module that was symbolized when the process ended, so that only its names are
 * missing; `fault` is the reason, for the message. False if it is unknown: the number is from a
 * process that parsed untrusted files. With `all`, also the modules that are only in processes of p
 * that have it: a hostile process may have more such files than there are attempts.
 */
bool report_exclude(struct record *r, const struct rawtree *p, const struct report *rep,
    const char *fault, bool all);

#endif
