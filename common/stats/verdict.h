/*
 * verdict: the answer whether a change is more than noise, and its form in a differential's
 * noise column.
 *
 * A stack is marked as noise (1) unless the self value of its leaf function changed beyond noise,
 * and the stack in the same direction. So the column carries the verdict of each function: its
 * change is beyond noise when one of its stacks changed and is not marked. fg-diff writes
 * the column and fg-render reads it by these two functions.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_SMALL, /* too small a part of the profile total to be tested */
	VERDICT_NOISE,
	VERDICT_REAL, /* beyond noise */
};

/*
 * True if a stack that changed from base to head is marked as noise. function: 1 when the self
 * value of its leaf function grew beyond noise, -1 when it shrank, 0 when neither.
 */
bool verdict_marks_stack(int function, double base, double head);

/* Direction of a function's change beyond noise that one of its stacks shows: 1, -1, or 0. */
int verdict_of_mark(bool marked, double base, double head);

#endif
