/*
 * table: runs of stacks in canonical order, each without the bytes that it shares with the stack
 * before it. The first run has the stacks that were added in order. Others are looked up by a
 * hash; 16,384 new ones at most, a batch, are kept as they are, sorted while they are in the
 * processor's cache, and become a run or continue the last one. table_walk merges the runs by a
 * tournament.
 *
 * Equal hashes are equal stacks: with a secret key, two of a billion different stacks have the same
 * 96 bits in one of 10^11 runs of the program.
 */
#include "profile/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/batchsort.h"
#include "profile/stackorder.h"
#include "profile/tournament.h"

#define CHUNK_FIRST ((size_t)16 * 1024) /* small input: the kernel clears few pages for it */
#define CHUNK ((size_t)1024 * 1024)
#define BATCH_BYTES ((size_t)1024 * 1024)
#define VARINT_MAX 10
#define CACHE_LINE 64 /* bytes */
#define PREFETCH 192 /* bytes of a stack; most are not longer */
#define AHEAD 4 /* stacks */

/* Encoded stacks: bytes shared with the stack before, number of other bytes, these bytes. */
struct table_chunk {
	struct table_chunk *next;
	size_t used, size;
	char bytes[];
};

/* Neighbouring places in canonical order. */
struct table_run {
	uint32_t place, end;
	const struct table_chunk *chunk; /* where its first stack is */
	size_t at;
};

/* The stacks since the last run, as they were added. */
struct table_batch {
	char *text;
	size_t len, size;
	uint32_t n, first; /* number of stacks, and of the first one */
	size_t start[BATCHSORT_MAX + 1]; /* of each in text */
	struct str stack[BATCHSORT_MAX]; /* for sorting */
	uint16_t order[BATCHSORT_MAX];
	struct batchsort memory;
};

struct table *
table_new(unsigned columns)
{
	struct table *t = cli_alloc(1, sizeof *t);

	t->columns = columns;
	t->ordered = UINT32_MAX;
	return t;
}

static void
free_chunks(struct table_chunk *c)
{
	for (struct table_chunk *next; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
}

void
table_free(struct table *t)
{
	if (t == NULL)
		return;
	table_free(t->joined);
	free_chunks(t->first);
	for (unsigned c = 0; c < t->columns; c++)
		value_array_free(&t->sum[c]);
	hash_index_free(&t->index);
	if (t->batch != NULL)
		free(t->batch->text);
	free(t->batch);
	text_free(&t->last);
	free(t->hash);
	free(t->order);
	free(t->run);
	free(t);
}

static inline char *
put_varint(char *to, size_t n)
{
	for (; n >= 0x80; n >>= 7)
		*to++ = (char)(n | 0x80);
	*to++ = (char)n;
	return to;
}

static inline const char *
get_varint(const char *s, size_t *n)
{
	size_t sum = 0;
	unsigned shift = 0;

	for (; *s & 0x80; shift += 7)
		sum |= (size_t)(*s++ & 0x7f) << shift;
	*n = sum | (size_t)(unsigned char)*s << shift;
	return s + 1;
}

static void
add_chunk(struct table *t, size_t need)
{
	size_t unit = t->chunk == NULL ? CHUNK_FIRST : CHUNK;
	size_t size = (need + sizeof(struct table_chunk) + unit - 1) / unit * unit;
	struct table_chunk *c = unit == CHUNK ? cli_pages(size) : malloc(size);

	if (c == NULL)
		cli_die("out of memory");
	*c = (struct table_chunk){.size = size - sizeof *c};
	if (t->chunk == NULL)
		t->first = c;
	else
		t->chunk->next = c;
	t->chunk = c;
	t->bytes += size;
}

/* Stores a stack at the next place; the run that it begins, if any, starts there. */
static void
store(struct table *t, const char *stack, size_t len, size_t shared)
{
	size_t own = len - shared;
	struct table_chunk *c = t->chunk;
	char *to;

	if (c == NULL || c->size - c->used < own + 2 * VARINT_MAX) {
		add_chunk(t, own + 2 * VARINT_MAX);
		c = t->chunk;
	}
	to = c->bytes + c->used;
	to = put_varint(to, shared);
	to = put_varint(to, own);
	memcpy(to, stack + shared, own);
	c->used = (size_t)(to + own - c->bytes);
}

/* Makes a stack the last one, with which it shares some bytes. */
static void
set_last(struct table *t, const char *stack, size_t len, size_t shared)
{
	text_cut(&t->last, shared);
	text_add(&t->last, stack + shared, len - shared);
}

/* Begins a run at a place. */
static void
begin_run(struct table *t, uint32_t place)
{
	vec_fit(t->run, t->caprun, t->nrun + 1);
	t->run[t->nrun++] =
	    (struct table_run){place, place, t->chunk, t->chunk != NULL ? t->chunk->used : 0};
}

/* Returns the number of a new stack, with sums of 0. */
static uint32_t
add_number(struct table *t)
{
	if (t->n == t->cap) {
		if (t->cap > UINT32_MAX / 2)
			cli_die("more than two billion different stacks");
		t->cap = t->cap != 0 ? 2 * t->cap : 64;
		for (unsigned c = 0; c < t->columns; c++)
			value_array_resize(&t->sum[c], t->cap);
	}
	return t->n++;
}

/* Sorts the batch, and stores its stacks. */
static void
end_batch(struct table *t)
{
	struct table_batch *b = t->batch;
	struct str last = text_as_str(&t->last);
	uint32_t place;

	if (b == NULL || b->n == 0)
		return;
	place = b->first;
	vec_fit(t->order, t->caporder, b->first - t->ordered + b->n);
	for (uint32_t i = 0; i < b->n; i++)
		b->stack[i] = (struct str){b->text + b->start[i], b->start[i + 1] - b->start[i]};
	batchsort(&b->memory, b->stack, b->n, b->order);
	for (uint32_t i = 0; i < b->n; i++) {
		const struct str *s = &b->stack[b->order[i]];
		size_t shared;

		if (i + AHEAD < b->n)
			for (size_t at = 0; at < PREFETCH; at += CACHE_LINE)
				__builtin_prefetch(b->stack[b->order[i + AHEAD]].s + at);
		shared = stack_shared(last.s, last.len, s->s, s->len, 0);

		if (i == 0 &&
		    (t->nrun == 0 || stack_order(last.s, last.len, s->s, s->len, shared) >= 0)) {
			begin_run(t, place);
			shared = 0;
		}
		store(t, s->s, s->len, shared);
		last = *s;
		t->order[b->first - t->ordered + i] = b->first + b->order[i];
	}
	set_last(t, last.s, last.len, 0);
	t->run[t->nrun - 1].end = place + b->n;
	b->first += b->n;
	b->len = 0;
	b->n = 0;
}

/* A run that is read. */
struct reading {
	struct table *t;
	uint32_t place, end; /* of the next stack, and after the last one */
	const struct table_chunk *chunk;
	size_t at;
	struct text stack;
};

/* Reads the next stack of a run that has one; returns the bytes shared with the stack before. */
static inline size_t
read_stack(struct reading *r)
{
	size_t shared, own;
	const char *from;

	if (r->chunk == NULL || r->at == r->chunk->used) {
		r->chunk = r->chunk == NULL ? r->t->first : r->chunk->next;
		r->at = 0;
	}
	from = get_varint(r->chunk->bytes + r->at, &shared);
	from = get_varint(from, &own);
	text_cut(&r->stack, shared);
	text_add(&r->stack, from, own);
	r->at = (size_t)(from + own - r->chunk->bytes);
	r->place++;
	return shared;
}

/* Hashes the stacks of the only run too; then no stack is in two runs. Numbers and sums remain. */
static void
hash_ordered(struct table *t)
{
	struct reading r = {t, 0, t->n, t->first, 0, {0}};
	struct table_chunk *chunk = t->first;

	t->first = t->chunk = NULL;
	t->bytes = t->nrun = 0;
	t->n = t->ordered = t->batch->first = 0;
	while (r.place < r.end) {
		read_stack(&r);
		table_find_hashed(t, r.stack.s, r.stack.len, table_hash(t, r.stack.s, r.stack.len));
	}
	text_free(&r.stack);
	free_chunks(chunk);
}

/* A stack is not in order: all others will be hashed, and those before it if they are few. */
static void
begin_batches(struct table *t)
{
	t->unordered = true;
	t->ordered = t->n;
	t->batch = malloc(sizeof *t->batch);
	if (t->batch == NULL)
		cli_die("out of memory");
	t->batch->text = NULL;
	t->batch->len = t->batch->size = 0;
	t->batch->n = 0;
	t->batch->first = t->n;
	if (t->n < BATCHSORT_MAX && t->bytes < BATCH_BYTES)
		hash_ordered(t);
}

uint32_t
table_find(struct table *t, const char *stack, size_t len)
{
	return table_find_shared(t, stack, len, 0);
}

uint32_t
table_find_shared(struct table *t, const char *stack, size_t len, size_t shared)
{
	if (!t->unordered) {
		int order = -1;

		shared = stack_shared(t->last.s, t->last.len, stack, len, shared);
		if (t->n > 0)
			order = stack_order(t->last.s, t->last.len, stack, len, shared);
		if (order == 0)
			return t->n - 1;
		if (order < 0) {
			if (t->n == 0)
				begin_run(t, 0);
			store(t, stack, len, shared);
			set_last(t, stack, len, shared);
			t->run[0].end++;
			return add_number(t);
		}
		begin_batches(t);
	}
	return table_find_hashed(t, stack, len, table_hash(t, stack, len));
}

XXH128_hash_t
table_hash(const struct table *t, const char *stack, size_t len)
{
	XXH128_hash_t hash = hash_bytes128(stack, len);

	hash_index_prefetch(&t->index, (uint32_t)hash.high64);
	return hash;
}

uint32_t
table_find_hashed(struct table *t, const char *stack, size_t len, XXH128_hash_t hash)
{
	struct table_batch *b = t->batch;
	uint32_t high = (uint32_t)hash.high64, number;

	for (uint32_t at = high, n; (n = hash_index_next(&t->index, high, &at)) != 0;)
		if (t->hash[n - 1] == hash.low64)
			return t->ordered + n - 1;
	if (b->n == BATCHSORT_MAX || b->len >= BATCH_BYTES)
		end_batch(t);
	number = add_number(t);
	vec_fit(t->hash, t->caphash, number - t->ordered + 1);
	t->hash[number - t->ordered] = hash.low64;
	hash_index_add(&t->index, high, number - t->ordered + 1);
	vec_fit(b->text, b->size, b->len + len);
	memcpy(b->text + b->len, stack, len);
	b->start[b->n++] = b->len;
	b->len += len;
	b->start[b->n] = b->len;
	return number;
}

static uint32_t
number_at(const struct table *t, uint32_t place)
{
	return place < t->ordered ? place : t->order[place - t->ordered];
}

void
table_settle(struct table *t)
{
	end_batch(t);
}

void
table_join(struct table *t, struct table *other)
{
	while (t->joined != NULL)
		t = t->joined;
	t->joined = other;
}

static void
next_of_run(void *arg, uint32_t run, struct tournament_head *head)
{
	struct reading *r = &((struct reading *)arg)[run];
	size_t shared;

	if (r->place == r->end) {
		head->stack = NULL;
		return;
	}
	shared = read_stack(r);
	*head = (struct tournament_head){r->stack.s, r->stack.len, shared};
	if (r->place < r->end) {
		uint32_t next = number_at(r->t, r->place);

		for (unsigned c = 0; c < r->t->columns; c++)
			__builtin_prefetch(&r->t->sum[c].cell[next]);
	}
}

/* Starts to read all n runs; the caller frees them and their stacks. */
static struct reading *
open_runs(struct table *t, size_t *n)
{
	struct reading *all = NULL;
	size_t cap = 0;

	*n = 0;
	for (; t != NULL; t = t->joined) {
		end_batch(t);
		vec_fit(all, cap, *n + t->nrun);
		for (size_t r = 0; r < t->nrun; r++) {
			const struct table_run *run = &t->run[r];

			all[(*n)++] =
			    (struct reading){t, run->place, run->end, run->chunk, run->at, {0}};
		}
	}
	return all;
}

static void
walk_one(struct reading *r, table_each *each, void *arg)
{
	struct tournament_head head;

	for (next_of_run(r, 0, &head); head.stack != NULL; next_of_run(r, 0, &head))
		each(arg, r->t, number_at(r->t, r->place - 1),
		    &(struct table_stack){{head.stack, head.len}, head.shared});
}

/* No stack is in two runs. */
static void
walk_apart(struct reading *run, size_t n, table_each *each, void *arg)
{
	struct tournament order;
	int64_t k;
	bool again;

	tournament_start(&order, (uint32_t)n, next_of_run, run);
	while ((k = tournament_pull(&order, &again)) >= 0) {
		const struct tournament_head *head = &order.head[k];

		each(arg, run[k].t, number_at(run[k].t, run[k].place - 1),
		    &(struct table_stack){{head->stack, head->len}, head->shared});
	}
	tournament_free(&order);
}

/* A stack is passed on when the next one is another: then its sums are complete. */
static void
walk_many(struct reading *run, size_t n, table_each *each, void *arg)
{
	struct table *t = NULL; /* of the stack, which has this number there */
	struct tournament order;
	struct text stack = {0};
	size_t shared = 0;
	uint32_t number = 0;
	int64_t k;
	bool any = false, again;

	tournament_start(&order, (uint32_t)n, next_of_run, run);
	while ((k = tournament_pull(&order, &again)) >= 0) {
		const struct tournament_head *head = &order.head[k];
		struct table *its = run[k].t;
		uint32_t now = number_at(its, run[k].place - 1);

		if (again) {
			table_carry(t, number, its, now);
			for (unsigned c = 0; c < t->columns; c++)
				its->sum[c].cell[now] = 0; /* for another walk */
			continue;
		}
		if (any)
			each(arg, t, number, &(struct table_stack){text_as_str(&stack), shared});
		text_cut(&stack, head->shared);
		text_add(&stack, head->stack + head->shared, head->len - head->shared);
		shared = head->shared;
		any = true;
		t = its;
		number = now;
	}
	if (any)
		each(arg, t, number, &(struct table_stack){text_as_str(&stack), shared});
	tournament_free(&order);
	text_free(&stack);
}

void
table_walk(struct table *t, table_each *each, void *arg)
{
	size_t n;
	struct reading *run = open_runs(t, &n);

	if (n == 1)
		walk_one(run, each, arg);
	else if (n > 1 && t->ordered == 0 && t->joined == NULL)
		walk_apart(run, n, each, arg);
	else if (n > 1)
		walk_many(run, n, each, arg);
	for (size_t i = 0; i < n; i++)
		text_free(&run[i].stack);
	free(run);
}
