/*
 * stackcache: two memos between the lines of a sample and the leaf node of its stack.
 *
 * Stacks repeat, and so do their root ends. Each frame line is hashed without address and
 * offset. The hash of a prefix (all frames from the root to one frame) is computed from the
 * hashes of its lines, so all prefixes are known before the first look-up. The prefix memo
 * maps such a hash to a tree node: a known stack costs one look-up at any depth. A new stack
 * is looked up from the leaf towards the root until a known prefix is found, then its new
 * frames are added. The line memo maps a line to its frames, so each line is parsed once.
 */
#include "fg-collapse/perfscript/stackcache.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"

#define PREFIXES (1u << 20) /* slots: limits of the memos */
#define LINES (1u << 18)
#define STRIDE 4
#define PREFETCH 8 /* frames; a sample has 7 new frames on average */
#define MANY UINT32_C(0x80000000) /* flag of a line's number: an index into many, else a name */

static const struct memo_key root_key = {
    UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f)};

static const struct memo_key inlined_key = {
    UINT64_C(0x8a5cd789635d2dff), UINT64_C(0x121fd2155c472f96)};

static inline struct memo_key
key_of(const char *s, size_t len)
{
	XXH128_hash_t h = hash_bytes128(s, len);

	return (struct memo_key){h.low64, h.high64};
}

/* The key of a prefix extended by one frame. */
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
	return (struct sample_task){.comm = {h->comm, h->comm_len},
	    .pid = {h->pid, h->pid_len},
	    .tid = {h->tid, h->tid_len}};
}

/* The key of a line's frame, without its source. */
static struct memo_key
line_key(struct stackcache *st, const struct frameline *f)
{
	struct memo_key key = key_of(f->symbol.s, f->symbol.len);

	if (!str_equal(f->module, text_as_str(&st->module))) {
		text_cut(&st->module, 0);
		text_str(&st->module, f->module);
		st->module_key = key_of(f->module.s, f->module.len);
	}
	key = append_key(key, st->module_key);
	if (st->sampler->options->style.addrs)
		key = append_key(key, key_of(f->address, (size_t)(f->symbol.s - f->address)));
	return key;
}

static bool
split(struct item *item, struct str *likely)
{
	if (!item->split)
		item->bad = !frameline_split(&item->frame, item->line, item->end, likely);
	item->split = true;
	return !item->bad;
}

/* The number of a frame line: a name, or an index with MANY. */
static uint32_t
line_number(struct stackcache *st, struct item *item, bool java)
{
	struct memo_key key = item->key;
	uint32_t name[FRAMELINE_MAX], number, n;
	struct str likely = {0};

	key.lo += java;
	number = memo_find(&st->lines, key);
	if (number != 0)
		return number;
	if (memo_full(&st->lines)) {
		memo_clear(&st->lines);
		st->nmany = 0;
	}
	split(item, &likely);
	n = (uint32_t)frameline_names(st->sampler, &item->frame, java, &st->function, name);
	if (n == 1) {
		number = name[0];
	} else {
		vec_fit(st->many, st->capmany, (size_t)st->nmany + n + 1);
		number = MANY | st->nmany;
		st->many[st->nmany++] = n;
		memcpy(st->many + st->nmany, name, n * sizeof *name);
		st->nmany += n;
	}
	memo_put(&st->lines, key, number);
	return number;
}

/* The memo stores the complete stack and every STRIDEth prefix from the root. */
static inline bool
is_kept(const struct sample *s, size_t i)
{
	return i == 0 || (s->n - i) % STRIDE == 0;
}

/* The entry for lines with this address (the 16 bytes after the TAB). */
static struct known_line *
seen_at(struct stackcache *st, const struct item *item)
{
	uint64_t half[2];

	memcpy(half, item->line + 1, sizeof half);
	half[0] = (half[1] ^ half[0] * UINT64_C(0x9fb21c651e98df25)) * UINT64_C(0xa0761d6478bd642f);
	return &st->seen[half[0] >> 32 & (SEEN - 1)];
}

/* Stores the line of item in an entry. */
static void
see(struct stackcache *st, struct known_line *seen, const struct item *item, size_t len)
{
	if (len > SEEN_TEXT - st->seen_len) {
		memset(st->seen, 0, sizeof st->seen);
		st->seen_len = 0;
	}
	memcpy(st->seen_text + st->seen_len, item->line, len);
	*seen = (struct known_line){item->key, st->seen_len, (uint32_t)len};
	st->seen_len += (uint32_t)len;
}

/* Sets the key of the frame; a bad line has none. */
static void
make_key(struct stackcache *st, struct item *item, struct str *likely)
{
	size_t len = (size_t)(item->end - item->line);
	struct known_line *seen = len > 16 && len <= SEEN_MAX ? seen_at(st, item) : NULL;

	if (seen != NULL && seen->len == len &&
	    memcmp(st->seen_text + seen->text, item->line, len) == 0) {
		item->key = seen->key;
	} else {
		if (!split(item, likely))
			return;
		item->key = line_key(st, &item->frame);
		if (seen != NULL)
			see(st, seen, item, len);
	}
	if (item->frame.inlined)
		item->key = append_key(item->key, inlined_key);
	if (item->frame.source.len > 0 && st->sampler->options->style.source)
		item->key =
		    append_key(item->key, key_of(item->frame.source.s, item->frame.source.len));
}

size_t
stackcache_key(struct stackcache *st, struct sample *s)
{
	const struct sample_options *o = st->sampler->options;
	const struct header *h = &s->header;
	struct memo_key key = append_key(root_key, key_of(h->comm, h->comm_len));
	struct str likely = {0};
	size_t bad = 0;

	if (o->pid)
		key = append_key(key, key_of(h->pid, h->pid_len));
	if (o->tid)
		key = append_key(key, key_of(h->tid, h->tid_len));
	for (size_t i = s->n; i-- > 0;) {
		struct item *item = &s->item[i];

		make_key(st, item, &likely);
		if (!item->bad)
			key = append_key(key, item->key);
		item->prefix = key;
		bad += item->bad;
	}
	for (size_t i = 0; i < s->n && i < PREFETCH; i++) {
		if (is_kept(s, i))
			memo_prefetch(&st->prefixes, s->item[i].prefix);
		memo_prefetch(&st->lines, s->item[i].key);
	}
	return bad;
}

uint32_t
stackcache_node(struct stackcache *st, struct sample *s)
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
			uint32_t number;

			if (s->item[i].bad)
				continue;
			number = line_number(st, &s->item[i], java);
			if (number & MANY) {
				const uint32_t *many = st->many + (number & ~MANY);

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
sample_grow(struct sample *s)
{
	vec_fit(s->item, s->cap, s->n + 1);
}

void
stackcache_init(struct stackcache *st, struct sampler *sampler)
{
	st->sampler = sampler;
	st->module_key = key_of("", 0);
	text_puts(&st->module, "");
	st->seen_text = cli_alloc(SEEN_TEXT, 1);
	memo_init(&st->prefixes, 1u << 10, PREFIXES);
	memo_init(&st->lines, 1u << 8, LINES);
}

void
stackcache_free(struct stackcache *st)
{
	memo_free(&st->prefixes);
	memo_free(&st->lines);
	free(st->many);
	free(st->seen_text);
	text_free(&st->module);
	text_free(&st->function);
}
