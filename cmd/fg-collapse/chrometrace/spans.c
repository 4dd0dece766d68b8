/*
 * spans: each interval between two events is a sample.
 */
#include "fg-collapse/chrometrace/spans.h"

#include <stdlib.h>

#include "base/vec.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

void
spans_init(struct spans *s, struct sampler *sampler, uint32_t event, uint64_t unit)
{
	*s = (struct spans){.sampler = sampler, .event = event, .unit = unit};
	sampler_tree(sampler, NULL, 1);
}

void
spans_free(struct spans *s)
{
	free(s->open);
}

/* Charges the time until now to the open stack. */
static void
pass(struct spans *s, value time)
{
	static const struct sample_task nobody;
	uint64_t ns = SAMPLE_NO_TIME;
	value v;

	if (time <= s->now)
		return;
	if (s->unit > 0)
		ns = sample_ns(s->now, s->unit);
	v = time - s->now;
	s->now = time;
	if (s->n > 0 && s->open[s->n - 1].node == SAMPLE_MISSING) {
		if (sample_begin(s->sampler, &nobody, s->event, ns, v)) {
			sample_frame_named(s->sampler, SAMPLE_MISSING);
			sample_end(s->sampler);
		}
		return;
	}
	if (s->n == 0 || !sample_wanted(s->sampler, s->event, ns, v))
		return;
	v = sample_counted(s->sampler, s->event, v);
	sample_add(s->sampler, s->open[s->n - 1].node, ns, &v);
}

void
spans_thread(struct spans *s, const struct sample_task *task, value time)
{
	s->root = sample_root(s->sampler, task);
	s->n = 0;
	s->now = time;
}

void
spans_begin(struct spans *s, value time, uint32_t name)
{
	uint32_t node = s->n > 0 ? s->open[s->n - 1].node : s->root;

	pass(s, time);
	vec_fit(s->open, s->cap, s->n + 1);
	s->open[s->n++] = (struct spans_open){name, sample_child_known(s->sampler, node, name)};
}

void
spans_end(struct spans *s, value time)
{
	pass(s, time);
	if (s->n > 0)
		s->n--;
}

void
spans_end_at(struct spans *s, value time, size_t i)
{
	uint32_t node = i > 0 ? s->open[i - 1].node : s->root;

	pass(s, time);
	for (s->n--; i < s->n; i++) {
		node = sample_child_known(s->sampler, node, s->open[i + 1].name);
		s->open[i] = (struct spans_open){s->open[i + 1].name, node};
	}
}

size_t
spans_above(const struct spans *s, uint32_t name)
{
	size_t i = s->n;

	while (i > 0 && s->open[i - 1].name != name)
		i--;
	return s->n - i;
}
