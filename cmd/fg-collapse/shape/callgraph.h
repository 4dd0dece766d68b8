/*
 * callgraph: functions, what each costs itself, and what each call of one by another
 * costs with all below it. Such a graph has no stacks: how often a was called by b
 * when b was called by c is not known. It is apportioned, so that sums stay right:
 *
 *	Functions that call each other in a circle are one component; what they cost
 *	each other counts nothing. in(S) is what calls into the component S cost,
 *	incl(S) what it costs itself and in calls out of it. root(S), what began there,
 *	is incl(S) where nothing calls it, else what is beyond in(S) if that is more
 *	than 0.1 % of incl(S). A path into S has a share of S; along a call into T that
 *	costs c it has share * c / (in(T) + root(T)) of T.
 *
 * Each path emits its share of what each member of its component costs itself, in
 * whole numbers, which add up to the function's cost: those whose fractions are
 * largest are rounded up.
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include <stdint.h>

#include "base/hash.h"
#include "profile/sample.h"

struct callgraph {
	unsigned columns; /* how many costs each has */
	uint32_t functions;
	int64_t *self; /* of function f in column c: self[f * columns + c] */
	size_t capself;
	uint32_t calls;
	struct callgraph_call {
		uint32_t from, to;
	} * call;
	uint32_t capcall;
	int64_t *cost; /* of each call, as self */
	size_t capcost;
	struct hash_index index; /* of calls */
};

/* The rest of g is nothing. */
void callgraph_init(struct callgraph *g, unsigned columns);
void callgraph_free(struct callgraph *g);

/* Another function; returns its number, from 0. */
uint32_t callgraph_function(struct callgraph *g);

/* The costs of calls of `to` by `from`, for the caller to add to; good until the next call. */
int64_t *callgraph_call(struct callgraph *g, uint32_t from, uint32_t to);

/*
 * Give a column's stacks to the sampler, as that column of its tree and as samples
 * of an event. frame[f] is what sample_name said of f. Costs below 0 are 0. Returns 0;
 * or, where shares are so small that they are too many to follow, below which they
 * were left out.
 */
double callgraph_sample(const struct callgraph *g, unsigned column, struct sampler *s,
    uint32_t event, const uint32_t *frame);

#endif
