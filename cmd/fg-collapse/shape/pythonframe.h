/*
 * pythonframe: Python frames as py-spy writes them, `f (file.py:12)`, because their names
 * without the file are ambiguous.
 */
#ifndef PYTHONFRAME_H
#define PYTHONFRAME_H

#include "fg-collapse/shape/stack.h"

/*
 * Adds the frame of `File "/srv/app.py", line 12 in work`, where tracemalloc omits the
 * function; false if s is not a frame.
 */
bool pythonframe_add(struct stack *stack, struct str s);

/* Sets t to the text of a frame with these parts. */
void pythonframe_text(struct text *t, struct str function, struct str file, struct str line);

/* Adds a frame with these parts. line: as written in the input, or empty. */
void pythonframe_parts(struct stack *stack, struct str function, struct str file, struct str line);

#endif
