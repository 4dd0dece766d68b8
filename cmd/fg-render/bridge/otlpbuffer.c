/*
 * otlpbuffer: OpenTelemetry's profiles as a protocol buffer. The length of a message precedes
 * it, so the data is walked twice. protobuf-c encodes small messages. For messages that grow
 * with the profile, the first walk counts the bytes and the second one writes them.
 */
#include "fg-render/bridge/bridge.h"

#include "base/cli.h"

#ifdef HAVE_PROTOBUF
#include <stdlib.h>

#include "base/vec.h"
#include "fg-render/bridge/otlp.h"
#include "fg-render/bridge/wire.h"
#include "profile/otlp.pb-c.h"

/*
 * Field numbers of the message, of a resource's profiles, of a scope's profiles, and of a
 * profile.
 */
enum { RESOURCE_PROFILES = 1, DICTIONARY = 2 };
enum { RESOURCE = 1, SCOPE_PROFILES = 2 };
enum { SCOPE = 1, PROFILE = 2 };
enum { SAMPLE_TYPE = 1, SAMPLE = 2, PERIOD_TYPE = 5, PERIOD = 6, ATTRIBUTE_INDICES = 11 };

/* Field numbers of the dictionary's tables. */
enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };

struct buffer {
	struct otlp otlp;
	struct wire wire; /* counts only in the first walk */
	uint64_t *length; /* lengths of the messages that grow with the profile, by start */
	size_t nlength, caplength, at;
};

/* Starts a message that grows with the profile; returns its index for end_long. */
static size_t
begin_long(struct buffer *b, unsigned field)
{
	size_t i = b->at++;

	if (b->wire.sink != NULL) {
		wire_begin(&b->wire, field, b->length[i]);
		return i;
	}
	vec_fit(b->length, b->caplength, b->nlength + 1);
	b->length[b->nlength++] = b->wire.n;
	return i;
}

static void
end_long(struct buffer *b, unsigned field, size_t i)
{
	if (b->wire.sink != NULL)
		return;
	b->length[i] = b->wire.n - b->length[i];
	wire_begin(&b->wire, field, b->length[i]); /* count its header too */
}

static void
write_type(struct buffer *b, unsigned field, struct dictionary_type is)
{
	Otlp__ValueType type = OTLP__VALUE_TYPE__INIT;

	type.type_strindex = (int32_t)is.name;
	type.unit_strindex = (int32_t)is.unit;
	wire_message(&b->wire, field, &type.base);
}

static void
write_samples(struct buffer *b, unsigned k)
{
	struct otlp *o = &b->otlp;
	const struct bridge *bridge = &o->b;
	uint32_t depth = 0, stack = 0;

	for (uint32_t node = CALLTREE_ROOT;
	     (node = calltree_next(bridge->tree, node, &depth)) != 0;) {
		Otlp__Sample sample = OTLP__SAMPLE__INIT;

		stack += bridge_is_stack(bridge, node);
		if (!bridge_ends(bridge, node, k))
			continue;
		sample.stack_index = (int32_t)stack;
		sample.n_values = otlp_values(o, node, k);
		sample.values = o->value;
		if (bridge->times != NULL) {
			sample.n_timestamps_unix_nano = sample.n_values;
			sample.timestamps_unix_nano = o->time;
		}
		wire_message(&b->wire, SAMPLE, &sample.base);
	}
}

static void
write_profile(struct buffer *b, unsigned k)
{
	size_t profile = begin_long(b, PROFILE);
	struct dictionary *d = &b->otlp.dictionary;
	static const uint8_t note[] = {OTLP_NOTE};
	struct dictionary_type type;
	int64_t period;

	write_type(b, SAMPLE_TYPE, dictionary_type(d, k));
	write_samples(b, k);
	if (dictionary_period(d, k, &type, &period)) {
		write_type(b, PERIOD_TYPE, type);
		wire_number(&b->wire, PERIOD, (uint64_t)period);
	}
	wire_bytes(&b->wire, ATTRIBUTE_INDICES, note, sizeof note);
	end_long(b, PROFILE, profile);
}

static Otlp__AnyValue
any_value(const struct text *text)
{
	Otlp__AnyValue v = OTLP__ANY_VALUE__INIT;

	v.value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	v.string_value = text->s;
	return v;
}

static void
write_resource(struct buffer *b)
{
	Otlp__Resource resource = OTLP__RESOURCE__INIT;
	size_t n = b->otlp.nresource;
	Otlp__KeyValue *attribute = cli_alloc(n + 1, sizeof *attribute);
	Otlp__KeyValue **attributes = cli_alloc(n + 1, sizeof *attributes);
	Otlp__AnyValue *v = cli_alloc(n + 1, sizeof *v);

	for (size_t i = 0; i < n; i++) {
		v[i] = any_value(&b->otlp.resource[i].value);
		attribute[i] = (Otlp__KeyValue)OTLP__KEY_VALUE__INIT;
		attribute[i].key = b->otlp.resource[i].key.s;
		attribute[i].value = &v[i];
		attributes[i] = &attribute[i];
	}
	resource.attributes = attributes;
	resource.n_attributes = n;
	if (n > 0)
		wire_message(&b->wire, RESOURCE, &resource.base);
	free(attribute);
	free(attributes);
	free(v);
}

static void
write_profiles(struct buffer *b)
{
	static char name[] = OTLP_SCOPE;
	Otlp__Scope scope = OTLP__SCOPE__INIT;
	size_t profiles = begin_long(b, RESOURCE_PROFILES), scopes;

	write_resource(b);
	scopes = begin_long(b, SCOPE_PROFILES);
	scope.name = name;
	wire_message(&b->wire, SCOPE, &scope.base);
	for (unsigned k = 0; k < b->otlp.b.carried.columns.n; k++)
		write_profile(b, k);
	otlp_write_note(&b->otlp);
	end_long(b, SCOPE_PROFILES, scopes);
	end_long(b, RESOURCE_PROFILES, profiles);
}

static void
write_locations(struct buffer *b)
{
	const struct dictionary *d = &b->otlp.dictionary;
	Otlp__Line *line = NULL, **lines = NULL;
	size_t capline = 0, caplines = 0;
	int32_t kernel = OTLP_KERNEL;

	wire_bytes(&b->wire, LOCATIONS, "", 0);
	for (uint32_t i = 1; i <= d->nlocation; i++) {
		Otlp__Location location = OTLP__LOCATION__INIT;
		uint32_t name = 0;
		size_t n = 0;

		if (d->location[i].number == 0)
			continue;
		for (uint32_t at = i; at != 0; at = d->location[at].outer) {
			name = d->location[at].name;
			vec_fit(line, capline, n + 1);
			line[n] = (Otlp__Line)OTLP__LINE__INIT;
			line[n].function_index = (int32_t)name;
			line[n++].line = dictionary_line(d, name);
		}
		vec_fit(lines, caplines, n);
		for (size_t k = 0; k < n; k++)
			lines[k] = &line[k];
		location.lines = lines;
		location.n_lines = n;
		/* the outermost frame gives the mapping and the kind */
		if (d->mapping[name] != 0) {
			location.mapping_case = OTLP__LOCATION__MAPPING_MAPPING_INDEX;
			location.mapping_index = (int32_t)d->mapping[name];
		}
		location.attribute_indices = &kernel;
		location.n_attribute_indices = dictionary_kernel(d, name);
		wire_message(&b->wire, LOCATIONS, &location.base);
	}
	free(line);
	free(lines);
}

static void
write_functions(struct buffer *b)
{
	wire_bytes(&b->wire, FUNCTIONS, "", 0);
	for (uint32_t name = 1; name < b->otlp.b.tree->nname; name++) {
		Otlp__Function function = OTLP__FUNCTION__INIT;
		struct dictionary_function is = {0};

		if (name != b->otlp.b.gap)
			is = dictionary_function(&b->otlp.dictionary, name);
		function.name_strindex = (int32_t)is.name;
		function.system_name_strindex = (int32_t)is.exact;
		function.filename_strindex = (int32_t)is.file;
		wire_message(&b->wire, FUNCTIONS, &function.base);
	}
}

static void
write_stacks(struct buffer *b)
{
	const struct bridge *bridge = &b->otlp.b;
	struct dictionary *d = &b->otlp.dictionary;
	uint32_t depth = 0;

	wire_bytes(&b->wire, STACKS, "", 0);
	for (uint32_t node = CALLTREE_ROOT;
	     (node = calltree_next(bridge->tree, node, &depth)) != 0;) {
		Otlp__Stack stack = OTLP__STACK__INIT;

		if (!bridge_is_stack(bridge, node))
			continue;
		stack.n_location_indices = dictionary_path(d, node);
		stack.location_indices = (int32_t *)d->path;
		wire_message(&b->wire, STACKS, &stack.base);
	}
}

static void
write_dictionary(struct buffer *b)
{
	size_t dictionary = begin_long(b, DICTIONARY);
	const struct calltree *strings = b->otlp.dictionary.strings;

	wire_bytes(&b->wire, MAPPINGS, "", 0);
	for (uint32_t i = 1; i <= b->otlp.dictionary.nmodule; i++) {
		Otlp__Mapping mapping = OTLP__MAPPING__INIT;

		mapping.filename_strindex = (int32_t)b->otlp.dictionary.module[i];
		wire_message(&b->wire, MAPPINGS, &mapping.base);
	}
	write_locations(b);
	write_functions(b);
	wire_bytes(&b->wire, LINKS, "", 0);
	wire_bytes(&b->wire, ATTRIBUTES, "", 0);
	for (unsigned i = 1; i < OTLP_ATTRIBUTES; i++) {
		Otlp__Attribute attribute = OTLP__ATTRIBUTE__INIT;
		Otlp__AnyValue v = any_value(&b->otlp.attribute[i].value);

		attribute.key_strindex = (int32_t)b->otlp.attribute[i].key;
		attribute.value = &v;
		wire_message(&b->wire, ATTRIBUTES, &attribute.base);
	}
	write_stacks(b);
	wire_bytes(&b->wire, STRINGS, "", 0);
	for (uint32_t i = 1; i < strings->nname; i++)
		wire_bytes(&b->wire, STRINGS, strings->name[i].s, strings->name[i].len);
	end_long(b, DICTIONARY, dictionary);
}

static void
write_out(void *to, const void *bytes, size_t len)
{
	output_write(to, bytes, len);
}

void
bridge_otlp(const struct picture *picture, struct output *o)
{
	struct buffer b = {0};

	otlp_open(&b.otlp, picture);
	write_profiles(&b);
	write_dictionary(&b);
	b.wire.sink = write_out;
	b.wire.to = o;
	b.at = 0;
	dictionary_unround(&b.otlp.dictionary);
	write_profiles(&b);
	write_dictionary(&b);
	free(b.length);
	wire_free(&b.wire);
	otlp_close(&b.otlp);
}
#else
void
bridge_otlp(const struct picture *picture, struct output *o)
{
	(void)picture, (void)o;
	cli_die("-T otlp: this fg-render was built without protobuf-c");
}
#endif
