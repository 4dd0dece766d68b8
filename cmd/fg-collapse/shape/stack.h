/*
 * stack: the frames of a sample whose weight, thread or time is said only after
 * them, as most text formats do. They wait as names; the stack then becomes a sample.
 */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>
#include <stdint.h>

#include "profile/sample.h"

struct stack {
	struct sampler *sampler;
	uint32_t *name; /* in the order of the input */
	size_t n, cap;
	struct text function; /* of the frame at hand, tidied */
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

#endif
