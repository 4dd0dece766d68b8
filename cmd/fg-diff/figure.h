/*
 * figure: numbers, percentages and names as reports have them.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/calltree.h"

#define FIGURE_NAME 200 /* bytes of a name at most */
#define FIGURE_SHORT 80 /* in a line of a comment */

/* With its unit where that is one of time or bytes ("17.3 s"), else plain ("1,234"). */
void figure_value(struct text *t, const char *unit, double x, bool plus);

/* part of whole in percent, "" for nothing of nothing, else of_nothing. */
void figure_percent(struct text *t, double part, double whole, const char *of_nothing);

/*
 * A name that can do nothing to a terminal or a table: control characters in the way of
 * vis(3), and no more of it than its first bytes.
 */
void figure_name(struct text *t, const struct calltree_name *name);

/* The same as Markdown's code, in which nothing means anything; and for a cell of a table. */
void figure_code(struct text *t, const struct calltree_name *name);
/* ... with 80 bytes of the name at most. */
void figure_code_short(struct text *t, const struct calltree_name *name);
void figure_code_cell(struct text *t, const struct calltree_name *name);

/* Either of the first two. */
typedef void figure_namer(struct text *t, const struct calltree_name *name);

#endif
