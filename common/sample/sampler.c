#include "sample/sampler.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/vec.h"
#include "profile/folded.h"

void
sample_group_by(void *options, char *key, const char *option)
{
	struct sample_options *o = options;

	if (key[0] == '\0')
		cli_usage("%s: the name of the label is empty", option);
	o->group_by = key;
}

void
sample_skip_after(void *options, char *function, const char *option)
{
	struct sample_options *o = options;

	(void)option;
	vec_fit(o->skip_after, o->capskip_after, o->nskip_after + 1);
	o->skip_after[o->nskip_after++] = function;
}

void
sample_time_order(void *options, char *step, const char *option)
{
	struct sample_options *o = options;

	o->time_order = true;
	if (step != NULL)
		o->step = number_time(option, step, 1, NUMBER_TIME_MAX);
}

struct sampler *
sampler_new(const struct sample_options *o)
{
	struct sampler *s = cli_alloc(1, sizeof *s);

	s->options = o;
	s->start = SAMPLE_NO_TIME;
	return s;
}

void
sampler_free(struct sampler *s)
{
	for (uint32_t i = 0; i < s->nevent; i++) {
		free(s->event[i].name);
		free(s->event[i].unit);
		free(s->event[i].stands.unit);
	}
	folded_columns_free(&s->about);
	hash_index_free(&s->events);
	calltree_free(s->tree);
	text_free(&s->text);
	text_free(&s->task);
	free(s->event);
	free(s->moment);
	free(s->weights);
	free(s->skip);
	free(s->frame);
	free(s->begun);
	free(s);
}

uint64_t
sample_ns(value v, uint64_t unit)
{
	uint64_t rest, whole = value_whole(v, &rest);

	if (whole >= SAMPLE_NO_TIME / unit)
		return SAMPLE_NO_TIME;
	return whole * unit + rest * unit / (uint64_t)VALUE_ONE;
}

void
sampler_choose(struct sampler *s)
{
	s->chosen = false;
}

void
sampler_input(struct sampler *s, const char *name, enum sample_order order)
{
	s->input = name;
	s->leaf_first = order == SAMPLE_LEAF_FIRST;
	s->started = false;
	s->start = SAMPLE_NO_TIME;
}
