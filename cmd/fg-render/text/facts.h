/*
 * facts: the data of the sentences, for one column or for the sum of the columns. It has a picture
 * of its own, in which off-CPU time is charged to the function that blocks.
 */
#ifndef FACTS_H
#define FACTS_H

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
struct facts {
	const struct picture *p; /* the picture of facts_open */
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
void facts_open(const struct picture *p, struct facts *a);
void facts_close(struct facts *a);
double facts_share(const struct facts *a, double v); /* in percent of the profile total */
double facts_error(const struct facts *a, value v); /* of the 95 % interval, +- %; 0: unknown */
/* Returns the nearest caller that is another symbolized function; CALLTREE_ROOT for none. */
uint32_t facts_caller(const struct picture *p, uint32_t node);
/*
 * Returns the module of "[module]", "[module <address>]" or "module+0xSTART", names of code without
 * symbols; empty when the module is unknown too. Points into the name.
 */
struct str facts_module(const struct frame_name *n);
uint32_t facts_number(const struct function *f, const struct picture *p); /* number of its name */
/* Sums the self values by origin, without off-CPU time; *inlined: the part in inlined functions. */
void facts_origins(const struct facts *a, value sum[ORIGIN_UNKNOWN + 1], value *inlined);
/* Finds the heaviest stacks of the picture, largest first, up to `most` nodes; returns how many. */
struct heavy {
	uint32_t node;
	double v;
};
unsigned facts_stacks(const struct facts *a, struct heavy *best, unsigned most);
/* Inserts a node into the n heaviest, at most `most` of them; returns the new n. */
unsigned facts_keep(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v);

#endif
