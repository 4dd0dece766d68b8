/*
 * batchsort: the bytes after the common prefix of all stacks are their keys, eight as one number.
 * Many stacks are distributed by the first byte of the key, which costs the processor no wrong
 * guesses; then each part has keys of its own. Few are sorted by multikey quicksort (Bentley and
 * Sedgewick, "Fast algorithms for sorting and searching strings", 1997): stacks with equal keys
 * are sorted again by the bytes after their common prefix.
 */
#include "profile/batchsort.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "profile/stackorder.h"

#define FEW 12 /* at most this many are sorted by insertion */
#define MANY 64 /* from this many on, items are distributed by a byte */

typedef uint8_t eight __attribute__((vector_size(8)));

/*
 * Ranks bytes in canonical order: 0 for the end, 1 for `;`, then all others. There are enough
 * ranks because a stack cannot contain a newline.
 */
static uint64_t
key_at(const struct str *stack, size_t at)
{
	size_t left = at < stack->len ? stack->len - at : 0;
	eight c = {0}, is_semicolon, ranked;
	uint64_t key;

	if (left >= sizeof c)
		memcpy(&c, stack->s + at, sizeof c);
	else
		for (size_t i = 0; i < left; i++)
			c[i] = (uint8_t)stack->s[at + i];
	is_semicolon = (eight)(c == ';');
	ranked = c - (eight)(c < ';') - (eight)(c < '\n'); /* true is -1 */
	ranked = (ranked & ~is_semicolon) | (1 & is_semicolon);
	memcpy(&key, &ranked, sizeof key);
	key = be64toh(key);
	return left >= sizeof key ? key : left == 0 ? 0 : key & ~(UINT64_MAX >> 8 * left);
}

static bool
comes_before(const struct batchsort_item *a, const struct batchsort_item *b, size_t depth)
{
	const struct str *x = &a->stack, *y = &b->stack;

	if (a->key != b->key)
		return a->key < b->key;
	return stack_order(
		   x->s, x->len, y->s, y->len, stack_shared(x->s, x->len, y->s, y->len, depth)) < 0;
}

/* Insertion sort; all items share their first `depth` bytes. */
static void
sort_few(struct batchsort_item *item, size_t n, size_t depth)
{
	for (size_t i = 1; i < n; i++) {
		struct batchsort_item it = item[i];
		size_t k = i;

		for (; k > 0 && comes_before(&it, &item[k - 1], depth); k--)
			item[k] = item[k - 1];
		item[k] = it;
	}
}

/* Length of the common prefix of all items, at least `depth`. */
static size_t
all_share(const struct batchsort_item *item, size_t n, size_t depth)
{
	const struct str *first = &item[0].stack;
	size_t least = first->len;

	for (size_t i = 1; i < n && least > depth; i++) {
		const struct str *s = &item[i].stack;

		least = stack_shared(first->s, least, s->s, s->len, depth);
	}
	return least;
}

static void
swap(struct batchsort_item *a, struct batchsort_item *b)
{
	struct batchsort_item t = *a;

	*a = *b;
	*b = t;
}

/* Makes the keys of items from the bytes after their common prefix; returns its length. */
static size_t
make_keys(struct batchsort_item *item, size_t n, size_t depth)
{
	depth = all_share(item, n, depth);
	for (size_t i = 0; i < n; i++)
		item[i].key = key_at(&item[i].stack, depth);
	return depth;
}

/* Multikey quicksort. */
static void
sort_some(struct batchsort_item *item, size_t n, size_t depth, uint64_t *random)
{
	while (n > FEW) {
		uint64_t pivot = item[(*random = hash_number(*random)) % n].key;
		size_t less = 0, more = n;

		for (size_t i = 0; i < more;) {
			if (item[i].key < pivot)
				swap(&item[i++], &item[less++]);
			else if (item[i].key > pivot)
				swap(&item[i], &item[--more]);
			else
				i++;
		}
		sort_some(item, less, depth, random);
		sort_some(item + more, n - more, depth, random);
		item += less;
		n = more - less;
		if (n < 2)
			return;
		depth = make_keys(item, n, depth + 8);
	}
	sort_few(item, n, depth);
}

/* The items of a batch by the first byte of their keys. */
struct parts {
	unsigned first, last; /* bytes that items have */
	uint16_t end[256]; /* by byte from first to last: end of its items */
};

/* Sorts by the first byte of the keys. */
static void
distribute(struct batchsort_item *item, size_t n, struct parts *p, struct batchsort_item *copy)
{
	uint16_t next[256], sum = 0;

	*p = (struct parts){.first = 255};
	for (size_t i = 0; i < n; i++) {
		unsigned c = (unsigned)(item[i].key >> 56);

		p->end[c]++;
		p->first = c < p->first ? c : p->first;
		p->last = c > p->last ? c : p->last;
	}
	for (unsigned c = p->first; c <= p->last; c++) {
		next[c] = sum;
		p->end[c] = sum += p->end[c];
	}
	for (size_t i = 0; i < n; i++)
		copy[next[item[i].key >> 56]++] = item[i];
	memcpy(item, copy, n * sizeof *item);
}

/*
 * Sorts items by their keys, of the bytes from `depth` on. A part with most of the items is left to
 * quicksort, which passes eight bytes of it at once.
 */
static void
sort(struct batchsort_item *item, size_t n, size_t depth, uint64_t *random,
    struct batchsort_item *copy)
{
	struct parts p;
	size_t start = 0;

	if (n < MANY) {
		sort_some(item, n, depth, random);
		return;
	}
	distribute(item, n, &p, copy);
	for (unsigned c = p.first; c <= p.last; start = p.end[c++]) {
		size_t part = p.end[c] - start;

		if (part < 2)
			continue;
		if (part < MANY || part > n - n / 4)
			sort_some(item + start, part, depth, random);
		else
			sort(item + start, part, make_keys(item + start, part, depth + 1), random,
			    copy);
	}
}

void
batchsort(struct batchsort *memory, const struct str *stack, uint32_t n, uint16_t *order)
{
	struct batchsort_item *item = memory->item;
	uint64_t random = n;
	bool sorted = true;
	size_t depth;

	for (uint32_t i = 0; i < n; i++) {
		item[i] = (struct batchsort_item){0, stack[i], (uint16_t)i};
		order[i] = (uint16_t)i;
	}
	for (uint32_t i = 1; i < n && sorted; i++)
		sorted = comes_before(&item[i - 1], &item[i], 0);
	if (sorted)
		return;
	depth = make_keys(item, n, 0);
	sort(item, n, depth, &random, memory->copy);
	for (uint32_t i = 0; i < n; i++)
		order[i] = item[i].number;
}
