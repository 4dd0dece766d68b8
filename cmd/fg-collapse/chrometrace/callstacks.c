/*
 * callstacks: equal strings are parsed once, because operators of a loop have the same callers.
 */
#include "fg-collapse/chrometrace/callstacks.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"

/* Slots of the memo of strings: initially, and at most. */
#define MEMO_SLOTS (1u << 6)
#define MEMO_MAX (1u << 16)

void
callstacks_init(struct callstacks *c, struct sampler *s)
{
	*c = (struct callstacks){.sampler = s};
	memo_init(&c->known, MEMO_SLOTS, MEMO_MAX);
}

void
callstacks_free(struct callstacks *c)
{
	memo_free(&c->known);
	text_free(&c->name);
	free(c->frame);
	free(c->stack);
	free(c->op);
}

struct str
callstacks_frame_text(struct text *t, struct str s)
{
	size_t at = str_find_last(s, "): "), open;
	struct str line = {s.s, at};

	if (at == s.len || (open = str_find_last(line, "(")) == line.len)
		return s;
	line = str_from(line, open + 1);
	pythonframe_text(t, str_from(s, at + 3), (struct str){s.s, open}, line);
	return text_as_str(t);
}

/* Hash of `train.py(38): step` without its line. */
static uint64_t
function_hash(struct str s)
{
	size_t at = str_find_last(s, "): "), open = str_find_last((struct str){s.s, at}, "(");
	struct str function = str_from(s, at);

	return hash_number(hash_bytes(s.s, at == s.len ? s.len : open)) +
	       hash_bytes(function.s, function.len);
}

/* s without blanks and line ends at both ends: Ascend's profiler separates frames by ";\\r\\n". */
static struct str
trim_space(struct str s)
{
	while (s.len > 0 && (unsigned char)s.s[0] <= ' ')
		s = str_from(s, 1);
	while (s.len > 0 && (unsigned char)s.s[s.len - 1] <= ' ')
		s.len--;
	return s;
}

/* Adds the frames of a string, root first. */
static struct callstacks_stack
read_stack(struct callstacks *c, struct str s)
{
	struct callstacks_stack stack = {.first = c->nframe};

	for (size_t end = s.len, i = s.len; end > 0; end = i > 0 ? i - 1 : 0) {
		struct frame f = {0};
		struct str part;

		for (i = end; i > 0 && s.s[i - 1] != ';';)
			i--;
		part = trim_space((struct str){s.s + i, end - i});
		if (part.len == 0)
			continue;
		f.function = callstacks_frame_text(&c->name, part);
		vec_fit(c->frame, c->capframe, c->nframe + 1);
		c->frame[c->nframe++] =
		    (struct callstacks_frame){sample_name(c->sampler, &f), function_hash(part)};
	}
	stack.n = c->nframe - stack.first;
	return stack;
}

void
callstacks_add(struct callstacks *c, struct str s, uint32_t slice)
{
	XXH128_hash_t hash = hash_bytes128(s.s, s.len);
	struct memo_key key = {hash.low64, hash.high64};
	uint32_t known;

	if (trim_space(s).len == 0)
		return;
	known = memo_find(&c->known, key);
	if (known == 0) {
		vec_fit(c->stack, c->capstack, c->nstack + 1);
		c->stack[c->nstack] = read_stack(c, s);
		known = (uint32_t)++c->nstack;
		if (memo_full(&c->known))
			memo_clear(&c->known);
		memo_put(&c->known, key, known);
	}
	vec_fit(c->op, c->capop, c->nop + 1);
	c->op[c->nop++] = (struct callstacks_op){slice, known - 1, 0};
}

/* Number of root frames that are the same functions in both stacks. */
static size_t
common_frames(const struct callstacks *c, uint32_t a, uint32_t b)
{
	const struct callstacks_stack *x = &c->stack[a], *y = &c->stack[b];
	size_t n = 0;

	while (n < x->n && n < y->n &&
	       c->frame[x->first + n].function == c->frame[y->first + n].function)
		n++;
	return n;
}

struct place {
	const struct slice *slice;
	struct callstacks_op *op;
};

/* By track, then in the order in which they begin, with the longest first. */
static int
compare_places(const void *a, const void *b)
{
	const struct slice *x = ((const struct place *)a)->slice;
	const struct slice *y = ((const struct place *)b)->slice;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->lasts < y->lasts) - (x->lasts > y->lasts);
}

/* True if x, which does not begin before y, is within y. */
static bool
is_within(const struct slice *x, const struct slice *y)
{
	uint64_t after = (uint64_t)x->time - (uint64_t)y->time;

	return x->track == y->track && after <= (uint64_t)y->lasts &&
	       (uint64_t)x->lasts <= (uint64_t)y->lasts - after;
}

/* Sets op.outer of all operators. */
static void
find_outer(struct callstacks *c, const struct slice *slice)
{
	struct place *place = cli_alloc(c->nop, sizeof *place);
	size_t *open = cli_alloc(c->nop, sizeof *open), nopen = 0; /* indices of place */

	for (size_t i = 0; i < c->nop; i++)
		place[i] = (struct place){&slice[c->op[i].slice], &c->op[i]};
	sort_items(place, c->nop, sizeof *place, compare_places);
	for (size_t i = 0; i < c->nop; i++) {
		while (nopen > 0 && !is_within(place[i].slice, place[open[nopen - 1]].slice))
			nopen--;
		if (nopen > 0)
			place[i].op->outer =
			    common_frames(c, place[i].op->stack, place[open[nopen - 1]].op->stack);
		open[nopen++] = i;
	}
	free(place);
	free(open);
}

struct slice *
callstacks_insert(struct callstacks *c, struct slice *slice, size_t *n, const bool *skip)
{
	struct slice *all = NULL;
	size_t nall = 0, capall = 0, next = 0;

	if (c->nop == 0)
		return slice;
	find_outer(c, slice);
	for (size_t i = 0; i < *n; i++) {
		if (next < c->nop && c->op[next].slice == i) {
			const struct callstacks_op *op = &c->op[next++];
			const struct callstacks_stack *stack = &c->stack[op->stack];

			for (size_t k = op->outer; k < stack->n && !skip[slice[i].track]; k++) {
				struct slice caller = slice[i];

				caller.name = c->frame[stack->first + k].name;
				caller.detail = 0;
				vec_fit(all, capall, nall + 1);
				all[nall++] = caller;
			}
		}
		vec_fit(all, capall, nall + 1);
		all[nall++] = slice[i];
	}
	free(slice);
	*n = nall;
	return all;
}
