/*
 * report: what was sampled becomes folded text, and what is told of its names.
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/output.h"
#include "fg-record/record.h"

#define REPORT_MODULES 64 /* of most samples */
#define REPORT_FUNCTIONS 5 /* of largest self value */

/* A module in which samples had their leaf. */
struct report_module {
	uint32_t number;
	uint64_t samples;
	enum module_kind kind;
	enum module_info info;
	char name[64], path[192]; /* cut short */
};

/* A function and its part of the profile total, 0 to 1. */
struct report_function {
	char name[256]; /* as lists show it (label.h), truncated */
	double self;
};

/* How well the frames could be named. It has no pointers: another process fills it. */
struct report {
	bool naming; /* names are looked up at this moment */
	uint64_t frames; /* each as often as it was sampled */
	uint64_t unresolved; /* of these, without a function's name */
	uint64_t samples;
	struct report_module module[REPORT_MODULES];
	size_t nmodule;
	struct report_function function[REPORT_FUNCTIONS]; /* the heaviest, if output_chosen */
	size_t nfunction;
};

/*
 * Name all places and write the stacks; what it finds of names is added to rep. With
 * bare nothing is looked up, and each frame has the name of its module.
 */
void report_write(const struct record *r, const struct rawtree *p, struct output *out,
    struct report *rep, bool bare);

/* Fills only rep's heaviest functions, from the samples so far, with names. */
void report_heaviest(const struct record *r, struct report *rep);

#endif
