/*
 * stack: caches the names of lines, and the nodes of the last stack: neighbouring stacks
 * share most frames near the root.
 */
#include "fg-collapse/shape/stack.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "fg-collapse/shape/plainname.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define LINES (1u << 20) /* cache limit */
#define STACKS (1u << 20)
#define MANY UINT32_C(0x80000000) /* flag: the number is an index into many, else a name */

void
stack_init(struct stack *s, struct sampler *sampler)
{
	*s = (struct stack){.sampler = sampler};
	sampler_tree(sampler, NULL, 1);
}

void
stack_free(struct stack *s)
{
	free(s->name);
	free(s->many);
	free(s->node);
	free(s->node_name);
	text_free(&s->function);
	memo_free(&s->lines);
	memo_free(&s->stacks);
}

static struct memo_key
key_of(struct str text)
{
	XXH128_hash_t h = hash_bytes128(text.s, text.len);

	return (struct memo_key){h.low64, h.high64};
}

static inline void
add(struct stack *s, uint32_t name)
{
	vec_fit(s->name, s->cap, s->n + 1);
	s->name[s->n++] = name;
}

void
stack_frame(struct stack *s, const struct frame *f)
{
	add(s, sample_name(s->sampler, f));
}

void
stack_function(struct stack *s, struct frame f)
{
	text_cut(&s->function, 0);
	plainname_add(&s->function, f.function, false);
	f.function = text_as_str(&s->function);
	stack_frame(s, &f);
}

/* Clears the frames; true if the stack was broken: then accounts for its weight. */
static bool
is_broken(struct stack *s, value weight)
{
	if (!s->broken)
		return false;
	sample_malformed(s->sampler, 0, weight);
	s->broken = s->is_whole = false;
	s->n = 0;
	return true;
}

void
stack_sample(
    struct stack *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight)
{
	if (is_broken(s, weight))
		return;
	if (sample_begin(s->sampler, task, event, time, weight)) {
		for (size_t i = 0; i < s->n; i++)
			sample_frame_named(s->sampler, s->name[i]);
		sample_end(s->sampler);
	}
	s->n = 0;
}

void
stack_sample_all(struct stack *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned n, uint64_t time)
{
	value lost = 0;

	for (unsigned i = 0; i < n && s->broken; i++)
		if (sampler_has_column(s->sampler, w[i].event))
			lost = w[i].weight;
	if (is_broken(s, lost))
		return;
	if (sample_begin_all(s->sampler, task, w, n, time)) {
		for (size_t i = 0; i < s->n; i++)
			sample_frame_named(s->sampler, s->name[i]);
		sample_end(s->sampler);
	}
	s->n = 0;
}

bool
stack_known(struct stack *s, struct str line, unsigned kind)
{
	const uint32_t *many;
	uint32_t number;

	if (s->lines.slot == NULL)
		memo_init(&s->lines, 1u << 12, LINES);
	s->key = key_of(line);
	s->key.lo += kind;
	s->before = s->n;
	number = memo_find(&s->lines, s->key);
	if (number == 0)
		return false;
	if (!(number & MANY)) {
		add(s, number);
		return true;
	}
	many = s->many + (number & ~MANY);
	for (uint32_t i = 1; i <= many[0]; i++)
		add(s, many[i]);
	return true;
}

void
stack_remember(struct stack *s)
{
	size_t n = s->n - s->before;
	uint32_t number;

	if (memo_full(&s->lines) || s->nmany + n > MANY / 2) {
		memo_clear(&s->lines);
		s->nmany = 0;
	}
	if (n == 1 && s->name[s->before] != 0) {
		number = s->name[s->before];
	} else {
		vec_fit(s->many, s->capmany, s->nmany + n + 1);
		number = MANY | s->nmany;
		s->many[s->nmany++] = (uint32_t)n;
		for (size_t i = 0; i < n; i++)
			s->many[s->nmany++] = s->name[s->before + i];
	}
	memo_put(&s->lines, s->key, number);
}

void
stack_count(struct stack *s, const struct sample_task *task, uint32_t event, uint64_t weight)
{
	uint32_t root, node;
	size_t i = 0;

	if (is_broken(s, value_of(weight)))
		return;
	if (!sample_wanted(s->sampler, event, SAMPLE_NO_TIME, value_of(weight))) {
		s->n = 0;
		s->is_whole = false;
		return;
	}
	root = node = sample_root(s->sampler, task);
	if (root == s->root)
		while (i < s->n && i < s->nnode && s->node_name[i] == s->name[s->n - 1 - i])
			node = s->node[i++];
	vec_fit(s->node, s->capnode, s->n);
	vec_fit(s->node_name, s->capnode_name, s->n);
	for (; i < s->n; i++) {
		s->node_name[i] = s->name[s->n - 1 - i];
		s->node[i] = node = sample_child(s->sampler, node, s->node_name[i]);
	}
	s->root = root;
	s->nnode = s->n;
	s->n = 0;
	sample_count(s->sampler, node, SAMPLE_NO_TIME, weight);
	if (s->is_whole && node != CALLTREE_ROOT) {
		if (memo_full(&s->stacks))
			memo_clear(&s->stacks);
		memo_put(&s->stacks, s->whole, node);
	}
	s->is_whole = false;
}

bool
stack_again(struct stack *s, struct str lines, uint32_t event, uint64_t weight)
{
	uint32_t node;

	if (s->stacks.slot == NULL)
		memo_init(&s->stacks, 1u << 12, STACKS);
	s->whole = key_of(lines);
	node = memo_find(&s->stacks, s->whole);
	s->is_whole = node == 0;
	if (node != 0 && sample_wanted(s->sampler, event, SAMPLE_NO_TIME, value_of(weight)))
		sample_count(s->sampler, node, SAMPLE_NO_TIME, weight);
	return node != 0;
}
