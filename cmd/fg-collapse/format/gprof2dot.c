/*
 * gprof2dot: the JSON that gprof2dot reads, which memray and others write,
 *
 *	{"version":0,"costs":[{"description":"Memory","unit":"bytes"}],
 *	 "functions":[{"module":"a.py:9","name":"work"}],
 *	 "events":[{"callchain":[0,1],"cost":[4096]}]}
 *
 * A call chain is leaf first. The order of the keys is unspecified, so all data are stored
 * until the end.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define COSTS 16

struct profile {
	struct sampler *sampler;
	struct json_strings cost, unit; /* names and units of costs */
	struct json_strings name, module; /* of functions */
	struct json_indices faulty; /* by function: 1 if it has no name */
	struct text first, second; /* of the current cost or function */
	struct json_indices chains; /* call chains of all events */
	struct json_numbers costs;
	struct event {
		size_t chain, cost; /* end of its call chain and of its costs */
	} * event;
	size_t events, capevents;
};

static const struct json_field cost_fields[] = {
    JSON_NEEDED_FIELD("description", TEXT, struct profile, first),
    JSON_FIELD("unit", TEXT, struct profile, second),
};

static const struct json_field function_fields[] = {
    JSON_NEEDED_FIELD("name", TEXT, struct profile, first),
    JSON_FIELD("module", TEXT, struct profile, second),
};

static void
read_cost(struct json *j, void *to)
{
	struct profile *p = to;

	p->first.len = p->second.len = 0;
	if (json_fields(j, cost_fields, p) != NULL)
		json_refuse(j, "a cost without its description");
	json_strings_add(&p->cost, text_as_str(&p->first));
	json_strings_add(&p->unit, text_as_str(&p->second));
}

static void
read_function(struct json *j, void *to)
{
	struct profile *p = to;

	p->first.len = p->second.len = 0;
	json_indices_add(&p->faulty, json_fields(j, function_fields, p) != NULL);
	json_strings_add(&p->name, text_as_str(&p->first));
	json_strings_add(&p->module, text_as_str(&p->second));
}

static const struct json_field event_fields[] = {
    JSON_FIELD("callchain", INDICES, struct profile, chains),
    JSON_NEEDED_FIELD("cost", NUMBERS, struct profile, costs),
};

static void
read_event(struct json *j, void *to)
{
	struct profile *p = to;
	const size_t frames = p->chains.n;

	if (json_kind(j) != JSON_OBJECT) {
		json_skip(j);
		return;
	}
	if (json_fields(j, event_fields, p) != NULL && p->chains.n > frames) {
		json_malformed(j, "an event without its cost");
		p->chains.n = frames;
		return;
	}
	if (p->chains.n == frames)
		json_indices_add(&p->chains, JSON_BAD_INDEX);
	vec_fit(p->event, p->capevents, p->events + 1);
	p->event[p->events++] = (struct event){p->chains.n, p->costs.n};
}

static uint32_t
name_of(const struct profile *p, size_t i)
{
	struct frame f = {
	    .function = json_string_at(&p->name, i), .module = json_string_at(&p->module, i)};

	return sample_name(p->sampler, &f);
}

static void
give_events(struct profile *p)
{
	static const struct sample_task nobody;
	uint32_t *names, event[COSTS];
	unsigned costs = p->cost.n < COSTS ? (unsigned)p->cost.n : COSTS;
	size_t chain = 0, cost = 0;

	for (unsigned c = 0; c < costs || c == 0; c++) {
		struct str unit = json_string_at(&p->unit, c);

		if (unit.len == 0)
			unit = str_of(FOLDED_SAMPLES);
		event[c] = sampler_event(p->sampler, json_string_at(&p->cost, c), unit);
		if (str_is(unit, "bytes") || str_is(unit, FOLDED_SAMPLES))
			sampler_values(p->sampler, event[c],
			    str_is(unit, "bytes") ? FOLDED_EXACT : FOLDED_SAMPLED);
		sampler_default(p->sampler, event[c]);
	}
	sampler_tree(p->sampler, NULL, 1);
	names = cli_alloc(p->name.n + 1, sizeof *names);
	for (size_t i = 0; i < p->name.n; i++)
		names[i] = p->faulty.at[i] ? SAMPLE_MISSING : name_of(p, i);
	for (size_t i = 0; i < p->events; i++) {
		const struct event *e = &p->event[i];
		struct sample_weight w[COSTS];
		unsigned n = 0;

		for (unsigned c = 0; cost < e->cost; cost++, c++) {
			struct json_number v = json_numbers_at(&p->costs, cost);

			if ((c < costs || c == 0) && !v.negative && v.v > 0)
				w[n++] = (struct sample_weight){event[c], v.v};
		}
		if (sample_begin_all(p->sampler, &nobody, w, n, SAMPLE_NO_TIME)) {
			for (size_t k = chain; k < e->chain; k++) {
				uint32_t f = p->chains.at[k];

				sample_frame_named(
				    p->sampler, f < p->name.n ? names[f] : SAMPLE_MISSING);
			}
			sample_end(p->sampler);
		}
		chain = e->chain;
	}
	free(names);
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_VERSION("version", GPROF2DOT),
	    JSON_EACH("costs", read_cost),
	    JSON_NEEDED_EACH("functions", read_function),
	    JSON_NEEDED_EACH("events", read_event),
	};
	struct profile p = {.sampler = r->sampler};

	json_document(j, fields, &p);
	give_events(&p);
	json_fields_free(function_fields, &p);
	json_fields_free(event_fields, &p);
	json_strings_free(&p.cost);
	json_strings_free(&p.unit);
	json_strings_free(&p.name);
	json_strings_free(&p.module);
	json_indices_free(&p.faulty);
	free(p.event);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "costs.*.description", "functions.*.name", "events.*.callchain"};
	uint32_t found = json_find(data, len, path);

	return found & 4 ? 97 : found == 3 ? 90 : 0;
}

const struct format gprof2dot_format = {
    .provides = DATA_MODULE | DATA_EVENT,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
