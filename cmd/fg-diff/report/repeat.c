/*
 * repeat: a table of one slot for each hash; a new part takes the place of an older one.
 */
#include "fg-diff/report/repeat.h"

#include <stdlib.h>
#include <string.h>

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
	return &r->slot[hash_bytes(x, sizeof *x) % SLOTS];
}

bool
repeat_take(const struct repeat *r, struct text *report, const struct change *x)
{
	const struct repeat_slot *slot = slot_of(r, x);

	/* bytes that fill the structure may differ: then the part is formatted again */
	if (slot->of == NULL || memcmp(slot->of, x, sizeof *x) != 0)
		return false;
	text_reserve(report, slot->len);
	text_add(report, report->s + slot->at, slot->len);
	return true;
}

void
repeat_keep(struct repeat *r, const struct text *report, size_t at, const struct change *x)
{
	*slot_of(r, x) = (struct repeat_slot){x, at, report->len - at};
}

void
repeat_free(struct repeat *r)
{
	free(r->slot);
}
