/*
 * scriptrows: in a process that runs scripts, the rows of a report are functions of scripts: the
 * cost of native functions is added to the script function, or process, that called them.
 */
#ifndef SCRIPTROWS_H
#define SCRIPTROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/calltree.h"

struct scriptrows {
	bool *script; /* by function: it is in a language of scripts or generated code */
	bool *hosts; /* by function of a root: functions of scripts are below it */
};

/* Prepares s for the functions below that number. */
void scriptrows_init(struct scriptrows *s, uint32_t functions);
/*
 * Marks the functions of scripts of one run, and the roots above them; false: there are none.
 * function: by the number of a name or, unless frame is NULL, by the number that frame has for it.
 */
bool scriptrows_mark(struct scriptrows *s, const struct calltree *t, const uint32_t *frame,
    const uint32_t *function);
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
