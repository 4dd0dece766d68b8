/*
 * stacks: reads the input into a call tree.
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/options.h"
#include "profile/calltree.h"
#include "profile/folded.h"

struct times;

/*
 * Returns the tree of the input. Its siblings are in the order of the input if the
 * options request that, else unsorted; then stacks_sort sorts them by rank (calltree_ranks).
 */
bool stacks_in_input_order(const struct options *o);
void stacks_sort(const struct options *o, struct calltree *t, const uint32_t *rank);
struct calltree *stacks_read(
    const struct options *o, struct folded *folded, struct times *times, int nfile, char **file);
/* Orders siblings by creation. */
void stacks_order_by_appearance(struct calltree *t);
uint32_t stacks_gap(const struct calltree *t); /* name of gaps in a flame chart, or 0 */

#endif
