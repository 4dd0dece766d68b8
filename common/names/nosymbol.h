/*
 * nosymbol: functions without symbols in a comparison. Their addresses are compared within one
 * build only; otherwise all of a module are one function.
 */
#ifndef NOSYMBOL_H
#define NOSYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "names/origin.h"
#include "profile/calltree.h"
#include "profile/labels.h"

/* One profile, or several runs of one program. */
struct identity_side {
	const struct calltree_name *name; /* frames; [0] is unused, as in struct calltree */
	uint32_t n; /* entries of name */
	const struct labels *labels; /* for build IDs of modules; or NULL */
	bool past; /* an earlier profile: it does not decide whether functions are kept apart */

	/* Set by identity_find: */
	uint32_t *function; /* by name: number of its function */
};

/* Modules without symbols that are one function: of another build, or the build is unknown. */
struct nosymbol_module {
	uint32_t function; /* stands for all functions of the module */
	bool rebuilt; /* the build IDs of the sides differ */
	uint32_t n; /* frames that it stands for */
};

/* A frame of a module without symbols that is one build. */
struct nosymbol_address {
	struct str module;
	uint32_t side, name;
};

/* The end of a report's sentence about such a function. */
#define NOSYMBOL_ADVICE                                                                          \
	"for their names, install the -dbgsym package, build without strip (strip = false), or " \
	"set DEBUGINFOD_URLS"

/* True if a name is that of such a function. */
bool nosymbol_is_module(struct str name);

/* All zero at first, except side, sides and functions. */
struct nosymbol {
	struct identity_side *side;
	size_t sides;
	struct calltree *functions; /* names of functions, to which those of modules are added */
	struct nosymbol_module *module; /* the caller frees it */
	size_t nmodules;
	struct nosymbol_address *address;
	size_t naddress, capaddress, capmodule;
	struct calltree *asked; /* modules that sides which are not past have asked for */
	uint8_t *build; /* by module: the answer */
	uint32_t capbuild;
};

/*
 * Returns the function that stands for all of the module of a frame, a name of a side; 0: the frame
 * is a function of its own.
 */
uint32_t nosymbol_function(
    struct nosymbol *n, struct frame_name *frame, uint32_t side, uint32_t name);

/*
 * After all frames: labels may be wrong. If hardly any function of a module is on both sides,
 * although its build ID is, the addresses are not those of one build, and all are one function.
 */
void nosymbol_end(struct nosymbol *n);

#endif
