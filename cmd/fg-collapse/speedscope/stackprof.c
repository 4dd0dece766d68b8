/*
 * stackprof: JSON by Ruby's stackprof with raw: true,
 *
 *	{"version": 1.2, "mode": "wall", "interval": 1000,
 *	 "frames": {"5335909920": {"name": "Object#d", "file": "simple.rb", "line": 24}, ...},
 *	 "raw": [2, 5335911080, 5335909920, 3],
 *	 "raw_timestamp_deltas": [1174, 1431, 2932]}
 *
 * raw has for each stack its number of frames, the frames, root first, and its count.
 * Events are samples; us, which for wall time is the time since the previous sample and
 * for CPU time the interval; or objects, of which every interval-th is sampled.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/speedscope/jsonframe.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct profile {
	struct reader *reader;
	struct json *json;
	struct intmap name; /* by frame: its name in the tree, plus 1 */
	struct json_numbers raw, deltas, stamps;
	struct json_number interval;
	struct jsonframe frame;
	struct text mode;
};

static void
read_frame(struct profile *p, struct json *j, uint64_t id)
{
	uint32_t name = sample_name(p->reader->sampler, jsonframe_read(&p->frame, j));

	*intmap_at(&p->name, id) = (void *)((uintptr_t)name + 1);
}

static void
read_frames(struct json *j, void *to)
{
	struct str key;
	uint64_t id;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (scan_number(&key, &id) && key.len == 0)
			read_frame(to, j, id);
		else
			json_skip(j);
}

/* Sum of the weights of n samples from index i on. */
static value
time_of(const struct profile *p, size_t i, uint64_t n)
{
	value sum = 0;

	if (p->deltas.n == 0 || !str_is(text_as_str(&p->mode), "wall"))
		return p->interval.v / VALUE_ONE < UINT64_MAX && !p->interval.negative
			   ? p->interval.v * n
			   : 0;
	for (uint64_t k = 0; k < n && i + k < p->deltas.n; k++)
		if (!json_numbers_at(&p->deltas, i + k).negative)
			sum = value_sum(sum, json_numbers_at(&p->deltas, i + k).v);
	return sum;
}

/* Element i of raw; UINT64_MAX if it is negative or has a fraction. */
static uint64_t
raw_at(const struct profile *p, size_t i)
{
	return json_numbers_at(&p->raw, i).v % VALUE_ONE != 0 ? UINT64_MAX
							      : json_numbers_whole(&p->raw, i);
}

static void
pass_stack(
    struct profile *p, const uint32_t *event, size_t first, uint64_t depth, uint64_t n, size_t i)
{
	static const struct sample_task nobody;
	struct sampler *s = p->reader->sampler;
	struct sample_weight w[] = {{event[0], value_of(n)}, {event[1], time_of(p, i, n)}};
	uint64_t time =
	    i < p->stamps.n ? json_ns(json_numbers_at(&p->stamps, i), 1000) : SAMPLE_NO_TIME;

	if (!sample_begin_many(s, &nobody, w, 2, time, n))
		return;
	for (size_t k = first; k < first + depth; k++) {
		uintptr_t name = (uintptr_t)intmap_get(&p->name, raw_at(p, k));

		sample_frame_named(s, name > 0 ? (uint32_t)(name - 1) : SAMPLE_MISSING);
	}
	sample_end(s);
}

static void
take(struct profile *p)
{
	struct sampler *s = p->reader->sampler;
	bool objects = str_is(text_as_str(&p->mode), "object");
	uint32_t event[] = {sampler_event(s, str_of("samples"), str_of("samples")),
	    sampler_event(
		s, str_of(objects ? "objects" : "us"), str_of(objects ? "objects" : "us"))};
	size_t sample = 0;

	sampler_values(s, event[0], FOLDED_SAMPLED);
	if (!objects)
		sampler_values(s, event[1], FOLDED_SAMPLED);
	for (size_t i = 0; i < p->raw.n;) {
		uint64_t depth = raw_at(p, i), n;

		if (depth >= p->raw.n - i - 1) {
			json_malformed(p->json, "a truncated raw stack");
			break;
		}
		n = raw_at(p, i + 1 + depth);
		if (n > 0 && n <= UINT32_MAX) {
			pass_stack(p, event, i + 1, depth, n, sample);
			sample += n;
		} else {
			json_malformed(p->json, "a raw stack whose count is no number of samples");
		}
		i += depth + 2;
	}
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_VERSION("version", STACKPROF),
	    JSON_NEEDED_READ("frames", read_frames),
	    JSON_FIELD("mode", TEXT, struct profile, mode),
	    JSON_FIELD("interval", DECIMAL, struct profile, interval),
	    JSON_FIELD("raw_timestamp_deltas", NUMBERS, struct profile, deltas),
	    JSON_FIELD("raw_sample_timestamps", NUMBERS, struct profile, stamps),
	    JSON_FIELD("raw", NUMBERS, struct profile, raw),
	};
	struct profile p = {.reader = r, .json = j};

	sampler_tree(r->sampler, NULL, 1);
	json_document(j, fields, &p);
	if (p.raw.n == 0)
		cli_die("%s: the profile has no stacks; record with StackProf.run(raw: true)",
		    lines_name(r->lines));
	take(&p);
	free(p.name.slot);
	json_fields_free(fields, &p);
	jsonframe_free(&p.frame);
}

static void
read_input(struct reader *r)
{
	const char *name = lines_name(r->lines);
	size_t len;

	if (*lines_peek(r->lines, &len) == '\4')
		cli_die("%s: a Ruby Marshal dump, which fg-collapse cannot read; use stackprof "
			"--stackcollapse",
		    name);
	json_each(r, SAMPLE_ROOT_FIRST, read_document);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"raw_timestamp_deltas", "frames.*.total_samples",
	    "missed_samples", "gc_samples", "mode"};
	uint32_t found = json_find(data, len, path);

	if (len > 4 && memcmp(data, "\4\10{", 3) == 0 && text_has(data, len, "gc_samples"))
		return 97;
	return found & 15 ? 97 : 0;
}

const struct format stackprof_format = {
    .provides = DATA_SOURCE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .bytes = FORMAT_ANY,
    .sniff = sniff,
    .read = read_input,
};
