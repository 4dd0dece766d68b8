/*
 * sample: adds samples to a call tree. Events and frames are numbers here, so a sample needs a
 * comparison, an addition, and one lookup per frame.
 */
#include "sample/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/folded.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"

static bool
in_range(struct sampler *s, uint64_t time)
{
	const struct sample_options *o = s->options;
	uint64_t since = time > s->start ? time - s->start : 0;

	if (time == SAMPLE_NO_TIME)
		s->timeless++;
	return time != SAMPLE_NO_TIME && since >= o->from && since < o->to;
}

void
sampler_start(struct sampler *s, uint32_t event, uint64_t time)
{
	if (!s->started) {
		sampler_default(s, event);
		if (!s->listed)
			sampler_tree(s, NULL, 1);
	}
	s->started = true;
	if (s->start == SAMPLE_NO_TIME)
		s->start = time != SAMPLE_NO_TIME ? time : 0;
}

bool
sampler_take(struct sampler *s, uint64_t time, uint64_t n)
{
	if (s->options->list || (s->options->range && !in_range(s, time))) {
		s->account.left_out += n;
		return false;
	}
	s->samples += n;
	return true;
}

bool
sampler_timeless(const struct sampler *s)
{
	return !s->options->range && !s->options->time_order;
}

bool
sample_wanted_many(struct sampler *s, uint32_t event, uint64_t n)
{
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, event, SAMPLE_NO_TIME);
	sample_event_count(&s->event[event], VALUE_ONE, n);
	if (event != s->column[0]) {
		s->account.left_out += n;
		return false;
	}
	s->event[event].kept += n;
	return sampler_take(s, SAMPLE_NO_TIME, n);
}

value
sample_counted(const struct sampler *s, uint32_t event, value weight)
{
	const char *unit = s->event[event].unit;

	if (!s->options->count || (unit != NULL && strcmp(unit, FOLDED_SAMPLES) == 0))
		return weight;
	return VALUE_ONE;
}

/* Begins n samples of one stack with these weights. */
static bool
begin(struct sampler *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned nweight, uint64_t time, uint64_t n)
{
	s->open = true;
	s->missing = false;
	vec_fit(s->begun, s->capbegun, nweight);
	memcpy(s->begun, w, nweight * sizeof *w);
	s->nbegun = nweight;
	s->units = n;
	s->time = time;
	s->nframe = 0;
	s->root = sample_root(s, task);
	return true;
}

bool
sample_begin(
    struct sampler *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight)
{
	s->open = false;
	if (!sample_wanted(s, event, time, weight))
		return false;
	s->weight[0] = sample_counted(s, event, weight);
	return begin(s, task, &(struct sample_weight){event, weight}, 1, time, 1);
}

/*
 * Counts n samples of an event by their summed weight: assumes equal weights if it is divisible
 * by n.
 */
static void
count_many(struct sample_event *e, value weight, uint64_t n)
{
	if (n == 1 || weight % n == 0) {
		sample_event_count(e, n == 1 ? weight : weight / n, n);
		return;
	}
	e->varies = true;
	sample_event_count(e, weight, 1);
	e->samples += n - 1;
}

bool
sample_begin_all(struct sampler *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned nweight, uint64_t time)
{
	return sample_begin_many(s, task, w, nweight, time, 1);
}

bool
sample_begin_many(struct sampler *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned nweight, uint64_t time, uint64_t n)
{
	bool any = false;

	s->open = false;
	if (nweight == 0 || n == 0) {
		s->account.left_out += n > 0 ? n : 1;
		return false;
	}
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, w[0].event, time);
	memset(s->weight, 0, s->columns * sizeof s->weight[0]);
	for (unsigned i = 0; i < nweight; i++) {
		if (w[i].weight == 0)
			continue;
		count_many(&s->event[w[i].event], w[i].weight, n);
		for (unsigned c = 0; c < s->columns; c++)
			if (s->column[c] == w[i].event) {
				value one = sample_counted(s, w[i].event, 0);

				s->weight[c] = one == 0 ? w[i].weight : one * n;
				s->event[w[i].event].kept += n;
				any = true;
			}
	}
	if (!any)
		s->account.left_out += n;
	return any && sampler_take(s, time, n) && begin(s, task, w, nweight, time, n);
}

void
sample_frame_named(struct sampler *s, uint32_t name)
{
	if (!s->open)
		return;
	if (name == SAMPLE_MISSING) {
		s->missing = true;
		return;
	}
	vec_fit(s->frame, s->capframe, s->nframe + 1);
	s->frame[s->nframe++] = name;
}

void
sample_frame(struct sampler *s, const struct frame *f)
{
	if (s->open)
		sample_frame_named(s, sample_name(s, f));
}

/* Takes the current sample back, since a frame is missing. */
static void
withdraw(struct sampler *s)
{
	s->samples -= s->units;
	sample_missing(s, s->units);
	for (unsigned i = 0; i < s->nbegun; i++) {
		const struct sample_weight *w = &s->begun[i];
		struct sample_event *e = &s->event[w->event];

		if (w->weight == 0)
			continue;
		e->samples -= s->units;
		e->total -= w->weight;
		if (!sampler_has_column(s, w->event))
			continue;
		e->kept -= s->units;
		sample_malformed(s, 0, w->weight);
	}
}

void
sample_add(struct sampler *s, uint32_t node, uint64_t time, const value *weight)
{
	if (node == CALLTREE_ROOT) /* no comm and no frames */
		node = calltree_child(s->tree, node, calltree_intern(s->tree, "[unknown]", 9));
	if (!s->options->time_order) {
		for (unsigned c = 0; c < s->columns; c++)
			calltree_add(s->tree, node, c, weight[c]);
		return;
	}
	s->timed |= time != SAMPLE_NO_TIME;
	if (time == SAMPLE_NO_TIME)
		time = s->nmoment > 0 ? s->moment[s->nmoment - 1].time : 0;
	vec_fit(s->moment, s->capmoment, s->nmoment + 1);
	vec_fit(s->weights, s->capweights, s->nweights + s->columns);
	s->moment[s->nmoment++] = (struct sample_moment){time, node, s->nweights};
	memcpy(s->weights + s->nweights, weight, s->columns * sizeof *weight);
	s->nweights += s->columns;
}

uint32_t
sample_end_at(struct sampler *s, uint32_t node)
{
	if (!s->open)
		return CALLTREE_ROOT;
	s->open = false;
	if (s->missing) {
		withdraw(s);
		return CALLTREE_ROOT;
	}
	if (node == CALLTREE_ROOT) {
		node = s->root;
		for (size_t i = 0; i < s->nframe; i++)
			node =
			    sample_child(s, node, s->frame[s->leaf_first ? s->nframe - 1 - i : i]);
	}
	sample_add(s, node, s->time, s->weight);
	return node;
}

void
sample_end(struct sampler *s)
{
	sample_end_at(s, CALLTREE_ROOT);
}

void
sample_count(struct sampler *s, uint32_t node, uint64_t time, uint64_t weight)
{
	value v;

	if (s->options->count)
		weight = 1;
	if (node != CALLTREE_ROOT && !s->options->time_order) {
		value_array_count(&s->tree->self[0], node, weight);
	} else {
		v = value_of(weight);
		sample_add(s, node, time, &v);
	}
}

uint32_t
sample_name(struct sampler *s, const struct frame *f)
{
	text_cut(&s->text, 0);
	frame_write(&s->text, f, &s->options->style);
	return calltree_intern(s->tree, s->text.s, s->text.len);
}

/* True if a frame's function, or its name without suffixes, is given by --skip-after. */
static bool
is_named(const struct sample_options *o, const struct calltree_name *name)
{
	struct str body = {name->s, frame_body(name->s, name->len)};
	struct frame f;

	frame_read(&f, body);
	for (size_t i = 0; i < o->nskip_after; i++) {
		struct str wanted = str_of(o->skip_after[i]);

		if (wanted.len > 0 && (str_equal(wanted, body) || str_equal(wanted, f.function)))
			return true;
	}
	return false;
}

enum { NOT_ASKED, SKIPS, SKIPS_NOT };

static bool
skips(struct sampler *s, uint32_t name)
{
	if (name >= s->capskip) {
		size_t had = s->capskip;

		vec_fit(s->skip, s->capskip, (size_t)name + 1);
		memset(s->skip + had, NOT_ASKED, s->capskip - had);
	}
	if (s->skip[name] == NOT_ASKED)
		s->skip[name] = is_named(s->options, &s->tree->name[name]) ? SKIPS : SKIPS_NOT;
	return s->skip[name] == SKIPS;
}

uint32_t
sample_child(struct sampler *s, uint32_t node, uint32_t name)
{
	if (s->options->nskip_after > 0 && skips(s, name))
		node = CALLTREE_ROOT;
	if (s->options->recursive && node != CALLTREE_ROOT && s->tree->node[node].name == name)
		return node;
	return calltree_child(s->tree, node, name);
}

void
sample_withdraw(struct sampler *s, uint32_t event, value weight)
{
	struct sample_event *e = &s->event[event];

	e->samples--;
	e->kept--;
	e->total -= weight;
	s->samples--;
	s->account.lost = value_sum(s->account.lost, weight);
}
