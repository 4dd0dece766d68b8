/*
 * label: a name in as many characters as there is room for.
 */
#ifndef LABEL_H
#define LABEL_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/origin.h"

/*
 * Append at most `columns` cells of the text of n to b, and at most four bytes for each;
 * nothing under three cells. cut_right: only the end is shortened.
 */
void label_add(struct text *b, const struct frame_name *n, unsigned columns, bool cut_right);

/*
 * Append a function as lists name it: module`text (file). Where that is longer than
 * `columns`, the module and the file are shortened to their last segments, then the text
 * as in label_add. Never empty.
 */
void label_function(struct text *b, const struct frame_name *n, unsigned columns);

/*
 * Whether a source file is a script: of a language whose functions have common names, such
 * as <module> or __init__, that mean little without their file.
 */
bool label_is_script(struct str file);

struct str label_last_segment(struct str path); /* what stands behind the last slash */

#endif
