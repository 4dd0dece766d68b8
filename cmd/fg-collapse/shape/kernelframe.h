/*
 * kernelframe: frames of Linux's own stack traces: `schedule+0x2e3/0x740 [module]`,
 * optionally after `[<ffffffff81060ad0>]`, and those that scripts have decoded:
 *
 *	schedule+0xda/0x1b0 kernel/sched/core.c:6579
 *	context_switch kernel/sched/core.c:5191 [inline]
 *	schedule (kernel/sched/core.c:6767 (discriminator 1)) xfs
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
