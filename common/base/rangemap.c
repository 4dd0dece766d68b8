/*
 * rangemap: an array sorted by start. Each range links to the nearest earlier one with a larger
 * end, so a lookup is a binary search and a step per level of nesting.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/rangemap.h"
#include "base/vec.h"

/* Limit for hostile files, above real nesting; beyond it an address has no range. */
#define NESTING 256

void
rangemap_add(
    struct rangemap *m, uint64_t start, uint64_t end, bool open, const void *what, unsigned rank)
{
	if (start >= end || m->n == RANGEMAP_NONE)
		return;
	vec_fit(m->range, m->size, (size_t)m->n + 1);
	m->range[m->n++] = (struct range){start, end, what, RANGEMAP_NONE, (uint16_t)rank, open};
}

/* Orders ranges of equal start; the winner is last. */
static int
compare(const void *va, const void *vb, void *arg)
{
	const struct range *a = va, *b = vb;
	rangemap_prefer *const *prefer = arg;

	if (a->open != b->open)
		return a->open ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return *prefer != NULL ? (*prefer)(a->what, b->what) : 0;
}

static void
sort_by_start(struct range *r, size_t n)
{
	struct radix *key = cli_realloc(NULL, n, sizeof *key);
	struct range *sorted = cli_realloc(NULL, n, sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		key[i] = (struct radix){r[i].start, i};
	radix_sort(key, n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = r[key[i].value];
	memcpy(r, sorted, n * sizeof *r);
	free(sorted);
	free(key);
}

static void
sort(struct range *r, size_t n, rangemap_prefer *prefer)
{
	size_t end;

	for (size_t i = 1; i < n; i++)
		if (r[i].start < r[i - 1].start) {
			sort_by_start(r, n);
			break;
		}
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && r[end].start == r[i].start;)
			end++;
		if (end - i > 1)
			sort_items_of(r + i, end - i, sizeof *r, compare, &prefer);
	}
}

void
rangemap_finish(struct rangemap *m, rangemap_prefer *prefer)
{
	struct range *r = m->range;
	size_t n = 0;
	uint32_t enclosing = RANGEMAP_NONE;

	if (m->n == 0)
		return;
	sort(r, m->n, prefer);
	for (size_t i = 0, next = 0; i < m->n; i++) {
		while (next < m->n && r[next].start == r[i].start)
			next++;
		while (enclosing != RANGEMAP_NONE && r[enclosing].end <= r[i].start)
			enclosing = r[enclosing].outer;
		if (r[i].open) {
			/* A label inside a function does not end the function. */
			if (enclosing != RANGEMAP_NONE && r[enclosing].start < r[i].start)
				continue;
			if (next < m->n && r[next].start < r[i].end)
				r[i].end = r[next].start;
		}
		r[n] = r[i];
		while (enclosing != RANGEMAP_NONE && r[enclosing].end <= r[n].end)
			enclosing = r[enclosing].outer;
		r[n].outer = enclosing;
		enclosing = (uint32_t)n++;
	}
	m->n = n;
}

const struct range *
rangemap_find(const struct rangemap *m, uint64_t address)
{
	size_t low = 0, high = m->n;
	uint32_t at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	at = low == 0 ? RANGEMAP_NONE : (uint32_t)(low - 1);
	for (unsigned step = 0; at != RANGEMAP_NONE && step < NESTING; step++) {
		if (address < m->range[at].end)
			return &m->range[at];
		at = m->range[at].outer;
	}
	return NULL;
}
