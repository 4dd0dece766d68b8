#include "sample/fork.h"

#include <string.h>

#include "profile/folded.h"
#include "sample/account.h"
#include "sample/events.h"

struct sampler *
sampler_fork(const struct sampler *s)
{
	struct sampler *new = sampler_new(s->options);

	new->single = s->single;
	new->values = s->values;
	new->input = s->input;
	new->leaf_first = s->leaf_first;
	new->started = s->started;
	new->start = s->start;
	for (uint32_t i = 0; i < s->nevent; i++)
		sampler_event(new, str_of(s->event[i].name), str_of(s->event[i].unit));
	new->chosen = s->chosen;
	memcpy(new->column, s->column, sizeof new->column);
	sampler_tree(new, NULL, 1);
	return new;
}

void
sampler_join(struct sampler *dst, struct sampler *src)
{
	for (uint32_t i = 0; i < src->nevent; i++) {
		const struct sample_event *from = &src->event[i];
		uint32_t n = sampler_event(dst, str_of(from->name), str_of(from->unit));
		struct sample_event *to = &dst->event[n];

		if (from->samples == 0)
			continue;
		to->values = folded_values_join(to->values, from->values);
		to->varies |= from->varies || (to->period != 0 && to->period != from->period);
		to->period = from->period;
		to->samples += from->samples;
		to->kept += from->kept;
		to->total = value_sum(to->total, from->total);
	}
	dst->samples += src->samples;
	dst->timeless += src->timeless;
	dst->account.left_out += src->account.left_out;
	sample_malformed(dst, src->account.malformed, src->account.lost);
	dst->named |= src->named;
	calltree_merge(dst->tree, src->tree);
	sampler_free(src);
}
