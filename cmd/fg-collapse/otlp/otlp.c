/*
 * otlp: OpenTelemetry profiles as protocol buffers, all versions of profiles/v1development
 * (otlplayout.h).
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <string.h>

#include "fg-collapse/otlp/otlplayout.h"
#include "fg-collapse/otlp/otlptables.h"
#include "fg-collapse/shape/protobuf.h"
#include "fg-collapse/shape/scan.h"

/* True if all fields in the first bytes of a message are numbered 1 to `most` and are not
 * numbers. */
static bool
has_parts(struct str bytes, uint32_t most)
{
	struct protobuf walk;
	struct protobuf_field f;
	unsigned n = 0;

	protobuf_init(&walk, NULL, bytes, 0);
	for (; protobuf_next(&walk, &f); n++)
		if (f.number > most || f.wire != PROTOBUF_BYTES)
			return false;
	return !walk.broken && n > 0;
}

/* Returns the contents of the first field, as far as available, and its number; empty if it is
 * not of bytes. */
static struct str
first_field(struct str bytes, uint32_t *number)
{
	size_t at = 1;

	*number = 0;
	if (bytes.len < 2 || (bytes.s[0] & 7) != PROTOBUF_BYTES)
		return (struct str){0};
	*number = (unsigned char)bytes.s[0] >> 3;
	while (at < bytes.len && at < 6 && (bytes.s[at] & 0x80) != 0)
		at++;
	return str_from(bytes, at + 1);
}

/* True if all complete messages of this number have fields numbered 1 to 3, or 1000, only. */
static bool
has_resources(struct str bytes)
{
	struct protobuf walk, inner;
	struct protobuf_field f, g;

	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f)) {
		protobuf_init(&inner, NULL, f.bytes, 0);
		while (f.number == RESOURCES && protobuf_next(&inner, &g))
			if ((g.number > 3 && g.number != 1000) || g.wire != PROTOBUF_BYTES)
				return false;
	}
	return true;
}

/* Confidence, 0 to 100, that these are the first bytes of a message. */
static int
sniff_message(struct str bytes)
{
	struct str inner;
	struct protobuf walk;
	struct protobuf_field f;
	uint32_t number;

	if (!has_parts(bytes, 2)) {
		/* The field is longer than the available bytes. */
		protobuf_init(&walk, NULL, bytes, 0);
		if (protobuf_next(&walk, &f) || !walk.cut)
			return 0;
	}
	inner = first_field(bytes, &number);
	if (number == DICTIONARY)
		return has_parts(inner, 7) ? 80 : 0;
	if (number != RESOURCES || !has_resources(bytes))
		return 0;
	protobuf_init(&walk, NULL, inner, 0);
	if (protobuf_next(&walk, &f))
		return f.wire == PROTOBUF_BYTES && (f.number == RESOURCE || f.number == INNER) ? 80
											       : 0;
	first_field(inner, &number);
	return walk.cut && (number == RESOURCE || number == INNER) ? 70 : 0;
}

/* The message after its 4-byte big-endian length, as collectors write files. */
static struct str
framed_message(struct str bytes)
{
	struct str message = str_from(bytes, 4);
	uint32_t n = 0;

	for (size_t i = 0; i < 4 && i < bytes.len; i++)
		n = n << 8 | (unsigned char)bytes.s[i];
	if (message.len > n)
		message.len = n;
	return message;
}

/* Messages, with the members of all versions. Numbers are int32: the lower bits. */
struct type {
	uint64_t type, unit;
};
static const struct protobuf_member type_fields[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct type, type),
    [2] = PROTOBUF_MEMBER(NUMBER, struct type, unit),
};

struct mapping {
	uint64_t file;
};
static const struct protobuf_member mapping_fields[] = {
    [4] = PROTOBUF_MEMBER(NUMBER, struct mapping, file),
};

struct function {
	uint64_t name, system_name, file;
};
static const struct protobuf_member function_fields[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct function, name),
    [2] = PROTOBUF_MEMBER(NUMBER, struct function, system_name),
    [3] = PROTOBUF_MEMBER(NUMBER, struct function, file),
};

struct line {
	uint64_t function;
	int64_t line;
};
static const struct protobuf_member line_fields[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct line, function),
    [2] = PROTOBUF_MEMBER(NUMBER, struct line, line),
};

struct location {
	uint64_t mapping, address;
	struct protobuf_items line; /* struct line */
	struct protobuf_numbers attribute, old_attribute; /* since 1.9; before */
};
static const struct protobuf_member location_fields[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct location, mapping),
    [2] = PROTOBUF_MEMBER(NUMBER, struct location, address),
    [3] = PROTOBUF_EACH(struct location, line, struct line, line_fields),
    [4] = PROTOBUF_MEMBER(NUMBERS, struct location, attribute),
    [5] = PROTOBUF_MEMBER(NUMBERS, struct location, old_attribute),
};

struct locations {
	struct protobuf_numbers location;
};
static const struct protobuf_member stack_fields[] = {
    [1] = PROTOBUF_MEMBER(NUMBERS, struct locations, location),
};

struct message {
	struct reader *reader;
	struct otlp otlp;
	const struct otlplayout *layout;
	struct location location; /* the current ones */
	struct locations stack;
};

static uint32_t
text_index(uint64_t n)
{
	return (int32_t)n >= 0 ? (uint32_t)n : TABLES_BAD;
}

static uint32_t
index_of(uint64_t n)
{
	return n < TABLES_BAD ? (uint32_t)n : TABLES_BAD;
}

static void
add_location(struct message *m, const struct protobuf *walk, const struct protobuf_field *f)
{
	/* Where there is a dictionary, mapping 0 is none, and so is an absent one. */
	struct location *l = &m->location;
	const struct protobuf_numbers *attributes =
	    m->layout->pieces ? &l->old_attribute : &l->attribute;
	const struct line *line;

	l->mapping = m->layout->dictionary ? 0 : UINT64_MAX;
	l->address = l->line.n = l->attribute.n = l->old_attribute.n = 0;
	if (!protobuf_message(walk, f, location_fields, l)) {
		tables_location(&m->otlp.tables, 0, TABLES_NONE);
		return;
	}
	tables_location(&m->otlp.tables, l->address, text_index(l->mapping));
	line = l->line.at;
	for (size_t i = 0; i < l->line.n; i++)
		tables_line(&m->otlp.tables, text_index(line[i].function),
		    line[i].line > 0 ? (uint64_t)line[i].line : 0);
	for (size_t i = 0; i < attributes->n; i++)
		otlp_location_attribute(&m->otlp, text_index(attributes->at[i]));
}

/* Reads a value as text: a string or a number. */
static void
read_value(const struct protobuf *outer, const struct protobuf_field *any, struct text *text)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_enter(&walk, outer, any);
	while (protobuf_next(&walk, &f)) {
		if (f.number == 1 && f.wire == PROTOBUF_BYTES) {
			text_cut(text, 0);
			text_add(text, f.bytes.s, strnlen(f.bytes.s, f.bytes.len));
		} else if (f.number == 3 && f.wire == PROTOBUF_VARINT) {
			text_cut(text, 0);
			text_printf(text, "%lld", (long long)f.n);
		}
	}
}

/* Reads a key, a string or the index of one, and a value as text. */
static void
read_attribute(const struct protobuf *outer, const struct protobuf_field *attribute,
    struct str *key, uint32_t *string, struct text *text)
{
	struct protobuf walk;
	struct protobuf_field f;

	*key = (struct str){0};
	*string = TABLES_NONE;
	text_cut(text, 0);
	protobuf_enter(&walk, outer, attribute);
	while (protobuf_next(&walk, &f)) {
		if (f.number == 1 && f.wire == PROTOBUF_BYTES)
			*key = f.bytes;
		else if (f.number == 1)
			*string = index_of(f.n);
		if (f.number == 2)
			read_value(&walk, &f, text);
	}
}

static void
add_attribute(struct message *m, const struct protobuf *walk, const struct protobuf_field *f)
{
	struct text text = {0};
	struct str key;
	uint32_t string;

	read_attribute(walk, f, &key, &string, &text);
	otlp_attribute(&m->otlp, key, string, text_as_str(&text));
	text_free(&text);
}

static void
add_stack(struct message *m, const struct protobuf *walk, const struct protobuf_field *f)
{
	struct protobuf_numbers *l = &m->stack.location;

	l->n = 0;
	otlp_stack(&m->otlp);
	if (!protobuf_message(walk, f, stack_fields, &m->stack))
		otlp_stack_location(&m->otlp, TABLES_BAD);
	else
		for (size_t i = 0; i < l->n; i++)
			otlp_stack_location(&m->otlp, index_of(l->at[i]));
}

/* Adds an element to a table; a malformed one gets an index too. */
static void
add_to_table(struct message *m, enum otlplayout_table table, const struct protobuf *walk,
    const struct protobuf_field *f)
{
	struct function function = {0};
	struct mapping mapping = {0};

	switch (table) {
	case NO_TABLE: break;
	case MAPPINGS:
		tables_mapping(&m->otlp.tables, protobuf_message(walk, f, mapping_fields, &mapping)
						    ? text_index(mapping.file)
						    : TABLES_NONE);
		break;
	case LOCATIONS: add_location(m, walk, f); break;
	case FUNCTIONS:
		if (!protobuf_message(walk, f, function_fields, &function))
			function = (struct function){UINT64_MAX, UINT64_MAX, UINT64_MAX};
		tables_function(&m->otlp.tables,
		    (struct tables_function){text_index(function.name),
			text_index(function.system_name), text_index(function.file)});
		break;
	case STRINGS: tables_string(&m->otlp.tables, f->bytes); break;
	case ATTRIBUTES: add_attribute(m, walk, f); break;
	case STACKS:
		if (!m->layout->pieces)
			add_stack(m, walk, f);
		break;
	}
}

/* Reads times of 8 bytes each. Older versions have varints of 9 bytes, so a length that is a
 * multiple of 9 is read as varints. */
static void
read_times(struct message *m, const struct protobuf_field *f)
{
	uint64_t n;

	if (f->wire == PROTOBUF_BYTES && f->bytes.len % 8 == 0 && f->bytes.len % 9 != 0) {
		for (size_t at = 0; at < f->bytes.len; at += 8) {
			n = 0;
			for (unsigned i = 0; i < 8; i++)
				n |= (uint64_t)(unsigned char)f->bytes.s[at + i] << 8 * i;
			otlp_sample_time(&m->otlp, n);
		}
		return;
	}
	for (size_t at = 0; protobuf_number(f, &at, &n);)
		otlp_sample_time(&m->otlp, n);
}

static void
read_sample(struct message *m, const struct protobuf *outer, const struct protobuf_field *sample)
{
	const struct otlplayout *l = m->layout;
	uint32_t start = 0, length = 0;
	struct protobuf walk;
	struct protobuf_field f;
	uint64_t n;

	otlp_sample(&m->otlp);
	protobuf_enter(&walk, outer, sample);
	while (protobuf_next(&walk, &f)) {
		if (f.number == l->start)
			start = index_of(f.n);
		else if (f.number == l->length)
			length = index_of(f.n);
		else if (f.number == l->stack)
			otlp_sample_stack(&m->otlp, index_of(f.n));
		else if (f.number == l->values)
			for (size_t at = 0; protobuf_number(&f, &at, &n);)
				otlp_sample_value(&m->otlp, (int64_t)n);
		else if (f.number == l->attributes)
			for (size_t at = 0; protobuf_number(&f, &at, &n);)
				otlp_sample_attribute(&m->otlp, index_of(n));
		else if (f.number == l->times)
			read_times(m, &f);
	}
	otlp_sample_piece(&m->otlp, start, length);
}

static void
take(struct message *m, uint64_t offset)
{
	m->otlp.lost = 0;
	otlp_take(&m->otlp);
	if (m->otlp.lost > 0)
		reader_malformed_bytes(m->reader, offset, m->otlp.lost, OTLP_LOST);
}

static void
read_profile(void *message, const struct protobuf *outer, const struct protobuf_field *profile)
{
	struct message *m = message;
	unsigned locations = m->layout->dictionary ? 3 : 5, dflt = m->layout->dictionary ? 9 : 16;
	unsigned period = !m->layout->dictionary ? 14 : m->layout->pieces ? 7 : 6, attributes = 11;
	struct type type = {0};
	struct protobuf walk;
	struct protobuf_field f;
	uint64_t n;

	otlp_profile(&m->otlp);
	protobuf_enter(&walk, outer, profile);
	while (protobuf_next(&walk, &f)) {
		if (f.number == SAMPLE_TYPE) {
			type = (struct type){0};
			if (protobuf_message(&walk, &f, type_fields, &type))
				otlp_type(&m->otlp, text_index(type.type), text_index(type.unit));
		} else if (f.number == SAMPLE && f.wire == PROTOBUF_BYTES) {
			read_sample(m, &walk, &f);
		} else if (f.number == period && f.wire == PROTOBUF_VARINT) {
			otlp_period(&m->otlp, f.n);
		} else if (f.number + 1 == period && f.wire == PROTOBUF_BYTES) {
			type = (struct type){0};
			if (protobuf_message(&walk, &f, type_fields, &type))
				otlp_period_type(
				    &m->otlp, text_index(type.type), text_index(type.unit));
		} else if (!m->layout->pieces && f.number == attributes) {
			for (size_t at = 0; protobuf_number(&f, &at, &n);)
				otlp_profile_attribute(&m->otlp, index_of(n));
		} else if (m->layout->pieces && f.number == locations) {
			for (size_t at = 0; protobuf_number(&f, &at, &n);)
				otlp_profile_location(&m->otlp, index_of(n));
		} else if (m->layout->pieces && f.number == dflt && f.wire == PROTOBUF_VARINT) {
			otlp_default(&m->otlp, index_of(f.n));
		} else if (!m->layout->dictionary) {
			add_to_table(m, otlplayout_table_of(false, f.number), &walk, &f);
		}
	}
	if (!m->layout->dictionary)
		take(m, profile->offset);
}

static void
read_resource(void *message, const struct protobuf *outer, const struct protobuf_field *resource)
{
	struct message *m = message;
	struct text text = {0};
	struct protobuf walk;
	struct protobuf_field f;
	struct str key;
	uint32_t string;

	protobuf_enter(&walk, outer, resource);
	while (protobuf_next(&walk, &f))
		if (f.number == 1 && f.wire == PROTOBUF_BYTES) {
			read_attribute(&walk, &f, &key, &string, &text);
			otlp_resource_attribute(&m->otlp, key, text_as_str(&text));
		}
	text_free(&text);
}

static void
read_dictionary(struct message *m, const struct protobuf *outer, const struct protobuf_field *f)
{
	struct protobuf walk;
	struct protobuf_field g;

	protobuf_enter(&walk, outer, f);
	while (protobuf_next(&walk, &g))
		add_to_table(m, otlplayout_table_of(true, g.number), &walk, &g);
}

static void
read_message(struct reader *r, struct str bytes, uint64_t offset)
{
	struct message m = {.reader = r};
	struct protobuf walk;
	struct protobuf_field f;

	otlp_init(&m.otlp, r);
	m.layout = otlplayout_find(bytes);
	protobuf_init(&walk, r, bytes, offset);
	while (protobuf_next(&walk, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		if (f.number == RESOURCES) {
			otlp_resource(&m.otlp);
			otlplayout_each_profile(&walk, &f, read_profile, read_resource, &m);
		} else if (f.number == DICTIONARY) {
			read_dictionary(&m, &walk, &f);
		}
	}
	if (m.layout->dictionary)
		take(&m, offset);
	otlp_free(&m.otlp);
	free(m.location.line.at);
	protobuf_numbers_free(&m.location.attribute);
	protobuf_numbers_free(&m.location.old_attribute);
	protobuf_numbers_free(&m.stack.location);
}

static void
read_input(struct reader *r)
{
	struct str bytes;

	bytes.s = (const char *)source_whole(lines_source(r->lines), &bytes.len);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	if (sniff_message(bytes) > 0 || sniff_message(framed_message(bytes)) == 0) {
		read_message(r, bytes, 0);
	} else {
		for (struct str rest = bytes; rest.len > 0;) {
			struct str message = framed_message(rest);

			if (message.len > 0)
				read_message(r, message, (uint64_t)(message.s - bytes.s));
			rest = str_from(rest, 4 + message.len);
		}
	}
}

static int
sniff(const char *data, size_t len)
{
	struct str bytes = {data, len};
	int sure = sniff_message(bytes);

	return sure > 0 ? sure : sniff_message(framed_message(bytes));
}

const struct format otlp_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT | DATA_LABELS,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
