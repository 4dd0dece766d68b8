/*
 * safari: timeline recordings of Safari and WebKit, JSON with samples of JavaScript,
 *
 *	{"version": 1, "recording": {"sampleStackTraces": [{"timestamp": 4.17,
 *	  "stackFrames": [{"name": "gamma", "url": "a.js", "line": 14, "column": 5}, ...]}],
 *	 "sampleDurations": [0.001, ...]}}
 *
 * Stacks are leaf first, times and durations in seconds. A sample without frames is idle.
 * Without durations, a sample lasts until the next one.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/jsframe.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct recording {
	struct reader *reader;
	struct json *json;
	struct latestacks stacks; /* frames are names in the sampler */
	struct json_numbers times, durations;
	uint32_t *node; /* leaf node of each sample */
	size_t n, cap;
	uint32_t *path;
	size_t cappath;
	struct text name, url, scratch;
};

static uint32_t
read_frame(struct recording *p)
{
	struct frame f = {0};
	struct str key;
	uint32_t line;

	text_cut(&p->name, 0);
	text_cut(&p->url, 0);
	for (bool any = json_object(p->json); any && json_key(p->json, &key);)
		if (str_is(key, "name"))
			json_keep(p->json, &p->name);
		else if (str_is(key, "url"))
			json_keep(p->json, &p->url);
		else if (str_is(key, "line"))
			f.line = json_index(p->json, &line) ? line : 0;
		else
			json_skip(p->json);
	f.function = text_as_str(&p->name);
	f.file = text_as_str(&p->url);
	return jsframe_name(p->reader->sampler, &f, &p->scratch);
}

static void
read_sample(struct recording *p)
{
	struct json_number time = {0};
	uint32_t node = LATESTACKS_ROOT;
	struct str key;
	size_t n = 0;

	for (bool any = json_object(p->json); any && json_key(p->json, &key);)
		if (str_is(key, "timestamp"))
			json_number(p->json, &time);
		else if (str_is(key, "stackFrames") && json_array(p->json))
			while (json_item(p->json)) {
				vec_fit(p->path, p->cappath, n + 1);
				p->path[n++] = read_frame(p);
			}
		else
			json_skip(p->json);
	if (n == 0)
		node = latestacks_child(&p->stacks, node,
		    sample_name(p->reader->sampler, &(struct frame){.function = str_of("(idle)")}));
	while (n > 0)
		node = latestacks_child(&p->stacks, node, p->path[--n]);
	json_numbers_add(&p->times, time);
	vec_fit(p->node, p->cap, p->n + 1);
	p->node[p->n++] = node;
}

static void
read_recording(struct recording *p)
{
	struct str key;

	for (bool any = json_object(p->json); any && json_key(p->json, &key);)
		if (str_is(key, "sampleStackTraces") && json_array(p->json))
			while (json_item(p->json))
				read_sample(p);
		else if (str_is(key, "sampleDurations"))
			json_numbers(p->json, &p->durations);
		else
			json_skip(p->json);
}

static struct sample_task
task_of(void *caller, uint64_t thread)
{
	(void)caller, (void)thread;
	return (struct sample_task){0};
}

static void
add_frame(void *caller, uint64_t name)
{
	struct recording *p = caller;

	sample_frame_named(p->reader->sampler, (uint32_t)name);
}

/* Duration of a sample, in us. */
static value
duration(const struct recording *p, size_t i)
{
	value now = json_numbers_at(&p->times, i).v, next = json_numbers_at(&p->times, i + 1).v;

	if (p->durations.n > 0)
		return json_numbers_at(&p->durations, i).negative
			   ? 0
			   : humannumber_scale(json_numbers_at(&p->durations, i).v, 1000000, 1);
	return next > now ? humannumber_scale(next - now, 1000000, 1) : 0;
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct latestacks_names names = {task_of, add_frame};
	struct recording p = {.reader = r, .json = j};
	struct sampler *s = r->sampler;
	uint32_t us, samples;
	struct str key;

	latestacks_init(&p.stacks, s);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "recording"))
			read_recording(&p);
		else
			json_skip(j);
	us = sampler_event(s, str_of("us"), str_of("us"));
	samples = sampler_event(s, str_of("samples"), str_of(FOLDED_SAMPLES));
	sampler_values(s, us, FOLDED_SAMPLED);
	sampler_values(s, samples, FOLDED_SAMPLED);
	sampler_default(s, us);
	for (size_t i = 0; i < p.n; i++) {
		uint64_t time = json_ns(json_numbers_at(&p.times, i), 1000000000);

		latestacks_add(&p.stacks, 0, samples, p.node[i], time, VALUE_ONE);
		if (duration(&p, i) > 0)
			latestacks_add(&p.stacks, 0, us, p.node[i], time, duration(&p, i));
	}
	latestacks_give(&p.stacks, &names, &p);
	latestacks_free(&p.stacks);
	json_numbers_free(&p.times);
	json_numbers_free(&p.durations);
	free(p.node);
	free(p.path);
	text_free(&p.name);
	text_free(&p.url);
	text_free(&p.scratch);
}

static void
read_input(struct reader *r)
{
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	json_each(r, read_document);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "recording.sampleStackTraces", "recording.instrumentTypes", "recording.records"};
	uint32_t found = json_find(data, len, path);

	return found & 1 || (found & 6) == 6 ? 97 : 0;
}

const struct format safari_format = {
    .provides = DATA_SOURCE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .sniff = sniff,
    .read = read_input,
};
