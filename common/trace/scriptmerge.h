/*
 * scriptmerge: merges the script frames of a thread's runtimes into its native frames.
 */
#ifndef SCRIPTMERGE_H
#define SCRIPTMERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/runtime.h"
#include "trace/chain.h"
#include "trace/scriptprocess.h"

/* The script frames of one runtime of the current sample. */
struct reading {
	struct script_stack stack;
	struct module *module; /* of its frames */
	size_t group; /* the next one to add */
	size_t last; /* the groups from here on have no native frame */
};

struct merge {
	struct reading *part[SCRIPT_PARTS]; /* frames that were read, of each runtime */
	size_t npart;
	bool mixed; /* the process has other runtimes, too */
	bool interpreter; /* the interpreter's own frames are kept */
	struct module *cut; /* in place of frames beyond a limit */
	struct unwind_frame *out;
	size_t n, most;
};

/* Sets m->out to the merged frames, leaf first; c has the native ones. */
void merge_frames(struct merge *m, const struct chain *c);

#endif
