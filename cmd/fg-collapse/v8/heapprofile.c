/*
 * heapprofile: profiles by V8's sampling heap profiler: a tree of nodes (shape/v8.h) whose
 * selfSize is the number of bytes allocated there and still in use.
 *
 * V8 scales by 1 / (1 - exp(-size / interval)) and does not write the interval. It follows from
 * the list of samples: the scaled size of a small object is the interval, rounded to a multiple of
 * the object, and larger objects have larger sizes.
 */
#include "fg-collapse/format.h"

#include <math.h>

#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/v8/v8.h"
#include "sample/events.h"
#include "sample/sample.h"

#define INTERVAL_NEAR 0.01 /* intervals are powers of 2, as a rule */

/* The interval from the size of the smallest sample. */
static value
interval(value smallest)
{
	double bytes = value_double(smallest), power = exp2(round(log2(bytes)));

	return fabs(bytes / power - 1) < INTERVAL_NEAR ? value_of((uint64_t)power) : smallest;
}

/* Reads the current value, a list of samples; returns the size of the smallest, 0: none. */
static value
read_samples(struct json *j)
{
	value smallest = 0, size;
	struct str key;

	for (bool any = json_array(j); any && json_item(j);)
		for (bool more = json_object(j); more && json_key(j, &key);)
			if (!str_is(key, "size"))
				json_skip(j);
			else if (json_value(j, &size) && size > 0 &&
				 (smallest == 0 || size < smallest))
				smallest = size;
	return smallest;
}

static void
read_document(struct reader *r, struct json *j)
{
	uint32_t event = sampler_event(r->sampler, str_of("bytes"), str_of("bytes"));
	struct v8 v;
	value smallest = 0;
	struct str key;

	v8_init(&v, r->sampler);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "head"))
			v8_tree(&v, j);
		else if (str_is(key, "samples"))
			smallest = read_samples(j);
		else
			json_skip(j);
	v8_join(&v);
	sampler_period(r->sampler, event, smallest > 0 ? interval(smallest) : 0, "bytes");
	for (uint32_t i = 0; i < v.tree.n; i++)
		prefixtable_sample(&v.tree, i,
		    &(struct sample_weight){event, json_numbers_at(&v.own, i).v}, 1,
		    SAMPLE_NO_TIME);
	v8_free(&v);
}

static void
read_input(struct reader *r)
{
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	json_each(r, read_document);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"head.selfSize", "head.children.*.selfSize",
	    "samples.*.nodeId", "head.callFrame", "head.children"};
	uint32_t found = json_find(data, len, path);

	return found & 7 ? 97 : found & 8 ? 90 : found != 0 ? 50 : 0;
}

const struct format heapprofile_format = {
    .provides = DATA_SOURCE | DATA_EVENT,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
