/*
 * messages: tables for shape/protobuf.
 */
#include "fg-collapse/pprof/messages.h"

#include <stdlib.h>

static const struct protobuf_member label[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_label, key),
    [2] = PROTOBUF_MEMBER(NUMBER, struct pprof_label, str),
    [3] = PROTOBUF_MEMBER(NUMBER, struct pprof_label, num),
};

static const struct protobuf_member sample[] = {
    [1] = PROTOBUF_MEMBER(NUMBERS, struct pprof_sample, location),
    [2] = PROTOBUF_MEMBER(NUMBERS, struct pprof_sample, value),
    [3] = PROTOBUF_EACH(struct pprof_sample, label, struct pprof_label, label),
};

static const struct protobuf_member line[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_line, function),
    [2] = PROTOBUF_MEMBER(NUMBER, struct pprof_line, line),
};

static const struct protobuf_member location[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_location, id),
    [2] = PROTOBUF_MEMBER(NUMBER, struct pprof_location, mapping),
    [3] = PROTOBUF_MEMBER(NUMBER, struct pprof_location, address),
    [4] = PROTOBUF_EACH(struct pprof_location, line, struct pprof_line, line),
};

const struct protobuf_member pprof_function[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_function, id),
    [2] = PROTOBUF_MEMBER(NUMBER, struct pprof_function, name),
    [3] = PROTOBUF_MEMBER(NUMBER, struct pprof_function, system_name),
    [4] = PROTOBUF_MEMBER(NUMBER, struct pprof_function, file),
};

const struct protobuf_member pprof_mapping[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_mapping, id),
    [5] = PROTOBUF_MEMBER(NUMBER, struct pprof_mapping, file),
};

const struct protobuf_member pprof_type[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct pprof_type, type),
    [2] = PROTOBUF_MEMBER(NUMBER, struct pprof_type, unit),
};

bool
pprof_read_sample(struct str bytes, struct pprof_sample *s)
{
	s->location.n = s->value.n = s->label.n = 0;
	return protobuf_read(bytes, sample, PROTOBUF_ROWS(sample), s);
}

bool
pprof_read_location(struct str bytes, struct pprof_location *l)
{
	l->line.n = 0;
	l->id = l->mapping = l->address = 0;
	return protobuf_read(bytes, location, PROTOBUF_ROWS(location), l);
}

size_t
pprof_valued(struct pprof_sample *s, struct str profile, uint32_t field, size_t types, size_t type)
{
	size_t first = types;
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, NULL, profile, 0);
	while (protobuf_next(&walk, &f)) {
		if (f.number != field || f.wire != PROTOBUF_BYTES ||
		    !pprof_read_sample(f.bytes, s) || s->value.n != types)
			continue;
		if (s->value.at[type] != 0)
			return type;
		for (size_t i = 0; i < first; i++)
			if (s->value.at[i] != 0)
				first = i;
	}
	return first < types ? first : type;
}

void
pprof_sample_free(struct pprof_sample *s)
{
	protobuf_numbers_free(&s->location);
	protobuf_numbers_free(&s->value);
	free(s->label.at);
}
