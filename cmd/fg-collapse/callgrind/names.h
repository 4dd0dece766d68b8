/*
 * names: the distinct names of one kind in a file, and their numbers in it.
 */
#ifndef CALLGRIND_NAMES_H
#define CALLGRIND_NAMES_H

#include <stdint.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/text.h"

/* All zero is an empty table. */
struct names {
	struct text text;
	struct name {
		size_t at, len;
	} * name;
	uint32_t n, cap;
	struct hash_index index;
	uint32_t *low; /* by small number: index of the name, plus 1 */
	uint32_t caplow;
	struct intmap high; /* by large number: index of the name, plus 1 */
};

void names_free(struct names *t);

/*
 * Index of `(12) name`, which defines number 12, of `(12)` after that, or of `name`. An
 * undefined number is its own name: its definition is in another part of the profile.
 */
uint32_t names_read(struct names *t, struct str s);

static inline struct str
names_get(const struct names *t, uint32_t n)
{
	return (struct str){t->text.s + t->name[n].at, t->name[n].len};
}

#endif
