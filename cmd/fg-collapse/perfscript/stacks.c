/*
 * stacks: the lines of a sample to the tree's node at which its stack ends.
 *
 * Stacks repeat, and so do their beginnings. Each frame line is hashed raw; the
 * hash of a stack's prefix, from the root down to a frame, is made of the lines'
 * hashes, so all prefixes of a sample are known before the first look-up. The
 * prefix memo leads from such a hash to the tree's node: a known stack costs one
 * look-up whatever its depth. A new one is looked up from the leaf towards the
 * root until a known prefix is found, and its new frames are added; the line memo
 * then leads from a line to its frames, so that a line is taken apart once.
 */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "frameline.h"

#define PREFIXES (1u << 20) /* bounds of the memos, in slots of 16 bytes */
#define LINES (1u << 18)
#define STRIDE 4
#define PREFETCH 8 /* a sample has 7 new frames on average */
#define MANY UINT32_C(0x80000000) /* a line's number: an index into stacks.many, else a name */

static const struct memo_key root_key = {
    UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f)};

static inline struct memo_key
key_of(const char *s, size_t len)
{
	XXH128_hash_t h = hash_bytes128(s, len);

	return (struct memo_key){h.low64, h.high64};
}

/* The key of a prefix and one more frame. */
static inline struct memo_key
append_key(struct memo_key prefix, struct memo_key frame)
{
	uint64_t lo = (prefix.lo ^ frame.lo) * UINT64_C(0x9fb21c651e98df25);
	uint64_t hi = (prefix.hi + frame.hi) * UINT64_C(0xa0761d6478bd642f);

	return (struct memo_key){lo ^ (lo >> 29) ^ frame.hi, hi ^ (hi >> 31) ^ frame.lo};
}

static struct sample_task
task_of(const struct header *h)
{
	return (struct sample_task){
	    {h->comm, h->comm_len}, {h->pid, h->pid_len}, {h->tid, h->tid_len}};
}

/* The number of a frame line: a name, or MANY and an index. */
static uint32_t
line_number(struct stacks *st, const struct item *item, bool java)
{
	struct memo_key key = item->key;
	uint32_t name[FRAME_MAX], number, n;

	key.lo += java;
	number = memo_find(&st->lines, key);
	if (number != 0)
		return number;
	if (memo_full(&st->lines)) {
		memo_clear(&st->lines);
		st->nmany = 0;
	}
	n = (uint32_t)frame_parse(st->sampler, item->line, item->end, java, name);
	if (n == 1) {
		number = name[0];
	} else {
		if (st->nmany + n >= st->capmany) {
			st->capmany = 2 * (st->nmany + n + 1);
			st->many = cli_realloc(st->many, st->capmany, sizeof *st->many);
		}
		number = MANY | st->nmany;
		st->many[st->nmany++] = n;
		memcpy(st->many + st->nmany, name, n * sizeof *name);
		st->nmany += n;
	}
	memo_put(&st->lines, key, number);
	return number;
}

/* Only every STRIDEth prefix from the root and the whole stack are kept in the memo. */
static inline bool
is_kept(const struct sample *s, size_t i)
{
	return i == 0 || (s->n - i) % STRIDE == 0;
}

/* From the root on, the frames that the sample before had too take their keys from it. */
static size_t
share_keys(const struct sample *last, struct sample *s)
{
	size_t i = s->n, k = last->n;

	if (s->seed.lo != last->seed.lo || s->seed.hi != last->seed.hi)
		return i;
	for (; i > 0 && k > 0; i--, k--) {
		struct item *item = &s->item[i - 1];
		const struct item *was = &last->item[k - 1];

		if (item->end - item->line != was->end - was->line ||
		    memcmp(item->line, was->line, (size_t)(item->end - item->line)) != 0)
			break;
		item->key = was->key;
		item->prefix = was->prefix;
	}
	return i;
}

/* Make the keys of all lines and prefixes, and ask for the slots that will be looked at first. */
void
stacks_key(struct stacks *st, struct sample *s, const struct sample *last)
{
	const struct sample_options *o = st->sampler->options;
	const struct header *h = &s->header;
	struct memo_key key = append_key(root_key, key_of(h->comm, h->comm_len));
	size_t i = s->n;

	if (o->pid && h->pid != NULL)
		key = append_key(key, key_of(h->pid, h->pid_len));
	if (o->tid && h->tid != NULL)
		key = append_key(key, key_of(h->tid, h->tid_len));
	s->seed = key;
	if (last != NULL)
		i = share_keys(last, s);
	if (i < s->n)
		key = s->item[i].prefix;
	while (i-- > 0) {
		struct item *item = &s->item[i];

		item->key = key_of(item->line, (size_t)(item->end - item->line));
		item->prefix = key = append_key(key, item->key);
	}
	for (i = 0; i < s->n && i < PREFETCH; i++) {
		if (is_kept(s, i))
			memo_prefetch(&st->prefixes, s->item[i].prefix);
		memo_prefetch(&st->lines, s->item[i].key);
	}
}

/* The node at which the sample's stack ends. */
uint32_t
stacks_node(struct stacks *st, const struct sample *s)
{
	const struct header *h = &s->header;
	uint32_t node = 0;
	size_t i;

	for (i = 0; i < s->n && node == 0; i++)
		if (is_kept(s, i))
			node = memo_find(&st->prefixes, s->item[i].prefix);
	if (node != 0) {
		i--;
	} else {
		struct sample_task task = task_of(h);

		node = sample_root(st->sampler, &task);
	}
	if (i > 0) {
		bool java = h->comm_len >= 4 && memcmp(h->comm, "java", 4) == 0;

		if (memo_full(&st->prefixes))
			memo_clear(&st->prefixes);
		while (i-- > 0) {
			uint32_t number = line_number(st, &s->item[i], java);

			if (number & MANY) {
				const uint32_t *many = st->many + (number & ~MANY);

				if (many[0] == 0 && st->malformed++ == 0)
					st->malformed_line = s->item[i].line;
				for (uint32_t m = 1; m <= many[0]; m++)
					node = sample_child(st->sampler, node, many[m]);
			} else {
				node = sample_child(st->sampler, node, number);
			}
			if (is_kept(s, i) && node != CALLTREE_ROOT && !memo_full(&st->prefixes))
				memo_put(&st->prefixes, s->item[i].prefix, node);
		}
	}
	return node;
}

void
sample_line(struct sample *s, const char *line, const char *end)
{
	if (s->n == s->cap) {
		s->cap = s->cap != 0 ? 2 * s->cap : 256;
		s->item = cli_realloc(s->item, s->cap, sizeof *s->item);
	}
	s->item[s->n++] = (struct item){.line = line, .end = end};
}

void
stacks_init(struct stacks *st, struct sampler *sampler)
{
	*st = (struct stacks){.sampler = sampler};
	memo_init(&st->prefixes, 1u << 14, PREFIXES);
	memo_init(&st->lines, 1u << 12, LINES);
}

void
stacks_free(struct stacks *st)
{
	memo_free(&st->prefixes);
	memo_free(&st->lines);
	free(st->many);
}
