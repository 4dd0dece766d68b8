/*
 * stackcache: from the lines of a sample to the leaf node of its stack.
 *
 * Stacks repeat, and so do their root ends: these are not parsed (tails.h). The node of each
 * other frame is a child of its caller's node. A recent line is known by its text, but for
 * address and offset; any other line is hashed without these two, and a memo maps the hash to its
 * names, so that each name is made once.
 */
#include "fg-collapse/perfscript/stackcache.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "sample/nodes.h"

#define LINES (1u << 18) /* slots: limit of the memo */
#define TEXTS (1u << 22) /* bytes of known, after which it grows by numbers only */
#define MANY UINT32_C(0x80000000) /* flag of a line's number: an index into many, else a name */

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

/* The key of a line with its source. */
static struct memo_key
item_key(struct stackcache *st, const struct frameline *f, bool java)
{
	struct memo_key key = line_key(st, f);

	if (f->inlined)
		key = append_key(key, inlined_key);
	if (f->source.len > 0 && st->sampler->options->style.source)
		key = append_key(key, key_of(f->source.s, f->source.len));
	key.lo += java;
	return key;
}

/* Forgets all lines. */
static void
forget(struct stackcache *st)
{
	memo_clear(&st->lines);
	memset(st->recent, 0, st->places * sizeof *st->recent);
	st->nknown = st->nmany = 0;
}

static struct known_line *
known_at(const struct stackcache *st, uint32_t known)
{
	return (struct known_line *)(void *)(st->known + (known - 1));
}

/*
 * Stores a line with its number; returns its place in known, plus 1. Without its text, if a line
 * that has the same text but for the offset might be split in another way.
 */
static uint32_t
know(struct stackcache *st, const struct item *item, const struct frameline *f, uint32_t number,
    bool java)
{
	struct str rest = frameline_rest(f, item->end);
	bool stored = rest.len > 0 && f->symbol.s == item->line + FRAMELINE_SYMBOL &&
		      item->end - item->line <= RECENT_MAX && st->nknown < TEXTS;
	size_t at = st->nknown, size = sizeof(struct known_line),
	       step = _Alignof(struct known_line);
	struct known_line *known;

	if (stored)
		size += f->symbol.len + rest.len;
	st->nknown += (uint32_t)((size + step - 1) / step * step);
	vec_fit(st->known, st->capknown, (size_t)st->nknown + 16); /* for same_text */
	known = known_at(st, (uint32_t)at + 1);
	*known = (struct known_line){.number = number, .java = java};
	if (stored) {
		known->symbol = (uint16_t)f->symbol.len;
		known->rest = (uint16_t)rest.len;
		memcpy(known->text, f->symbol.s, f->symbol.len);
		memcpy(known->text + f->symbol.len, rest.s, rest.len);
	}
	return (uint32_t)at + 1;
}

/* The place in known of a frame line, plus 1. */
static uint32_t
line_known(struct stackcache *st, const struct item *item, const struct frameline *f, bool java)
{
	struct memo_key key = item_key(st, f, java);
	uint32_t name[FRAMELINE_MAX], number, known, n;

	known = memo_find(&st->lines, key);
	if (known != 0)
		return known;
	if (memo_full(&st->lines))
		forget(st);
	n = (uint32_t)frameline_names(st->sampler, f, java, &st->function, name);
	if (n == 1) {
		number = name[0];
	} else {
		vec_fit(st->many, st->capmany, (size_t)st->nmany + n + 1);
		number = MANY | st->nmany;
		st->many[st->nmany++] = n;
		memcpy(st->many + st->nmany, name, n * sizeof *name);
		st->nmany += n;
	}
	known = know(st, item, f, number, java);
	memo_put(&st->lines, key, known);
	return known;
}

/* True if both have equal bytes; 16 more bytes of each must be readable. */
static inline bool
same_text(const char *a, const char *b, size_t len)
{
	for (; len > 16; len -= 16, a += 16, b += 16)
		if (chars_equal16(a, b) != 0xffff)
			return false;
	return (~chars_equal16(a, b) & ((UINT32_C(1) << len) - 1)) == 0;
}

/* Whether a line has the text of a known one. */
static bool
is_known(const struct known_line *known, const struct item *item)
{
	const char *symbol = item->line + FRAMELINE_SYMBOL, *offset = symbol + known->symbol;
	const char *rest = item->end - known->rest;

	return known->symbol > 0 && offset <= rest &&
	       same_text(symbol, known->text, known->symbol) &&
	       memcmp(rest, known->text + known->symbol, known->rest) == 0 &&
	       (offset == rest || frameline_is_offset(offset, rest));
}

/* Finds the entries of a sample's lines, and fetches them: few are still in the CPU's cache. */
static void
find_recent(struct stackcache *st, struct sample *s)
{
	bool addrs = st->sampler->options->style.addrs;

	if (st->lines.n > st->places / 4 && st->places < RECENT) {
		free(st->recent);
		st->places = RECENT;
		st->recent = cli_alloc(st->places, sizeof *st->recent);
	}
	for (struct item *item = s->item; item < s->item + s->n; item++) {
		uint64_t hash;

		item->recent = NULL;
		if (addrs || item->inlined || item->source.len > 0 ||
		    !frameline_usual(item->line, item->end))
			continue;
		hash = frameline_sketch(item->line, item->end) * hash_key[1];
		item->recent = &st->recent[hash_place(hash, st->places)];
		__builtin_prefetch(item->recent);
	}
}

/* The number of a line; 0 if it is bad. *likely: the module of the line before. */
static uint32_t
item_number(struct stackcache *st, struct item *item, bool java, struct str *likely)
{
	uint32_t *recent = item->recent, known;
	struct frameline f;

	if (recent != NULL && *recent != 0) {
		const struct known_line *k = known_at(st, *recent);

		if (k->java == java && is_known(k, item))
			return k->number;
	}
	if (!frameline_split(&f, item->line, item->end, likely)) {
		item->bad = true;
		return 0;
	}
	f.source = item->source;
	f.inlined = item->inlined;
	known = line_known(st, item, &f, java);
	if (recent != NULL)
		*recent = known;
	return known_at(st, known)->number;
}

void
stackcache_begin(struct stackcache *st, struct sample *s)
{
	const struct sample_options *o = st->sampler->options;
	const struct sampleline *h = &s->header;
	struct sample_task task = {.comm = {h->comm, h->comm_len},
	    .pid = {h->pid, h->pid_len},
	    .tid = {h->tid, h->tid_len}};

	if (!st->has_root || !str_equal(task.comm, text_as_str(&st->comm))) {
		text_cut(&st->comm, 0);
		text_str(&st->comm, task.comm);
		st->root = sample_root(st->sampler, &task);
		st->java = h->comm_len >= 4 && memcmp(h->comm, "java", 4) == 0;
		st->has_root = !o->pid && !o->tid;
	}
	s->root = st->root;
	s->java = st->java;
}

/* The child of a node with the names of a line. */
static uint32_t
node_below(struct stackcache *st, uint32_t node, uint32_t number)
{
	const uint32_t *many;

	if ((number & MANY) == 0)
		return sample_child(st->sampler, node, number);
	many = st->many + (number & ~MANY);
	for (uint32_t i = 1; i <= many[0]; i++)
		node = sample_child(st->sampler, node, many[i]);
	return node;
}

uint32_t
stackcache_node(struct stackcache *st, struct sample *s)
{
	struct tails *tails = &st->tails;
	struct tail like = s->same > 0 ? *s->tail : tails->last;
	struct tail_frame *frame = NULL;
	uint32_t node = s->root, depth = s->same;
	struct str likely = {0};

	s->bad = 0;
	if (depth > 0)
		node = tails_frame_of(tails, &like, depth - 1)->node;
	else if (like.root != s->root || like.block + 1 < tails->block)
		like.n = 0;
	find_recent(st, s);
	if (s->end != NULL)
		frame = tails_begin(tails, s->tail, s->same, s->n);
	for (size_t i = s->n; i-- > 0; depth++) {
		struct item *item = &s->item[i];
		uint32_t number;

		if (i > 0 && item[-1].recent != NULL && *item[-1].recent != 0)
			__builtin_prefetch(known_at(st, *item[-1].recent));
		number = item_number(st, item, s->java, &likely);

		if (depth < like.n && tails_frame_of(tails, &like, depth)->number == number &&
		    (number & MANY) == 0) {
			node = tails_frame_of(tails, &like, depth)->node;
		} else {
			like.n = 0;
			if (number != 0)
				node = node_below(st, node, number);
		}
		s->bad += item->bad;
		if (frame != NULL)
			*frame++ = (struct tail_frame){
			    (uint32_t)(s->end - item->line), s->lines - item->at, number, node};
	}
	if (s->end != NULL && s->bad == 0)
		tails_end(tails, s->end, s->root, s->java);
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
	memo_init(&st->lines, 1u << 8, LINES);
	vec_fit(st->known, st->capknown, 1u << 14);
	st->places = RECENT_FEW;
	st->recent = cli_alloc(st->places, sizeof *st->recent);
}

void
stackcache_free(struct stackcache *st)
{
	memo_free(&st->lines);
	tails_free(&st->tails);
	free(st->many);
	free(st->known);
	free(st->recent);
	text_free(&st->module);
	text_free(&st->function);
	text_free(&st->comm);
}
