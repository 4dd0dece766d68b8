/*
 * calltreerank: sorts names by eight bytes at a time. The bytes that all names of a group have in
 * common are skipped, so each byte of a name is read about once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "profile/calltree.h"
#include "profile/folded.h"

#define STEP 8 /* bytes of a key */

/* The bytes of a name from `from` on as a number that sorts like them; missing bytes are 0. */
static uint64_t
key_of(const struct calltree_name *name, size_t from)
{
	uint64_t key = 0;

	if (name->len >= from + STEP)
		memcpy(&key, name->s + from, STEP);
	else if (name->len > from)
		memcpy(&key, name->s + from, name->len - from);
	return be64toh(key);
}

/* Number of the first bytes that all names of a group share; the first `from` bytes are equal. */
static size_t
shared_bytes(const struct radix *item, size_t n, const struct calltree_name *name, size_t from)
{
	const struct calltree_name *first = &name[item[0].value];
	size_t shared = first->len;

	for (size_t i = 1; i < n && shared > from; i++) {
		const struct calltree_name *other = &name[item[i].value];

		if (other->len < shared)
			shared = other->len;
		if (shared > from)
			shared = folded_shared(first->s, other->s, from, shared);
	}
	return shared;
}

static void sort_names(struct radix *item, size_t n, const struct calltree_name *name, size_t from);

/*
 * Sorts names of one key from `from` on. Those that end within the key, whose missing bytes stand
 * for NULs, come before the others.
 */
static void
sort_group(struct radix *item, size_t n, const struct calltree_name *name, size_t from)
{
	size_t shared = shared_bytes(item, n, name, from), ended = 0;

	if (shared < from + STEP) {
		for (size_t i = 0; i < n; i++) {
			size_t len = name[item[i].value].len;

			item[i].key = len < from + STEP ? len : from + STEP;
		}
		radix_sort(item, n);
		while (ended < n && item[ended].key < from + STEP)
			ended++;
		shared = from + STEP;
	}
	if (n - ended > 1)
		sort_names(item + ended, n - ended, name, shared);
}

/* Sorts names whose first `from` bytes are equal. */
static void
sort_names(struct radix *item, size_t n, const struct calltree_name *name, size_t from)
{
	for (size_t i = 0; i < n; i++)
		item[i].key = key_of(&name[item[i].value], from);
	radix_sort(item, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && item[end].key == item[i].key;)
			end++;
		if (end - i > 1)
			sort_group(item + i, end - i, name, from);
	}
}

int
calltree_compare_names(const struct calltree_name *x, const struct calltree_name *y)
{
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

uint32_t *
calltree_ranks(const struct calltree *t)
{
	struct radix *item = cli_alloc_ready(t->nname, sizeof *item);
	uint32_t *rank = cli_alloc(t->nname, sizeof *rank);

	for (uint32_t i = 1; i < t->nname; i++) /* name 0, the root's, comes first */
		item[i].value = i;
	sort_names(item + 1, t->nname - 1, t->name, 0);
	for (uint32_t i = 1; i < t->nname; i++)
		rank[item[i].value] = i;
	free(item);
	return rank;
}
