/*
 * stack: see stack.h.
 */
#include "fg-collapse/shape/stack.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/funcname.h"

void
stack_init(struct stack *s, struct sampler *sampler)
{
	*s = (struct stack){.sampler = sampler};
	sampler_tree(sampler, NULL, 1);
}

void
stack_free(struct stack *s)
{
	free(s->name);
	text_free(&s->function);
}

void
stack_frame(struct stack *s, const struct frame *f)
{
	vec_fit(s->name, s->cap, s->n + 1);
	s->name[s->n++] = sample_name(s->sampler, f);
}

void
stack_function(struct stack *s, struct frame f)
{
	text_cut(&s->function, 0);
	funcname_add(&s->function, f.function, false);
	f.function = text_as_str(&s->function);
	stack_frame(s, &f);
}

void
stack_sample(
    struct stack *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight)
{
	if (sample_begin(s->sampler, task, event, time, weight)) {
		for (size_t i = 0; i < s->n; i++)
			sample_frame_named(s->sampler, s->name[i]);
		sample_end(s->sampler);
	}
	s->n = 0;
}
