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

#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/otlp/otlptables.h"
#include "fg-collapse/shape/scan.h"

struct message {
	struct json *json;
	struct otlp otlp;
	struct json_strings strings;
	bool within; /* in the profile of a profile, of an old version */
	/* Fields of the current object: */
	struct text key, value;
	uint32_t string; /* of an attribute: index of its key */
	struct tables_function function;
	uint32_t file; /* of a mapping */
	struct {
		uint32_t function;
		uint64_t line;
	} line;
	struct {
		uint32_t mapping;
		uint64_t address;
	} location;
	uint32_t type, unit;
	uint32_t start, length; /* of a sample: a range of the profile's locations */
};

static uint32_t
read_index(struct json *j)
{
	uint32_t n;

	return json_index(j, &n) ? n : TABLES_BAD;
}

/* Readers of values that are indices, each with the function that it gives them to. */
#define READ_INDEX(name, give)                     \
	static void name(struct json *j, void *to) \
	{                                          \
		struct message *m = to;            \
                                                   \
		give(&m->otlp, read_index(j));     \
	}
READ_INDEX(read_location_attribute, otlp_location_attribute)
READ_INDEX(read_stack_location, otlp_stack_location)
READ_INDEX(read_sample_attribute, otlp_sample_attribute)
READ_INDEX(read_sample_stack, otlp_sample_stack)
READ_INDEX(read_profile_location, otlp_profile_location)
READ_INDEX(read_profile_attribute, otlp_profile_attribute)
READ_INDEX(read_default, otlp_default)

/* Fields of attributes, with {"stringValue": "main"} or {"intValue": "12"}. */
static const struct json_field attribute_fields[] = {
    JSON_FIELD("key", TEXT, struct message, key),
    JSON_FIELD("keyStrindex", REFERENCE, struct message, string),
    JSON_FIELD("value.stringValue", TEXT, struct message, value),
    JSON_FIELD("value.intValue", TEXT, struct message, value),
};

static void
read_attribute(struct json *j, struct message *m)
{
	text_cut(&m->key, 0);
	text_cut(&m->value, 0);
	m->string = TABLES_NONE;
	json_fields(j, attribute_fields, m);
}

static void
read_resource_attribute(struct json *j, void *to)
{
	struct message *m = to;

	read_attribute(j, m);
	otlp_resource_attribute(&m->otlp, text_as_str(&m->key), text_as_str(&m->value));
}

static void
read_dictionary_attribute(struct json *j, void *to)
{
	struct message *m = to;

	read_attribute(j, m);
	otlp_attribute(&m->otlp, text_as_str(&m->key), m->string, text_as_str(&m->value));
}

static void
read_function(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("nameStrindex", REFERENCE, struct message, function.name),
	    JSON_FIELD("systemNameStrindex", REFERENCE, struct message, function.system_name),
	    JSON_FIELD("filenameStrindex", REFERENCE, struct message, function.file),
	    JSON_FIELD("name", REFERENCE, struct message, function.name),
	    JSON_FIELD("systemName", REFERENCE, struct message, function.system_name),
	    JSON_FIELD("filename", REFERENCE, struct message, function.file),
	};
	struct message *m = to;

	m->function = (struct tables_function){0};
	json_fields(j, fields, m);
	tables_function(&m->otlp.tables, m->function);
}

static void
read_mapping(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("filenameStrindex", REFERENCE, struct message, file),
	    JSON_FIELD("filename", REFERENCE, struct message, file),
	};
	struct message *m = to;

	m->file = 0;
	json_fields(j, fields, m);
	tables_mapping(&m->otlp.tables, m->file);
}

static void
read_line(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("functionIndex", REFERENCE, struct message, line.function),
	    JSON_FIELD("line", WHOLE, struct message, line.line),
	};
	struct message *m = to;

	m->line.function = 0;
	m->line.line = 0;
	json_fields(j, fields, m);
	tables_line(&m->otlp.tables, m->line.function, m->line.line);
}

static void
read_location(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("address", WHOLE, struct message, location.address),
	    JSON_FIELD("mappingIndex", REFERENCE, struct message, location.mapping),
	    JSON_EACH("lines", read_line),
	    JSON_EACH("line", read_line),
	    JSON_EACH("attributeIndices", read_location_attribute),
	};
	struct message *m = to;
	struct tables *t = &m->otlp.tables;

	m->location.address = m->location.mapping = 0;
	tables_location(t, 0, 0);
	json_fields(j, fields, m);
	t->location[t->nlocation - 1].address = m->location.address;
	t->location[t->nlocation - 1].mapping = m->location.mapping;
}

static void
read_stack(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_EACH("locationIndices", read_stack_location),
	};
	struct message *m = to;

	otlp_stack(&m->otlp);
	json_fields(j, fields, m);
}

static void
read_type(struct json *j, struct message *m)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("typeStrindex", REFERENCE, struct message, type),
	    JSON_FIELD("unitStrindex", REFERENCE, struct message, unit),
	    JSON_FIELD("type", REFERENCE, struct message, type),
	    JSON_FIELD("unit", REFERENCE, struct message, unit),
	};

	m->type = m->unit = 0;
	json_fields(j, fields, m);
}

static void
read_sample_type(struct json *j, void *to)
{
	struct message *m = to;

	read_type(j, m);
	otlp_type(&m->otlp, m->type, m->unit);
}

/* Reads the only type of a profile, or several. */
static void
read_sample_types(struct json *j, void *to)
{
	if (json_kind(j) == JSON_OBJECT)
		read_sample_type(j, to);
	else
		for (bool any = json_array(j); any && json_item(j);)
			read_sample_type(j, to);
}

static void
read_period_type(struct json *j, void *to)
{
	struct message *m = to;

	if (json_kind(j) != JSON_OBJECT) {
		json_skip(j);
		return;
	}
	read_type(j, m);
	otlp_period_type(&m->otlp, m->type, m->unit);
}

static void
read_sample_value(struct json *j, void *to)
{
	struct message *m = to;
	struct json_number n;
	bool good = json_number(j, &n) && n.v / VALUE_ONE <= INT64_MAX;
	int64_t v = good ? (int64_t)(n.v / VALUE_ONE) : 0;

	otlp_sample_value(&m->otlp, good && n.negative ? -v : v);
}

static void
read_sample_time(struct json *j, void *to)
{
	struct message *m = to;
	uint64_t time;

	otlp_sample_time(&m->otlp, json_whole(j, &time) ? time : SAMPLE_NO_TIME);
}

static void
read_sample(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_READ("stackIndex", read_sample_stack),
	    JSON_EACH("values", read_sample_value),
	    JSON_EACH("timestampsUnixNano", read_sample_time),
	    JSON_EACH("attributeIndices", read_sample_attribute),
	    JSON_FIELD("locationsStartIndex", REFERENCE, struct message, start),
	    JSON_FIELD("locationsLength", REFERENCE, struct message, length),
	    JSON_EACH("value", read_sample_value),
	    JSON_EACH("attributes", read_sample_attribute),
	};
	struct message *m = to;

	otlp_sample(&m->otlp);
	m->start = m->length = 0;
	json_fields(j, fields, m);
	otlp_sample_piece(&m->otlp, m->start, m->length);
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
read_period(struct json *j, void *to)
{
	struct message *m = to;
	uint64_t period;

	if (json_whole(j, &period))
		otlp_period(&m->otlp, period);
}

static void read_within(struct json *j, void *to);

static const struct json_field profile_fields[] = {
    JSON_READ("sampleType", read_sample_types),
    JSON_EACH("samples", read_sample),
    JSON_EACH("sample", read_sample),
    JSON_EACH("locationIndices", read_profile_location),
    JSON_EACH("attributeIndices", read_profile_attribute),
    JSON_READ("periodType", read_period_type),
    JSON_READ("period", read_period),
    JSON_READ("defaultSampleTypeIndex", read_default),
    JSON_READ("profile", read_within),
    /* Tables of its own, of old versions */
    JSON_EACH("mappingTable", read_mapping),
    JSON_EACH("mapping", read_mapping),
    JSON_EACH("locationTable", read_location),
    JSON_EACH("location", read_location),
    JSON_EACH("functionTable", read_function),
    JSON_EACH("function", read_function),
    JSON_EACH("attributeTable", read_dictionary_attribute),
    JSON_FIELD("stringTable", STRINGS, struct message, strings),
};

static void
read_within(struct json *j, void *to)
{
	struct message *m = to;

	if (m->within) {
		json_skip(j);
		return;
	}
	m->within = true;
	json_fields(j, profile_fields, m);
	m->within = false;
}

/* Number of rows of all tables. */
static size_t
rows(const struct message *m)
{
	const struct tables *t = &m->otlp.tables;

	return t->nmapping + t->nlocation + t->nfunction + m->otlp.nattribute + m->strings.n;
}

/* Reads a profile, which may have its own tables. */
static void
read_profile(struct json *j, void *to)
{
	struct message *m = to;
	const size_t before = rows(m);

	otlp_profile(&m->otlp);
	json_fields(j, profile_fields, m);
	if (rows(m) != before)
		take(m);
}

static void
read_scope(struct json *j, void *to)
{
	static const struct json_field fields[] = {JSON_EACH("profiles", read_profile)};

	json_fields(j, fields, to);
}

static void
read_resource(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_EACH("resource.attributes", read_resource_attribute),
	    JSON_EACH("scopeProfiles", read_scope),
	};
	struct message *m = to;

	otlp_resource(&m->otlp);
	json_fields(j, fields, m);
}

static const struct json_field message_fields[] = {
    JSON_EACH("resourceProfiles", read_resource),
    JSON_EACH("dictionary.mappingTable", read_mapping),
    JSON_EACH("dictionary.locationTable", read_location),
    JSON_EACH("dictionary.functionTable", read_function),
    JSON_EACH("dictionary.stackTable", read_stack),
    JSON_EACH("dictionary.attributeTable", read_dictionary_attribute),
    JSON_FIELD("dictionary.stringTable", STRINGS, struct message, strings),
};

static void
read_input(struct reader *r)
{
	struct message m = {.json = json_open(r)};

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	otlp_init(&m.otlp, r);
	while (json_kind(m.json) != JSON_NOTHING) {
		json_fields(m.json, message_fields, &m);
		take(&m);
	}
	json_broken(m.json, m.otlp.lost, OTLP_LOST);
	otlp_free(&m.otlp);
	json_fields_free(message_fields, &m);
	json_fields_free(attribute_fields, &m);
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
