/*
 * columns: all frames of the picture for the viewer, none omitted, in pre-order: for each
 * frame the number of levels to pop, its name and its self values, as varints (LEB128).
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/payload.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "fg-render/visible.h"

/* Returns v * p->scale, which is an integer. Exits with an error if it is too large. */
uint64_t
columns_integer(const struct picture *p, value v)
{
	if (v / VALUE_ONE > UINT64_MAX / 4 / p->scale)
		cli_die("a value is too large to draw");
	return (uint64_t)(v / VALUE_ONE * p->scale + v % VALUE_ONE * p->scale / VALUE_ONE);
}

static uint64_t
integer(const struct picture *p, uint32_t node, unsigned k)
{
	const struct value_array *self = &p->tree->self[p->column[k]];
	uint64_t cell = self->cell[node];

	if (p->scale == 1 && cell < VALUE_WIDE)
		return cell;
	return columns_integer(p, value_array_get(self, node));
}

static void
zigzag(struct text *b, uint64_t from, uint64_t to)
{
	payload_varint(b, to >= from ? 2 * (to - from) : 2 * (from - to) - 1);
}

#define BATCH 1024 /* frames per check of capacity */

/* Appends the data of a batch of frames from `node` on; returns the next frame, 0 at the end. */
static uint32_t
add_batch(const struct picture *p, struct columns *c, uint32_t node, uint32_t *depth)
{
	const struct calltree *t = p->tree;
	const uint64_t *cell = t->self[p->column[0]].cell;
	uint64_t plain = p->scale == 1 ? VALUE_WIDE : 0; /* smaller cells are values as they are */
	char *pops, *ids, *own;

	text_reserve(&c->pops, (BATCH + 1) * PAYLOAD_VARINT);
	text_reserve(&c->ids, (BATCH + 1) * PAYLOAD_VARINT);
	text_reserve(&c->value[0], (BATCH + 1) * PAYLOAD_VARINT);
	pops = c->pops.s + c->pops.len;
	ids = c->ids.s + c->ids.len;
	own = c->value[0].s + c->value[0].len;
	if (node == CALLTREE_ROOT)
		pops = payload_put(pops, 0);
	for (int i = 0; i < BATCH; i++) {
		uint64_t self = cell[node] < plain ? cell[node] : integer(p, node, 0);
		uint32_t last = *depth;

		if (t->node[node].next != 0)
			__builtin_prefetch(&cell[t->node[node].next]);
		ids = payload_put(ids, p->rank[t->node[node].name]);
		own = payload_put(own, self);
		for (unsigned k = 1; k < p->ncolumn; k++)
			zigzag(&c->value[k], self, integer(p, node, k));
		node = calltree_next(t, node, depth);
		if (node == CALLTREE_ROOT)
			break;
		pops = payload_put(pops, last + 1 - *depth);
	}
	c->pops.len = (size_t)(pops - c->pops.s);
	c->ids.len = (size_t)(ids - c->ids.s);
	c->value[0].len = (size_t)(own - c->value[0].s);
	return node;
}

/* Reserves the least that a column takes: a byte for each frame. */
static void
reserve(struct text *b, size_t frames)
{
	text_reserve(b, frames + (BATCH + 1) * PAYLOAD_VARINT);
	cli_populate(b->s, frames);
}

void
columns_build(const struct picture *p, struct columns *c)
{
	uint32_t node = CALLTREE_ROOT, depth = 0;

	*c = (struct columns){0};
	reserve(&c->pops, p->tree->nnode);
	reserve(&c->ids, p->tree->nnode);
	reserve(&c->value[0], p->tree->nnode);
	do
		node = add_batch(p, c, node, &depth);
	while (node != CALLTREE_ROOT);
	payload_begin(&c->payload[0], &c->pops);
	payload_begin(&c->payload[1], &c->ids);
	for (unsigned k = 0; k < p->ncolumn; k++)
		payload_begin(&c->payload[2 + k], &c->value[k]);
}

void
columns_write(const struct picture *p, struct columns *c, struct output *o)
{
	payload_end(&c->payload[0], "pops", o);
	payload_end(&c->payload[1], "ids", o);
	for (unsigned k = 0; k < p->ncolumn; k++) {
		char name[16];

		snprintf(name, sizeof name, "value%u", k);
		payload_end(&c->payload[2 + k], name, o);
	}
}

void
columns_free(struct columns *c)
{
	text_free(&c->pops);
	text_free(&c->ids);
	for (unsigned k = 0; k < CALLTREE_COLUMNS; k++)
		text_free(&c->value[k]);
}

uint32_t
columns_units(const char *s, size_t len)
{
	uint32_t n = 0;

	for (size_t i = 0; i < len; i++) /* UTF-16 units: one per first byte, two above U+FFFF */
		n += ((unsigned char)s[i] & 0xc0) == 0x80 ? 0 : (unsigned char)s[i] >= 0xf0 ? 2 : 1;
	return n;
}

/*
 * Returns the length of the common prefix of two names in bytes; *units is its length in
 * UTF-16 units, at most 91.
 */
static size_t
shared(const struct calltree_name *a, const struct calltree_name *b, unsigned *units)
{
	size_t len = a->len < b->len ? a->len : b->len, same = 0, i = 0;

	while (same < len && a->s[same] == b->s[same])
		same++;
	*units = 0;
	while (i < same) {
		unsigned char c = (unsigned char)a->s[i];
		size_t bytes = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		unsigned n = bytes == 4 ? 2 : 1;

		if (i + bytes > same || *units + n > 91)
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
		sorted[p->rank[i]] = &p->text[i];
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
