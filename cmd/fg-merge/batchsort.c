/*
 * batchsort: multikey quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and
 * searching strings", 1997), eight bytes at a time. The bytes become a number that is the sort
 * key; stacks with equal keys are sorted again by the bytes after their common prefix.
 */
#include "fg-merge/batchsort.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "profile/stackorder.h"

#define FEW 12 /* at most this many are sorted by insertion */

struct item {
	uint64_t key; /* eight bytes of the stack, ranked */
	struct str stack;
	uint16_t number;
};

/*
 * Ranks bytes in canonical order: 0 for the end, 1 for `;`, then all others. There are enough
 * ranks because a stack cannot contain a newline.
 */
static uint8_t
rank_of(unsigned char c)
{
	return (uint8_t)(c == ';' ? 1 : c < '\n' ? c + 2 : c < ';' ? c + 1 : c);
}

static uint64_t
key_at(const struct str *stack, size_t at, const uint8_t rank[256])
{
	uint64_t key = 0;

	for (size_t i = at; i < at + 8; i++)
		key = key << 8 | (i < stack->len ? rank[(unsigned char)stack->s[i]] : 0);
	return key;
}

static bool
comes_before(const struct item *a, const struct item *b, size_t depth)
{
	const struct str *x = &a->stack, *y = &b->stack;

	if (a->key != b->key)
		return a->key < b->key;
	return stack_order(
		   x->s, x->len, y->s, y->len, stack_shared(x->s, x->len, y->s, y->len, depth)) < 0;
}

/* Insertion sort; all items share their first `depth` bytes. */
static void
sort_few(struct item *item, size_t n, size_t depth)
{
	for (size_t i = 1; i < n; i++) {
		struct item it = item[i];
		size_t k = i;

		for (; k > 0 && comes_before(&it, &item[k - 1], depth); k--)
			item[k] = item[k - 1];
		item[k] = it;
	}
}

/* Length of the common prefix of all items, at least `depth`. */
static size_t
all_share(const struct item *item, size_t n, size_t depth)
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
swap(struct item *a, struct item *b)
{
	struct item t = *a;

	*a = *b;
	*b = t;
}

static void
sort(struct item *item, size_t n, size_t depth, uint64_t *random, const uint8_t rank[256])
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
		sort(item, less, depth, random, rank);
		sort(item + more, n - more, depth, random, rank);
		item += less;
		n = more - less;
		if (n < 2)
			return;
		depth = all_share(item, n, depth + 8);
		for (size_t i = 0; i < n; i++)
			item[i].key = key_at(&item[i].stack, depth, rank);
	}
	sort_few(item, n, depth);
}

void
batchsort(const struct str *stack, uint32_t n, uint16_t *order)
{
	static struct item item[BATCHSORT_MAX];
	uint64_t random = n;
	uint8_t rank[256];
	bool sorted = true;
	size_t depth;

	for (uint32_t i = 0; i < n; i++) {
		item[i] = (struct item){0, stack[i], (uint16_t)i};
		order[i] = (uint16_t)i;
	}
	for (uint32_t i = 1; i < n && sorted; i++)
		sorted = comes_before(&item[i - 1], &item[i], 0);
	if (sorted)
		return;
	for (unsigned c = 0; c < 256; c++)
		rank[c] = rank_of((unsigned char)c);
	depth = all_share(item, n, 0);
	for (uint32_t i = 0; i < n; i++)
		item[i].key = key_at(&item[i].stack, depth, rank);
	sort(item, n, depth, &random, rank);
	for (uint32_t i = 0; i < n; i++)
		order[i] = item[i].number;
}
