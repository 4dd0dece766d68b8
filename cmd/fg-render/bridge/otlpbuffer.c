/*
 * otlpbuffer: OpenTelemetry's profiles as a protocol buffer. The length of a message precedes
 * it, so the data is walked twice: for messages that grow with the profile, the first walk counts
 * the bytes and the second one writes them.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fg-render/bridge/otlpout.h"
#include "fg-render/bridge/wire.h"
#include "fg-render/picture/payload.h"

/*
 * Field numbers of the message, of a resource's profiles, of a scope's profiles, and of a
 * profile.
 */
enum { RESOURCE_PROFILES = 1, DICTIONARY = 2 };
enum { RESOURCE = 1, SCOPE_PROFILES = 2 };
enum { SCOPE = 1, PROFILE = 2 };
enum { SAMPLE_TYPE = 1, SAMPLE = 2, PERIOD_TYPE = 5, PERIOD = 6, ATTRIBUTE_INDICES = 11 };
enum { SAMPLE_VALUES = 4, SAMPLE_TIMES = 5 };

/* Field numbers of the dictionary's tables. */
enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };

struct buffer {
	struct otlpout otlp;
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
write_samples(struct buffer *b, unsigned k)
{
	struct otlpout *o = &b->otlp;
	const struct bridge *bridge = &o->b;
	uint32_t depth = 0, stack = 0;

	for (uint32_t node = CALLTREE_ROOT;
	     (node = calltree_next(bridge->tree, node, &depth)) != 0;) {
		struct text *m, *list;
		size_t n;

		stack += bridge_is_stack(bridge, node);
		if (!bridge_ends(bridge, node, k))
			continue;
		m = wire_part(&b->wire);
		part_number(m, 1, stack);
		n = otlpout_values(o, node, k);
		list = wire_list(&b->wire);
		for (size_t i = 0; i < n; i++)
			payload_varint(list, (uint64_t)o->value[i]);
		part_list(m, SAMPLE_VALUES, text_as_str(list));
		list = wire_list(&b->wire);
		for (size_t i = 0; i < n && bridge->times != NULL; i++) {
			uint64_t time = htole64(o->time[i]);

			text_add(list, (const char *)&time, sizeof time);
		}
		part_list(m, SAMPLE_TIMES, text_as_str(list));
		wire_end(&b->wire, SAMPLE);
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

	type = dictionary_type(d, k);
	wire_pair(&b->wire, SAMPLE_TYPE, type.name, type.unit);
	write_samples(b, k);
	if (dictionary_period(d, k, &type, &period)) {
		wire_pair(&b->wire, PERIOD_TYPE, type.name, type.unit);
		wire_number(&b->wire, PERIOD, (uint64_t)period);
	}
	wire_bytes(&b->wire, ATTRIBUTE_INDICES, note, sizeof note);
	end_long(b, PROFILE, profile);
}

/* Adds a value to an attribute, in field 2: a string. */
static void
part_string(struct buffer *b, struct text *m, const struct text *s)
{
	struct text *any = wire_list(&b->wire);

	part_bytes(any, 1, s->s, s->len);
	part_bytes(m, 2, any->s, any->len);
}

static void
write_resource(struct buffer *b)
{
	struct text *m = wire_part(&b->wire), attribute = {0};

	for (size_t i = 0; i < b->otlp.nresource; i++) {
		text_cut(&attribute, 0);
		part_bytes(&attribute, 1, b->otlp.resource[i].key.s, b->otlp.resource[i].key.len);
		part_string(b, &attribute, &b->otlp.resource[i].value);
		part_bytes(m, 1, attribute.s, attribute.len);
	}
	if (m->len > 0)
		wire_end(&b->wire, RESOURCE);
	text_free(&attribute);
}

static void
write_profiles(struct buffer *b)
{
	struct text *scope;
	size_t profiles = begin_long(b, RESOURCE_PROFILES), scopes;

	write_resource(b);
	scopes = begin_long(b, SCOPE_PROFILES);
	scope = wire_part(&b->wire);
	part_bytes(scope, 1, OTLP_SCOPE, strlen(OTLP_SCOPE));
	wire_end(&b->wire, SCOPE);
	for (unsigned k = 0; k < b->otlp.b.carried.columns.n; k++)
		write_profile(b, k);
	otlpout_write_note(&b->otlp);
	end_long(b, SCOPE_PROFILES, scopes);
	end_long(b, RESOURCE_PROFILES, profiles);
}

static void
write_locations(struct buffer *b)
{
	const struct dictionary *d = &b->otlp.dictionary;

	wire_bytes(&b->wire, LOCATIONS, "", 0);
	for (uint32_t i = 1; i <= d->nlocation; i++) {
		struct text *m, *line;
		uint32_t outermost = i, name;

		if (d->location[i].number == 0)
			continue;
		while (d->location[outermost].outer != 0)
			outermost = d->location[outermost].outer;
		name = d->location[outermost].name; /* it gives the mapping and the kind */
		m = wire_part(&b->wire);
		part_number(m, 1, d->mapping[name]);
		for (uint32_t at = i; at != 0; at = d->location[at].outer) {
			line = wire_list(&b->wire);
			part_number(line, 1, d->location[at].name);
			part_number(line, 2, dictionary_line(d, d->location[at].name));
			part_bytes(m, 3, line->s, line->len);
		}
		line = wire_list(&b->wire);
		if (dictionary_kernel(d, name))
			payload_varint(line, OTLP_KERNEL);
		part_list(m, 4, text_as_str(line));
		wire_end(&b->wire, LOCATIONS);
	}
}

static void
write_functions(struct buffer *b)
{
	wire_bytes(&b->wire, FUNCTIONS, "", 0);
	for (uint32_t name = 1; name < b->otlp.b.tree->nname; name++) {
		struct dictionary_function is = {0};
		struct text *m = wire_part(&b->wire);

		if (name != b->otlp.b.gap)
			is = dictionary_function(&b->otlp.dictionary, name);
		part_number(m, 1, is.name);
		part_number(m, 2, is.exact);
		part_number(m, 3, is.file);
		wire_end(&b->wire, FUNCTIONS);
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
		if (!bridge_is_stack(bridge, node))
			continue;
		part_list(wire_part(&b->wire), 1, dictionary_path(d, node, depth, wire_code));
		wire_end(&b->wire, STACKS);
	}
}

static void
write_dictionary(struct buffer *b)
{
	size_t dictionary = begin_long(b, DICTIONARY);
	const struct calltree *strings = b->otlp.dictionary.strings;

	wire_bytes(&b->wire, MAPPINGS, "", 0);
	for (uint32_t i = 1; i <= b->otlp.dictionary.nmodule; i++) {
		part_number(wire_part(&b->wire), 4, b->otlp.dictionary.module[i]);
		wire_end(&b->wire, MAPPINGS);
	}
	write_locations(b);
	write_functions(b);
	wire_bytes(&b->wire, LINKS, "", 0);
	wire_bytes(&b->wire, ATTRIBUTES, "", 0);
	for (unsigned i = 1; i < OTLP_ATTRIBUTES; i++) {
		struct text *m = wire_part(&b->wire);

		part_number(m, 1, b->otlp.attribute[i].key);
		part_string(b, m, &b->otlp.attribute[i].value);
		wire_end(&b->wire, ATTRIBUTES);
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

	otlpout_open(&b.otlp, picture);
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
	otlpout_close(&b.otlp);
}
