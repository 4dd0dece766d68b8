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

#include <stdio.h>
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

/*
 * `ksoftirqd/3` is ksoftirqd, `GC Thread#0` GC Thread, `pool-1-thread-12`
 * pool-1-thread; `:-1` is perf's word for a thread that had no name.
 */
static size_t
normalized_comm(const char *s, size_t len)
{
	const char *slash = memrchr(s, '/', len);
	size_t n = len;

	if (slash != NULL && slash > s && slash + 1 < s + len &&
	    ((slash[1] >= '0' && slash[1] <= '9') ||
		(slash[1] == 'u' && slash + 2 < s + len && slash[2] >= '0' && slash[2] <= '9')))
		return (size_t)(slash - s);
	while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	if (n == len || n < 2 || s[0] == ':' || strchr("-_#:. /", s[n - 1]) == NULL)
		return len;
	while (n > 1 && strchr("-_#:. /", s[n - 1]) != NULL)
		n--;
	return n;
}

/* The root frame of a sample, as stackcollapse-perf.pl labels it. */
static uint32_t
comm_node(struct stacks *st, const struct header *h)
{
	const struct options *o = st->options;
	char label[512];
	size_t n = o->normalize_comm ? normalized_comm(h->comm, h->comm_len) : h->comm_len;
	int len;

	if (o->no_comm)
		return CALLTREE_ROOT;
	if (n > 256)
		n = 256;
	if (o->tid || o->pid)
		len = snprintf(label, sizeof label, "%.*s%s%.*s%s%.*s", (int)n, h->comm,
		    n > 0 ? "-" : "", h->pid != NULL ? (int)h->pid_len : 1,
		    h->pid != NULL ? h->pid : "?", o->tid ? "/" : "",
		    !o->tid	     ? 0
		    : h->tid != NULL ? (int)h->tid_len
				     : 1,
		    h->tid != NULL ? h->tid : "?");
	else
		len = snprintf(label, sizeof label, "%.*s", (int)n, h->comm);
	if (len > 0 && (size_t)len >= sizeof label)
		len = sizeof label - 1;
	for (int i = 0; i < len; i++)
		if (label[i] == ' ')
			label[i] = '_';
	frame_clean(label, (size_t)len);
	return len == 0 ? CALLTREE_ROOT
			: calltree_child(st->tree, CALLTREE_ROOT,
			      calltree_intern(st->tree, label, (size_t)len));
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
	n = (uint32_t)frame_parse(st->options, st->tree, item->line, item->end, java, name);
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

static bool
skips(const struct stacks *st, uint32_t name)
{
	const char *s = st->options->skip_after;
	size_t n = strlen(s);
	const struct calltree_name *frame = &st->tree->name[name];

	return frame->len >= n && memcmp(frame->s, s, n) == 0 &&
	       (frame->len == n || (frame->len == n + 4 && memcmp(frame->s + n, "_[", 2) == 0));
}

static uint32_t
add_frame(struct stacks *st, uint32_t node, uint32_t name)
{
	if (st->options->skip_after != NULL && skips(st, name))
		node = CALLTREE_ROOT;
	return calltree_child(st->tree, node, name);
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
	const struct header *h = &s->header;
	struct memo_key key = append_key(root_key, key_of(h->comm, h->comm_len));
	size_t i = s->n;

	if (st->options->pid && h->pid != NULL)
		key = append_key(key, key_of(h->pid, h->pid_len));
	if (st->options->tid && h->tid != NULL)
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
	if (node != 0)
		i--;
	else
		node = comm_node(st, h);
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
					node = add_frame(st, node, many[m]);
			} else {
				node = add_frame(st, node, number);
			}
			if (is_kept(s, i) && node != CALLTREE_ROOT && !memo_full(&st->prefixes))
				memo_put(&st->prefixes, s->item[i].prefix, node);
		}
	}
	if (node == CALLTREE_ROOT) /* neither comm nor frames */
		node = calltree_child(st->tree, node, calltree_intern(st->tree, "[unknown]", 9));
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
stacks_init(struct stacks *st, const struct options *options)
{
	*st = (struct stacks){.options = options, .tree = calltree_new(1)};
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
