/* copies: joins the records of a sample, and sorts their copies by address. */
#include "access/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/sort.h"
#include "base/vec.h"

#define OVERLAPS 8 /* copies of a shorter one's bytes before it, at most */

void
copies_add(struct copies_parts *p, uint32_t tid, const struct walk_head *head,
    const unsigned char *bytes, size_t n)
{
	if (p->nbytes > 0 && (p->tid != tid || p->all.number != head->number))
		p->nbytes = 0;
	if (p->nbytes == 0)
		p->all = (struct copies){.number = head->number};
	p->tid = tid;
	p->all.limited |= (head->flags & WALK_LIMITED) != 0;
	n &= ~(size_t)7; /* the rest pads the record */
	vec_fit(p->bytes, p->cap, p->nbytes + n);
	memcpy(p->bytes + p->nbytes, bytes, n);
	p->nbytes += n;
}

static int
by_address(const void *a, const void *b)
{
	const struct copies_range *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

const struct copies *
copies_end(struct copies_parts *p, uint32_t tid)
{
	struct cursor in = cursor_of(p->bytes, p->nbytes, false);
	struct walk_copy c;

	if (p->nbytes == 0 || p->tid != tid)
		return NULL;
	p->nbytes = 0;
	p->all.n = p->all.part = 0;
	memset(p->all.start, 0, sizeof p->all.start);
	while (cursor_left(&in) > 0) {
		const unsigned char *bytes;

		cursor_copy(&in, &c, sizeof c);
		bytes = cursor_read(&in, (c.n + 7) & ~UINT64_C(7));
		if (c.n >= WALK_MOST || in.bad)
			return NULL;
		if (c.n == 0 && c.address < COPIES_PARTS) { /* recipes_add has put it there */
			p->all.part = c.address;
			continue;
		}
		if (c.n == 0) {
			if (p->all.start[p->all.part] == 0)
				p->all.start[p->all.part] = c.address;
			continue;
		}
		vec_fit(p->range, p->caprange, p->all.n + 1);
		p->range[p->all.n++] = (struct copies_range){c.address, bytes, c.n};
	}
	if (p->all.n > 0)
		sort_items(p->range, p->all.n, sizeof *p->range, by_address);
	p->all.range = p->range;
	return &p->all;
}

void
copies_free(struct copies_parts *p)
{
	free(p->bytes);
	free(p->range);
	*p = (struct copies_parts){0};
}

const struct copies_range *
copies_find(const struct copies *c, uint64_t address, size_t n)
{
	size_t from = 0, to = c->n;

	while (from < to) { /* the first one above the address */
		const size_t middle = from + (to - from) / 2;

		if (c->range[middle].at <= address)
			from = middle + 1;
		else
			to = middle;
	}
	for (size_t i = 0; i < OVERLAPS && i < from; i++) {
		const struct copies_range *r = &c->range[from - 1 - i];

		if (address - r->at <= r->n && r->n - (address - r->at) >= n)
			return r;
	}
	return NULL;
}
