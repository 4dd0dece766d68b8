/* ids: a growing array, searched linearly. */
#include "fg-record/asking/ids.h"

#include "base/vec.h"

void
ids_add(struct ids *ids, int id)
{
	vec_fit(ids->id, ids->cap, ids->n + 1);
	ids->id[ids->n++] = id;
}

bool
ids_have(const struct ids *ids, int id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return true;
	return false;
}

void
ids_add_new(struct ids *ids, int id)
{
	if (!ids_have(ids, id))
		ids_add(ids, id);
}
