/*
 * coderanges: an array sorted by start and order.
 */
#include "fg-collapse/nettrace/coderanges.h"

#include "base/sort.h"
#include "base/vec.h"

void
coderanges_add(struct coderanges *c, uint64_t start, uint64_t last, size_t name, size_t len)
{
	vec_fit(c->range, c->cap, c->n + 1);
	c->range[c->n] = (struct coderange){start, last, name, len, (uint32_t)c->n};
	c->n++;
}

static int
compare_ranges(const void *a, const void *b)
{
	const struct coderange *x = a, *y = b;

	return x->start != y->start ? (x->start > y->start ? 1 : -1)
				    : (x->order > y->order) - (x->order < y->order);
}

void
coderanges_sort(struct coderanges *c)
{
	if (c->n > 0)
		sort_items(c->range, c->n, sizeof *c->range, compare_ranges);
}

static const struct coderange *
range_at(const struct coderanges *c, uint64_t address)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address <= c->range[low - 1].last ? &c->range[low - 1] : NULL;
}

const struct coderange *
coderanges_at(const struct coderanges *c, uint64_t address)
{
	const struct coderange *at = range_at(c, address);

	return at != NULL || address == 0 ? at : range_at(c, address - 1);
}
