/*
 * otlpjsonout: OpenTelemetry's profiles as JSON. 64-bit numbers are strings, as in protobuf's
 * JSON mapping.
 */
#include "fg-render/bridge/otlpout.h"

#include <inttypes.h>

struct json {
	struct otlpout otlp;
	struct output *out;
	struct text text; /* scratch */
};

static void
write_string(struct json *j, struct str s)
{
	text_cut(&j->text, 0);
	text_json(&j->text, s);
	output_write(j->out, j->text.s, j->text.len);
}

static void
write_value(struct json *j, const struct text *is)
{
	output_text(j->out, ",\"value\":{\"stringValue\":");
	write_string(j, text_as_str(is));
	output_text(j->out, "}}");
}

static void
write_resource(struct json *j)
{
	const struct otlpout *o = &j->otlp;

	output_text(j->out, "{\"resourceProfiles\":[{");
	for (size_t i = 0; i < o->nresource; i++) {
		output_text(j->out, i == 0 ? "\"resource\":{\"attributes\":[" : ",");
		output_text(j->out, "{\"key\":");
		write_string(j, text_as_str(&o->resource[i].key));
		write_value(j, &o->resource[i].value);
	}
	if (o->nresource > 0)
		output_text(j->out, "]},\n");
	output_text(j->out, "\"scopeProfiles\":[{\"scope\":{\"name\":\"" OTLP_SCOPE "\"},"
			    "\"profiles\":[");
}

static void
write_type(struct json *j, const char *key, struct dictionary_type type)
{
	output_printf(
	    j->out, "\"%s\":{\"typeStrindex\":%u,\"unitStrindex\":%u},", key, type.name, type.unit);
}

/* Writes the n values of a sample and, if the input has times, their times. */
static void
write_values(struct json *j, size_t n)
{
	const struct otlpout *o = &j->otlp;

	for (size_t i = 0; i < n; i++) {
		int64_t v = o->value[i];

		output_text(j->out, i == 0 ? ",\"values\":[\"" : ",\"");
		if (v < 0)
			output_char(j->out, '-');
		output_count(j->out, v < 0 ? -(uint64_t)v : (uint64_t)v);
		output_char(j->out, '"');
	}
	for (size_t i = 0; i < n && o->b.times != NULL; i++) {
		output_text(j->out, i == 0 ? "],\"timestampsUnixNano\":[\"" : ",\"");
		output_count(j->out, o->time[i]);
		output_char(j->out, '"');
	}
	output_text(j->out, "]}");
}

static void
write_profile(struct json *j, unsigned k)
{
	const struct bridge *b = &j->otlp.b;
	struct dictionary *d = &j->otlp.dictionary;
	uint32_t depth = 0, stack = 0;
	struct dictionary_type type;
	int64_t period;
	bool any = false;

	output_text(j->out, k > 0 ? ",\n{" : "\n{");
	write_type(j, "sampleType", dictionary_type(d, k));
	if (dictionary_period(d, k, &type, &period)) {
		write_type(j, "periodType", type);
		output_printf(j->out, "\"period\":\"%" PRId64 "\",", period);
	}
	output_printf(j->out, "\"attributeIndices\":[%d],\n\"samples\":[", OTLP_NOTE);
	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b->tree, node, &depth)) != 0;) {
		stack += bridge_is_stack(b, node);
		if (!bridge_ends(b, node, k))
			continue;
		output_text(j->out, any ? ",\n{\"stackIndex\":" : "{\"stackIndex\":");
		output_count(j->out, stack);
		write_values(j, otlpout_values(&j->otlp, node, k));
		any = true;
	}
	output_text(j->out, "]}");
}

/* Starts a table of the dictionary with its empty element. */
static void
begin_table(struct json *j, const char *key, const char *first)
{
	output_printf(j->out, "\"%s\":[%s", key, first);
}

static void
write_functions(struct json *j)
{
	begin_table(j, "functionTable", "{}");
	for (uint32_t name = 1; name < j->otlp.b.tree->nname; name++) {
		struct dictionary_function f;

		if (name == j->otlp.b.gap) {
			output_text(j->out, ",{}");
			continue;
		}
		f = dictionary_function(&j->otlp.dictionary, name);
		output_printf(
		    j->out, ",\n{\"nameStrindex\":%u,\"systemNameStrindex\":%u", f.name, f.exact);
		if (f.file != 0)
			output_printf(j->out, ",\"filenameStrindex\":%u", f.file);
		output_char(j->out, '}');
	}
	output_text(j->out, "],\n");
}

static void
write_locations(struct json *j)
{
	const struct dictionary *d = &j->otlp.dictionary;

	begin_table(j, "mappingTable", "{}");
	for (uint32_t i = 1; i <= d->nmodule; i++)
		output_printf(j->out, ",\n{\"filenameStrindex\":%u}", d->module[i]);
	output_text(j->out, "],\n");
	begin_table(j, "locationTable", "{}");
	for (uint32_t i = 1; i <= d->nlocation; i++) {
		uint32_t outermost = d->location[i].name;

		if (d->location[i].number == 0)
			continue;
		output_text(j->out, ",\n{\"lines\":[");
		for (uint32_t at = i; at != 0; at = d->location[at].outer) {
			unsigned line = dictionary_line(d, d->location[at].name);

			outermost = d->location[at].name;
			output_text(
			    j->out, at == i ? "{\"functionIndex\":" : ",{\"functionIndex\":");
			output_count(j->out, outermost);
			if (line > 0)
				output_printf(j->out, ",\"line\":\"%u\"", line);
			output_char(j->out, '}');
		}
		output_char(j->out, ']');
		if (d->mapping[outermost] != 0)
			output_printf(j->out, ",\"mappingIndex\":%u", d->mapping[outermost]);
		if (dictionary_kernel(d, outermost))
			output_printf(j->out, ",\"attributeIndices\":[%d]", OTLP_KERNEL);
		output_char(j->out, '}');
	}
	output_text(j->out, "],\n");
}

/* Writes a number and a comma, for dictionary_path. */
static size_t
number_code(char *to, uint32_t number)
{
	char digits[TEXT_DIGITS], *end = digits + sizeof digits, *s = text_digits(end, number);
	size_t len = (size_t)(end - s);

	memcpy(to, s, len);
	to[len] = ',';
	return len + 1;
}

static void
write_stacks(struct json *j)
{
	const struct bridge *b = &j->otlp.b;
	struct dictionary *d = &j->otlp.dictionary;
	uint32_t depth = 0;

	begin_table(j, "stackTable", "{}");
	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b->tree, node, &depth)) != 0;) {
		struct str path;

		if (!bridge_is_stack(b, node))
			continue;
		path = dictionary_path(d, node, depth, number_code);
		output_text(j->out, ",\n{\"locationIndices\":[");
		output_write(j->out, path.s, path.len > 0 ? path.len - 1 : 0);
		output_text(j->out, "]}");
	}
	output_text(j->out, "],\n");
}

static void
write_texts(struct json *j)
{
	const struct calltree *strings = j->otlp.dictionary.strings;

	begin_table(j, "attributeTable", "{}");
	for (unsigned i = 1; i < OTLP_ATTRIBUTES; i++) {
		output_printf(j->out, ",\n{\"keyStrindex\":%u", j->otlp.attribute[i].key);
		write_value(j, &j->otlp.attribute[i].value);
	}
	output_text(j->out, "],\n\"linkTable\":[{}],\n");
	begin_table(j, "stringTable", "\"\"");
	for (uint32_t i = 1; i < strings->nname; i++) {
		output_text(j->out, ",\n");
		write_string(j, (struct str){strings->name[i].s, strings->name[i].len});
	}
	output_text(j->out, "]}}\n");
}

void
bridge_otlpjson(const struct picture *picture, struct output *o)
{
	struct json j = {.out = o};

	otlpout_open(&j.otlp, picture);
	write_resource(&j);
	for (unsigned k = 0; k < j.otlp.b.carried.columns.n; k++)
		write_profile(&j, k);
	otlpout_write_note(&j.otlp);
	output_text(o, "]}]}],\n\"dictionary\":{");
	write_locations(&j);
	write_functions(&j);
	write_stacks(&j);
	write_texts(&j);
	text_free(&j.text);
	otlpout_close(&j.otlp);
}
