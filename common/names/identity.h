/*
 * identity: which frames of several profiles are one function, although their names differ. The
 * name counts in canonical form, without annotations and suffixes of a compiler's copies. The
 * source file counts by what its paths share (sourcefile.h), and the line only orders functions of
 * one name in one file. Functions without symbols are compared only within one build.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "names/nosymbol.h"
#include "profile/calltree.h"

/* A function or source file that is elsewhere on a later side. */
struct identity_move {
	uint32_t function; /* 0: the file, with all its functions */
	uint32_t from, to; /* in identity.paths */
};

struct identity {
	struct identity_side *side; /* of identity_find */
	size_t sides;

	/* Names of functions, for reports, by number; those that no side has may be among them. */
	struct calltree *functions;
	bool *stands; /* by function: its name replaces those of its frames */

	struct calltree *paths;
	struct identity_move *moved;
	size_t nmoved;
	struct nosymbol_module *module;
	size_t nmodules;
	uint32_t *merged; /* functions that stand for several of one name in one file */
	size_t nmerged;
};

/* Finds the functions of all sides, in order of time; side is freed by identity_free. */
void identity_find(struct identity *id, struct identity_side *side, size_t sides);

/* Number of a function, given the text of a frame; 0: no side has that text as a function. */
uint32_t identity_named(const struct identity *id, const char *s, size_t len);

/*
 * Replaces t by the text of a frame of a module that is one function, with its annotations; false
 * if the frame keeps its own text.
 */
bool identity_text(const struct identity *id, uint32_t function, const struct calltree_name *frame,
    struct text *t);

void identity_free(struct identity *id);

#endif
