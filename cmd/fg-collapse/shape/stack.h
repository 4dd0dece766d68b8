/*
 * stack: the frames of a sample whose weight, thread or time follows them in the input, as
 * in most text formats. They are stored as names until the stack becomes a sample.
 *
 * To parse each distinct line only once:
 *
 *	if (!stack_known(s, line, 0)) {
 *		add its frames
 *		stack_remember(s);
 *	}
 */
#ifndef STACK_H
#define STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/shape/memo.h"
#include "sample/sample.h"

struct stack {
	struct sampler *sampler;
	uint32_t *name; /* names of the frames, in the order of the input */
	size_t n, cap;
	bool broken; /* a frame could not be parsed: the stack is malformed (reader_broken) */
	struct text function; /* normalized function name of the current frame */

	/* Private. */
	struct memo lines; /* from a line to a name or to an index in many */
	struct memo stacks; /* from the lines of a stack to its leaf node */
	struct memo_key whole; /* key of the stack that stack_again did not find */
	bool is_whole; /* whole is set */
	struct memo_key key; /* key of the line that stack_known did not find */
	size_t before; /* number of frames before that line */
	uint32_t *many; /* for lines with other than one frame: number of names, then the names */
	uint32_t nmany, capmany;
	uint32_t root; /* of the last counted stack: */
	uint32_t *node; /* its nodes and their names, root first */
	uint32_t *node_name;
	size_t nnode, capnode, capnode_name;
};

/* Initializes an empty stack; the sampler's tree has one column from now on. */
void stack_init(struct stack *s, struct sampler *sampler);
void stack_free(struct stack *s);

/* Adds a frame; copies its strings. */
void stack_frame(struct stack *s, const struct frame *f);

/* Adds a frame with its function name normalized (funcname.h). */
void stack_function(struct stack *s, struct frame f);

/* Adds a sample with these frames, unless the stack is broken, then clears them. */
void stack_sample(
    struct stack *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight);

/* Like stack_sample, for one stack with weights of n events. */
void stack_sample_all(struct stack *s, const struct sample_task *task,
    const struct sample_weight *w, unsigned n, uint64_t time);

/* If the frames of this line are cached, adds them and returns true. kind: other data on which
 * they depend. */
bool stack_known(struct stack *s, struct str line, unsigned kind);
/* Caches the frames added since stack_known returned false as those of its line. */
void stack_remember(struct stack *s);

/* Like stack_sample, but faster: for stacks with the leaf first and an integer weight of one
 * event. */
void stack_count(struct stack *s, const struct sample_task *task, uint32_t event, uint64_t weight);

/*
 * If these lines, a whole stack with its task, are cached, counts the stack and returns
 * true. If not, the next stack_count caches its stack for these lines.
 */
bool stack_again(struct stack *s, struct str lines, uint32_t event, uint64_t weight);

#endif
