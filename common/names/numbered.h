/*
 * numbered: compilers number copies arbitrarily (f.3), and Java its lambdas (A$$Lambda$14.run,
 * A.lambda$run$0): such a name is that without a number where each side has only one of these, and
 * that of a later side where both have equally many, and all numbers changed.
 */
#ifndef NUMBERED_H
#define NUMBERED_H

#include <stddef.h>
#include <stdint.h>

#include "names/nosymbol.h"
#include "profile/calltree.h"

/*
 * Returns by function the one that it is, or 0: itself; NULL if no function has a number. The sides
 * have their functions; names without a number are added to these. The caller frees it.
 */
uint32_t *numbered_find(const struct identity_side *side, size_t sides, struct calltree *functions);

#endif
