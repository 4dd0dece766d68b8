/*
 * tableadd: adds lines to a table.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/table.h"

static void
add_values(struct table *t, uint32_t n, const uint64_t *count, const value *v)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (count[c] != FOLDED_NO_COUNT)
			value_array_count(&t->sum[c], n, count[c]);
		else
			value_array_add(&t->sum[c], n, v[c]);
}

static void
add_waiting(struct table *t, const struct tableadd_line *l)
{
	add_values(t, table_find_hashed(t, l->stack, l->len, l->hash), l->count, l->value);
}

void
tableadd_line(struct tableadd *a, struct table *t, struct str stack, const struct folded_line *l)
{
	struct tableadd_line *wait = &a->line[a->at];

	if (!t->unordered) {
		add_values(t, table_find(t, stack.s, stack.len), l->count, l->value);
		return;
	}
	wait->len = stack.len;
	vec_fit(wait->stack, wait->size, stack.len);
	memcpy(wait->stack, stack.s, stack.len);
	for (unsigned c = 0; c < t->columns; c++)
		if ((wait->count[c] = l->count[c]) == FOLDED_NO_COUNT)
			wait->value[c] = l->value[c];
	wait->hash = table_hash(t, wait->stack, wait->len);
	a->at ^= 1;
	if (a->waits)
		add_waiting(t, &a->line[a->at]);
	a->waits = true;
}

void
tableadd_end(struct tableadd *a, struct table *t)
{
	if (a->waits)
		add_waiting(t, &a->line[a->at ^ 1]);
	free(a->line[0].stack);
	free(a->line[1].stack);
	*a = (struct tableadd){0};
}
