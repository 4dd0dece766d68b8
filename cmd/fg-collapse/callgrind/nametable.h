/*
 * nametable: the distinct names of one kind in a file, and their numbers in it.
 */
#ifndef NAMETABLE_H
#define NAMETABLE_H

#include <stdint.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/text.h"

/* All zero is an empty table. */
struct nametable {
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

void nametable_free(struct nametable *t);

/*
 * Index of `(12) name`, which defines number 12, of `(12)` after that, or of `name`. An
 * undefined number is its own name: its definition is in another part of the profile.
 */
uint32_t nametable_read(struct nametable *t, struct str s);

static inline struct str
nametable_get(const struct nametable *t, uint32_t n)
{
	return (struct str){t->text.s + t->name[n].at, t->name[n].len};
}

#endif
