/*
 * kernelframe: `schedule+0x2e3/0x740 [module]`, with `[<ffffffff81060ad0>]` before it, as
 * Linux writes its own stacks.
 */
#ifndef KERNELFRAME_H
#define KERNELFRAME_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

/* Add the frame that s is; false when it is none. */
bool kernelframe_add(struct stack *stack, const struct options *o, struct str s);

/* Whether a function is where the kernel is entered, so that its stacks end there. */
bool kernelframe_is_entry(struct str function);

#endif
