/*
 * foldedadd: adds stacks to a tree. A stack shares nodes with the previous one down to the first
 * frame that differs. Below it, names are found by the name above them, then by a short hash.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/folded.h"

#define RECENT 8192 /* entries of folded_prefix.recent */

/* A hash of a name's length, ends and middle, which distinguish most names of a profile. */
static inline size_t
sketch(const char *s, size_t len)
{
	uint64_t first = 0, last = 0, middle = 0;

	if (len >= 8) {
		memcpy(&first, s, 8);
		memcpy(&last, s + len - 8, 8);
		memcpy(&middle, s + len / 2 - 4, 8);
	} else {
		for (size_t i = 0; i < len; i++)
			first = first << 8 | (unsigned char)s[i];
	}
	first = (first ^ (middle << 21 | middle >> 43)) * UINT64_C(0x9e3779b97f4a7c15);
	first = (first ^ last ^ len) * UINT64_C(0xd6e8feb86659fd93);
	return (size_t)(first >> 40) % RECENT;
}

/* Like calltree_intern; compares with the last name of the same short hash first. */
static uint32_t
intern_recent(struct calltree *t, struct folded_prefix *prev, const char *s, size_t len)
{
	uint32_t *recent;
	const struct calltree_name *name;

	if (prev->recent == NULL)
		prev->recent = cli_alloc(RECENT, sizeof *prev->recent);
	recent = &prev->recent[sketch(s, len)];
	name = &t->name[*recent];
	if (*recent == 0 || name->len != len || memcmp(name->s, s, len) != 0)
		*recent = calltree_intern(t, s, len);
	return *recent;
}

/*
 * Interns the first frame of `rest`, a callee of the frame `above`; *len is its length. The callee
 * found last is compared first, because it usually repeats: that saves the search for the end of
 * the name, and the hash.
 */
static uint32_t
intern_below(
    struct calltree *t, struct folded_prefix *prev, uint32_t above, struct str rest, size_t *len)
{
	uint32_t known = above < prev->nbelow ? prev->below[above] : 0;
	const struct calltree_name *name = &t->name[known];
	const char *semicolon;

	if (known != 0 && name->len <= rest.len && memcmp(name->s, rest.s, name->len) == 0 &&
	    (name->len == rest.len || rest.s[name->len] == ';')) {
		*len = name->len;
		return known;
	}
	semicolon = memchr(rest.s, ';', rest.len);
	*len = semicolon != NULL ? (size_t)(semicolon - rest.s) : rest.len;
	known = intern_recent(t, prev, rest.s, *len);
	if (above >= prev->nbelow) {
		prev->below = cli_realloc(prev->below, t->capname, sizeof *prev->below);
		memset(prev->below + prev->nbelow, 0,
		    (t->capname - prev->nbelow) * sizeof *prev->below);
		prev->nbelow = t->capname;
	}
	return prev->below[above] = known;
}

uint32_t
folded_add(struct calltree *t, struct folded_prefix *prev, const char *stack, size_t len)
{
	size_t same = folded_shared(prev->stack, stack, 0, len < prev->len ? len : prev->len);
	uint32_t d = prev->depth;
	size_t at;

	/* The deepest frame that the previous stack and this one share completely. */
	while (d > 0 && (prev->end[d] > same || (prev->end[d] < len && stack[prev->end[d]] != ';')))
		d--;
	vec_fit(prev->stack, prev->size, len);
	memcpy(prev->stack + same, stack + same, len - same);
	prev->len = len;

	for (at = d > 0 ? prev->end[d] + 1 : 0; at <= len; at = prev->end[d] + 1) {
		struct str rest = {stack + at, len - at};
		uint32_t above = t->node[d > 0 ? prev->node[d] : CALLTREE_ROOT].name, name;
		size_t n;

		if (d + 1 >= prev->cap) {
			prev->cap = prev->cap != 0 ? 2 * prev->cap : 64;
			prev->node = cli_realloc(prev->node, prev->cap, sizeof *prev->node);
			prev->end = cli_realloc(prev->end, prev->cap, sizeof *prev->end);
			prev->node[0] = CALLTREE_ROOT;
		}
		name = intern_below(t, prev, above, rest, &n);
		prev->node[d + 1] = calltree_child(t, prev->node[d], name);
		prev->end[++d] = at + n;
	}
	prev->depth = d;
	return prev->node[d];
}

void
folded_prefix_free(struct folded_prefix *prev)
{
	free(prev->stack);
	free(prev->below);
	free(prev->recent);
	free(prev->node);
	free(prev->end);
	*prev = (struct folded_prefix){0};
}
