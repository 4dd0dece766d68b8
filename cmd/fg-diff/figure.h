/*
 * figure: the format of numbers, percentages and names in reports.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/calltree.h"

#define FIGURE_NAME 200 /* limit of a name, bytes */
#define FIGURE_SHORT 80 /* limit in a line of a pull request comment, bytes */

/* Appends a value with its unit if that is time or bytes ("17.3 s"), else plain ("1,234"). */
void figure_value(struct text *t, const char *unit, double x, bool plus);

/* Appends `part` in percent of `whole`; if whole is 0, "" for part 0 and of_nothing otherwise. */
void figure_percent(struct text *t, double part, double whole, const char *of_nothing);

/*
 * Appends a name that is safe in a terminal and in a table: control characters encoded as by
 * vis(3), truncated to FIGURE_NAME bytes.
 */
void figure_name(struct text *t, const struct calltree_name *name);

/*
 * figure_name as a Markdown code span, which no character of the name can end; also for a table
 * cell.
 */
void figure_code(struct text *t, const struct calltree_name *name);
/* figure_code, truncated to FIGURE_SHORT bytes. */
void figure_code_short(struct text *t, const struct calltree_name *name);
void figure_code_cell(struct text *t, const struct calltree_name *name);
/* figure_name as an HTML code element, for a line of Markdown that begins with HTML. */
void figure_html(struct text *t, const struct calltree_name *name);

/* figure_name or figure_code. */
typedef void figure_namer(struct text *t, const struct calltree_name *name);

#endif
