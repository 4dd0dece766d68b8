/*
 * label: names shortened to a width.
 */
#ifndef LABEL_H
#define LABEL_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/origin.h"

/*
 * Appends at most `columns` cells of n's text to b, and at most four bytes per cell; nothing
 * for less than three cells. cut_right: only truncates the end.
 */
void label_add(struct text *b, const struct frame_name *n, unsigned columns, bool cut_right);

/*
 * Appends a function as in lists: module`text (file). If that is wider than `columns`, shortens
 * module and file to their last segments, then the text as in label_add. Never empty.
 */
void label_function(struct text *b, const struct frame_name *n, unsigned columns);

/*
 * True for files of script languages, with function names such as <module> or __init__ that
 * mean little without their file.
 */
bool label_is_script(struct str file);

struct str label_last_segment(struct str path); /* the part after the last slash */

#endif
