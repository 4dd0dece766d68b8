/*
 * objects: the objects of a heap dump: their classes, sizes and references. Input: objects in any
 * order, with references by ID. Output: a graph of numbers (dominators.h), and bytes by object.
 *
 * A dump has the bytes of fields, not those that an object takes. They follow from the layout of
 * the virtual machine, which the distances between neighbouring objects show.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/heapdump/dominators.h"

/* The size of an object, apart from its layout. */
struct object_shape {
	bool array;
	unsigned element; /* bytes of an element that is not a reference; 0: references */
	uint32_t references, bytes; /* of other fields */
};

/* The layout of a virtual machine, in bytes. */
struct object_layout {
	unsigned reference, header, array_header, alignment;
};

#define OBJECT_LAYOUTS 6

struct objects {
	uint32_t n, cap, capclass, capcount, capfirst, nedge, capedge;
	uint64_t *id;
	uint32_t *class; /* number given to objects_add */
	uint32_t *count; /* elements of an array */
	uint32_t *first; /* index of its first edge */
	uint64_t *edge; /* IDs */
	uint64_t duplicates, dangling; /* objects with a known ID; references to unknown ones */

	/* Private. */
	uint32_t *slot; /* of a hash table by ID: index + 1 */
	uint64_t slots;
	uint64_t addresses; /* bits that are set in the ID of any object with a shape */
	uint64_t last_id; /* of the last object, if it has a shape; or 0 */
	struct object_shape last;
	uint32_t last_count;
	uint64_t fits[OBJECT_LAYOUTS], fails[OBJECT_LAYOUTS];
};

/*
 * Adds an object; its references follow. shape: NULL for a class, or for roots. False if
 * there are 2^32 of them.
 */
bool objects_add(struct objects *o, uint64_t id, uint32_t class, const struct object_shape *shape,
    uint32_t count);
bool objects_refer(struct objects *o, uint64_t id);

/* The index of an object, after the last one is known; or DOMINATORS_NONE. */
void objects_index(struct objects *o);
uint32_t objects_find(const struct objects *o, uint64_t id);

/* The layout of the dump. id_size: bytes of an ID. */
struct object_layout objects_layout(const struct objects *o, unsigned id_size);

uint64_t object_size(
    const struct object_layout *l, const struct object_shape *shape, uint32_t count);

/* Hands over the references as a graph; frees the IDs. */
struct graph objects_graph(struct objects *o);

void objects_free(struct objects *o);

#endif
