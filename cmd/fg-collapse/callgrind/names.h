/*
 * names: those of one kind in a file, each once, and what their numbers in it stand for.
 */
#ifndef CALLGRIND_NAMES_H
#define CALLGRIND_NAMES_H

#include <stdint.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/text.h"

/* All zero is an empty one. */
struct names {
	struct text text;
	struct name {
		size_t at, len;
	} * name;
	uint32_t n, cap;
	struct hash_index index;
	uint32_t *low; /* what small numbers stand for, + 1 */
	uint32_t caplow;
	struct intmap high; /* and the others */
};

void names_free(struct names *t);

/*
 * The place of `(12) name`, which numbers it, of `(12)` after that, or of `name`. A number
 * without a name stays one: the piece of the file that had it is elsewhere.
 */
uint32_t names_read(struct names *t, struct str s);

static inline struct str
names_get(const struct names *t, uint32_t n)
{
	return (struct str){t->text.s + t->name[n].at, t->name[n].len};
}

#endif
