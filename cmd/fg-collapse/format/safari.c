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
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct recording {
	struct reader *reader;
	struct latestacks stacks; /* frames are names in the sampler */
	struct json_numbers times, durations;
	uint32_t *node; /* leaf node of each sample */
	size_t n, cap;
	struct json_number time; /* of the current sample */
	uint64_t *path;
	size_t depth, cappath;
	bool traced; /* the current sample has a stack, perhaps without frames */
	struct text name, url; /* of the current frame */
	uint32_t line;
	struct text scratch;
};

static const struct json_field frame_fields[] = {
    JSON_NEEDED_FIELD("name", TEXT, struct recording, name),
    JSON_FIELD("url", TEXT, struct recording, url),
    JSON_FIELD("line", INDEX, struct recording, line),
};

static void
read_frame(struct json *j, void *to)
{
	struct recording *p = to;
	struct frame f;
	bool named;

	p->name.len = p->url.len = p->line = 0;
	named = json_fields(j, frame_fields, p) == NULL;
	f = (struct frame){
	    .function = text_as_str(&p->name), .file = text_as_str(&p->url), .line = p->line};
	vec_fit(p->path, p->cappath, p->depth + 1);
	p->path[p->depth++] =
	    named ? jsframe_name(p->reader->sampler, &f, &p->scratch) : LATESTACKS_MISSING;
}

static void
read_sample(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("timestamp", DECIMAL, struct recording, time),
	    JSON_ARRAY_FIELD("stackFrames", read_frame, struct recording, traced),
	};
	struct recording *p = to;
	uint32_t node = LATESTACKS_ROOT;

	p->time = (struct json_number){0};
	p->depth = 0;
	p->traced = false;
	json_fields(j, fields, p);
	if (!p->traced)
		node = latestacks_child(&p->stacks, node, LATESTACKS_MISSING);
	else if (p->depth == 0)
		node = latestacks_child(&p->stacks, node,
		    sample_name(p->reader->sampler, &(struct frame){.function = str_of("(idle)")}));
	while (p->depth > 0)
		node = latestacks_child(&p->stacks, node, p->path[--p->depth]);
	json_numbers_add(&p->times, p->time);
	vec_fit(p->node, p->cap, p->n + 1);
	p->node[p->n++] = node;
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
	static const struct json_field fields[] = {
	    JSON_VERSION("version", SAFARI),
	    JSON_NEEDED_EACH("recording.sampleStackTraces", read_sample),
	    JSON_FIELD("recording.sampleDurations", NUMBERS, struct recording, durations),
	};
	struct recording p = {.reader = r};
	struct sampler *s = r->sampler;
	uint32_t us, samples;

	sampler_tree(r->sampler, NULL, 1);
	latestacks_init(&p.stacks, s);
	json_document(j, fields, &p);
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
	json_fields_free(fields, &p);
	json_fields_free(frame_fields, &p);
	free(p.node);
	free(p.path);
	text_free(&p.scratch);
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
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
