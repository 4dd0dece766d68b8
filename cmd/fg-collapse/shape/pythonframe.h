/*
 * pythonframe: functions of Python as py-spy writes them, `f (file.py:12)`: their names
 * alone say little.
 */
#ifndef PYTHONFRAME_H
#define PYTHONFRAME_H

#include "fg-collapse/shape/stack.h"

/*
 * `File "/srv/app.py", line 12 in work`, the function missing in tracemalloc's; adds its
 * frame, or says false when s is none.
 */
bool pythonframe_add(struct stack *stack, struct str s);

/* The text of a frame from its parts, in the place of what t was. */
void pythonframe_text(struct text *t, struct str function, struct str file, struct str line);

/* The same from its parts. line: as it stands there, or empty. */
void pythonframe_parts(struct stack *stack, struct str function, struct str file, struct str line);

#endif
