/*
 * heapprofile: profiles by V8's sampling heap profiler: a tree of nodes (shape/v8.h) whose
 * selfSize is the number of bytes allocated there and still in use.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/v8/v8.h"

static void
read_document(struct reader *r, struct json *j)
{
	uint32_t event = sampler_event(r->sampler, str_of("bytes"), str_of("bytes"));
	struct v8 v;
	struct str key;

	v8_init(&v, r->sampler);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "head"))
			v8_tree(&v, j);
		else
			json_skip(j);
	v8_join(&v);
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
    .name = "heapprofile",
    .description = "V8's sampled heap profiles (.heapprofile)",
    .origin = "node --heap-prof app.js; Chrome's DevTools, Memory, Allocation sampling",
    .provides = DATA_SOURCE | DATA_EVENT,
    .sniff = sniff,
    .read = read_input,
};
