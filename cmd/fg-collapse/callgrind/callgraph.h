/*
 * callgraph: a call graph: the self cost of each function and the inclusive cost of each
 * call. A call graph has no stacks: how often b called a when c called b is unknown. Costs
 * are apportioned to paths so that sums stay exact:
 *
 * Functions that call each other in a cycle form one component; calls within it
 * are ignored. in(S) is the cost of calls into component S, incl(S) the self cost of S
 * plus the cost of calls out of it. root(S), the cost that starts there, is incl(S) if
 * nothing calls S, else the excess over in(S) if that is above 0.1 % of incl(S). A path
 * into S has a share of S; along a call into T of cost c it has share * c / (in(T) +
 * root(T)) of T.
 *
 * Each path emits its share of the self cost of each member of its component. Shares are
 * integers that add up to the function's cost: the largest fractions are rounded up.
 */
#ifndef CALLGRAPH_H
#define CALLGRAPH_H

#include <stdint.h>

#include "base/hash.h"
#include "sample/sampler.h"

struct callgraph {
	unsigned columns; /* number of costs per function and per call */
	uint32_t functions;
	int64_t *self; /* of function f in column c: self[f * columns + c] */
	size_t capself;
	uint32_t calls;
	struct callgraph_call {
		uint32_t from, to;
	} * call;
	uint32_t capcall;
	int64_t *cost; /* cost[call * columns + c] */
	size_t capcost;
	struct hash_index index; /* finds a call by from and to */
};

/* Initializes an empty graph. */
void callgraph_init(struct callgraph *g, unsigned columns);
void callgraph_free(struct callgraph *g);

/* Adds a function; returns its index, from 0. */
uint32_t callgraph_function(struct callgraph *g);

/* The costs of calls from `from` to `to`, for the caller to add to. Valid until the next call. */
int64_t *callgraph_call(struct callgraph *g, uint32_t from, uint32_t to);

/*
 * Passes the stacks of a column to the sampler, as that column of its tree and as samples
 * of an event. frame[f] is the sample_name of f. Negative costs count as 0. Returns 0, or
 * the smallest share that was followed if smaller ones were dropped.
 */
double callgraph_sample(const struct callgraph *g, unsigned column, struct sampler *s,
    uint32_t event, const uint32_t *frame);

#endif
