/*
 * modulecost: a list, since few modules take as long as an interval.
 */
#include "fg-record/telling/modulecost.h"

#include "base/vec.h"

#define NS UINT64_C(120000000000)
#define NS_LEAST UINT64_C(8000000000)
#define BYTES_LEAST (UINT64_C(64) << 20)
/* Modules with a cost: their numbers are from a process that reads hostile files. */
#define MODULES_MAX 4096

static uint64_t
halved(uint64_t most, unsigned times, uint64_t least)
{
	const uint64_t limit = times < 64 ? most >> times : 0;

	return limit > least ? limit : least;
}

void
modulecost_begin(struct modulecost *c, uint64_t memory, unsigned failures)
{
	c->n = 0;
	c->ns = halved(NS, failures, NS_LEAST);
	c->bytes = halved(memory / 2, failures, BYTES_LEAST);
}

enum modulecost_answer
modulecost_add(struct modulecost *c, uint32_t module, uint64_t ns, uint64_t bytes)
{
	struct modulecost_entry *e = NULL;

	for (size_t i = 0; i < c->n && e == NULL; i++)
		if (c->entry[i].module == module)
			e = &c->entry[i];
	if (e == NULL) {
		if (c->n == MODULES_MAX)
			return MODULECOST_INVALID;
		vec_fit(c->entry, c->cap, c->n + 1);
		e = &c->entry[c->n++];
		*e = (struct modulecost_entry){.module = module};
	}
	e->ns += ns;
	e->bytes += bytes;
	return e->ns >= c->ns	      ? MODULECOST_TIME
	       : e->bytes >= c->bytes ? MODULECOST_MEMORY
				      : MODULECOST_WITHIN;
}
