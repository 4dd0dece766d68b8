/*
 * javaframe: `com.app.Shop.sell(Shop.java:12)`, as thread dumps and exceptions of
 * every Java virtual machine have it.
 */
#ifndef JAVAFRAME_H
#define JAVAFRAME_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

/*
 * Add the frame that s is to the stack; false when it is none. Its module is
 * Java's, java.base, where the dump names it.
 */
bool javaframe_add(struct stack *stack, const struct options *o, struct str s);

#endif
