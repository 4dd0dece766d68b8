/*
 * scriptrows: in a process that runs scripts, the rows of a report are functions of scripts: the
 * cost of native functions is added to the script function, or process, that called them.
 */
#ifndef SCRIPTROWS_H
#define SCRIPTROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-diff/side.h"

struct scriptrows {
	bool *script; /* by function: it is in a language of scripts or generated code */
	bool *hosts; /* by function of a root: functions of scripts are below it */
};

/* Finds the functions of scripts, between side_identify and side_finish; false: there are none. */
bool scriptrows_find(
    struct scriptrows *s, const struct side *base, const struct side *head, uint32_t functions);
void scriptrows_free(struct scriptrows *s);

/*
 * True if a function is not a row, in a walk from the roots. s may be NULL. *root: the function of
 * the root, set at depth 1.
 */
static inline bool
scriptrows_hides(const struct scriptrows *s, uint32_t function, uint32_t depth, uint32_t *root)
{
	if (depth == 1)
		*root = function;
	return s != NULL && depth > 1 && s->hosts[*root] && !s->script[function];
}

#endif
