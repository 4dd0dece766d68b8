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

#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/v8/v8nodes.h"
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

struct profile {
	struct v8 v8;
	struct json_number size; /* of the current sample */
	value smallest; /* size of the smallest sample; 0: none */
};

static void
read_sample(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("size", DECIMAL, struct profile, size)};
	struct profile *p = to;

	p->size = (struct json_number){0};
	json_fields(j, fields, p);
	if (!p->size.negative && p->size.v > 0 && (p->smallest == 0 || p->size.v < p->smallest))
		p->smallest = p->size.v;
}

static void
read_document(struct reader *r, struct json *j)
{
	uint32_t event = sampler_event(r->sampler, str_of("bytes"), str_of("bytes"));
	static const struct json_field fields[] = {
	    JSON_NEEDED_READ_INTO("head", v8_tree, struct profile, v8),
	    JSON_EACH("samples", read_sample)};
	struct profile p = {0};
	struct v8 *v = &p.v8;

	v8_init(v, r->sampler);
	json_document(j, fields, &p);
	v8_join(v);
	v8_report_values(v, r);
	sampler_period(r->sampler, event, p.smallest > 0 ? interval(p.smallest) : 0, "bytes");
	for (uint32_t i = 0; i < v->tree.n; i++)
		prefixtable_sample(&v->tree, i,
		    &(struct sample_weight){event, json_numbers_at(&v->own, i).v}, 1,
		    SAMPLE_NO_TIME);
	v8_free(v);
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
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
