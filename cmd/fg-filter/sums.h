/*
 * sums: the values of stacks and functions, all columns together.
 */
#ifndef SUMS_H
#define SUMS_H

#include <stdint.h>

#include "base/value.h"
#include "profile/calltree.h"

/* The sum of a stack's values in all columns; in a differential, values of base count too. */
value stack_value(const struct calltree *t, uint32_t node);
/* `percent` of all, in units of value, rounded up. */
value percent_of(value percent, value all);

/*
 * Returns by name index the value of all stacks with that function, of a stack once; *all is that
 * of all stacks. The caller frees it.
 */
value *function_totals(const struct calltree *t, value *all);

#endif
