/*
 * kernelframe: frames of Linux's own stack traces: `schedule+0x2e3/0x740 [module]`,
 * optionally after `[<ffffffff81060ad0>]`.
 */
#ifndef KERNELFRAME_H
#define KERNELFRAME_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

/* Adds the frame in s to the stack; false if s is not a frame. */
bool kernelframe_add(struct stack *stack, const struct options *o, struct str s);

/* True if a function is a kernel entry point, where kernel stacks end. */
bool kernelframe_is_entry(struct str function);

#endif
