/*
 * measure: values of nodes and totals.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "fg-render/picture.h"

/* Zeroed memory for passes over all nodes, with that size for each; the caller frees it. */
void *layout_by_node(const struct calltree *t, size_t size);
double *layout_totals(const struct picture *p, unsigned k); /* by node; the caller frees it */
/* In differentials: the size of a node's change of self; 0 if it is marked as noise. */
double layout_steepness(const struct picture *p, uint32_t node);
/* True if a stack of a drawn column other than the first ends at the node. */
bool layout_has_other(const struct picture *p, uint32_t node);
value layout_total(const struct picture *p); /* total of column 0, or a larger --total */
value layout_profile_total(const struct picture *p); /* value of the root's width, exact */
double layout_percent(const struct picture *p, value v); /* percentage of layout_total */
/* layout_own of other values than one count. */
double layout_own_of_columns(const struct picture *p, uint32_t node);

/* The self value of drawn column k. */
static inline double
layout_self(const struct picture *p, uint32_t node, unsigned k)
{
	return value_array_double(&p->tree->self[p->drawn.column[k]], node);
}

/* The width minus that of the children. */
static inline double
layout_own(const struct picture *p, uint32_t node)
{
	uint64_t cell = p->tree->self[p->drawn.column[0]].cell[node];

	if (p->widths != WIDTHS_FIRST || (cell & VALUE_WIDE) != 0)
		return layout_own_of_columns(p, node);
	return (double)cell;
}

#endif
