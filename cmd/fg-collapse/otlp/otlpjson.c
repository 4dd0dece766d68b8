/*
 * otlpjson: OpenTelemetry profiles in JSON, one message or one per line, of all versions:
 * with a dictionary for the message that includes the stacks,
 *
 *	{"resourceProfiles": [{"scopeProfiles": [{"profiles": [
 *	  {"sampleType": {"typeStrindex": 1, "unitStrindex": 2},
 *	   "samples": [{"stackIndex": 1, "values": ["3"], "timestampsUnixNano": ["17"]}]}]}]}],
 *	 "dictionary": {"stackTable": [{}, {"locationIndices": [2, 1]}], "locationTable": [...],
 *	  "functionTable": [...], "mappingTable": [...], "stringTable": ["", "samples", "count"]}}
 *
 * or older, where a stack is a range of locationIndices, or each profile has its own
 * tables.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/otlp/otlptables.h"
#include "fg-collapse/shape/scan.h"

struct message {
	struct json *json;
	struct otlp otlp;
	struct json_strings strings;
	struct text key, value;
	bool own; /* the current profile has its own tables */
};

static uint32_t
take_index(struct json *j)
{
	uint32_t n;

	return json_index(j, &n) ? n : TABLES_NONE;
}

/* Reads {"stringValue": "main"} or {"intValue": "12"}. */
static void
read_value(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	text_cut(&m->value, 0);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "stringValue") || str_is(key, "intValue"))
			json_keep(j, &m->value);
		else
			json_skip(j);
}

/* Reads the current attribute into m; returns its key if that is the index of a string. */
static uint32_t
read_attribute(struct message *m)
{
	struct json *j = m->json;
	uint32_t string = TABLES_NONE;
	struct str key;

	text_cut(&m->key, 0);
	text_cut(&m->value, 0);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "key"))
			json_keep(j, &m->key);
		else if (str_is(key, "keyStrindex"))
			string = take_index(j);
		else if (str_is(key, "value"))
			read_value(m);
		else
			json_skip(j);
	return string;
}

static void
read_function(struct message *m)
{
	struct tables_function f = {0};
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "nameStrindex") || str_is(key, "name"))
			f.name = take_index(j);
		else if (str_is(key, "systemNameStrindex") || str_is(key, "systemName"))
			f.system_name = take_index(j);
		else if (str_is(key, "filenameStrindex") || str_is(key, "filename"))
			f.file = take_index(j);
		else
			json_skip(j);
	tables_function(&m->otlp.tables, f);
}

static void
read_mapping(struct message *m)
{
	struct json *j = m->json;
	uint32_t file = 0;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "filenameStrindex") || str_is(key, "filename"))
			file = take_index(j);
		else
			json_skip(j);
	tables_mapping(&m->otlp.tables, file);
}

static void
read_line(struct message *m)
{
	uint32_t function = 0;
	uint64_t line = 0;
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "functionIndex"))
			function = take_index(j);
		else if (str_is(key, "line"))
			json_whole(j, &line);
		else
			json_skip(j);
	tables_line(&m->otlp.tables, function, line);
}

static void
read_location(struct message *m)
{
	struct tables *t = &m->otlp.tables;
	struct json *j = m->json;
	struct str key;

	tables_location(t, 0, 0);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "address"))
			json_whole(j, &t->location[t->nlocation - 1].address);
		else if (str_is(key, "mappingIndex"))
			t->location[t->nlocation - 1].mapping = take_index(j);
		else if (str_is(key, "lines") || str_is(key, "line"))
			for (bool more = json_array(j); more && json_item(j);)
				read_line(m);
		else if (str_is(key, "attributeIndices"))
			for (bool more = json_array(j); more && json_item(j);)
				otlp_location_attribute(&m->otlp, take_index(j));
		else
			json_skip(j);
}

static void
read_stack(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	otlp_stack(&m->otlp);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "locationIndices"))
			for (bool more = json_array(j); more && json_item(j);)
				otlp_stack_location(&m->otlp, take_index(j));
		else
			json_skip(j);
}

static void
read_dictionary_attribute(struct message *m)
{
	uint32_t key = read_attribute(m);

	otlp_attribute(&m->otlp, text_as_str(&m->key), key, text_as_str(&m->value));
}

/* Reads a table of the dictionary or of a profile; false if the key is not a table. */
static bool
read_table(struct message *m, struct str key)
{
	static const struct {
		const char *name, *old;
		void (*read)(struct message *m);
	} table[] = {
	    {"functionTable", "function", read_function},
	    {"mappingTable", "mapping", read_mapping},
	    {"locationTable", "location", read_location},
	    {"stackTable", "stackTable", read_stack},
	    {"attributeTable", "attributeTable", read_dictionary_attribute},
	};
	struct json *j = m->json;

	if (str_is(key, "stringTable")) {
		json_strings(j, &m->strings);
		return true;
	}
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (str_is(key, table[i].name) || str_is(key, table[i].old)) {
			for (bool any = json_array(j); any && json_item(j);)
				table[i].read(m);
			return true;
		}
	return false;
}

static void
read_type(struct message *m, void (*give)(struct otlp *o, uint32_t type, uint32_t unit))
{
	uint32_t type = 0, unit = 0;
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "typeStrindex") || str_is(key, "type"))
			type = take_index(j);
		else if (str_is(key, "unitStrindex") || str_is(key, "unit"))
			unit = take_index(j);
		else
			json_skip(j);
	give(&m->otlp, type, unit);
}

static void
read_values(struct message *m)
{
	struct json *j = m->json;
	struct json_number n;

	for (bool any = json_array(j); any && json_item(j);) {
		bool good = json_number(j, &n) && n.v / VALUE_ONE <= INT64_MAX;
		int64_t v = good ? (int64_t)(n.v / VALUE_ONE) : 0;

		otlp_sample_value(&m->otlp, good && n.negative ? -v : v);
	}
}

static void
read_sample(struct message *m)
{
	struct json *j = m->json;
	uint32_t start = 0, length = 0;
	struct str key;
	uint64_t time;

	otlp_sample(&m->otlp);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "stackIndex"))
			otlp_sample_stack(&m->otlp, take_index(j));
		else if (str_is(key, "locationsStartIndex"))
			start = take_index(j);
		else if (str_is(key, "locationsLength"))
			length = take_index(j);
		else if (str_is(key, "values") || str_is(key, "value"))
			read_values(m);
		else if (str_is(key, "timestampsUnixNano"))
			for (bool more = json_array(j); more && json_item(j);)
				otlp_sample_time(
				    &m->otlp, json_whole(j, &time) ? time : SAMPLE_NO_TIME);
		else if (str_is(key, "attributeIndices") || str_is(key, "attributes"))
			for (bool more = json_array(j); more && json_item(j);)
				otlp_sample_attribute(&m->otlp, take_index(j));
		else
			json_skip(j);
	otlp_sample_piece(&m->otlp, start, length);
}

/* Takes the samples, once the tables are complete. */
static void
take(struct message *m)
{
	if (m->strings.n == 0 && m->otlp.nsample > 0)
		json_refuse(m->json, "no table of strings");
	for (size_t i = 0; i < m->strings.n; i++)
		tables_string(&m->otlp.tables, json_string_at(&m->strings, i));
	otlp_take(&m->otlp);
	m->strings.n = m->strings.text.len = 0;
}

static void
read_profile(struct message *m, bool within)
{
	struct json *j = m->json;
	struct str key;
	uint64_t period;

	if (!within)
		otlp_profile(&m->otlp);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "sampleType") && json_kind(j) == JSON_OBJECT) {
			read_type(m, otlp_type);
		} else if (str_is(key, "sampleType")) {
			for (bool more = json_array(j); more && json_item(j);)
				read_type(m, otlp_type);
		} else if (str_is(key, "samples") || str_is(key, "sample")) {
			for (bool more = json_array(j); more && json_item(j);)
				read_sample(m);
		} else if (str_is(key, "locationIndices")) {
			for (bool more = json_array(j); more && json_item(j);)
				otlp_profile_location(&m->otlp, take_index(j));
		} else if (str_is(key, "attributeIndices")) {
			for (bool more = json_array(j); more && json_item(j);)
				otlp_profile_attribute(&m->otlp, take_index(j));
		} else if (str_is(key, "periodType") && json_kind(j) == JSON_OBJECT) {
			read_type(m, otlp_period_type);
		} else if (str_is(key, "period")) {
			if (json_whole(j, &period))
				otlp_period(&m->otlp, period);
		} else if (str_is(key, "defaultSampleTypeIndex")) {
			otlp_default(&m->otlp, take_index(j));
		} else if (str_is(key, "profile") && !within) {
			read_profile(m, true);
		} else if (read_table(m, key)) {
			m->own = true;
		} else {
			json_skip(j);
		}
	if (m->own && !within) {
		take(m);
		m->own = false;
	}
}

static void
read_scope(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "profiles"))
			for (bool more = json_array(j); more && json_item(j);)
				read_profile(m, false);
		else
			json_skip(j);
}

static void
read_resource(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "attributes"))
			for (bool more = json_array(j); more && json_item(j);) {
				read_attribute(m);
				otlp_resource_attribute(
				    &m->otlp, text_as_str(&m->key), text_as_str(&m->value));
			}
		else
			json_skip(j);
}

static void
read_resource_profiles(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	otlp_resource(&m->otlp);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "resource"))
			read_resource(m);
		else if (str_is(key, "scopeProfiles"))
			for (bool more = json_array(j); more && json_item(j);)
				read_scope(m);
		else
			json_skip(j);
}

static void
read_message(struct message *m)
{
	struct json *j = m->json;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "resourceProfiles"))
			for (bool more = json_array(j); more && json_item(j);)
				read_resource_profiles(m);
		else if (str_is(key, "dictionary"))
			for (bool more = json_object(j); more && json_key(j, &key);) {
				if (!read_table(m, key))
					json_skip(j);
			}
		else
			json_skip(j);
	take(m);
}

static void
read_input(struct reader *r)
{
	struct message m = {.json = json_open(r)};

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	otlp_init(&m.otlp, r);
	while (json_kind(m.json) != JSON_NOTHING)
		read_message(&m);
	if (m.otlp.lost > 0)
		json_malformed(m.json, "samples with an index out of range");
	otlp_free(&m.otlp);
	json_strings_free(&m.strings);
	text_free(&m.key);
	text_free(&m.value);
	json_close(m.json);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "resourceProfiles", "dictionary.stringTable", "dictionary.locationTable"};

	return json_find(data, len, path) != 0 ? 97 : 0;
}

const struct format otlpjson_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT | DATA_LABELS,
    .sniff = sniff,
    .read = read_input,
};
