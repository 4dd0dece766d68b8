/*
 * nodes: the steps of sample_begin, sample_frame and sample_end, for readers that cache names and
 * nodes.
 */
#ifndef SAMPLE_NODES_H
#define SAMPLE_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "names/frame.h"
#include "sample/sampler.h"
#include "sample/task.h"

/*
 * sample_wanted counts the event of a sample; false: skip it. The stack is sample_root, then
 * sample_child with the sample_name of each frame, root first. sample_count adds its weight, an
 * integer in a single column, to its last node.
 */
static inline bool sample_wanted(struct sampler *s, uint32_t event, uint64_t time, value weight);
/*
 * Like sample_wanted, for n samples of weight 1; only if sampler_timeless: no option needs
 * times.
 */
bool sampler_timeless(const struct sampler *s);
bool sample_wanted_many(struct sampler *s, uint32_t event, uint64_t n);
uint32_t sample_name(struct sampler *s, const struct frame *f);
uint32_t sample_child(struct sampler *s, uint32_t node, uint32_t name);
/* Like sample_child; SAMPLE_MISSING if the node or the name is. */
static inline uint32_t
sample_child_known(struct sampler *s, uint32_t node, uint32_t name)
{
	return node == SAMPLE_MISSING || name == SAMPLE_MISSING ? SAMPLE_MISSING
								: sample_child(s, node, name);
}
void sample_count(struct sampler *s, uint32_t node, uint64_t time, uint64_t weight);
/*
 * Like sample_count, with one weight per column. In time order a sample without time stays in
 * input order.
 */
void sample_add(struct sampler *s, uint32_t node, uint64_t time, const value *weight);
/* The value that a weight adds to the tree: 1 per sample with --samples. */
value sample_counted(const struct sampler *s, uint32_t event, value weight);
/* A sample of sample_wanted is not added: its stack is malformed, which is accounted for apart. */
void sample_withdraw(struct sampler *s, uint32_t event, value weight);

/* Private: handle an input's first sample, of any event; and n samples of a selected event. */
void sampler_start(struct sampler *s, uint32_t event, uint64_t time);
bool sampler_take(struct sampler *s, uint64_t time, uint64_t n);

static inline void
sample_event_count(struct sample_event *e, value weight, uint64_t n)
{
	if (weight != e->period) {
		e->varies |= e->period != 0;
		e->period = weight;
	}
	e->samples += n;
	e->total = value_sum(e->total, weight * n);
}

static inline bool
sample_wanted(struct sampler *s, uint32_t event, uint64_t time, value weight)
{
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, event, time);
	sample_event_count(&s->event[event], weight, 1);
	if (event != s->column[0] && !sampler_has_column(s, event)) {
		s->account.left_out++;
		return false;
	}
	s->event[event].kept++;
	return sampler_take(s, time, 1);
}

#endif
