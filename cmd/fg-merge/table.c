/*
 * table: a hash table of stacks in order of insertion. Every 16,384 new stacks, a batch, are
 * sorted while they are in the processor's cache; table_walk merges the batches by a tournament.
 * Input that is sorted already, as most is, costs one comparison per pair of neighbours.
 */
#include "fg-merge/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-merge/batchsort.h"
#include "profile/stackorder.h"
#include "fg-merge/tournament.h"

#define ARENA_FIRST ((size_t)64 * 1024) /* small input: the kernel clears no huge page for it */
#define ARENA ((size_t)4 * 1024 * 1024)
#define HUGE_PAGE ((size_t)2 * 1024 * 1024)
#define CACHE_LINE 64 /* bytes */
#define PREFETCH 192 /* bytes of a stack; most are not longer */

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
	return t;
}

void
table_free(struct table *t)
{
	struct table_arena *older;

	if (t == NULL)
		return;
	for (struct table_arena *a = t->arena; a != NULL; a = older) {
		older = a->older;
		free(a);
	}
	for (unsigned c = 0; c < t->columns; c++)
		value_array_free(&t->sum[c]);
	hash_index_free(&t->index);
	free(t->text);
	free(t->order);
	free(t);
}

/*
 * Stores a stack after its length, in two bytes or, from 32 KiB on, in four. Huge pages, if
 * available, save a page fault for every 4 KiB of text.
 */
static const char *
keep(struct table *t, const char *s, size_t len)
{
	struct table_arena *a = t->arena;
	size_t head = len < 0x8000 ? 2 : 4;
	char *copy;

	if (len >= 0x80000000)
		cli_die("a stack is longer than 2 GiB");
	if (a == NULL || head + len > a->size - a->used) {
		size_t unit = a == NULL ? ARENA_FIRST : ARENA;
		size_t size = (head + len + sizeof *a + unit - 1) / unit * unit;

		a = aligned_alloc(unit == ARENA ? HUGE_PAGE : sizeof(void *), size);
		if (a == NULL)
			cli_die("out of memory");
		if (unit == ARENA)
			madvise(a, size, MADV_HUGEPAGE);
		*a = (struct table_arena){t->arena, 0, size - sizeof *a};
		t->arena = a;
	}
	copy = a->bytes + a->used;
	copy[0] = (char)(len & 0xff);
	if (head == 2) {
		copy[1] = (char)(len >> 8);
	} else {
		copy[1] = (char)(0x80 | (len >> 8 & 0x7f));
		copy[2] = (char)(len >> 15 & 0xff);
		copy[3] = (char)(len >> 23);
	}
	memcpy(copy + head, s, len);
	a->used += head + len;
	return copy;
}

static struct str
kept(const char *copy)
{
	const unsigned char *c = (const unsigned char *)copy;

	if (c[1] < 0x80)
		return (struct str){copy + 2, (size_t)c[1] << 8 | c[0]};
	return (struct str){
	    copy + 4, (size_t)c[3] << 23 | (size_t)c[2] << 15 | (size_t)(c[1] & 0x7f) << 8 | c[0]};
}

struct str
table_text(const struct table *t, uint32_t number)
{
	return kept(t->text[number]);
}

/* Sorts the batch that the last stack belongs to. */
static void
end_batch(struct table *t)
{
	uint32_t first = (t->n - 1) & ~(uint32_t)(BATCHSORT_MAX - 1);
	struct str *stack = cli_alloc(BATCHSORT_MAX, sizeof *stack);

	vec_fit(t->order, t->caporder, t->n);
	for (uint32_t i = first; i < t->n; i++)
		stack[i - first] = kept(t->text[i]);
	batchsort(stack, t->n - first, t->order + first);
	free(stack);
}

uint32_t
table_hash(const struct table *t, const char *stack, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(stack, len);

	if (t->index.slot != NULL)
		__builtin_prefetch(&t->index.slot[hash & t->index.mask]);
	return hash;
}

uint32_t
table_find(struct table *t, const char *stack, size_t len)
{
	return table_find_hashed(t, stack, len, table_hash(t, stack, len));
}

uint32_t
table_find_hashed(struct table *t, const char *stack, size_t len, uint32_t hash)
{
	for (uint32_t at = hash, n; (n = hash_index_next(&t->index, hash, &at)) != 0;)
		if (str_equal(kept(t->text[n - 1]), (struct str){stack, len}))
			return n - 1;
	if (t->n == t->cap) {
		vec_fit(t->text, t->cap, (size_t)t->n + 1);
		if (t->cap > UINT32_MAX / 2)
			cli_die("more than two billion different stacks");
		for (unsigned c = 0; c < t->columns; c++)
			value_array_resize(&t->sum[c], t->cap);
	}
	t->text[t->n++] = keep(t, stack, len);
	hash_index_add(&t->index, hash, t->n);
	if (t->n % BATCHSORT_MAX == 0)
		end_batch(t);
	return t->n - 1;
}

/* Runs of batches: consecutive batches that are in order together form one run. */
struct runs {
	const struct table *t;
	uint32_t *next; /* by run: the place of its next stack */
	uint32_t *end;
	uint32_t n, cap, capend;
};

/*
 * The number of the stack at a place. Places count stacks in the order of batches, each of them
 * sorted.
 */
static uint32_t
at_place(const struct table *t, uint32_t place)
{
	return (place & ~(uint32_t)(BATCHSORT_MAX - 1)) + t->order[place];
}

static int
compare_places(const struct table *t, uint32_t a, uint32_t b)
{
	struct str x = table_text(t, at_place(t, a)), y = table_text(t, at_place(t, b));

	return stack_order(x.s, x.len, y.s, y.len, stack_shared(x.s, x.len, y.s, y.len, 0));
}

static void
find_runs(struct runs *r, const struct table *t)
{
	*r = (struct runs){.t = t};
	for (uint32_t i = 0; i < t->n; i += BATCHSORT_MAX) {
		if (i == 0 || compare_places(t, i - 1, i) > 0) {
			vec_fit(r->next, r->cap, r->n + 1);
			vec_fit(r->end, r->capend, r->n + 1);
			r->next[r->n++] = i;
		}
		r->end[r->n - 1] = t->n - i > BATCHSORT_MAX ? i + BATCHSORT_MAX : t->n;
	}
}

static void
next_of_run(void *arg, uint32_t run, struct tournament_head *head)
{
	struct runs *r = arg;
	const struct table *t = r->t;
	uint32_t place = r->next[run];
	struct str text;
	size_t shared = 0;

	if (place == r->end[run]) {
		head->stack = NULL;
		return;
	}
	text = table_text(t, at_place(t, place));
	/*
	 * Neighbours in order are far apart in memory. Fetches text and sums of this run's next
	 * stack, and the address of the text after it, for the next two pulls.
	 */
	if (place + 1 < r->end[run]) {
		uint32_t n = at_place(t, place + 1);

		for (size_t at = 0; at < PREFETCH; at += CACHE_LINE)
			__builtin_prefetch(t->text[n] + at);
		for (unsigned c = 0; c < t->columns; c++)
			__builtin_prefetch(&t->sum[c].cell[n]);
	}
	if (place + 2 < r->end[run])
		__builtin_prefetch(&t->text[at_place(t, place + 2)]);
	if (r->n > 1 && head->stack != NULL)
		shared = stack_shared(head->stack, head->len, text.s, text.len, 0);
	*head = (struct tournament_head){text.s, text.len, shared};
	r->next[run]++;
}

void
table_walk(struct table *t, table_each *each, void *arg)
{
	struct tournament order;
	struct runs r;
	int64_t run;
	bool again;

	if (t->n == 0)
		return;
	if (t->n % BATCHSORT_MAX != 0)
		end_batch(t);
	find_runs(&r, t);
	tournament_start(&order, r.n, next_of_run, &r);
	while ((run = tournament_pull(&order, &again)) >= 0)
		each(arg, t, at_place(t, r.next[run] - 1));
	tournament_free(&order);
	free(r.next);
	free(r.end);
}
