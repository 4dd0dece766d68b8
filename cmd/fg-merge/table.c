/*
 * table: a hash table of stacks in the order of their arrival. To walk it in
 * canonical order it is cut where that order breaks, into runs that a tournament
 * merges: input that is nearly in order, as most is, costs nearly nothing.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cli.h"
#include "base/hash.h"
#include "stack.h"
#include "tournament.h"

#define ARENA ((size_t)4 * 1024 * 1024)
#define HUGE_PAGE ((size_t)2 * 1024 * 1024)

struct table_arena {
	struct table_arena *older;
	size_t used, size;
	char bytes[];
};

struct table *
table_new(unsigned columns)
{
	struct table *t = cli_alloc(1, sizeof *t);

	t->columns = columns;
	t->mask = 1023;
	t->slot = cli_alloc((size_t)t->mask + 1, sizeof *t->slot);
	return t;
}

void
table_free(struct table *t)
{
	struct table_arena *older;

	for (struct table_arena *a = t->arena; a != NULL; a = older) {
		older = a->older;
		free(a);
	}
	free(t->stack);
	free(t->sum);
	free(t->slot);
	free(t);
}

/* Huge pages, where the system gives them, save a page fault for every 4 KB of text. */
static const char *
keep(struct table *t, const char *s, size_t len)
{
	struct table_arena *a = t->arena;
	char *copy;

	if (a == NULL || len > a->size - a->used) {
		size_t size = (len + sizeof *a + ARENA - 1) / ARENA * ARENA;

		a = aligned_alloc(HUGE_PAGE, size);
		if (a == NULL)
			cli_die("out of memory");
		madvise(a, size, MADV_HUGEPAGE);
		*a = (struct table_arena){t->arena, 0, size - sizeof *a};
		t->arena = a;
	}
	copy = a->bytes + a->used;
	memcpy(copy, s, len);
	a->used += len;
	return copy;
}

static void
grow_slots(struct table *t)
{
	free(t->slot);
	t->mask = 2 * t->mask + 1;
	t->slot = cli_alloc((size_t)t->mask + 1, sizeof *t->slot);
	for (uint32_t n = 0; n < t->n; n++) {
		uint32_t i = t->stack[n].hash & t->mask;

		while (t->slot[i] != 0)
			i = (i + 1) & t->mask;
		t->slot[i] = n + 1;
	}
}

/* The number of a stack, made when it is new. */
static uint32_t
find(struct table *t, const char *stack, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(stack, len), i = hash & t->mask;

	for (; t->slot[i] != 0; i = (i + 1) & t->mask) {
		const struct table_stack *known = &t->stack[t->slot[i] - 1];

		if (known->hash == hash && known->len == len &&
		    memcmp(known->text, stack, len) == 0)
			return t->slot[i] - 1;
	}
	if (t->n == t->cap) {
		if (t->cap > UINT32_MAX / 4)
			cli_die("more than a billion different stacks");
		t->cap = t->cap != 0 ? 2 * t->cap : 512;
		t->stack = cli_realloc(t->stack, t->cap, sizeof *t->stack);
		t->sum = cli_realloc(t->sum, t->cap, t->columns * sizeof *t->sum);
	}
	t->stack[t->n] = (struct table_stack){keep(t, stack, len), (uint32_t)len, hash};
	memset(&t->sum[(size_t)t->n * t->columns], 0, t->columns * sizeof *t->sum);
	t->slot[i] = ++t->n;
	if (t->n > t->mask / 2)
		grow_slots(t);
	return t->n - 1;
}

void
table_add(struct table *t, const char *stack, size_t len, const value *v)
{
	uint32_t i = find(t, stack, len);
	value *sum = &t->sum[(size_t)i * t->columns];

	for (unsigned c = 0; c < t->columns; c++)
		sum[c] = value_sum(sum[c], v[c]);
}

/* Stacks in order of arrival, in runs that are each in canonical order. */
struct runs {
	const struct table *t;
	uint32_t *shared; /* by stack: bytes in common with the one before it */
	uint32_t *next; /* by run: the stack to come, up to the first of the next run */
	uint32_t *end;
	uint32_t n, cap;
};

static void
find_runs(struct runs *r, const struct table *t)
{
	*r = (struct runs){.t = t, .shared = cli_alloc(t->n, sizeof *r->shared)};
	for (uint32_t i = 0; i < t->n; i++) {
		const struct table_stack *b = &t->stack[i], *a = b - 1;

		if (i > 0) {
			size_t shared = stack_shared(a->text, a->len, b->text, b->len, 0);

			if (stack_order(a->text, a->len, b->text, b->len, shared) < 0) {
				r->shared[i] = (uint32_t)shared;
				continue;
			}
			r->end[r->n - 1] = i;
		}
		if (r->n == r->cap) {
			r->cap = r->cap != 0 ? 2 * r->cap : 64;
			r->next = cli_realloc(r->next, r->cap, sizeof *r->next);
			r->end = cli_realloc(r->end, r->cap, sizeof *r->end);
		}
		r->next[r->n++] = i;
	}
	r->end[r->n - 1] = t->n;
}

static void
next_of_run(void *arg, uint32_t run, struct tournament_head *head)
{
	struct runs *r = arg;
	uint32_t i = r->next[run];

	if (i == r->end[run]) {
		head->stack = NULL;
		return;
	}
	*head = (struct tournament_head){r->t->stack[i].text, r->t->stack[i].len, r->shared[i]};
	r->next[run]++;
}

void
table_walk(const struct table *t, table_each *each, void *arg)
{
	struct tournament order;
	struct runs r;
	int64_t run;
	bool again;

	if (t->n == 0)
		return;
	find_runs(&r, t);
	tournament_start(&order, r.n, next_of_run, &r);
	while ((run = tournament_pull(&order, &again)) >= 0) {
		uint32_t i = r.next[run] - 1;

		each(arg, &t->stack[i], &t->sum[(size_t)i * t->columns]);
	}
	tournament_free(&order);
	free(r.shared);
	free(r.next);
	free(r.end);
}
