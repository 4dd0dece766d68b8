/*
 * nametable: interns names by their text; an array maps small numbers.
 */
#include "fg-collapse/callgrind/nametable.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

#define LOW (1u << 18) /* smaller numbers are in the array */

void
nametable_free(struct nametable *t)
{
	text_free(&t->text);
	free(t->name);
	hash_index_free(&t->index);
	free(t->low);
	free(t->high.slot);
}

static uint32_t
intern(struct nametable *t, struct str s)
{
	uint32_t hash = (uint32_t)hash_bytes(s.s, s.len);

	for (uint32_t at = hash, n; (n = hash_index_next(&t->index, hash, &at)) != 0;)
		if (str_equal(nametable_get(t, n - 1), s))
			return n - 1;
	vec_fit(t->name, t->cap, (size_t)t->n + 1);
	t->name[t->n] = (struct name){t->text.len, s.len};
	text_str(&t->text, s);
	hash_index_add(&t->index, hash, ++t->n);
	return t->n - 1;
}

/* Name with that number, plus 1, or 0. */
static uint32_t
numbered(const struct nametable *t, uint64_t number)
{
	if (number < LOW)
		return number < t->caplow ? t->low[number] : 0;
	return (uint32_t)(uintptr_t)intmap_get(&t->high, number);
}

static void
give_number(struct nametable *t, uint64_t number, uint32_t name)
{
	size_t had = t->caplow;

	if (number >= LOW) {
		*intmap_at(&t->high, number) = (void *)((uintptr_t)name + 1);
		return;
	}
	vec_fit(t->low, t->caplow, number + 1);
	if (t->caplow > had)
		memset(t->low + had, 0, (t->caplow - had) * sizeof *t->low);
	t->low[number] = name + 1;
}

uint32_t
nametable_read(struct nametable *t, struct str s)
{
	uint64_t number = 0;
	size_t i = 1;
	uint32_t n;

	if (s.len < 3 || s.s[0] != '(')
		return intern(t, str_trim(s));
	while (i < s.len && i < 19 && s.s[i] >= '0' && s.s[i] <= '9')
		number = number * 10 + (unsigned)(s.s[i++] - '0');
	if (i == 1 || i == s.len || s.s[i] != ')' || (i + 1 < s.len && s.s[i + 1] != ' '))
		return intern(t, str_trim(s));
	if (i + 1 == s.len && (n = numbered(t, number)) != 0)
		return n - 1;
	n = intern(t, i + 1 == s.len ? s : str_trim(str_from(s, i + 1)));
	give_number(t, number, n);
	return n;
}
