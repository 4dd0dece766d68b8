/*
 * foldedadd: adds stacks to a tree. A stack shares nodes with the previous one down to the first
 * frame that differs. Below it, names are found by the name above them, then by a short hash, and
 * the nodes below the first new one are appended at once.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "base/cli.h"
#include "base/vec.h"
#include "profile/folded.h"

#define RECENT_FEW 512 /* entries of folded_prefix.recent for few names */
#define RECENT 8192 /* and for many */
#define CHARS 16 /* bytes of one step through a stack */

/* True if two names of n bytes are equal. Inline: most names are too short for a call of memcmp. */
static inline bool
is_equal(const char *a, const char *b, size_t n)
{
	uint64_t x, y;

	if (n >= CHARS) {
		for (size_t i = 0; i < n - CHARS; i += CHARS)
			if (chars_equal16(a + i, b + i) != 0xffff)
				return false;
		return chars_equal16(a + n - CHARS, b + n - CHARS) == 0xffff;
	}
	if (n >= 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return false;
		memcpy(&x, a + n - 8, 8);
		memcpy(&y, b + n - 8, 8);
		return x == y;
	}
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Grows the tables of prev for the names that the tree has space for. A larger `recent` is empty.
 */
static void
fit_names(const struct calltree *t, struct folded_prefix *prev)
{
	const uint32_t places = t->capname <= RECENT_FEW ? RECENT_FEW : RECENT;

	if (prev->places != places) {
		free(prev->recent);
		prev->places = places;
		prev->recent = cli_alloc(places, sizeof *prev->recent);
		prev->recent[0].sketch = 1; /* no free entry has the sketch of a name */
	}
	prev->below = cli_realloc(prev->below, t->capname, sizeof *prev->below);
	memset(prev->below + prev->nbelow, 0, (t->capname - prev->nbelow) * sizeof *prev->below);
	prev->nbelow = t->capname;
}

/* Like calltree_intern; compares with the last name of the same short hash first. */
static uint32_t
intern_recent(struct calltree *t, struct folded_prefix *prev, const char *s, size_t len)
{
	uint32_t found, sketch = chars_sketch(s, len);
	struct folded_recent *recent = &prev->recent[sketch & (prev->places - 1)];
	const struct calltree_name *name = &t->name[recent->name];

	/* the name may be far away in memory: only an equal sketch is worth looking */
	if (recent->sketch == sketch && name->len == len && is_equal(name->s, s, len))
		return recent->name;
	found = calltree_intern(t, s, len);
	*recent = (struct folded_recent){found, sketch};
	if (found >= prev->nbelow)
		fit_names(t, prev);
	return found;
}

/* The end of the frame at `at`: its semicolon, or len. s has CHARS bytes more than len. */
static inline size_t
frame_end(const char *s, size_t at, size_t len)
{
	for (; at < len; at += CHARS) {
		uint32_t semicolons = chars_is16(s + at, ';');

		if (semicolons != 0) {
			at += (unsigned)__builtin_ctz(semicolons);
			break;
		}
	}
	return at < len ? at : len;
}

/*
 * Interns the frame at `at` of the stack in prev, a callee of the frame `above`; *end is its end.
 * The callee found last is compared first, because it usually repeats: that saves the search for
 * the end and the hash.
 */
static inline uint32_t
intern_below(struct calltree *t, struct folded_prefix *prev, uint32_t above, size_t at, size_t *end)
{
	const char *s = prev->stack + at;
	uint32_t known = prev->below[above];
	const struct calltree_name *name = &t->name[known];
	size_t left = prev->len - at;

	if (known != 0 && name->len <= left && (name->len == left || s[name->len] == ';') &&
	    is_equal(name->s, s, name->len)) {
		*end = at + name->len;
		return known;
	}
	*end = frame_end(prev->stack, at, prev->len);
	known = intern_recent(t, prev, s, *end - at);
	return prev->below[above] = known;
}

/* Prepares prev for a stack of len bytes. */
static void
reserve(const struct calltree *t, struct folded_prefix *prev, size_t len)
{
	vec_fit(prev->stack, prev->size, len + CHARS);
	if (t->nname > prev->nbelow)
		fit_names(t, prev);
}

/* Appends a frame to the stack in prev. */
static inline void
push(struct folded_prefix *prev, uint32_t name, size_t end)
{
	if (++prev->depth >= prev->cap) {
		prev->cap = prev->cap != 0 ? 2 * prev->cap : 64;
		prev->name = cli_realloc(prev->name, prev->cap, sizeof *prev->name);
		prev->node = cli_realloc(prev->node, prev->cap, sizeof *prev->node);
		prev->end = cli_realloc(prev->end, prev->cap, sizeof *prev->end);
		prev->name[0] = 0;
		prev->node[0] = CALLTREE_ROOT;
	}
	prev->name[prev->depth] = name;
	prev->end[prev->depth] = end;
}

/* Finds or adds the nodes of the frames below depth d. */
static uint32_t
add_nodes(struct calltree *t, struct folded_prefix *prev, uint32_t d)
{
	uint32_t node = d > 0 ? prev->node[d] : CALLTREE_ROOT;

	while (d < prev->depth && t->node[node].child != 0) {
		d++;
		node = prev->node[d] = calltree_child(t, node, prev->name[d]);
	}
	if (d < prev->depth) {
		node = calltree_append_chain(t, node, &prev->name[d + 1], prev->depth - d);
		while (++d < prev->depth)
			prev->node[d] = node++;
		prev->node[d] = node;
	}
	return node;
}

uint32_t
folded_add(struct calltree *t, struct folded_prefix *prev, const char *stack, size_t len)
{
	size_t same = folded_shared(prev->stack, stack, 0, len < prev->len ? len : prev->len), at;
	uint32_t d = prev->depth, above;

	/* The deepest frame that the previous stack and this one share completely. */
	while (d > 0 && (prev->end[d] > same || (prev->end[d] < len && stack[prev->end[d]] != ';')))
		d--;
	reserve(t, prev, len);
	memcpy(prev->stack + same, stack + same, len - same);
	memset(prev->stack + len, 0, CHARS);
	prev->len = len;

	prev->depth = d;
	above = d > 0 ? prev->name[d] : 0;
	at = d > 0 ? prev->end[d] + 1 : 0;
	while (at <= len) {
		size_t end;

		above = intern_below(t, prev, above, at, &end);
		push(prev, above, end);
		at = end + 1;
	}
	return add_nodes(t, prev, d);
}

void
folded_prefix_free(struct folded_prefix *prev)
{
	free(prev->stack);
	free(prev->below);
	free(prev->recent);
	free(prev->name);
	free(prev->node);
	free(prev->end);
	*prev = (struct folded_prefix){0};
}
