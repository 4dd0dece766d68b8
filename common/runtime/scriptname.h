/*
 * scriptname: names of script functions, by content. For languages whose functions have no names:
 * the name by which a function is called most often.
 */
#ifndef SCRIPTNAME_H
#define SCRIPTNAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/*
 * Script functions by content: equal names, files and lines share a number, from 1 up, in all
 * processes. Strings live as long as the table.
 */
struct script_name {
	const char *function; /* qualified */
	const char *called; /* name that replaces it, by script_names_settle; NULL: none */
	const char *file; /* full path; NULL: unknown */
	unsigned first_line; /* of the function; 0: unknown */
	unsigned line; /* line that ran; 0: unknown or not requested */
	uint32_t same; /* number of the name without that line */
	uint32_t shape; /* distinguishes functions without a name that start at one line */
	bool seen; /* in a frame */
	bool settled; /* called does not change any more */
};

struct script_names;

struct script_names *script_names_new(void);
void script_names_free(struct script_names *n);
uint32_t script_name_add(struct script_names *n, struct str function, struct str file,
    unsigned first_line, unsigned line);

/*
 * As script_name_add for a function without a name: function stands for that, and shape is a hash
 * of what distinguishes it from others that start at its line. seen: it is in a frame.
 */
uint32_t script_name_nameless(struct script_names *n, struct str function, struct str file,
    unsigned first_line, unsigned line, uint32_t shape, bool seen);

const struct script_name *script_name_get(const struct script_names *n, uint64_t number);

/*
 * The number of a call of function `number` by a name, for script_name_count. certain: it is the
 * function's own name and not that of a variable which has it.
 */
uint32_t script_name_call(struct script_names *n, uint32_t number, const char *name, bool certain);

/* Counts a call once more; 0: none. */
void script_name_count(struct script_names *n, uint32_t call);

/*
 * Chooses names for the functions in frames that have none yet: the certain name, else that of most
 * calls; of equal ones the first in the order of bytes. A chosen name does not change.
 */
void script_names_settle(struct script_names *n);

#endif
