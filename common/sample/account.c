/*
 * account: accounts for the units of the input that do not become samples, and finds
 * profiles without call chains.
 */
#include "sample/account.h"

void
sample_leave_out(struct sampler *s, uint64_t n)
{
	s->account.left_out += n;
}

void
sample_malformed(struct sampler *s, uint64_t n, value weight)
{
	s->account.malformed += n;
	s->account.lost = value_sum(s->account.lost, weight);
}

void
sample_missing(struct sampler *s, uint64_t n)
{
	if (s->account.first_missing == 0)
		s->account.first_missing = sample_units(s) + 1;
	s->account.missing += n;
	sample_malformed(s, n, 0);
}

uint64_t
sample_units(const struct sampler *s)
{
	return s->samples + s->account.left_out + s->account.malformed;
}

void
sample_units_are(struct sampler *s, uint64_t before, uint64_t n)
{
	s->account.left_out -= sample_units(s) - before - n;
}

bool
sampler_is_flat(const struct sampler *s)
{
	const uint32_t tasks = (s->named ? 1 : 0) + (s->options->group_by != NULL ? 1 : 0);

	for (uint32_t node = CALLTREE_ROOT, depth = 0;
	     (node = calltree_next(s->tree, node, &depth)) != CALLTREE_ROOT;)
		if (depth > tasks + 1)
			return false;
	return true;
}
