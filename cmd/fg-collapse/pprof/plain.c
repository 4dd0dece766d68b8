/*
 * plain: a loop over the bytes of a message.
 */
#ifdef HAVE_PROTOBUF
#include "fg-collapse/pprof/plain.h"

#include "fg-collapse/shape/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { VARINT = 0, BYTES = 2 }; /* wire types */
enum { SAMPLE_LABEL = 3, LOCATION_LINE = 4 }; /* fields */

struct rest {
	const unsigned char *at, *end;
};

static struct rest
rest_of(struct str bytes)
{
	const unsigned char *s = (const unsigned char *)bytes.s;

	return (struct rest){s, s + bytes.len};
}

static bool
long_varint(struct rest *r, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		uint64_t byte = *r->at++;

		if (shift == 63 && byte > 1)
			return false;
		*n |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static inline bool
varint(struct rest *r, uint64_t *n)
{
	if (r->at == r->end || *r->at >= 0x80)
		return long_varint(r, n);
	*n = *r->at++;
	return true;
}

/* Reads a tag of one byte. */
static inline bool
tag(struct rest *r, unsigned *field, unsigned *wire)
{
	*field = *r->at >> 3;
	*wire = *r->at & 7;
	return *r->at++ < 0x80 && *field > 0;
}

/* Reads a length of at most four bytes; sets *bytes to that part of r, which begins after it then.
 */
static inline bool
part(struct rest *r, struct rest *bytes)
{
	const unsigned char *begin = r->at;
	uint64_t n;

	if (!varint(r, &n) || r->at - begin > 4 || n > (uint64_t)(r->end - r->at))
		return false;
	*bytes = (struct rest){r->at, r->at + n};
	r->at += n;
	return true;
}

/* Reads a repeated field: a number, or a list of them. */
static inline bool
numbers(struct rest *r, unsigned wire, uint64_t **item, size_t *cap, size_t *n)
{
	struct rest packed = *r;

	if (wire == BYTES && !part(r, &packed))
		return false;
	if (wire != BYTES && wire != VARINT)
		return false;
	vec_fit(*item, *cap, *n + (wire == BYTES ? (size_t)(packed.end - packed.at) : 1));
	do {
		if (wire == BYTES && packed.at == packed.end)
			return true;
		if (!varint(&packed, &(*item)[(*n)++]))
			return false;
	} while (wire == BYTES);
	r->at = packed.at;
	return true;
}

static bool
numbers_until(struct rest r, uint64_t *number, unsigned n)
{
	unsigned field, wire;
	uint64_t unused;

	memset(number, 0, n * sizeof *number);
	while (r.at < r.end)
		if (!tag(&r, &field, &wire) || wire != VARINT ||
		    !varint(&r, field < n ? &number[field] : &unused))
			return false;
	return true;
}

/* Reads a label, the n-th of the sample. */
static bool
label(struct plain *p, struct rest *r, size_t n)
{
	struct rest bytes;
	uint64_t number[4];

	if (!part(r, &bytes) || !numbers_until(bytes, number, 4))
		return false;
	vec_fit(p->label, p->caplabel, n + 1);
	p->label[n] = (Pprof__Label){
	    .key = (int64_t)number[1], .str = (int64_t)number[2], .num = (int64_t)number[3]};
	return true;
}

const Pprof__Sample *
plain_sample(struct plain *p, struct str bytes)
{
	Pprof__Sample *s = &p->sample;
	uint64_t *value = (uint64_t *)s->value;
	struct rest r = rest_of(bytes);
	unsigned field, wire;
	bool good = true;

	s->n_location_id = s->n_value = s->n_label = 0;
	while (good && r.at < r.end) {
		good = tag(&r, &field, &wire);
		if (good && field == 1)
			good = numbers(&r, wire, &s->location_id, &p->capid, &s->n_location_id);
		else if (good && field == 2)
			good = numbers(&r, wire, &value, &p->capvalue, &s->n_value);
		else
			good = good && field == SAMPLE_LABEL && wire == BYTES &&
			       label(p, &r, s->n_label++);
	}
	s->value = (int64_t *)value;
	vec_fit(p->labels, p->caplabels, s->n_label);
	for (size_t i = 0; good && i < s->n_label; i++)
		p->labels[i] = &p->label[i];
	s->label = p->labels;
	return good ? s : NULL;
}

bool
plain_numbers(struct str bytes, uint64_t *number, unsigned n)
{
	return numbers_until(rest_of(bytes), number, n);
}

const Pprof__Location *
plain_location(struct plain *p, struct str bytes)
{
	Pprof__Location *l = &p->location;
	struct rest r = rest_of(bytes), line;
	uint64_t number[LOCATION_LINE] = {0}, of_line[3];
	unsigned field, wire;

	l->n_line = 0;
	while (r.at < r.end) {
		if (!tag(&r, &field, &wire))
			return NULL;
		if (field != LOCATION_LINE && wire == VARINT) {
			if (!varint(&r, &number[field < LOCATION_LINE ? field : 0]))
				return NULL;
		} else if (field == LOCATION_LINE && wire == BYTES) {
			if (!part(&r, &line) || !numbers_until(line, of_line, 3))
				return NULL;
			vec_fit(p->line, p->capline, l->n_line + 1);
			p->line[l->n_line++] =
			    (Pprof__Line){.function_id = of_line[1], .line = (int64_t)of_line[2]};
		} else {
			return NULL;
		}
	}
	l->id = number[1];
	l->mapping_id = number[2];
	l->address = number[3];
	vec_fit(p->lines, p->caplines, l->n_line);
	for (size_t i = 0; i < l->n_line; i++)
		p->lines[i] = &p->line[i];
	l->line = p->lines;
	return l;
}

size_t
plain_valued(struct plain *p, struct str profile, uint32_t field, size_t types, size_t type)
{
	size_t first = types;
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, NULL, profile, 0);
	while (protobuf_next(&walk, &f)) {
		const Pprof__Sample *m =
		    f.number == field && f.wire == PROTOBUF_BYTES ? plain_sample(p, f.bytes) : NULL;

		if (m == NULL || m->n_value != types)
			continue;
		if (m->value[type] != 0)
			return type;
		for (size_t i = 0; i < first; i++)
			if (m->value[i] != 0)
				first = i;
	}
	return first < types ? first : type;
}

void
plain_free(struct plain *p)
{
	free(p->sample.location_id);
	free(p->sample.value);
	free(p->label);
	free(p->labels);
	free(p->line);
	free(p->lines);
}
#endif
