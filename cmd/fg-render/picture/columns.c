/*
 * columns: all frames of the picture for the viewer, none omitted, as runs in pre-order. A run is a
 * frame, its first callee, the first callee of that, and so on, up to the first frame that has a
 * self value or no callees. Many runs have the same names as an earlier one, above all those of
 * threads that run the same code: such a run refers to the earlier one by number. Runs of LONG
 * frames and more that refer to no other have numbers, in order. The parts of the data, as varints
 * (LEB128):
 *
 *	runs	for each run the number of levels from the last frame of the run before up to the
 *		caller of its first frame; then its number of frames, or 0 and the number of the
 *		run that it equals, as difference (zigzag) to the expected one: the number after
 *		that of the last run that has a number or refers to one
 *	ids	names of the frames of all runs that refer to no other
 *	value0	for each run the self value of its last frame; its other frames have none
 *	value1	the same for the second column, and so on, as differences to the first (zigzag)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"

/* Returns v * p->scale, which is an integer. Exits with an error if it is too large. */
uint64_t
columns_integer(const struct picture *p, value v)
{
	if (v / VALUE_ONE > UINT64_MAX / 4 / p->drawn.scale)
		cli_die("a value is too large to draw");
	return (
	    uint64_t)(v / VALUE_ONE * p->drawn.scale + v % VALUE_ONE * p->drawn.scale / VALUE_ONE);
}

static uint64_t
integer(const struct picture *p, uint32_t node, unsigned k)
{
	const struct value_array *self = &p->tree->self[p->drawn.column[k]];
	uint64_t cell = self->cell[node];

	if (p->drawn.scale == 1 && cell < VALUE_WIDE)
		return cell;
	return columns_integer(p, value_array_get(self, node));
}

static void
zigzag(struct text *b, uint64_t from, uint64_t to)
{
	payload_varint(b, to >= from ? 2 * (to - from) : 2 * (from - to) - 1);
}

#define LONG 4 /* frames; also in data.js. Ids of shorter runs take as few bytes as a number */

struct ids { /* the names of a run, as a part of columns.ids, in bytes */
	size_t at, len;
};

/* Runs that have numbers, which start at 1. */
struct numbered {
	struct ids *run;
	uint32_t n, cap;
	uint32_t expected; /* number of the next run that refers to one */
	struct hash_index index;
};

/* Returns the number of the run whose ids are those from `from` on; 0: it is new, and gets one. */
static uint32_t
number(struct numbered *runs, const struct text *ids, size_t from)
{
	const char *s = ids->s + from;
	size_t len = ids->len - from;
	uint32_t hash = (uint32_t)hash_bytes(s, len);

	for (uint32_t at = hash, n; (n = hash_index_next(&runs->index, hash, &at)) != 0;)
		if (runs->run[n - 1].len == len &&
		    memcmp(ids->s + runs->run[n - 1].at, s, len) == 0)
			return n;
	vec_fit(runs->run, runs->cap, runs->n + 1);
	runs->run[runs->n++] = (struct ids){from, len};
	hash_index_add(&runs->index, hash, runs->n);
	runs->expected = runs->n + 1;
	return 0;
}

/* Adds a run of `frames` frames, whose ids are those from `from` on, `up` levels up. */
static void
add_run(struct columns *c, struct numbered *runs, size_t from, uint32_t frames, uint32_t up)
{
	uint32_t n = frames < LONG ? 0 : number(runs, &c->ids, from);

	payload_varint(&c->runs, up);
	if (n == 0) {
		payload_varint(&c->runs, frames);
		return;
	}
	c->ids.len = from;
	payload_varint(&c->runs, 0);
	zigzag(&c->runs, runs->expected, n);
	runs->expected = n + 1;
}

static void
add_values(const struct picture *p, struct columns *c, uint32_t node)
{
	uint64_t first = integer(p, node, 0);

	payload_varint(&c->value[0], first);
	for (unsigned k = 1; k < p->drawn.n; k++)
		zigzag(&c->value[k], first, integer(p, node, k));
}

#define ID 8 /* bytes */

struct code {
	char byte[ID]; /* an id as a varint; the last byte is its length */
};

/* Returns the codes of the ids by name. The caller frees them. */
static struct code *
encode_ids(const struct picture *p)
{
	struct code *code = cli_alloc(p->tree->nname, sizeof *code);

	for (uint32_t i = 0; i < p->tree->nname; i++) {
		char *byte = code[i].byte;

		byte[ID - 1] = (char)(payload_put(byte, p->names.rank[i]) - byte);
	}
	return code;
}

/* Ensures capacity for a code at the end of ids. Returns the last place with capacity for one. */
static char *
last_place(struct text *ids)
{
	text_reserve(ids, ID);
	return ids->s + ids->cap - ID;
}

void
columns_build(const struct picture *p, struct columns *c)
{
	/* a copy, since the compiler cannot rule out that the ids overlap the tree */
	const struct calltree tree = *p->tree;
	const uint64_t *first = tree.self[p->drawn.column[0]].cell;
	bool one = p->drawn.n == 1;
	struct numbered runs = {.expected = 1};
	struct code *code = encode_ids(p);
	struct text *ids = &c->ids;
	uint32_t node = CALLTREE_ROOT, depth = 0, up = 0;
	char *place;

	*c = (struct columns){0};
	place = last_place(ids);
	do {
		uint32_t last, level, frames = 0;
		size_t from = ids->len;
		char *id = ids->s + from;

		do {
			const char *byte = code[tree.node[node].name].byte;

			if (id > place) {
				ids->len = (size_t)(id - ids->s);
				place = last_place(ids);
				id = ids->s + ids->len;
			}
			memcpy(id, byte, ID);
			id += byte[ID - 1];
			frames++;
			last = node;
			level = depth;
			node = calltree_next(&tree, node, &depth);
		} while (depth > level && first[last] == 0 && (one || !layout_has_other(p, last)));
		ids->len = (size_t)(id - ids->s);
		add_run(c, &runs, from, frames, up);
		add_values(p, c, last);
		up = level + 1 - depth;
	} while (node != CALLTREE_ROOT);
	free(code);
	free(runs.run);
	hash_index_free(&runs.index);
	payload_begin(&c->payload[0], &c->runs);
	payload_begin(&c->payload[1], &c->ids);
	for (unsigned k = 0; k < p->drawn.n; k++)
		payload_begin(&c->payload[2 + k], &c->value[k]);
}

void
columns_write(const struct picture *p, struct columns *c, struct output *o)
{
	bool large = p->tree->nnode >= VIEWER_WORKER;

	if (large)
		output_text(o, "<g>\n");
	payload_end(&c->payload[0], "runs", o);
	payload_end(&c->payload[1], "ids", o);
	for (unsigned k = 0; k < p->drawn.n; k++) {
		char name[16];

		snprintf(name, sizeof name, "value%u", k);
		payload_end(&c->payload[2 + k], name, o);
	}
	if (large)
		output_text(o, "</g>\n");
}

void
columns_free(struct columns *c)
{
	text_free(&c->runs);
	text_free(&c->ids);
	for (unsigned k = 0; k < CALLTREE_COLUMNS; k++)
		text_free(&c->value[k]);
}

/* Returns the length of the ASCII at the start of s. */
static size_t
ascii(const char *s, size_t len)
{
	size_t n = 0;
	uint64_t c;

	for (; n + sizeof c <= len; n += sizeof c) {
		memcpy(&c, s + n, sizeof c);
		if ((c & UINT64_C(0x8080808080808080)) != 0)
			break;
	}
	while (n < len && (unsigned char)s[n] < 0x80)
		n++;
	return n;
}

uint32_t
columns_units(const char *s, size_t len)
{
	size_t i = ascii(s, len);
	uint32_t n = (uint32_t)i;

	for (; i < len; i++) /* UTF-16 units: one per first byte, two above U+FFFF */
		n += ((unsigned char)s[i] & 0xc0) == 0x80 ? 0 : (unsigned char)s[i] >= 0xf0 ? 2 : 1;
	return n;
}

#define SHARED 91 /* maximum length of a stored prefix, in UTF-16 units */

/*
 * Returns the length of the common prefix of two names in bytes; *units is its length in
 * UTF-16 units, at most SHARED.
 */
static size_t
shared(const struct calltree_name *a, const struct calltree_name *b, unsigned *units)
{
	size_t len = a->len < b->len ? a->len : b->len, same = 0, i;

	while (same + 8 <= len && memcmp(a->s + same, b->s + same, 8) == 0)
		same += 8;
	while (same < len && a->s[same] == b->s[same])
		same++;
	i = ascii(a->s, same < SHARED ? same : SHARED);
	*units = (unsigned)i;
	while (i < same) {
		unsigned char c = (unsigned char)a->s[i];
		size_t bytes = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		unsigned n = bytes == 4 ? 2 : 1;

		if (i + bytes > same || *units + n > SHARED)
			break;
		i += bytes;
		*units += n;
	}
	return i;
}

void
columns_names(const struct picture *p, struct output *o)
{
	static const struct calltree_name none = {.s = ""};
	uint32_t n = p->tree->nname;
	const struct calltree_name **sorted = cli_alloc(n, sizeof *sorted);
	struct calltree_name last = none;
	struct text b = {0};

	for (uint32_t i = 0; i < n; i++)
		sorted[p->names.rank[i]] = &p->names.text[i];
	for (uint32_t i = 1; i < n; i++) {
		unsigned units;
		size_t same = shared(&last, sorted[i], &units);

		if (i > 1)
			text_char(&b, '\n');
		text_char(&b, (char)(35 + units));
		text_add(&b, sorted[i]->s + same, sorted[i]->len - same);
		last = *sorted[i];
	}
	payload_write(o, "names", &b);
	text_free(&b);
	free(sorted);
}
