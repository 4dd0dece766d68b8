/*
 * stack: the frames of a sample whose weight, thread or time is said only after
 * them, as most text formats do. They wait as names; the stack then becomes a sample.
 *
 * Where speed matters a line that was seen before is not taken apart again:
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
#include "profile/sample.h"

struct stack {
	struct sampler *sampler;
	uint32_t *name; /* in the order of the input */
	size_t n, cap;
	struct text function; /* of the frame at hand, tidied */

	/* Private. */
	struct memo lines; /* to a name, or to a place in many */
	struct memo stacks; /* the lines of a whole stack, to its node */
	struct memo_key whole; /* of the stack that is not known */
	bool is_whole; /* there is one */
	struct memo_key key; /* of the line that is not known */
	size_t before; /* frames that there were before it */
	uint32_t *many; /* of lines that are not one frame: how many, then their names */
	uint32_t nmany, capmany;
	uint32_t root; /* of the last stack that was counted: */
	uint32_t *node; /* its nodes with their names, root first */
	uint32_t *node_name;
	size_t nnode, capnode, capnode_name;
};

/* An empty one; the sampler's tree has one column from now on. */
void stack_init(struct stack *s, struct sampler *sampler);
void stack_free(struct stack *s);

/* Another frame; what it points to need not stay. */
void stack_frame(struct stack *s, const struct frame *f);

/* The same with its function's name tidied (funcname.h). */
void stack_function(struct stack *s, struct frame f);

/* The sample that these frames are of; then there are none. */
void stack_sample(
    struct stack *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight);

/* Whether the frames of this line are known; then they are added. kind: what else they depend on.
 */
bool stack_known(struct stack *s, struct str line, unsigned kind);
/* All frames that were added since stack_known said no are those of its line. */
void stack_remember(struct stack *s);

/* As stack_sample, quicker, for stacks with the leaf first and a whole number of one event. */
void stack_count(struct stack *s, const struct sample_task *task, uint32_t event, uint64_t weight);

/*
 * Whether lines that are a whole stack with all that says where it belongs are known:
 * then it is counted. If not, the next stack_count is that of these lines.
 */
bool stack_again(struct stack *s, struct str lines, uint32_t event, uint64_t weight);

#endif
