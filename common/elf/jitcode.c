/*
 * jitcode: an interval tree by address; of overlapping pieces the one for the sample's time
 * wins.
 */
#include "elf/jitcode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

#define PIECES (UINT32_C(1) << 22) /* per process; far above real runtimes */
#define LINES (UINT64_C(1) << 23) /* lines of all pieces */
#define VISITS 4096 /* overlapping pieces checked per address */

/* Code sorted by address, as an implicit balanced tree: the middle of a range is its root. */
struct jitcode_node {
	uint64_t start, end;
	uint64_t last; /* the largest end in its subtree */
	uint32_t piece;
};

/* A block of names. */
struct jitcode_names {
	struct jitcode_names *next;
	size_t n, size;
	char bytes[];
};

static const char *
keep_name(struct jitcode *c, struct str name)
{
	struct jitcode_names *block = c->names;
	char *s;

	if (block == NULL || block->size - block->n < name.len + 1) {
		size_t size = name.len < 16 * 1024 ? 64 * 1024 : name.len + 1;

		block = cli_alloc(1, sizeof *block + size);
		block->size = size;
		block->next = c->names;
		c->names = block;
	}
	s = block->bytes + block->n;
	memcpy(s, name.s, name.len);
	s[name.len] = '\0';
	block->n += name.len + 1;
	return s;
}

struct jitcode_piece *
jitcode_add(struct jitcode *c, uint64_t start, uint64_t length, uint64_t time, struct str name)
{
	struct jitcode_piece *piece;

	if (length == 0 || start + length < start || c->n == PIECES)
		return NULL;
	vec_fit(c->piece, c->cap, (size_t)c->n + 1);
	piece = &c->piece[c->n++];
	*piece = (struct jitcode_piece){
	    .start = start, .end = start + length, .time = time, .name = keep_name(c, name)};
	return piece;
}

void
jitcode_add_lines(struct jitcode *c, struct jitcode_line *lines, uint32_t n)
{
	if (n == 0 || n > LINES - c->nlines) {
		free(lines);
		return;
	}
	c->nlines += n;
	c->piece[c->n - 1].lines = lines;
	c->piece[c->n - 1].nlines = n;
}

const struct jitcode_piece *
jitcode_latest(struct jitcode *c, uint64_t start)
{
	uintptr_t number;

	for (; c->nlatest < c->n; c->nlatest++)
		*intmap_at(&c->latest, c->piece[c->nlatest].start) =
		    (void *)(uintptr_t)(c->nlatest + 1);
	number = (uintptr_t)intmap_get(&c->latest, start);
	return number > 0 ? &c->piece[number - 1] : NULL;
}

/* Sets the largest end of each subtree of sorted nodes; returns that of [low, high). */
static uint64_t
set_last(struct jitcode_node *node, size_t low, size_t high)
{
	const size_t middle = low + (high - low) / 2;
	uint64_t last, below;

	if (low == high)
		return 0;
	last = node[middle].end;
	below = set_last(node, low, middle);
	last = below > last ? below : last;
	below = set_last(node, middle + 1, high);
	last = below > last ? below : last;
	node[middle].last = last;
	return last;
}

static int
compare_nodes(const void *va, const void *vb)
{
	const struct jitcode_node *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->piece > b->piece) - (a->piece < b->piece);
}

void
jitcode_sort(struct jitcode *c)
{
	bool sorted = true;

	if (c->nnode == c->n)
		return;
	c->nnode = c->n;
	c->node = cli_realloc(c->node, c->nnode, sizeof *c->node);
	for (uint32_t i = 0; i < c->n; i++) {
		c->node[i] = (struct jitcode_node){c->piece[i].start, c->piece[i].end, 0, i};
		sorted &= i == 0 || c->node[i - 1].start <= c->node[i].start;
	}
	if (!sorted)
		sort_items(c->node, c->nnode, sizeof *c->node, compare_nodes);
	set_last(c->node, 0, c->nnode);
}

struct query {
	uint64_t address, time;
	const struct jitcode_piece *best;
	unsigned visits;
};

/* True if b is a better match for the query's time than a. */
static bool
is_better(const struct jitcode_piece *a, const struct jitcode_piece *b, uint64_t time)
{
	if (a == NULL)
		return true;
	if (time != 0) {
		/* Code that was loaded later is the last resort. */
		const bool late_a = a->time > time, late_b = b->time > time;

		if (late_a != late_b)
			return late_a;
		if (a->time != b->time)
			return late_a ? b->time < a->time : b->time > a->time;
	}
	return b > a;
}

static void
search(const struct jitcode *c, struct query *q, size_t low, size_t high)
{
	const size_t middle = low + (high - low) / 2;
	const struct jitcode_node *p = &c->node[middle];

	if (low == high || p->last <= q->address || q->visits == VISITS)
		return;
	search(c, q, low, middle);
	if (p->start > q->address)
		return;
	if (q->address < p->end) {
		q->visits++;
		if (is_better(q->best, &c->piece[p->piece], q->time))
			q->best = &c->piece[p->piece];
	}
	search(c, q, middle + 1, high);
}

const struct jitcode_piece *
jitcode_find(const struct jitcode *c, uint64_t address, uint64_t time)
{
	struct query q = {address, time, NULL, 0};

	if (c->nnode > 0)
		search(c, &q, 0, c->nnode);
	return q.best;
}

void
jitcode_clear(struct jitcode *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		free(c->piece[i].lines);
	for (struct jitcode_names *block = c->names, *next; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	free(c->piece);
	free(c->node);
	free(c->latest.slot);
	*c = (struct jitcode){0};
}
