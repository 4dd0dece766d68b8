/*
 * speedscope: speedscope's file format, exported by many tools (dotnet-trace, py-spy,
 * rbspy, Austin): frames that all profiles share, and profiles, each with a unit,
 *
 *	{"shared": {"frames": [{"name": "a", "file": "a.c", "line": 3}, ...]},
 *	 "profiles": [
 *	  {"type": "sampled", "name": "x", "unit": "seconds",
 *	   "samples": [[0, 1], [0]], "weights": [1, 4]},
 *	  {"type": "evented", "name": "y", "unit": "none", "startValue": 0, "endValue": 14,
 *	   "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 14}]}]}
 *
 * The unit determines the event. If there are several profiles they are threads, whose
 * names are comms.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/roundtrip.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/speedscope/jsonframe.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/chrometrace/spans.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct part { /* a profile */
	struct text name, unit;
	struct json_number start, end;
	struct json_indices frame; /* of all samples; or per event: 2 * frame + (is it open) */
	size_t *sample; /* end of each sample's frames */
	size_t nsample, capsample;
	struct json_numbers number; /* weight of each sample, or time of each event */
	bool evented;
};

struct profile {
	struct reader *reader;
	struct json *json;
	struct json_indices name; /* name of each frame, in the tree */
	struct part *part;
	size_t npart, cappart;
	struct jsonframe frame;
	uint64_t faulty; /* close events without an open frame, and open events without a close */
	bool columns_set; /* the columns are set */
	bool ours; /* fg-render wrote it */
	struct roundtrip back;
};

/* speedscope's units: their event, its unit, and ns per unit. */
static const struct unit {
	const char *theirs, *name, *ours;
	uint64_t ns;
} units[] = {
    {"nanoseconds", "time", "ns", 1},
    {"microseconds", "time", "us", 1000},
    {"milliseconds", "time", "ms", 1000000},
    {"seconds", "time", "s", 1000000000},
    {"bytes", "bytes", "bytes", 0},
    {"none", "samples", "samples", 0},
};

static void
read_frame(struct profile *p)
{
	struct json *j = p->json;
	struct str key, exact;
	uint32_t name = JSON_NO_INDEX;

	jsonframe_begin(&p->frame);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (jsonframe_take(&p->frame, j, key))
			continue;
		else if (p->ours && str_is(key, "fg") && json_text(j, &exact))
			name = roundtrip_name(&p->back, exact);
		else
			json_skip(j);
	if (name == JSON_NO_INDEX)
		name = sample_name(p->reader->sampler, jsonframe_end(&p->frame));
	json_indices_add(&p->name, name);
}

static void
read_shared(struct profile *p)
{
	struct str key;

	if (!p->columns_set)
		sampler_tree(p->reader->sampler, NULL, 1);
	p->columns_set = true;
	if (!json_object(p->json))
		return;
	while (json_key(p->json, &key))
		if (!str_is(key, "frames"))
			json_skip(p->json);
		else if (json_array(p->json))
			while (json_item(p->json))
				read_frame(p);
}

static void
read_samples(struct json *j, struct part *a)
{
	if (!json_array(j))
		return;
	while (json_item(j)) {
		json_indices(j, &a->frame);
		vec_fit(a->sample, a->capsample, a->nsample + 1);
		a->sample[a->nsample++] = a->frame.n;
	}
}

static void
read_event(struct json *j, struct part *a)
{
	struct json_number at = {0};
	uint32_t frame = JSON_NO_INDEX;
	bool open = false;
	struct str key, s;

	if (!json_object(j))
		return;
	while (json_key(j, &key))
		if (str_is(key, "type"))
			open = json_text(j, &s) && str_is(s, "O");
		else if (str_is(key, "frame"))
			frame = json_index(j, &frame) ? frame : JSON_NO_INDEX;
		else if (str_is(key, "at"))
			json_number(j, &at);
		else
			json_skip(j);
	if (frame >= UINT32_MAX / 2)
		return;
	json_indices_add(&a->frame, 2 * frame + open);
	json_numbers_add(&a->number, at);
}

static void
read_part(struct profile *p)
{
	struct json *j = p->json;
	struct part *a;
	struct str key, s;

	if (!json_object(j))
		return;
	vec_fit(p->part, p->cappart, p->npart + 1);
	a = &p->part[p->npart++];
	*a = (struct part){0};
	while (json_key(j, &key))
		if (str_is(key, "name"))
			json_keep(j, &a->name);
		else if (str_is(key, "unit"))
			json_keep(j, &a->unit);
		else if (str_is(key, "startValue"))
			json_number(j, &a->start);
		else if (str_is(key, "endValue"))
			json_number(j, &a->end);
		else if (str_is(key, "type"))
			a->evented = json_text(j, &s) && str_is(s, "evented");
		else if (str_is(key, "weights"))
			json_numbers(j, &a->number);
		else if (str_is(key, "samples"))
			read_samples(j, a);
		else if (!str_is(key, "events"))
			json_skip(j);
		else if (json_array(j))
			while (json_item(j))
				read_event(j, a);
}

static struct unit
unit_of(const struct part *a)
{
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (str_is(text_as_str(&a->unit), units[i].theirs))
			return units[i];
	return units[sizeof units / sizeof units[0] - 1];
}

static uint32_t
name_at(const struct profile *p, uint32_t frame)
{
	uint32_t name = json_index_at(&p->name, frame);

	return name != JSON_NO_INDEX
		   ? name
		   : sample_name(p->reader->sampler, &(struct frame){0}); /* [unknown] */
}

static void
take_samples(struct profile *p, struct part *a, uint32_t event, struct sample_task *task)
{
	struct json_number time = a->start;
	uint64_t unit = unit_of(a).ns;
	size_t at = 0;

	for (size_t i = 0; i < a->nsample; at = a->sample[i++]) {
		struct json_number w = json_numbers_at(&a->number, i);

		if (a->number.n == 0)
			w.v = VALUE_ONE;
		if (w.negative)
			w.v = 0;
		if (w.v > 0 && sample_begin(p->reader->sampler, task, event,
				   unit > 0 ? json_ns(time, unit) : SAMPLE_NO_TIME, w.v)) {
			for (size_t k = at; k < a->sample[i]; k++)
				sample_frame_named(
				    p->reader->sampler, name_at(p, json_index_at(&a->frame, k)));
			sample_end(p->reader->sampler);
		}
		if (!time.negative)
			time.v = value_sum(time.v, w.v);
	}
}

static void
take_events(struct profile *p, struct part *a, uint32_t event, struct sample_task *task)
{
	struct spans s;

	spans_init(&s, p->reader->sampler, event, unit_of(a).ns);
	spans_thread(&s, task, json_numbers_at(&a->number, 0).v);
	for (size_t i = 0; i < a->frame.n; i++) {
		struct json_number at = json_numbers_at(&a->number, i);
		uint32_t frame = json_index_at(&a->frame, i), name = name_at(p, frame / 2);
		size_t above;

		if (at.negative)
			at.v = 0;
		if (frame & 1) {
			spans_begin(&s, at.v, name);
			continue;
		}
		above = spans_above(&s, name);
		p->faulty += above > 0;
		if (above < s.n)
			for (size_t k = 0; k <= above; k++)
				spans_end(&s, at.v);
	}
	p->faulty += s.n;
	while (s.n > 0)
		spans_end(&s, a->end.negative ? 0 : a->end.v);
	spans_free(&s);
}

/* Adds the stacks of a column to the round trip. */
static void
take_back(struct profile *p, const struct part *a, unsigned column)
{
	value v[CALLTREE_COLUMNS] = {0};
	size_t at = 0;

	for (size_t i = 0; i < a->nsample; at = a->sample[i++]) {
		v[column] = json_numbers_at(&a->number, i).v;
		for (size_t k = at; k < a->sample[i]; k++)
			roundtrip_frame(&p->back, name_at(p, json_index_at(&a->frame, k)));
		roundtrip_end(&p->back, SAMPLE_NO_TIME, v);
	}
}

static void
take(struct profile *p)
{
	struct sampler *s = p->reader->sampler;

	for (size_t i = 0; i < p->npart; i++) {
		struct part *a = &p->part[i];
		struct sample_task task = {0};
		uint32_t event = 0;

		if (p->npart > 1)
			task.comm = text_as_str(&a->name);
		if (!p->ours)
			event = sampler_event(s, str_of(unit_of(a).name), str_of(unit_of(a).ours));
		if (!p->ours && !a->evented && strcmp(unit_of(a).ours, "bytes") != 0)
			sampler_values(s, event, FOLDED_SAMPLED);
		if (p->ours && i < p->back.carried.columns.n)
			take_back(p, a, (unsigned)i);
		else if (!p->ours && a->evented)
			take_events(p, a, event, &task);
		else if (!p->ours)
			take_samples(p, a, event, &task);
		text_free(&a->name);
		text_free(&a->unit);
		json_indices_free(&a->frame);
		json_numbers_free(&a->number);
		free(a->sample);
	}
	if (p->faulty > 0)
		json_malformed(p->json, "a close event without an open one, or an open one "
					"without a close");
}

static void
read_document(struct reader *r, struct json *j)
{
	struct profile p = {.reader = r, .json = j};
	struct str key, note;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "fg") && !p.columns_set && json_text(j, &note))
			p.columns_set = p.ours = roundtrip_begin(&p.back, r, note);
		else if (str_is(key, "shared"))
			read_shared(&p);
		else if (!str_is(key, "profiles"))
			json_skip(j);
		else if (json_array(j))
			while (json_item(j))
				read_part(&p);
	if (!p.columns_set)
		sampler_tree(r->sampler, NULL, 1);
	take(&p);
	json_indices_free(&p.name);
	free(p.part);
	roundtrip_free(&p.back);
	jsonframe_free(&p.frame);
}

static void
read_input(struct reader *r)
{
	json_each(r, SAMPLE_ROOT_FIRST, read_document);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "$schema=https://www.speedscope.app/file-format-schema.json", "shared.frames",
	    "profiles.*.startValue", "profiles.*.events", "profiles.*.unit"};

	return json_find(data, len, path) != 0 ? 97 : 0;
}

const struct format speedscope_format = {
    .provides = DATA_COMM | DATA_SOURCE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .sniff = sniff,
    .read = read_input,
};
