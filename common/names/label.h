/*
 * label: names shortened to a width.
 */
#ifndef LABEL_H
#define LABEL_H

#include <stdbool.h>

#include "base/text.h"
#include "names/origin.h"

/*
 * Appends at most `columns` cells of n's text to b, and at most four bytes per cell; nothing
 * for less than three cells. An anonymous function has its place after it if that fits. cut_right:
 * only truncates the end.
 */
void label_add(struct text *b, const struct frame_name *n, unsigned columns, bool cut_right);

/*
 * Appends a function as in lists: module`text and its place. If that is wider than `columns`,
 * shortens module and file to their last segments, then the text as in label_add. Never empty.
 */
void label_function(struct text *b, const struct frame_name *n, unsigned columns);

/*
 * Appends the place of a function: " (FILE)", for an anonymous one " (FILE:LINE)"; nothing after a
 * name that is FILE:LINE.
 */
void label_add_place(struct text *b, const struct frame_name *n);

struct str label_last_segment(struct str path); /* the part after the last slash */

#endif
