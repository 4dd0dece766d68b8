/*
 * verdict: whether a change is significant, and how a differential's noise column states it.
 *
 * A stack is marked as noise (1) unless the self value of its leaf function changed significantly,
 * and the stack in the same direction. So the column carries the verdict of each function: its
 * change is significant if one of its stacks changed and is not marked. fg-diff writes the column
 * and fg-render reads it by these two functions.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_SMALL, /* too small a part of the profile total to be tested */
	VERDICT_NOISE,
	VERDICT_REAL, /* significant */
	VERDICT_UNKNOWN, /* the data do not allow one */
};

/*
 * True if a stack that changed from base to head is marked as noise. function: 1 if the self value
 * of its leaf function grew significantly, -1 if it shrank, 0 otherwise.
 */
bool verdict_marks_stack(int function, double base, double head);

/* Direction of a function's significant change that one of its stacks shows: 1, -1, or 0. */
int verdict_of_mark(bool marked, double base, double head);

#endif
