/* objects: arrays by object; references are IDs until the last object is known. */
#include "fg-collapse/heapdump/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

#define ALIGNMENT 8 /* bytes, of objects: the least, which nearly all dumps have */
#define ALIGNMENT_MAX 256
#define ALIGNED_MIN 64 /* objects that show the alignment of all */

/*
 * HotSpot's: compressed references and class pointers, each of them, none (with shorter heads of
 * arrays since JDK 23), and compact headers.
 */
static const struct object_layout layouts[OBJECT_LAYOUTS] = {{4, 12, 16, ALIGNMENT},
    {8, 12, 16, ALIGNMENT}, {8, 16, 24, ALIGNMENT}, {8, 16, 20, ALIGNMENT}, {4, 8, 12, ALIGNMENT},
    {8, 8, 12, ALIGNMENT}};

uint64_t
object_size(const struct object_layout *l, const struct object_shape *shape, uint32_t count)
{
	uint64_t n = l->header + (uint64_t)shape->references * l->reference + shape->bytes;

	if (shape->array) {
		const uint64_t element = shape->element != 0 ? shape->element : l->reference;

		n = (l->array_header + element - 1) / element * element + count * element;
	}
	return (n + l->alignment - 1) / l->alignment * l->alignment;
}

/* The last object ends at the next one, or before. */
static void
see_distance(struct objects *o, uint64_t next)
{
	const uint64_t last = o->last_id;

	for (size_t i = 0; last != 0 && next > last && i < OBJECT_LAYOUTS; i++) {
		const uint64_t size = object_size(&layouts[i], &o->last, o->last_count);

		o->fits[i] += next - last == size;
		o->fails[i] += next - last < size;
	}
}

struct object_layout
objects_layout(const struct objects *o, unsigned id_size)
{
	struct object_layout layout;
	size_t best = 0;

	if (id_size == 4)
		return (struct object_layout){4, 8, 12, ALIGNMENT};
	for (size_t i = 1; i < OBJECT_LAYOUTS; i++)
		if (o->fails[i] != o->fails[best] ? o->fails[i] < o->fails[best]
						  : o->fits[i] > o->fits[best])
			best = i;
	layout = layouts[best];
	while (o->n >= ALIGNED_MIN && layout.alignment < ALIGNMENT_MAX &&
	       o->addresses % (2 * layout.alignment) == 0)
		layout.alignment *= 2;
	return layout;
}

bool
objects_add(struct objects *o, uint64_t id, uint32_t class, const struct object_shape *shape,
    uint32_t count)
{
	if (o->n >= UINT32_MAX - 16)
		return false;
	if (shape != NULL) {
		see_distance(o, id);
		o->addresses |= id;
		o->last = *shape;
		o->last_count = count;
	}
	o->last_id = shape != NULL ? id : 0;
	vec_fit(o->id, o->cap, (size_t)o->n + 1);
	vec_fit(o->class, o->capclass, (size_t)o->n + 1);
	vec_fit(o->count, o->capcount, (size_t)o->n + 1);
	vec_fit(o->first, o->capfirst, (size_t)o->n + 2);
	o->id[o->n] = id;
	o->class[o->n] = class;
	o->count[o->n] = count;
	o->first[o->n++] = o->nedge;
	return true;
}

bool
objects_refer(struct objects *o, uint64_t id)
{
	if (id == 0)
		return true;
	if (o->nedge >= UINT32_MAX - 16)
		return false;
	vec_fit(o->edge, o->capedge, (size_t)o->nedge + 1);
	o->edge[o->nedge++] = id;
	return true;
}

/* The slot of an ID, or the free one for it. */
static uint32_t *
slot_of(const struct objects *o, uint64_t id)
{
	for (uint64_t i = hash_number(id);; i++) {
		uint32_t *s = &o->slot[i & (o->slots - 1)];

		if (*s == 0 || o->id[*s - 1] == id)
			return s;
	}
}

void
objects_index(struct objects *o)
{
	for (o->slots = 64; o->slots < (uint64_t)o->n + o->n / 2;)
		o->slots *= 2;
	o->slot = cli_alloc(o->slots, sizeof *o->slot);
	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t *s = slot_of(o, o->id[i]);

		o->duplicates += *s != 0;
		*s = *s != 0 ? *s : i + 1;
	}
}

uint32_t
objects_find(const struct objects *o, uint64_t id)
{
	return *slot_of(o, id) - 1; /* 0 - 1 is DOMINATORS_NONE */
}

struct graph
objects_graph(struct objects *o)
{
	uint32_t *edge = (uint32_t *)o->edge;

	for (uint32_t i = 0; i < o->nedge; i++) { /* in place: the numbers are smaller */
		uint64_t id;

		memcpy(&id, &o->edge[i], sizeof id);
		id = objects_find(o, id);
		o->dangling += id == DOMINATORS_NONE;
		memcpy(&edge[i], &(uint32_t){(uint32_t)id}, sizeof *edge);
	}
	o->first[o->n] = o->nedge;
	free(o->id);
	free(o->slot);
	o->id = NULL;
	o->slot = NULL;
	o->edge = NULL;
	if (o->nedge > 0)
		edge = cli_realloc(edge, o->nedge, sizeof *edge);
	return (struct graph){.n = o->n, .first = o->first, .edge = edge};
}

void
objects_free(struct objects *o)
{
	free(o->id);
	free(o->class);
	free(o->count);
	free(o->edge);
	free(o->slot);
}
