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
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/speedscope/jsonframe.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/chrometrace/spans.h"
#include "sample/account.h"
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
	bool sampled, evented;
	bool open, typed; /* these are of the current event */
	uint32_t index;
	struct json_number at;
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
read_frame(struct json *j, void *to)
{
	struct profile *p = to;
	const struct frame *f = jsonframe_read(&p->frame, j);

	json_indices_add(&p->name, !p->frame.named ? SAMPLE_MISSING
				   : p->ours && p->frame.is_exact
				       ? roundtrip_name(&p->back, text_as_str(&p->frame.exact))
				       : sample_name(p->reader->sampler, f));
}

static void
read_shared(struct json *j, void *to)
{
	static const struct json_field fields[] = {JSON_EACH("frames", read_frame)};
	struct profile *p = to;

	if (!p->columns_set)
		sampler_tree(p->reader->sampler, NULL, 1);
	p->columns_set = true;
	json_fields(j, fields, p);
}

static void
read_sample(struct json *j, void *to)
{
	struct part *a = to;

	json_indices(j, &a->frame);
	vec_fit(a->sample, a->capsample, a->nsample + 1);
	a->sample[a->nsample++] = a->frame.n;
}

static void
read_open(struct json *j, void *to)
{
	struct part *a = to;
	struct str s = {0};

	a->open = json_text(j, &s) && str_is(s, "O");
	a->typed = a->open || str_is(s, "C");
}

static void
read_event(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_READ("type", read_open),
	    JSON_FIELD("frame", INDEX, struct part, index),
	    JSON_FIELD("at", DECIMAL, struct part, at),
	};
	struct part *a = to;

	a->index = JSON_NO_INDEX;
	a->open = a->typed = false;
	a->at = (struct json_number){VALUE_ONE, true};
	json_fields(j, fields, a);
	if (!a->typed || a->index >= UINT32_MAX / 2 || (a->at.negative && a->at.v == VALUE_ONE)) {
		json_malformed(j, "an event without its type, frame or time");
		return;
	}
	json_indices_add(&a->frame, 2 * a->index + a->open);
	json_numbers_add(&a->number, a->at);
}

static const struct json_field part_fields[] = {
    JSON_FIELD("name", TEXT, struct part, name),
    JSON_FIELD("unit", TEXT, struct part, unit),
    JSON_FIELD("startValue", DECIMAL, struct part, start),
    JSON_FIELD("endValue", DECIMAL, struct part, end),
    JSON_FIELD("weights", NUMBERS, struct part, number),
    JSON_ARRAY_FIELD("samples", read_sample, struct part, sampled),
    JSON_ARRAY_FIELD("events", read_event, struct part, evented),
};

static void
read_part(struct json *j, void *to)
{
	struct profile *p = to;
	struct part *a;

	if (json_kind(j) != JSON_OBJECT) {
		json_odd(j);
		return;
	}
	vec_fit(p->part, p->cappart, p->npart + 1);
	a = &p->part[p->npart++];
	*a = (struct part){0};
	json_fields(j, part_fields, a);
	if (!a->sampled && !a->evented)
		json_malformed(j, "a profile without samples or events");
	if (a->sampled && a->number.n < a->nsample)
		json_broken(j, a->nsample - a->number.n, "a sample without its weight");
	if (a->sampled && a->number.n > a->nsample)
		json_broken(j, a->number.n - a->nsample, "a weight without its sample");
}

static void
read_note(struct json *j, void *to)
{
	struct profile *p = to;
	struct str note;

	if (json_text(j, &note) && !p->columns_set)
		p->columns_set = p->ours = roundtrip_begin(&p->back, p->reader, note);
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
	return frame < p->name.n ? p->name.at[frame] : SAMPLE_MISSING;
}

static void
pass_samples(struct profile *p, struct part *a, uint32_t event, struct sample_task *task)
{
	struct json_number time = a->start;
	uint64_t unit = unit_of(a).ns;
	size_t at = 0;

	for (size_t i = 0; i < a->nsample; at = a->sample[i++]) {
		struct json_number w = json_numbers_at(&a->number, i);

		if (w.negative) {
			json_broken(p->json, 1, "a negative weight");
			continue;
		}
		if (w.v == 0)
			sample_leave_out(p->reader->sampler, 1);
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
pass_events(struct profile *p, struct part *a, uint32_t event, struct sample_task *task)
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
pass_restored(struct profile *p, const struct part *a, unsigned column)
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

		if (p->name.n == 0 && a->frame.n > 0)
			json_refuse(p->json, "no frames (shared.frames)");
		if (p->npart > 1)
			task.comm = text_as_str(&a->name);
		if (!p->ours)
			event = sampler_event(s, str_of(unit_of(a).name), str_of(unit_of(a).ours));
		if (!p->ours && !a->evented && strcmp(unit_of(a).ours, "bytes") != 0)
			sampler_values(s, event, FOLDED_SAMPLED);
		if (p->ours && i < p->back.carried.columns.n)
			pass_restored(p, a, (unsigned)i);
		else if (!p->ours && a->evented)
			pass_events(p, a, event, &task);
		else if (!p->ours)
			pass_samples(p, a, event, &task);
		json_fields_free(part_fields, a);
		json_indices_free(&a->frame);
		free(a->sample);
	}
	if (p->faulty > 0)
		json_malformed(p->json, "a close event without an open one, or an open one "
					"without a close");
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_READ("fg", read_note),
	    JSON_NEEDED_READ("shared", read_shared),
	    JSON_NEEDED_EACH("profiles", read_part),
	};
	struct profile p = {.reader = r, .json = j};

	json_document(j, fields, &p);
	if (!p.columns_set)
		sampler_tree(r->sampler, NULL, 1);
	take(&p);
	json_indices_free(&p.name);
	free(p.part);
	roundtrip_free(&p.back);
	jsonframe_free(&p.frame);
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
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
