/*
 * javaframe: frames such as `com.app.Shop.sell(Shop.java:12)`, in thread dumps and
 * exceptions of all Java virtual machines.
 */
#ifndef JAVAFRAME_H
#define JAVAFRAME_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

/*
 * Adds the frame in s to the stack; false if s is not a frame. The frame's module is the
 * Java module, such as java.base, if the dump names it.
 */
bool javaframe_add(struct stack *stack, const struct options *o, struct str s);

#endif
