/*
 * namememo: remembers data about names of frames. A name has one of two slots, until another name
 * takes it.
 */
#ifndef NAMEMEMO_H
#define NAMEMEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/chars.h"
#include "base/text.h"

#define NAMEMEMO_SLOTS 4096u /* a power of two */
#define NAMEMEMO_NAME 256 /* bytes of a name that is kept */

struct namememo_slot {
	uint32_t len, size; /* of the name, and of memory for it */
	char *data; /* NULL: free; the name follows */
};

struct namememo {
	size_t size; /* bytes of data of one name */
	struct namememo_slot *slot; /* NULL before the first name */
};

/* Gives the name a slot, from hash on; its data are zero or those of a name that is gone. */
void *namememo_add(struct namememo *m, struct str name, uint32_t hash);

static inline bool
namememo_is(const struct namememo *m, uint32_t at, struct str name)
{
	const struct namememo_slot *s = &m->slot[at];

	return s->data != NULL && s->len == name.len &&
	       memcmp(s->data + m->size, name.s, name.len) == 0;
}

/*
 * The data of a name, valid until the next call; NULL for a name of more than NAMEMEMO_NAME bytes.
 * If *known is false, the caller fills them in.
 */
static inline void *
namememo_find(struct namememo *m, struct str name, bool *known)
{
	uint32_t hash;

	if (name.len > NAMEMEMO_NAME)
		return NULL;
	hash = chars_sketch(name.s, name.len) & (NAMEMEMO_SLOTS - 1);
	*known = true;
	if (m->slot != NULL && namememo_is(m, hash, name))
		return m->slot[hash].data;
	if (m->slot != NULL && namememo_is(m, hash ^ 1, name))
		return m->slot[hash ^ 1].data;
	*known = false;
	return namememo_add(m, name, hash);
}

/* Frees all names, each one's data by drop, unless that is NULL. */
void namememo_free(struct namememo *m, void (*drop)(void *data));

#endif
