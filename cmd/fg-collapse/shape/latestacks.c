/*
 * latestacks: a prefix tree of frame numbers, and a hash table of samples.
 */
#include "fg-collapse/shape/latestacks.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "sample/nodes.h"
#include "sample/sample.h"

void
latestacks_init(struct latestacks *l, struct sampler *sampler)
{
	*l = (struct latestacks){.sampler = sampler, .each = !sampler_timeless(sampler)};
	vec_fit(l->node, l->cap, 1);
	l->node[l->n++] = (struct latestacks_node){0};
}

void
latestacks_free(struct latestacks *l)
{
	free(l->node);
	free(l->sample);
	hash_index_free(&l->nodes);
	hash_index_free(&l->samples);
}

uint32_t
latestacks_child(struct latestacks *l, uint32_t node, uint64_t frame)
{
	uint32_t hash = (uint32_t)hash_pair(frame, node);

	for (uint32_t at = hash, n; (n = hash_index_next(&l->nodes, hash, &at)) != 0;)
		if (l->node[n].frame == frame && l->node[n].parent == node)
			return n;
	vec_fit(l->node, l->cap, (size_t)l->n + 1);
	l->node[l->n] = (struct latestacks_node){frame, node};
	hash_index_add(&l->nodes, hash, l->n);
	return l->n++;
}

void
latestacks_add(struct latestacks *l, uint64_t thread, uint32_t event, uint32_t node, uint64_t time,
    value weight)
{
	uint32_t hash = (uint32_t)hash_pair(thread, (uint64_t)event << 32 | node);

	if (l->nsample == UINT32_MAX - 1)
		cli_die("more than 2^32 samples");
	for (uint32_t at = hash, n;
	     !l->each && (n = hash_index_next(&l->samples, hash, &at)) != 0;) {
		struct latestacks_sample *s = &l->sample[n - 1];

		if (s->thread == thread && s->event == event && s->node == node) {
			s->weight = value_sum(s->weight, weight);
			s->count++;
			return;
		}
	}
	vec_fit(l->sample, l->capsample, l->nsample + 1);
	l->sample[l->nsample++] = (struct latestacks_sample){.thread = thread,
	    .time = time,
	    .count = 1,
	    .weight = weight,
	    .event = event,
	    .node = node};
	if (!l->each)
		hash_index_add(&l->samples, hash, (uint32_t)l->nsample);
}

void
latestacks_give(const struct latestacks *l, const struct latestacks_names *names, void *caller)
{
	uint32_t *path = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < l->nsample; i++) {
		const struct latestacks_sample *s = &l->sample[i];
		struct sample_task task = names->task(caller, s->thread);
		size_t n = 0;

		if (!sample_begin_many(l->sampler, &task,
			&(struct sample_weight){s->event, s->weight}, 1, s->time, s->count))
			continue;
		for (uint32_t node = s->node; node != LATESTACKS_ROOT;
		     node = l->node[node].parent) {
			vec_fit(path, cap, n + 1);
			path[n++] = node;
		}
		while (n-- > 0)
			if (l->node[path[n]].frame == LATESTACKS_MISSING)
				sample_frame_named(l->sampler, SAMPLE_MISSING);
			else
				names->frames(caller, l->node[path[n]].frame);
		sample_end(l->sampler);
	}
	free(path);
}
