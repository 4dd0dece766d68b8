/*
 * repeat: a table of one slot for each hash; a new part takes the place of an older one.
 */
#include "fg-diff/report/repeat.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"

#define SLOTS 8192

struct repeat
repeat_new(void)
{
	struct repeat r;

	r.slot = cli_alloc(SLOTS, sizeof *r.slot);
	return r;
}

static struct repeat_slot *
slot_of(const struct repeat *r, const struct change *x)
{
	return &r->slot[hash_number((uintptr_t)x) % SLOTS];
}

bool
repeat_add(const struct repeat *r, struct text *report, const struct change *x)
{
	const struct repeat_slot *slot = slot_of(r, x);

	if (slot->of != x)
		return false;
	text_str(report, text_as_str(&slot->part));
	return true;
}

void
repeat_keep(struct repeat *r, const struct text *report, size_t at, const struct change *x)
{
	struct repeat_slot *slot = slot_of(r, x);

	slot->of = x;
	text_cut(&slot->part, 0);
	text_add(&slot->part, report->s + at, report->len - at);
}

void
repeat_free(struct repeat *r)
{
	for (size_t i = 0; i < SLOTS; i++)
		text_free(&r->slot[i].part);
	free(r->slot);
}
