/*
 * answer: the data of the sentences, for one column or for the sum of the columns. It has a picture
 * of its own, in which off-CPU time is charged to the function that blocks.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-render/picture.h"
#include "fg-render/text/functions.h"
#include "fg-render/text/offcpu.h"
#include "names/origin.h"

struct missing {
	struct str module; /* len 0: module unknown too */
	value v;
	uint32_t name, node;
};
struct answer {
	const struct picture *p; /* the picture of answer_open */
	struct picture charged; /* p with the charged self values in column 0 */
	struct calltree tree;
	struct waits waits;
	struct function *function; /* all functions, largest self value first */
	uint32_t *ranked, nranked; /* indices of function: symbolized ones with a value, in order */
	double *total; /* by node; the picture's width unless waits.charged */
	struct missing *missing; /* by module, largest value first */
	uint32_t nmissing, capmissing;
	value without_symbols; /* sum of self values without symbols */
};
void answer_open(const struct picture *p, struct answer *a);
void answer_close(struct answer *a);
double answer_share(const struct answer *a, double v); /* in percent of the profile total */
double answer_error(const struct answer *a, value v); /* of the 95 % interval, +- %; 0: unknown */
/* Returns the nearest caller that is another symbolized function; CALLTREE_ROOT for none. */
uint32_t answer_caller(const struct picture *p, uint32_t node);
/*
 * Returns the module of "[module]", "[module <address>]" or "module+0xSTART", names of code without
 * symbols; empty when the module is unknown too. Points into the name.
 */
struct str answer_module(const struct frame_name *n);
uint32_t answer_number(const struct function *f, const struct picture *p); /* number of its name */
/* Sums the self values by origin, without off-CPU time; *inlined: the part in inlined functions. */
void answer_origins(const struct answer *a, value sum[ORIGIN_UNKNOWN + 1], value *inlined);
/* Finds the heaviest stacks of the picture, largest first, up to `most` nodes; returns how many. */
struct heavy {
	uint32_t node;
	double v;
};
unsigned answer_stacks(const struct answer *a, struct heavy *best, unsigned most);
/* Inserts a node into the n heaviest, at most `most` of them; returns the new n. */
unsigned answer_keep(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v);

#endif
