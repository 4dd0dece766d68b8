/*
 * cpuprofile: V8's CPU profiles: a call tree (shape/v8.h), the node of each sample, and
 * the time since the previous sample or, for the first, since startTime:
 *
 *	{"nodes": [...], "startTime": 163140599286, "endTime": 163140647178,
 *	 "samples": [2, 5, 5, 7], "timeDeltas": [11575, 1060, 1045, 1270]}
 *
 * In profiles of Chrome before 2017 the tree is the object `head`, with timestamps instead
 * of timeDeltas. Events are samples, us (the time until the next sample), and hits, the
 * nodes' own counts, which are the only event if samples are not listed.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/v8/cpusamples.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"

static void
read_document(struct reader *r, struct json *j)
{
	static const struct sample_task nobody;
	struct cpusamples c;

	cpusamples_init(&c, r);
	cpusamples_read(j, &c);
	if (c.tree.known == 0 && c.tree.nlink > 0)
		json_absent(j, "nodes.id");
	cpusamples_take(&c, &nobody, true);
	cpusamples_free(&c);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"nodes.*.callFrame", "nodes.*.hitCount", "timeDeltas",
	    "head.hitCount", "head.functionName", "nodes.*.id", "startTime", "endTime"};
	uint32_t found = json_find(data, len, path);

	return found & 31 ? 97 : (found & 192) == 192 ? 60 : 0;
}

const struct format cpuprofile_format = {
    .provides = DATA_SOURCE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
