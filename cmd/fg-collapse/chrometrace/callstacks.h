/*
 * callstacks: the Python callers of operators in PyTorch's traces of versions before 1.13. An
 * operator has them in one string, args."Call stack", with the innermost first:
 *
 *	"model.py(5): forward;train.py(12): step;train.py(30): main"
 *
 * They become slices around the operator. Later versions have events for Python functions
 * instead (python_function); a thread that has both keeps only those.
 */
#ifndef CHROMETRACE_CALLSTACKS_H
#define CHROMETRACE_CALLSTACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-collapse/shape/memo.h"
#include "fg-collapse/chrometrace/nesting.h"
#include "sample/sampler.h"

struct callstacks {
	struct sampler *sampler;

	/* Private. */
	struct callstacks_frame {
		uint32_t name; /* number in the tree */
		uint64_t function; /* hash of the function and its file, without the line */
	} * frame;
	size_t nframe, capframe;
	struct callstacks_stack { /* frames, root first */
		size_t first, n;
	} * stack;
	size_t nstack, capstack;
	struct callstacks_op {
		uint32_t slice, stack; /* indices */
		size_t outer; /* number of root frames that an enclosing operator has already */
	} * op;
	size_t nop, capop;
	struct memo known; /* stacks by their text: index + 1 */
	struct text name;
};

void callstacks_init(struct callstacks *c, struct sampler *s);
void callstacks_free(struct callstacks *c);

/* Notes that the slice with that index has the call stack s. Calls are in the order of indices. */
void callstacks_add(struct callstacks *c, struct str s, uint32_t slice);

/*
 * Returns the n slices and the callers' slices, each before those within it, in one array, and
 * sets *n; frees the old array. An operator within another one gets only the callers that the
 * other one does not have: frames are compared without their lines. skip: by track, true for those
 * whose call stacks are not used.
 */
struct slice *callstacks_insert(
    struct callstacks *c, struct slice *slice, size_t *n, const bool *skip);

/* Rewrites PyTorch's `train.py(38): step` as other Python frames, `step (train.py:38)`. */
struct str callstacks_frame_text(struct text *t, struct str s);

#endif
